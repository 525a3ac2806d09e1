// Limits how many wrong client secrets and API keys one network may try in a minute. A correct secret always works; only
// the response to a wrong one changes, so guessing cannot lock a client out.

import type { Clock } from '../../platform/clock.ts';
import { networkOf } from '../../protocol/sign-in/throttle-rules.ts';

const window = 60 * 1000;
const limitPerWindow = 300;
const networksLimit = 10_000;

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
