// The settings as this process knows them. They are read again when they are older than two seconds, so a change applies
// everywhere shortly after it was made and costs a request next to nothing.

import type { Clock } from '../../platform/clock.ts';
import { type Brand, type BrandImages, brandOf, readBrandImages } from '../../protocol/brand/brand.ts';
import { readSettings, type Settings, sessionLimits } from '../../protocol/resources/settings.ts';
import type { SessionLimits } from '../../protocol/sign-in/session-limits.ts';
import { type Storage, StorageUnavailable } from '../../storage/storage.ts';

/** Milliseconds. A change has to apply within five seconds on every instance. */
const maximumAge = 2000;

const initialSettings = readSettings(new Map());
const initialBrand = brandOf(initialSettings, readBrandImages(new Map()));

export class CurrentSettings {
  readonly #storage: Pick<Storage, 'listSettings'>;
  readonly #clock: Clock;
  #known: Settings | undefined;
  #images = readBrandImages(new Map());
  #brand = initialBrand;
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<Settings> | undefined;

  constructor(storage: Pick<Storage, 'listSettings'>, clock: Clock) {
    this.#storage = storage;
    this.#clock = clock;
  }

  /** As the settings were when they were last read; from their initial values before that. */
  /** The name of the provider that people are sent to; undefined for none. */
  get defaultUpstream(): string | undefined {
    return (this.#known ?? initialSettings).default_upstream || undefined;
  }

  get sessionLimits(): SessionLimits {
    return sessionLimits(this.#known ?? initialSettings);
  }

  /** As of the last read, too: pages and emails take it as it is. The running service reads it again all the time. */
  get brand(): Brand {
    return this.#brand;
  }

  get images(): BrandImages {
    return this.#images;
  }

  /** While the store can't be read, the settings stay what they were. */
  async read(): Promise<Settings> {
    // A clock that was set back would otherwise keep old settings until it has caught up.
    const age = Math.abs(this.#clock.now() - this.#readAt);
    if (this.#known !== undefined && age < maximumAge) return this.#known;
    this.#reading ??= this.#readAgain().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  /** As they are in the store now, for whoever shows or has just changed them. */
  async readFresh(): Promise<Settings> {
    // What is being read may be older than the change that the caller knows of.
    await this.#reading?.catch(() => {});
    this.#readAt = Number.NEGATIVE_INFINITY;
    return this.read();
  }

  async #readAgain(): Promise<Settings> {
    const startedAt = this.#clock.now();
    try {
      const stored = new Map((await this.#storage.listSettings()).map(({ name, value }) => [name, value]));
      this.#known = readSettings(stored);
      this.#images = readBrandImages(stored);
      this.#brand = brandOf(this.#known, this.#images);
    } catch (error) {
      if (!(error instanceof StorageUnavailable) || this.#known === undefined) throw error;
    }
    this.#readAt = startedAt;
    return this.#known;
  }
}
