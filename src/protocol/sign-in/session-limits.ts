// How long sessions last, and how long browsers are recognised.

const HOUR = 60 * 60 * 1000;

export const sessionLimits = {
  idle: 3 * 24 * HOUR,
  absolute: 30 * 24 * HOUR,
  /** The time of last use is written at most this often. */
  touchEvery: HOUR / 12,
} as const;

/** How long a browser is recognised after a sign-in; also the lifetime of its cookie. */
export const deviceMemory = 400 * 24 * HOUR;

export function sessionIsLive(session: { createdAt: number; lastSeenAt: number }, now: number): boolean {
  return now - session.createdAt < sessionLimits.absolute && now - session.lastSeenAt < sessionLimits.idle;
}

/** How many users a browser is remembered for: a family shares one, and a cookie must not grow without end. */
export const marksPerBrowser = 5;
