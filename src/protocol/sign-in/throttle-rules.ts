// How many failed attempts are too many. Failures are counted in one-minute buckets over the last fifteen minutes, so no
// lock is permanent, and an attempt that is refused because of a limit does not extend it.

import { mailboxKey } from '../account/email-address.ts';
import { digestOf } from '../digest.ts';

const MINUTE = 60 * 1000;
export const throttleWindow = 15 * MINUTE;

export interface ThrottleCounter {
  /** A digest of what is counted, so that the table of counters contains no names or addresses. */
  readonly key: string;
  readonly limit: number;
}

/**
 * `knownDevice` identifies a browser in which this user has signed in before. It has a counter of its own, so that its owner
 * can still sign in while others attack the account.
 */
export function signInCounters(email: string, address: string, knownDevice?: string): ThrottleCounter[] {
  return attemptCounters(`account ${mailboxKey(email)}`, address, knownDevice);
}

/** Limits the second step so that a code of six digits cannot be guessed. */
export function secondStepCounters(userId: string, address: string, knownDevice?: string): ThrottleCounter[] {
  const subject = `second step ${userId}`;
  // Whoever gets here knows the password, so the limit is ten wrong codes from all networks together, instead of fifty.
  if (knownDevice === undefined) return [{ key: digestOf(subject), limit: 10 }];
  return attemptCounters(subject, address, knownDevice);
}

/** A sign-in with a passkey alone names no account beforehand, so only the network can be limited. */
export function passkeyCounters(address: string): ThrottleCounter[] {
  return [{ key: digestOf(`network ${networkOf(address)}`), limit: 100 }];
}

/** For the password that a signed-in user has to give again before a change. */
export function confirmationCounters(userId: string): ThrottleCounter[] {
  return [{ key: digestOf(`confirmation ${userId}`), limit: 10 }];
}

/** Anyone can have emails sent to any address: few to one mailbox, and not many from one network. */
export function recipientCounters(email: string): ThrottleCounter[] {
  return [{ key: digestOf(`mail to ${mailboxKey(email)}`), limit: 5 }];
}

export function emailNetworkCounters(address: string): ThrottleCounter[] {
  return [{ key: digestOf(`mail for ${networkOf(address)}`), limit: 30 }];
}

function attemptCounters(subject: string, address: string, knownDevice: string | undefined): ThrottleCounter[] {
  if (knownDevice !== undefined) return [{ key: digestOf(`${subject} device ${knownDevice}`), limit: 10 }];
  const network = networkOf(address);
  return [
    { key: digestOf(`${subject} network ${network}`), limit: 10 },
    { key: digestOf(subject), limit: 50 },
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

/** Seconds until the next attempt is allowed, or undefined when it is allowed now. */
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

/** A household or a server usually has a whole IPv6 /64 to choose addresses from, so a /64 counts as one network. */
export function networkOf(address: string): string {
  // Some proxies add a port to the address.
  const bare = address
    .toLowerCase()
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
  const plain = bare.replace(/^::ffff:(?=\d+\.)/, '');
  if (!plain.includes(':')) return plain;
  const [head = '', tail] = plain.split('%')[0]?.split('::') ?? [];
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0');
  const groups = [...left, ...zeros, ...right].map((group) => group.replace(/^0+(?=.)/, ''));
  return `${groups.slice(0, 4).join(':')}::/64`;
}
