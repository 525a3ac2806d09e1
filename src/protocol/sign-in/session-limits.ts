// How long a browser stays signed in.

const HOUR = 60 * 60 * 1000;

export const sessionLimits = {
  idle: 3 * 24 * HOUR,
  absolute: 30 * 24 * HOUR,
  /** "Last seen" is written at most this often. */
  touchEvery: HOUR / 12,
} as const;

/** How long a browser is known after a sign-in in it; also how long its cookie lives. */
export const deviceMemory = 400 * 24 * HOUR;

export function sessionIsLive(session: { createdAt: number; lastSeenAt: number }, now: number): boolean {
  return now - session.createdAt < sessionLimits.absolute && now - session.lastSeenAt < sessionLimits.idle;
}
