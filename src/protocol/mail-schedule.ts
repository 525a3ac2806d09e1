// When an email that couldn't be sent is tried again, and how long it's kept.

const MINUTE = 60 * 1000;

/** An email that couldn't be sent for this long is given up: its link has expired by then. */
export const emailLifetime = 24 * 60 * MINUTE;

/** Longer than one attempt can take with its timeouts. After that, another process may try. */
export const emailClaim = 2 * MINUTE;

const longestRest = 60 * MINUTE;

/** 5 s, 10 s, 20 s and so on, at most an hour. */
export function emailRetryAfter(attempts: number): number {
  return Math.min(5000 * 2 ** (attempts - 1), longestRest);
}

/** After no more attempts than that, an email rests for less than a claim. */
export const briefRests = 5;

/**
 * What an email can have to wait for, after no more attempts than `briefRests` and after more. Twice as long as claims and rests
 * themselves: a process that knows the time from a moment ago must not take an email that another one has just claimed.
 */
export const longestEmailWait = { brief: 2 * emailClaim, long: 2 * longestRest };
