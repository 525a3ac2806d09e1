// Part of the storage contract (storage.ts): what administrators have set. Which settings there are, and what they
// start with, is in protocol/resources/settings.ts.

import type { BrandImage } from '../../protocol/brand/brand.ts';
import type { EventRecord } from '../../protocol/event.ts';
import type { Logo } from '../records.ts';

export interface StoredSetting {
  readonly name: string;
  /** As JSON. */
  readonly value: string;
}

export interface SettingRecords {
  /** Those that were ever changed. */
  listSettings(): Promise<StoredSetting[]>;
  /** Atomic; the others stay unchanged. */
  storeSettings(settings: readonly StoredSetting[], now: number, event: EventRecord): Promise<void>;
  /** The image, and its version as the setting of the same name; undefined removes both. */
  storeBrandImage(name: BrandImage, image: Logo | undefined, now: number, event: EventRecord): Promise<void>;
  findBrandImage(name: string, version: string): Promise<Logo | undefined>;
}
