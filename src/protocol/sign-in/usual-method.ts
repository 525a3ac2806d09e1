// With which method the sign-in page of a browser greets a person it remembers: the one they used last, if they still can.

/** The ways to sign in that the page can put first. `upstream` is the name of an identity provider. */
export type UsualMethod =
  | { readonly kind: 'password' | 'passkey' | 'email_code' }
  | { readonly kind: 'upstream'; readonly upstream: string };

export interface PossibleMethods {
  readonly password: boolean;
  readonly passkey: boolean;
  readonly emailCode: boolean;
  /** Names of the identity providers that the account is linked to and that can be used. */
  readonly upstreams: readonly string[];
}

/** `last` is what the newest event of a sign-in says of it. */
export function usualMethod(
  possible: PossibleMethods,
  last: { readonly method?: string | undefined; readonly upstream?: string | undefined },
): UsualMethod | undefined {
  const [first] = possible.upstreams;
  const ways: readonly (UsualMethod | false)[] = [
    possible.passkey && { kind: 'passkey' },
    possible.password && { kind: 'password' },
    first !== undefined && { kind: 'upstream', upstream: first },
    possible.emailCode && { kind: 'email_code' },
  ];
  const open = ways.filter((way) => way !== false);
  const used = /^(passkey|password|upstream|email_code)/.exec(last.method ?? '')?.[1];
  if (used === 'upstream' && last.upstream !== undefined && possible.upstreams.includes(last.upstream)) {
    return { kind: 'upstream', upstream: last.upstream };
  }
  return open.find(({ kind }) => kind === used) ?? open[0];
}
