// How many failed attempts are too many. A failure counts for as long as its counter says, in buckets of one minute, so no
// lock is permanent, and an attempt that is refused because of a limit does not extend it. A bucket is named after the
// minute in which its failures stop counting: that's how counters with different windows are kept in one table.

import { mailboxKey } from '../account/email-address.ts';
import { digestOf } from '../digest.ts';
import { DAY, MINUTE } from '../durations.ts';

const WEEK = 7 * DAY;
const short = 15 * MINUTE;

/** Everything that is limited, by the names that metrics use. The last three are counted in memory, elsewhere. */
export const throttleLimits = [
  'sign_in',
  'passkey',
  'second_step',
  'authenticator_code',
  'set_up',
  'factor_change',
  'upstream',
  'confirmation',
  'email_code',
  'email_network',
  'email_recipient',
  'client_secret',
  'api_key',
  'approval',
] as const;

export type ThrottleLimit = (typeof throttleLimits)[number];

export interface ThrottleCounter {
  /** A digest of what is counted, so that the table of counters contains no names or addresses. */
  readonly key: string;
  readonly limit: number;
  /** How long a failure counts; `in_turn`: they stop counting one after the other, one a minute. */
  readonly window: number | 'in_turn';
}

/**
 * `knownDevice` identifies a browser in which this user has signed in before. It has a counter of its own, so that its owner
 * can still sign in while others attack the account.
 */
export function signInCounters(email: string, address: string, knownDevice?: string): ThrottleCounter[] {
  return attemptCounters(`account ${mailboxKey(email)}`, address, knownDevice);
}

export interface SecondStepSubject {
  readonly userId: string;
  /** Of the user. */
  readonly sessionGeneration: number;
  readonly knownDevice: string | undefined;
}

/** Limits the second step. Anyone who gets here knows the password, so all networks are counted together. */
export function secondStepCounters({ userId, knownDevice }: SecondStepSubject): [ThrottleCounter] {
  const subject = `second step ${userId}`;
  return [counter(knownDevice === undefined ? subject : `${subject} device ${knownDevice}`, 10)];
}

/**
 * Authenticator codes have six digits, so someone who keeps trying finds one eventually. The more wrong codes there are, the
 * slower it gets: 30 in the first day, and as many again in the rest of a week. A new password resets this, as whatever
 * signs the person out everywhere does, so that its owner can get in; with repeated resets there are at most 200 in a week. A known browser is counted separately, but all of
 * them together also have 200 in a week: someone who knew the password before there was a second factor may have made many
 * browsers known. Recovery codes and passkeys can't be guessed and only have the limit above.
 */
export function codeGuessCounters(subject: SecondStepSubject): [perDay: ThrottleCounter, ...more: ThrottleCounter[]] {
  const { userId, sessionGeneration, knownDevice } = subject;
  const guesses = `code guesses ${userId} ${sessionGeneration} ${knownDevice ?? ''}`;
  return [
    counter(`${guesses} day`, 30, DAY),
    counter(`${guesses} week`, 60, WEEK),
    counter(`code guesses ${userId} ${knownDevice === undefined ? '' : 'known'} week`, 200, WEEK),
  ];
}

/** For codes entered while setting up an app during sign-in. */
export function setUpCounters(userId: string): ThrottleCounter[] {
  return [counter(`set up ${userId}`, 10)];
}

/**
 * For adding and removing passkeys, authenticator apps, recovery codes and identities, each of which sends an email: 20 at
 * once, then one a minute.
 */
export function factorChangeCounters(userId: string): ThrottleCounter[] {
  return [{ key: digestOf(`factor changes ${userId}`), limit: 20, window: 'in_turn' }];
}

/** After this many wrong codes in a day, the user gets an email. */
export const wrongCodesUntilNotice = 3;

/** A sign-in with a passkey alone names no account beforehand, so only the network can be limited. */
export function passkeyCounters(address: string): ThrottleCounter[] {
  return [counter(`network ${networkOf(address)}`, 100)];
}

/** A response from an upstream names no account beforehand either, and makes the service send it a request. */
export function upstreamCounters(address: string): ThrottleCounter[] {
  return [counter(`upstream network ${networkOf(address)}`, 100)];
}

/** For the password that a signed-in user has to give again before a change. */
export function confirmationCounters(userId: string): ThrottleCounter[] {
  return [counter(`confirmation ${userId}`, 10)];
}

/**
 * Anyone can have emails sent to any address: few to one mailbox, and not many from one network. The service's own emails,
 * such as security notices, aren't counted: otherwise someone could use up the limit to suppress the notices.
 */
export function recipientCounters(email: string): ThrottleCounter[] {
  const box = `mail to ${mailboxKey(email)}`;
  return [counter(box, 5), counter(`${box} day`, 20, DAY)];
}

export function emailNetworkCounters(address: string): ThrottleCounter[] {
  return [counter(`mail for ${networkOf(address)}`, 30)];
}

/**
 * Emails with a code, beside the limits above: they have a share of their own, and known browsers have one that no stranger can
 * use up.
 */
export function codeEmailCounters(email: string, isKnownBrowser: boolean): ThrottleCounter[] {
  const box = `code to ${mailboxKey(email)}${isKnownBrowser ? ' known' : ''}`;
  return [counter(box, 5), counter(`${box} day`, 10, DAY)];
}

/** Wrong guesses at one code by email, which `mark` stands for. It outlives the code. */
export function codeTryCounters(mark: string): ThrottleCounter[] {
  return [counter(`email code ${mark}`, 5)];
}

/**
 * Wrong codes by email, from all networks together. They're counted by themselves, so that nobody can close another person's
 * password or second step, and for known browsers separately.
 */
export function emailCodeCounters(email: string, knownDevice: string | undefined): ThrottleCounter[] {
  const subject = `email codes ${mailboxKey(email)} ${knownDevice ?? ''}`;
  return [counter(subject, 10), counter(`${subject} day`, 30, DAY)];
}

function attemptCounters(subject: string, address: string, knownDevice: string | undefined): ThrottleCounter[] {
  if (knownDevice !== undefined) return [counter(`${subject} device ${knownDevice}`, 10)];
  const network = networkOf(address);
  return [counter(`${subject} network ${network}`, 10), counter(subject, 50), counter(`network ${network}`, 100)];
}

function counter(subject: string, limit: number, window = short): ThrottleCounter {
  return { key: digestOf(subject), limit, window };
}

/** The minute in which a failure that happens now stops counting. */
export function throttleBucket(now: number, window: number): number {
  return Math.floor((now + window) / MINUTE);
}

/** Failures in earlier buckets no longer count. */
export function oldestBucket(now: number): number {
  return Math.floor(now / MINUTE) + 1;
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
    return [count.firstBucket * MINUTE - now];
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
