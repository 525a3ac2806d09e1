// What this process knows of the store without asking every time. It's read again when it is older than two seconds, so a
// change applies everywhere shortly after it was made and costs a request next to nothing.

import type { Clock } from '../../platform/clock.ts';
import type { Eventual } from '../../protocol/eventual.ts';
import { StorageUnavailable } from '../../storage/storage.ts';

/** Milliseconds. A change has to apply within five seconds on every instance. */
const maximumAge = 2000;

export class RecentlyRead<Value extends object> {
  readonly #clock: Clock;
  readonly #load: () => Promise<Value>;
  #known: Value | undefined;
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<Value> | undefined;

  constructor(clock: Clock, load: () => Promise<Value>) {
    this.#clock = clock;
    this.#load = load;
  }

  /** As it was last read. */
  get known(): Value | undefined {
    return this.#known;
  }

  /** While the store can't be read, it stays what it was. */
  read(): Eventual<Value> {
    // A clock that was set back would otherwise keep the old value until it has caught up.
    const age = Math.abs(this.#clock.now() - this.#readAt);
    if (this.#known !== undefined && age < maximumAge) return this.#known;
    this.#reading ??= this.#readAgain().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  /** As it is in the store now, for code that shows it or has just changed it. */
  async readFresh(): Promise<Value> {
    // What is being read may be older than the change that the caller knows of.
    await this.#reading?.catch(() => {});
    this.forget();
    return this.read();
  }

  forget(): void {
    this.#readAt = Number.NEGATIVE_INFINITY;
  }

  async #readAgain(): Promise<Value> {
    const startedAt = this.#clock.now();
    try {
      this.#known = await this.#load();
    } catch (error) {
      if (!(error instanceof StorageUnavailable) || this.#known === undefined) throw error;
    }
    this.#readAt = startedAt;
    return this.#known;
  }
}
