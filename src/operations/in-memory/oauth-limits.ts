// Limits in memory: how many codes one user can be issued, and how many wrong secrets one network may try.

import type { Clock } from '../../platform/clock.ts';
import { HOUR, MINUTE } from '../../protocol/durations.ts';
import { networkOf } from '../../protocol/sign-in/throttle-rules.ts';
import { TokenBuckets } from './token-buckets.ts';

/** Far more than people and test suites need. */
const rate = { burst: 1000, perSecond: 5 };
/** How many users are counted at a time. Someone whose burst is full again needs no counting. */
const usersLimit = 10_000;

/**
 * Every approval is a grant and an event, and a signed-in browser can ask for one as fast as the service answers: without a
 * limit, one person fills the disk.
 */
export class ApprovalLimit {
  readonly #clock: Clock;
  readonly #users: TokenBuckets;
  /** When a refusal was last reported, by user. Empty but for the few who are over the limit. */
  readonly #reported = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#users = new TokenBuckets(clock, rate, usersLimit);
  }

  /** How many seconds the user has to wait for another code; 0 if there is no need to. */
  take(userId: string): number {
    return Math.ceil(this.#users.take(userId) / 1000);
  }

  /** Whether to report that a user has to wait: once an hour for each. */
  isFirst(userId: string): boolean {
    const now = this.#clock.now();
    const reportedAt = this.#reported.get(userId);
    if (reportedAt !== undefined && now - reportedAt < HOUR) return false;
    if (this.#reported.size >= usersLimit) this.#reported.clear();
    this.#reported.set(userId, now);
    return true;
  }
}

const window = MINUTE;
const limitPerWindow = 300;
const networksLimit = 10_000;

/**
 * Limits how many wrong client secrets and API keys one network may try in a minute. A correct secret always works; only the
 * response to a wrong one changes, so guessing can't lock a client out.
 */
export class SecretGuessLimit {
  readonly #clock: Clock;
  #windowStart = 0;
  #counts = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts a wrong secret; true when there have been too many from this network. */
  countWrong(address: string): boolean {
    const now = this.#clock.now();
    if (now - this.#windowStart >= window || this.#counts.size >= networksLimit) {
      this.#windowStart = now;
      this.#counts.clear();
    }
    const network = networkOf(address);
    const count = (this.#counts.get(network) ?? 0) + 1;
    this.#counts.set(network, count);
    return count > limitPerWindow;
  }
}
