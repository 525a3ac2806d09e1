// Token buckets in memory: how often something may happen at once and over time, by name. A process has its own, so with
// several instances a limit is per instance; nothing is read or written for it.

import type { Clock } from '../../platform/clock.ts';

/** `burst` at once, then `perSecond`. */
export interface Rate {
  readonly burst: number;
  readonly perSecond: number;
}

interface Bucket {
  readonly tokens: number;
  readonly at: number;
}

export class TokenBuckets {
  readonly #clock: Clock;
  readonly #rate: Rate;
  readonly #limit: number;
  /** In the order of last use. */
  readonly #buckets = new Map<string, Bucket>();

  /** Keeps at most `limit` buckets; the one that hasn't been used for the longest time makes room. */
  constructor(clock: Clock, rate: Rate, limit: number) {
    this.#clock = clock;
    this.#rate = rate;
    this.#limit = limit;
  }

  get size(): number {
    return this.#buckets.size;
  }

  has(name: string): boolean {
    return this.#buckets.has(name);
  }

  /** Takes one and returns 0, or takes nothing and returns the milliseconds until there is one. */
  take(name: string): number {
    const { burst, perSecond } = this.#rate;
    const now = this.#clock.now();
    const bucket = this.#buckets.get(name) ?? { tokens: burst, at: now };
    const refill = (Math.max(0, now - bucket.at) / 1000) * perSecond;
    const tokens = Math.min(burst, bucket.tokens + refill);
    this.#buckets.delete(name);
    this.#makeRoom(now);
    this.#buckets.set(name, { tokens: tokens >= 1 ? tokens - 1 : tokens, at: now });
    return tokens >= 1 ? 0 : Math.max(1, Math.round(((1 - tokens) / perSecond) * 1000));
  }

  /** Removes those that are full again, which are no different from new ones, and the oldest if there are too many. */
  #makeRoom(now: number): void {
    const refillTime = (this.#rate.burst / this.#rate.perSecond) * 1000;
    for (const [name, { at }] of this.#buckets) {
      if (this.#buckets.size < this.#limit && now - at < refillTime) break;
      this.#buckets.delete(name);
    }
  }
}
