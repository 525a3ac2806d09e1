// What happens to an account, and what that ends: the one place that says so. Statements are made from it
// (storage/users/what-ends-sql.ts). A new kind of access gets a column, a new way to lose it a row.

import { DAY } from '../durations.ts';

/** How a person gets into an account, or keeps what they got there. */
export type Access =
  /** What applications were given: codes and tokens. */
  | 'grants'
  /** What applications may be given without asking. */
  | 'consents'
  | 'password'
  | 'identities'
  /** Authenticator app and passkeys. */
  | 'factors'
  | 'recovery_codes'
  | 'sessions'
  /** Whatever was checked before and isn't stored yet: a first factor, a form, an email that is on its way. */
  | 'waiting_sign_ins'
  | 'known_browsers'
  /** Of browsers that skip the second step. */
  | 'trust'
  /** All that were sent or handed over, but for those that undo a factor: they open nothing. */
  | 'links'
  | 'api_keys'
  | 'scim_tokens'
  | 'sign_up_links'
  | 'role_invitations'
  /** For access to applications. */
  | 'access_requests';

export type Extent =
  | 'all'
  /** All but those of the browser that it happens in. */
  | 'others'
  /** Added in the last seven days: factors are paused, identities unlinked. */
  | 'recent'
  /** Paused before. */
  | 'paused'
  /** All that isn't needed to sign in: without a password, factors stay that were added since the reset. */
  | 'spare'
  /** The one that it's about, which is part of the change itself. */
  | 'one'
  /** All, once no factor is left. */
  | 'unneeded';

type Ends = { readonly [Column in Access]?: Extent };

const given = {
  api_keys: 'all',
  scim_tokens: 'all',
  sign_up_links: 'all',
  role_invitations: 'all',
} as const satisfies Ends;

const signedOut = { sessions: 'all', waiting_sign_ins: 'all', links: 'all' } as const satisfies Ends;
const takenBack = { ...signedOut, known_browsers: 'all', trust: 'all' } as const satisfies Ends;
const signedOutElsewhere = { ...signedOut, sessions: 'others' } as const satisfies Ends;
const keptHere = { ...signedOutElsewhere, known_browsers: 'others', trust: 'all' } as const satisfies Ends;
const recovered = {
  ...takenBack,
  identities: 'recent',
  factors: 'recent',
  recovery_codes: 'recent',
} as const satisfies Ends;
const stopped = { ...signedOut, ...given, grants: 'all', trust: 'all', access_requests: 'all' } as const satisfies Ends;
const everything = {
  ...takenBack,
  ...given,
  grants: 'all',
  consents: 'all',
  password: 'all',
  identities: 'all',
  factors: 'all',
  recovery_codes: 'all',
  access_requests: 'all',
} as const satisfies Ends;
const reviewed = { ...keptHere, ...given, grants: 'all', consents: 'all' } as const satisfies Ends;

/** What isn't named stays. A password that is replaced is part of the change itself. */
export const whatEnds = {
  /** By the person, in a session. */
  password_changed: keptHere,
  password_removed: keptHere,
  /** Of an account with a verified address: with a link to it, with an administrator's link, and by an administrator. */
  password_reset: recovered,
  account_recovered: recovered,
  password_set: recovered,
  /** With a link or a code to an address that wasn't verified, or with an administrator's link (`proofs`). */
  account_claimed: everything,
  /** In a session, with a link to the person's email address, which wasn't verified. */
  address_verified: { ...keptHere, grants: 'all', consents: 'all' },
  /** By an administrator or a directory, who say that it's the person's. */
  address_vouched: {},
  /** By the person, from a verified address; by an administrator or a directory. */
  address_changed: { links: 'all' },
  /** "This wasn't me", in the email about it. */
  factor_undone: { ...takenBack, factors: 'one', recovery_codes: 'one' },
  /** By the person: a factor in force, or a paused one. */
  factor_removed: { factors: 'one', recovery_codes: 'unneeded', trust: 'all' },
  /** By an administrator. */
  factors_removed: { factors: 'all', recovery_codes: 'all', trust: 'all' },
  identity_revoked: { ...signedOut, identities: 'one' },
  signed_out_everywhere: signedOut,
  signed_out_elsewhere: signedOutElsewhere,
  /** All other access removed in the review, without and with recent proof of identity. */
  reviewed: { ...reviewed, factors: 'paused', recovery_codes: 'paused' },
  reviewed_with_proof: { ...reviewed, factors: 'spare', recovery_codes: 'spare', identities: 'spare' },
  disabled: stopped,
  expired: stopped,
  /** What was made while disabled, by a request that was under way. */
  enabled: given,
  roles_changed: { links: 'all' },
  /** The roles were changed of a person who can't give others anymore what they gave. */
  rights_lost: { ...given, links: 'all' },
  deleted: everything,
} as const satisfies Record<string, Ends>;

export type Occasion = keyof typeof whatEnds;

/**
 * What makes an email address count as verified, and what that does to an account that had it unverified. The person who made that
 * account may not be the address's owner, and knows what is in it. So proof of the mailbox ends all of it, and with a second factor
 * in force, which another person may hold, it does nothing: an administrator removes the factor, and then hands over a recovery
 * link.
 */
export const proofs = {
  email_code: { verifies: true, ends: 'account_claimed', besideFactor: false },
  reset_link: { verifies: true, ends: 'account_claimed', besideFactor: false },
  /** The administrator knows whose account it is, and hasn't seen the mailbox. */
  recovery_link: { verifies: false, ends: 'account_claimed', besideFactor: false },
  /** The session proves the account, and the mailbox the address. */
  address_link: { verifies: true, ends: 'address_verified', besideFactor: true },
  /** Trusted to know both. */
  administrator: { verifies: true, ends: 'address_vouched', besideFactor: true },
  directory: { verifies: true, ends: 'address_vouched', besideFactor: true },
} as const satisfies Record<
  string,
  { readonly verifies: boolean; readonly ends: Occasion; readonly besideFactor: boolean }
>;

/** A proof that may have to empty the account first. */
export type OwnerProof = 'email_code' | 'reset_link' | 'recovery_link';

/**
 * A password reset suspends factors that are newer than this: someone who knew the old password may have added them. Long enough
 * for people to read the email about a new factor, and short enough that most people's own factors stay in force.
 */
const suspicionPeriod = 7 * DAY;

/** A factor that was added at this time or later is suspended by a reset at `resetAt`. */
export function suspendedFrom(resetAt: number): number {
  return resetAt - suspicionPeriod;
}
