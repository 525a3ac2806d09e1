// The ways to sign in that a person has, each of which is enough on its own: how many there can be, and that the last one
// can't be removed. Authenticator apps and recovery codes are none: they only come after one.

/** More than anybody has devices. Who has more, from before there was a limit, keeps them. */
export const passkeyLimit = 20;
/** More than anybody has accounts elsewhere. Who has more keeps them. */
export const identityLimit = 10;

export interface WaysIn {
  readonly password: boolean;
  /** How many are in force. */
  readonly passkeys: number;
  /** How many are at identity providers that aren't disabled. */
  readonly identities: number;
}

/**
 * Whether a person can remove their password: a passkey signs them in, and recovery codes or another passkey bring them back
 * if they lose it. Every passkey verifies the user: none is added that doesn't.
 */
export function canDoWithoutPassword(has: { readonly passkeys: number; readonly recoveryCodes: number }): boolean {
  return has.passkeys > 1 || (has.passkeys === 1 && has.recoveryCodes > 0);
}

/** Whether a person who has these can sign in. A way can be removed if that's so without it. */
export function hasWayIn({ password, passkeys, identities }: WaysIn): boolean {
  return password || passkeys > 0 || identities > 0;
}
