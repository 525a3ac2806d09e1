// Limits how many codes one user can be issued. Every approval is a grant and an event, and a signed-in browser can ask for
// one as fast as the service answers: without a limit, one person fills the disk.

import type { Clock } from '../../platform/clock.ts';
import { TokenBuckets } from '../token-buckets.ts';

const HOUR = 60 * 60 * 1000;
/** Far more than people and test suites need. */
const rate = { burst: 1000, perSecond: 5 };
/** How many users are counted at a time. Someone whose burst is full again needs no counting. */
const usersLimit = 10_000;

export type ApprovalAllowance =
  | { kind: 'allowed' }
  /** `first` once an hour for each user. */
  | { kind: 'throttled'; retryAfterSeconds: number; first: boolean };

export class ApprovalLimit {
  readonly #clock: Clock;
  readonly #users: TokenBuckets;
  /** When a refusal was last reported, by user. Empty but for the few who are over the limit. */
  readonly #reported = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#users = new TokenBuckets(clock, rate, usersLimit);
  }

  take(userId: string): ApprovalAllowance {
    const wait = this.#users.take(userId);
    if (wait === 0) return { kind: 'allowed' };
    return { kind: 'throttled', retryAfterSeconds: Math.max(1, Math.ceil(wait / 1000)), first: this.#isFirst(userId) };
  }

  #isFirst(userId: string): boolean {
    const now = this.#clock.now();
    const reportedAt = this.#reported.get(userId);
    if (reportedAt !== undefined && now - reportedAt < HOUR) return false;
    if (this.#reported.size >= usersLimit) this.#reported.clear();
    this.#reported.set(userId, now);
    return true;
  }
}
