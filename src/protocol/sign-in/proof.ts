// How recent the proof of identity has to be for a change that matters, so that an unattended browser, or a stolen session,
// is not enough to make it. Signing in is such a proof.

export const proofLifetime = 15 * 60 * 1000;

/** A time that lies far ahead was written by a clock that was wrong, and proves nothing. */
export function isProven({ provenAt }: { provenAt: number }, now: number): boolean {
  return Math.abs(now - provenAt) <= proofLifetime;
}
