// When a refused sign-in is answered. Hashes of other services take another time than those made here, so as long as
// there is one, the time that a refusal takes would tell whose account exists. Every refusal is then sent at the same delay
// after its start, which is long enough for the costliest hash.

import type { Clock, Stopwatch } from '../../platform/clock.ts';
import { MINUTE } from '../../protocol/durations.ts';
import { type Storage, StorageUnavailable } from '../../storage/storage.ts';

export interface RefusalDelayParts {
  readonly storage: Pick<Storage, 'hasForeignHashes'>;
  readonly clock: Clock;
  readonly stopwatch: Stopwatch;
  /** In milliseconds. */
  costliestCheck(): Promise<number>;
}

/** Milliseconds. An import is noticed, on every instance, after as long as this. */
const maximumAge = 2000;
/** For machines that become slower than they were when it was measured. */
const margin = 1.5;
const step = 250;
/** Milliseconds. How long refusals stay slow after one that a busy machine has made slow. */
const memory = MINUTE;

export class RefusalDelay {
  readonly #parts: RefusalDelayParts;
  #foreignHashesExist = false;
  #readAt = Number.NEGATIVE_INFINITY;
  #slowest = { periods: 1, at: 0 };

  constructor(parts: RefusalDelayParts) {
    this.#parts = parts;
  }

  /** Measures what will be needed, so that the first refusal doesn't wait for that. */
  async prepare(): Promise<void> {
    if (await this.#isNeeded()) await this.#parts.costliestCheck();
  }

  /** To be called when a sign-in starts. What it returns resolves when the refusal may be sent. */
  begin(): () => Promise<void> {
    const { stopwatch } = this.#parts;
    const started = stopwatch.now();
    return async () => {
      if (!(await this.#isNeeded())) return;
      const costliest = await this.#parts.costliestCheck();
      const period = Math.ceil((costliest * margin) / step) * step;
      const passed = stopwatch.now() - started;
      await stopwatch.wait(period * this.#periodsAfter(passed / period) - passed);
    };
  }

  /**
   * One, unless the machine is so busy that it took longer. Then the others take as long for a while, because the costly
   * hashes are the first that it shows with.
   */
  #periodsAfter(passed: number): number {
    const now = this.#parts.stopwatch.now();
    const periods = Math.max(1, Math.ceil(passed));
    if (periods >= this.#slowest.periods || now - this.#slowest.at > memory) this.#slowest = { periods, at: now };
    return this.#slowest.periods;
  }

  async #isNeeded(): Promise<boolean> {
    const { storage, clock } = this.#parts;
    const now = clock.now();
    // A clock that was set back would otherwise keep the answer until it has caught up.
    if (Math.abs(now - this.#readAt) < maximumAge) return this.#foreignHashesExist;
    try {
      this.#foreignHashesExist = await storage.hasForeignHashes();
      this.#readAt = now;
    } catch (error) {
      if (!(error instanceof StorageUnavailable)) throw error;
    }
    return this.#foreignHashesExist;
  }
}
