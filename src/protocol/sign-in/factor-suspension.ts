// Which second factors a password reset suspends: somebody who knew the old password may have added them. And whose sign-in
// after it is proof enough to remove all the others.

/**
 * Long enough for people to read the email about a new factor, and short enough that most people's own factors stay in
 * force.
 */
const suspicionPeriod = 7 * 24 * 60 * 60 * 1000;

/** A factor that was added at this time or later is suspended by a reset at `resetAt`. */
export function suspendedFrom(resetAt: number): number {
  return resetAt - suspicionPeriod;
}

/** Long enough to read through the review that a sign-in leads to. */
const proofPeriod = 15 * 60 * 1000;

/**
 * Whether the sign-in of this session has just proved the password and a second factor, so that neither has to be proved
 * again. A passkey alone doesn't prove the password, which is what was reset.
 */
export function hasJustProvedBoth(session: { authTime: number; amr: readonly string[] }, now: number): boolean {
  const { amr, authTime } = session;
  return amr.includes('pwd') && amr.includes('mfa') && now - authTime < proofPeriod;
}
