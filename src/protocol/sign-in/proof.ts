// How recent proof of identity has to be for a sensitive change, so that an unattended browser or a stolen session isn't
// enough. Signing in is such a proof.

import { MINUTE } from '../durations.ts';
import type { SignInFactors } from './factors.ts';

export const proofLifetime = 15 * MINUTE;

/** A time far in the future was written by a wrong clock, and proves nothing. */
export function isProven({ provenAt }: { provenAt: number }, now: number): boolean {
  return Math.abs(now - provenAt) <= proofLifetime;
}

/**
 * When a new session's user authenticated, for `max_age` and `auth_time`, and when they proved who they are. An upstream lets
 * people through who signed in there long ago, so its time counts if it's earlier, until they prove a second factor here.
 * `upstreamTime` is null if the upstream doesn't say. A code by email proves nothing, unless it's `onlyWayIn`: without a password,
 * a passkey and an identity, there is nothing else to prove with.
 */
export function signInTimes(
  { first, second }: SignInFactors,
  upstreamTime: number | null,
  now: number,
  onlyWayIn = false,
): { readonly authTime: number; readonly provenAt: number } {
  const isUpstreamsWord =
    first === 'upstream' && (second === 'none' || second === 'upstream' || second === 'trusted_device');
  const authTime = isUpstreamsWord ? Math.min(now, upstreamTime ?? now) : now;
  // With a single factor, on a trusted device, people who have a second one prove it before a powerful change.
  const isEmailAlone = first === 'email_code' && second !== 'passkey' && !onlyWayIn;
  const isProof = second !== 'trusted_device' && !(isUpstreamsWord && upstreamTime === null) && !isEmailAlone;
  return { authTime, provenAt: isProof ? authTime : 0 };
}
