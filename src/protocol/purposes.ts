// What the service stamps and seals things for. Whatever was made for one purpose is worthless for another: the purpose is part
// of what is signed. The names are in forms that are open while the service is updated, and in the store, so they stay.

/** Of forms: the token of a session, and the kinds of tickets. */
export const stampPurposes = [
  'account',
  'sign-in',
  'second-step',
  'set-up',
  'email-code',
  'email-code-proof',
  'verify',
  'session-set-up',
  'upstream-proof',
  'challenge sign-in',
  'challenge second-step',
  'challenge verify',
  'challenge proof',
  'challenge registration',
  'challenge sign-up',
  'challenge reset',
  'challenge set-up',
  'decision',
  'account-choice',
  'access-request',
  'logout',
] as const;

export type StampPurpose = (typeof stampPurposes)[number];

/** Of encrypted text. */
export const sealKinds = [
  'authenticator',
  'mail',
  'webhook secret',
  'upstream secret',
  'secret states',
  'replacement hash',
  'upstream sign-in',
  'held request',
  'typed secret',
  'undo',
  'remembered account',
  'deleted id key',
] as const;

export type SealKind = (typeof sealKinds)[number];

/** The kind, and whom or what the text belongs to: moved to another row or browser, it doesn't open. */
export type SealPurpose = `${SealKind} ${string}`;
