// When an email that couldn't be sent is tried again, how long it's kept, and whether an error of the mail server is about that
// email or about all of them.

import { DAY, HOUR } from './durations.ts';

/** An email that couldn't be sent for this long is given up: its link has expired by then. */
export const emailLifetime = DAY;

/** How long another process waits for one that has claimed an email and says nothing more. People wait for a code with them. */
export const emailClaim = 15_000;

/** How often a process says that it's still sending, which a slow server can make it for a minute. */
export const emailClaimRenewal = 5000;

const longestRest = HOUR;

/** 5 s, 10 s, 20 s and so on, at most an hour. */
export function emailRetryAfter(attempts: number): number {
  return Math.min(5000 * 2 ** (attempts - 1), longestRest);
}

/** After no more attempts than that, an email rests for minutes at most. */
export const briefRests = 5;

/**
 * What an email can have to wait for, after no more attempts than `briefRests` and after more. Twice as long as the rests
 * themselves, which are longer than claims: a process that knows the time from a moment ago must not take an email that another one has just claimed.
 */
export const longestEmailWait = { brief: 2 * emailRetryAfter(briefRests), long: 2 * longestRest };

/** The status of the server's reply, if the error is one. */
export function replyOf(error: unknown): number | undefined {
  const status = error instanceof Error && 'responseCode' in error ? error.responseCode : undefined;
  return typeof status === 'number' ? status : undefined;
}

/**
 * Whether the server refused this email because of its recipient or its content. Anything else happens to every email, also
 * when the sender is refused.
 */
export function concernsOneEmail(error: unknown): boolean {
  const command = error instanceof Error && 'command' in error ? error.command : undefined;
  return replyOf(error) !== undefined && (command === 'RCPT TO' || command === 'DATA');
}
