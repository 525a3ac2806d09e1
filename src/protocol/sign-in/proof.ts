// How recent proof of identity has to be for a sensitive change, so that an unattended browser or a stolen session isn't
// enough. Signing in is such a proof.

export const proofLifetime = 15 * 60 * 1000;

/** A time far in the future was written by a wrong clock, and proves nothing. */
export function isProven({ provenAt }: { provenAt: number }, now: number): boolean {
  return Math.abs(now - provenAt) <= proofLifetime;
}
