// When a message is retried, when it's dropped, and how much is kept.

import { DAY, HOUR, MINUTE, SECOND } from '../durations.ts';

/** How long after each failed attempt the next one follows: ten attempts over three days. */
export const retryDelays = [
  5 * SECOND,
  30 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  20 * HOUR,
  34 * HOUR,
] as const;

/** For back-channel logout: seven attempts within an hour, after which people rather sign out again. */
export const logoutRetryDelays = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 6 * MINUTE, 15 * MINUTE, 30 * MINUTE] as const;

/** Up to a tenth earlier or later, so that messages that failed together aren't retried together. */
const jitter = 0.1;

/** How long to wait after so many attempts; undefined when that was the last one. `chance` is from 0 to 1. */
export function retryAfter(attempts: number, chance: number): number | undefined {
  return delayed(retryDelays[attempts - 1], chance);
}

export function logoutRetryAfter(attempts: number, chance: number): number | undefined {
  return delayed(logoutRetryDelays[attempts - 1], chance);
}

function delayed(delay: number | undefined, chance: number): number | undefined {
  return delay === undefined ? undefined : Math.round(delay * (1 + jitter * (2 * chance - 1)));
}

/**
 * How long an endpoint is left alone after so many failures in a row, whichever messages they concerned: 1 s, 2 s, 4 s, 8 s
 * and then 10 s. However many messages wait for an endpoint that is down, it costs an attempt every few seconds.
 */
export function restAfter(failures: number): number {
  return Math.min(2 ** Math.min(failures - 1, 10), 10) * SECOND;
}

/** After this many failures in a row, a success means that the endpoint is back: queued messages are sent at once. */
export const outageAfter = 3;

export type EndpointStatus = 'active' | 'failing' | 'disabled';

export function statusOfEndpoint(endpoint: {
  readonly disabledAt: number | null;
  readonly failures: number;
}): EndpointStatus {
  if (endpoint.disabledAt !== null) return 'disabled';
  return endpoint.failures >= outageAfter ? 'failing' : 'active';
}

/** How long a message may wait, and how long a finished one is shown. */
export const deliveryLifetime = 7 * DAY;

/** How many messages may wait for an endpoint. When there are more, the oldest are dropped and counted. */
export const waitingLimit = 100_000;

/** How many finished deliveries of an endpoint are shown. */
export const finishedLimit = 1000;
