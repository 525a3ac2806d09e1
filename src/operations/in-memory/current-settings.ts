// The settings as this process knows them. A change applies everywhere within seconds.

import type { Clock } from '../../platform/clock.ts';
import { type Brand, type BrandImages, brandOf, readBrandImages } from '../../protocol/brand/brand.ts';
import { type Eventual, whenThere } from '../../protocol/eventual.ts';
import {
  readSettings,
  type Settings,
  type SignUpMode,
  sessionLimits,
  type UnsetSettings,
} from '../../protocol/resources/settings.ts';
import type { SessionLimits } from '../../protocol/sign-in/session-limits.ts';
import type { Storage } from '../../storage/storage.ts';
import { RecentlyRead } from './recently-read.ts';

function settingsIn(stored: ReadonlyMap<string, string>, unset?: UnsetSettings) {
  const [settings, images] = [readSettings(stored, unset), readBrandImages(stored)];
  return { settings, images, brand: brandOf(settings, images) };
}

/** What isn't awaited is as it was when the settings were last read; before that, it has its initial value. */
export class CurrentSettings {
  readonly #initial: ReturnType<typeof settingsIn>;
  readonly #recent: RecentlyRead<ReturnType<typeof settingsIn>>;

  constructor(storage: Pick<Storage, 'listSettings'>, clock: Clock, unset?: UnsetSettings) {
    this.#initial = settingsIn(new Map(), unset);
    this.#recent = new RecentlyRead(clock, async () =>
      settingsIn(new Map((await storage.listSettings()).map(({ name, value }) => [name, value])), unset),
    );
  }

  get #known() {
    return this.#recent.known ?? this.#initial;
  }

  get signUp(): SignUpMode {
    return this.#known.settings.sign_up;
  }

  /** The name of the identity provider that people are sent to; undefined for none. */
  get defaultUpstream(): string | undefined {
    return this.#known.settings.default_upstream || undefined;
  }

  get sessionLimits(): SessionLimits {
    return sessionLimits(this.#known.settings);
  }

  /** Pages and emails take it as it is. The running service reads it again all the time. */
  get brand(): Brand {
    return this.#known.brand;
  }

  get images(): BrandImages {
    return this.#known.images;
  }

  /** While the store can't be read, the settings stay what they were. */
  read(): Eventual<Settings> {
    return whenThere(this.#recent.read(), ({ settings }) => settings);
  }

  /** As they are in the store now, for code that shows or has just changed them. */
  async readFresh(): Promise<Settings> {
    return (await this.#recent.readFresh()).settings;
  }
}
