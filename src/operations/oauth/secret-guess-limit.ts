// Limits how many wrong client secrets and API keys one network may try in a minute. A correct secret always works; only
// the response to a wrong one changes, so guessing cannot lock a client out.

import type { Clock } from '../../platform/clock.ts';
import { networkOf } from '../../protocol/sign-in/throttle-rules.ts';

const window = 60 * 1000;
const failuresPerWindow = 300;
const networksLimit = 10_000;

export class SecretGuessLimit {
  readonly #clock: Clock;
  #windowStart = 0;
  #failures = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts a failure; true when there have been too many. */
  failed(address: string): boolean {
    const now = this.#clock.now();
    if (now - this.#windowStart >= window || this.#failures.size >= networksLimit) {
      this.#windowStart = now;
      this.#failures.clear();
    }
    const network = networkOf(address);
    const failures = (this.#failures.get(network) ?? 0) + 1;
    this.#failures.set(network, failures);
    return failures > failuresPerWindow;
  }
}
