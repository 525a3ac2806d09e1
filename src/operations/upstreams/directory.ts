// The upstreams as this process knows them, for every page that shows their buttons. They are read again when they are
// older than two seconds, like the settings. A sign-in asks the store.

import type { Clock } from '../../platform/clock.ts';
import { type Storage, StorageUnavailable, type Upstream } from '../../storage/storage.ts';

/** Milliseconds. */
const maximumAge = 2000;

export class UpstreamDirectory {
  readonly #storage: Pick<Storage, 'listUpstreams'>;
  readonly #clock: Clock;
  #known: readonly Upstream[] | undefined;
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<readonly Upstream[]> | undefined;

  constructor(storage: Pick<Storage, 'listUpstreams'>, clock: Clock) {
    this.#storage = storage;
    this.#clock = clock;
  }

  /** Those that aren't disabled, oldest first. */
  async open(): Promise<readonly Upstream[]> {
    return (await this.#read()).filter(({ disabledAt }) => disabledAt === null);
  }

  async #read(): Promise<readonly Upstream[]> {
    const age = Math.abs(this.#clock.now() - this.#readAt);
    if (this.#known !== undefined && age < maximumAge) return this.#known;
    this.#reading ??= this.#readAgain().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  /** Forgets what is known, after a change. */
  forget(): void {
    this.#readAt = Number.NEGATIVE_INFINITY;
  }

  async #readAgain(): Promise<readonly Upstream[]> {
    const startedAt = this.#clock.now();
    try {
      this.#known = await this.#storage.listUpstreams();
    } catch (error) {
      if (!(error instanceof StorageUnavailable) || this.#known === undefined) throw error;
    }
    this.#readAt = startedAt;
    return this.#known;
  }
}
