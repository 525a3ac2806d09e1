// How long sessions last, and how long browsers are remembered.

import { DAY, HOUR } from '../durations.ts';

export interface SessionLimits {
  /** A session that its user didn't ask to keep: it also ends with the browser. */
  readonly brief: number;
  /** "Keep me signed in": in all, and since it was last used. */
  readonly kept: number;
  readonly keptIdle: number;
}

/** The time of last use is written at most this often. */
export const touchSessionEvery = HOUR / 12;

/** How long a browser is remembered after a sign-in; also the lifetime of its cookie. */
export const deviceMemory = 400 * DAY;

/** How long a trusted browser skips the second step. */
export const trustLifetime = 30 * DAY;

export function sessionIsLive(
  { createdAt, lastSeenAt, kept }: { createdAt: number; lastSeenAt: number; kept: boolean },
  limits: SessionLimits,
  now: number,
): boolean {
  if (!kept) return now - createdAt < limits.brief;
  return now - createdAt < limits.kept && now - lastSeenAt < limits.keptIdle;
}

/** No session lives longer. */
export function longestSession({ brief, kept }: SessionLimits): number {
  return Math.max(brief, kept);
}

/** How many users a browser is remembered for: families share one, and cookies must not grow without limit. */
export const marksPerBrowser = 5;
