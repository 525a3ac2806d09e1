// How many failed sign-ins are too many (decision 20). Failures are counted by the minute and looked at over the last
// fifteen, so a limit is never permanent, and an attempt that is turned away does not prolong it.

import { digestOf } from './digest.ts';
import { emailKey } from './email.ts';

const MINUTE = 60 * 1000;
export const throttleWindow = 15 * MINUTE;

export interface ThrottleCounter {
  /** What is counted, as a digest: the table of counters names nobody. */
  readonly key: string;
  readonly limit: number;
}

export function signInCounters(email: string, address: string): ThrottleCounter[] {
  const account = emailKey(email);
  const network = networkOf(address);
  return [
    { key: digestOf(`account+network ${account} ${network}`), limit: 10 },
    { key: digestOf(`account ${account}`), limit: 50 },
    { key: digestOf(`network ${network}`), limit: 100 },
  ];
}

export function throttleBucket(now: number): number {
  return Math.floor(now / MINUTE);
}

export function oldestBucket(now: number): number {
  return throttleBucket(now) - throttleWindow / MINUTE + 1;
}

export interface FailureCount {
  readonly key: string;
  readonly failures: number;
  readonly firstBucket: number;
}

/** Seconds until another attempt is worthwhile, or undefined when it may go ahead now. */
export function throttledFor(
  counters: readonly ThrottleCounter[],
  counts: readonly FailureCount[],
  now: number,
): number | undefined {
  const waits = counters.flatMap(({ key, limit }) => {
    const count = counts.find((candidate) => candidate.key === key);
    if (count === undefined || count.failures < limit) return [];
    return [(count.firstBucket + throttleWindow / MINUTE) * MINUTE - now];
  });
  return waits.length === 0 ? undefined : Math.max(1, Math.ceil(Math.max(...waits) / 1000));
}

/** One household or server has a whole IPv6 /64 to choose addresses from; it counts as one. */
export function networkOf(address: string): string {
  const plain = address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '');
  if (!plain.includes(':')) return plain;
  const [head = '', tail] = plain.split('%')[0]?.split('::') ?? [];
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0');
  const groups = [...left, ...zeros, ...right].map((group) => group.replace(/^0+(?=.)/, ''));
  return `${groups.slice(0, 4).join(':')}::/64`;
}
