// The pages that the gate shows itself, and what each language says on them. Everything else that people see is Latchkey's or
// the application's.

/** `account` is an email address or a name; URLs are paths on the application's host. */
export type GatePage =
  /** The account may not open this path. */
  | { readonly kind: 'forbidden'; readonly account: string; readonly otherAccount: string; readonly signOut: string }
  /** No application has this host. */
  | { readonly kind: 'unknown_host'; readonly host: string }
  /** It was opened over plain http. */
  | { readonly kind: 'insecure'; readonly host: string }
  /** The browser came back without the cookie that was set when it left: it refuses cookies, or another one has opened the link. */
  | { readonly kind: 'no_cookie'; readonly retry: string }
  /** The sign-in took too long, was finished before, or failed. */
  | { readonly kind: 'sign_in_failed'; readonly retry: string }
  | { readonly kind: 'canceled'; readonly retry: string }
  /** Latchkey doesn't answer. */
  | { readonly kind: 'unavailable'; readonly retry: string }
  /** Someone who is signed in has opened the sign-in page. */
  | { readonly kind: 'signed_in'; readonly account: string; readonly to: string; readonly signOut: string }
  /** Asks before it signs out, with a form. */
  | { readonly kind: 'sign_out'; readonly account: string; readonly action: string }
  | { readonly kind: 'signed_out'; readonly signIn: string }
  | { readonly kind: 'not_found' };

export interface RenderedPage {
  readonly status: number;
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

type Kind = GatePage['kind'];

export interface Texts {
  readonly titles: Readonly<Record<Kind, string>>;
  /** Below the title. Where someone is signed in, the account says it all. */
  readonly texts: Readonly<Record<Exclude<Kind, 'signed_in'>, string>>;
  /** What only an administrator can do about it. */
  readonly forAdministrators: Readonly<Record<'unknown_host' | 'insecure', string>>;
  /** What stands above the account. */
  readonly signedInAs: string;
  readonly actions: Readonly<
    Record<'signIn' | 'signOut' | 'otherAccount' | 'tryAgain' | 'continue' | 'cancel', string>
  >;
}
