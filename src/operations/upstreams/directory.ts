// The upstreams as this process knows them, for every page that shows their buttons. They are read again when they are
// older than two seconds, like the settings. Whoever lets somebody in asks the store.

import type { Clock } from '../../platform/clock.ts';
import { type Logo, type Storage, StorageUnavailable, type Upstream } from '../../storage/storage.ts';

/** Milliseconds. */
const maximumAge = 2000;
const iconsKept = 50;

export class UpstreamDirectory {
  readonly #storage: Pick<Storage, 'listUpstreams' | 'findUpstreamIcon'>;
  readonly #clock: Clock;
  readonly #icons = new Map<string, Promise<Logo | undefined>>();
  #known: readonly Upstream[] | undefined;
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<readonly Upstream[]> | undefined;

  constructor(storage: Pick<Storage, 'listUpstreams' | 'findUpstreamIcon'>, clock: Clock) {
    this.#storage = storage;
    this.#clock = clock;
  }

  /** Those that aren't disabled, oldest first. */
  async open(): Promise<readonly Upstream[]> {
    return (await this.#read()).filter(({ disabledAt }) => disabledAt === null);
  }

  /** Undefined when there is none, or another one. */
  async icon(name: string, version: string): Promise<Logo | undefined> {
    const key = `${name}/${version}`;
    const cached = this.#icons.get(key);
    if (cached !== undefined) return cached;
    const loading = this.#storage.findUpstreamIcon(name, version);
    if (this.#icons.size >= iconsKept) this.#icons.delete(this.#icons.keys().next().value ?? '');
    this.#icons.set(key, loading);
    // One that isn't there yet may be known to another instance already.
    const forget = () => this.#icons.delete(key);
    loading.then((icon) => icon === undefined && forget(), forget);
    return loading;
  }

  async #read(): Promise<readonly Upstream[]> {
    const age = Math.abs(this.#clock.now() - this.#readAt);
    if (this.#known !== undefined && age < maximumAge) return this.#known;
    this.#reading ??= this.#readAgain().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  /** Forgets what is known, for whoever has just changed it. */
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
