// How many failed sign-ins are too many (decision 20). Failures are counted by the minute and looked at over the last
// fifteen, so a limit is never permanent, and an attempt that is turned away does not prolong it.

import { mailboxKey } from '../account/email-address.ts';
import { digestOf } from '../digest.ts';

const MINUTE = 60 * 1000;
export const throttleWindow = 15 * MINUTE;

export interface ThrottleCounter {
  /** What is counted, as a digest: the table of counters names nobody. */
  readonly key: string;
  readonly limit: number;
}

/**
 * `knownDevice` is the mark of a browser in which this person has signed in before. It is counted by itself: however many
 * others attack the account from wherever, its owner still gets in from there.
 */
export function signInCounters(email: string, address: string, knownDevice?: string): ThrottleCounter[] {
  return attemptCounters(`account ${mailboxKey(email)}`, address, knownDevice);
}

/** The step after the password: a code of six digits must not be found by trying. */
export function secondStepCounters(userId: string, address: string, knownDevice?: string): ThrottleCounter[] {
  const subject = `second step ${userId}`;
  // Whoever comes here has the password: ten wrong codes in all, from wherever, and not fifty.
  if (knownDevice === undefined) return [{ key: digestOf(subject), limit: 10 }];
  return attemptCounters(subject, address, knownDevice);
}

/** Signing in with a passkey alone names nobody beforehand. */
export function passkeyCounters(address: string): ThrottleCounter[] {
  return [{ key: digestOf(`network ${networkOf(address)}`), limit: 100 }];
}

/** The password that is asked for again before a change, by somebody who holds a session already. */
export function confirmationCounters(userId: string): ThrottleCounter[] {
  return [{ key: digestOf(`confirmation ${userId}`), limit: 10 }];
}

/** Mails that anyone can have sent to anyone: few to one mailbox, and not many for one network. */
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
  // Some proxies write a port behind the address.
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
