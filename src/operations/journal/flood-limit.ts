// Limits how many events strangers can cause to be written, so that a flood of unknown clients, bad codes or wrong
// passwords doesn't fill the disk. Only decides; what is over the limit is counted in event-queue.ts.

import type { Clock } from '../../platform/clock.ts';
import type { EventFacts, Requester } from '../../protocol/event.ts';
import { networkOf } from '../../protocol/sign-in/throttle-rules.ts';
import { type Rate, TokenBuckets } from '../in-memory/token-buckets.ts';

/** For each kind of event, from everywhere: about 9,000 a day. */
const total: Rate = { burst: 2000, perSecond: 0.1 };
/** For each kind of event, from one network. */
const perNetwork: Rate = { burst: 200, perSecond: 0.02 };
/** How many networks have a bucket of their own at a time; the others share one. */
const networkLimit = 10_000;
/** More than twice the number of kinds. */
const totalsLimit = 1000;

export class FloodLimit {
  readonly #totals: TokenBuckets;
  readonly #networks: TokenBuckets;

  constructor(clock: Clock) {
    this.#totals = new TokenBuckets(clock, total, totalsLimit);
    // Room for the shared ones too: no network's bucket is emptied of its debts by a flood of others.
    this.#networks = new TokenBuckets(clock, perNetwork, networkLimit + totalsLimit);
  }

  /**
   * Takes one from the allowances that the event falls under. Events about an existing client or user have allowances of
   * their own, so that noise about unknown ones doesn't hide them.
   */
  admits({ kind, clientId, userId }: EventFacts, { address }: Requester): boolean {
    const subject = `${kind} ${clientId === undefined && userId === undefined ? 'unknown' : 'known'}`;
    const fromNetwork = `${subject} ${networkOf(address)}`;
    const isTracked = this.#networks.has(fromNetwork) || this.#networks.size < networkLimit;
    return this.#networks.take(isTracked ? fromNetwork : subject) === 0 && this.#totals.take(subject) === 0;
  }
}
