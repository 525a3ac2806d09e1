// What is recorded of every request: what it asked for, when it began and ended, and what came of it.

export type Outcome =
  /** Acknowledged: it took place. */
  | 'done'
  /** A rule of the service rejected it. What the rule is depends on the operation, see model.ts. */
  | 'refused'
  /** There is no session any more. */
  | 'signed-out'
  /** There was no response, or one that says that it may have taken effect. */
  | 'unknown'
  /** The service promised that nothing was changed, or nothing was listening. */
  | 'unchanged';

/** Sessions, grants and access tokens are numbered by whoever records; so are requests for those that were never seen. */
export type Action =
  | { readonly kind: 'sign-in' | 'sign-out' | 'remove-access'; readonly session: number }
  /** With remembered consent, or by answering the consent page. Both issue a code, which begins a grant. */
  | { readonly kind: 'authorize' | 'approve'; readonly session: number; readonly grant: number }
  /** Revoking the refresh token ends the grant. */
  | { readonly kind: 'exchange' | 'refresh' | 'revoke'; readonly grant: number }
  | { readonly kind: 'userinfo' | 'revoke-token'; readonly grant: number; readonly token: number }
  | { readonly kind: 'disable' | 'enable' };

export type Operation = Action & {
  /** Milliseconds on one clock for all requests. */
  readonly start: number;
  readonly end: number;
  readonly outcome: Outcome;
  /** Status and error code, or why there is none. */
  readonly response: string;
  /** Who was asked. */
  readonly instance: string;
};

/** What one order has to explain: the requests of a session or, with a grant, of that grant of the session. */
export interface Subject {
  readonly session: number;
  readonly grant?: number;
}
