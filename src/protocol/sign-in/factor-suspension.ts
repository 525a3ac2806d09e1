// Which second factors a password reset suspends: someone who knew the old password may have added them.

/**
 * Long enough for people to read the email about a new factor, and short enough that most people's own factors stay in
 * force.
 */
const suspicionPeriod = 7 * 24 * 60 * 60 * 1000;

/** A factor that was added at this time or later is suspended by a reset at `resetAt`. */
export function suspendedFrom(resetAt: number): number {
  return resetAt - suspicionPeriod;
}
