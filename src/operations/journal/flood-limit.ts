// Limits how many events strangers can cause to be written, so that a flood of unknown clients, bad codes or wrong
// passwords doesn't fill the disk. Only decides; what is over the limit is counted in event-queue.ts.

import type { Clock } from '../../platform/clock.ts';
import type { EventFacts, Origin } from '../../protocol/event.ts';
import { networkOf } from '../../protocol/sign-in/throttle-rules.ts';

/** A token bucket: `burst` at once, then `perSecond`. */
interface Rate {
  readonly burst: number;
  readonly perSecond: number;
}

interface Bucket {
  readonly tokens: number;
  readonly at: number;
}

/** For each kind of event, from everywhere: about 9,000 a day. */
const total: Rate = { burst: 2000, perSecond: 0.1 };
/** For each kind of event, from one network. */
const perNetwork: Rate = { burst: 200, perSecond: 0.02 };
/** How many networks have a bucket of their own at a time; the others share one. */
const networkLimit = 10_000;

export class FloodLimit {
  readonly #clock: Clock;
  #totals = new Map<string, Bucket>();
  #networks = new Map<string, Bucket>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Takes one from the allowances that the event falls under. Events about an existing client or user have allowances of
   * their own, so that noise about unknown ones doesn't hide them.
   */
  admits({ kind, clientId, userId }: EventFacts, { address }: Origin): boolean {
    const subject = `${kind} ${clientId === undefined && userId === undefined ? 'unknown' : 'known'}`;
    const fromNetwork = `${subject} ${networkOf(address)}`;
    const isTracked = this.#networks.has(fromNetwork) || this.#networks.size < networkLimit;
    return (
      this.#take(this.#networks, isTracked ? fromNetwork : subject, perNetwork) &&
      this.#take(this.#totals, subject, total)
    );
  }

  /** Removes the networks whose bucket is full again. */
  forgetQuietNetworks(): void {
    const refillTime = (perNetwork.burst / perNetwork.perSecond) * 1000;
    for (const [name, { at }] of this.#networks) {
      if (this.#clock.now() - at < refillTime) break;
      this.#networks.delete(name);
    }
  }

  #take(buckets: Map<string, Bucket>, name: string, rate: Rate): boolean {
    const now = this.#clock.now();
    const bucket = buckets.get(name) ?? { tokens: rate.burst, at: now };
    const refill = (Math.max(0, now - bucket.at) / 1000) * rate.perSecond;
    const tokens = Math.min(rate.burst, bucket.tokens + refill);
    // Delete and insert again, so that the map is in the order of last use.
    buckets.delete(name);
    buckets.set(name, { tokens: tokens >= 1 ? tokens - 1 : tokens, at: now });
    return tokens >= 1;
  }
}
