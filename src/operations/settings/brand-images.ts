// The images of the brand, which anybody can see. An administrator changes them with the other settings.

import { type BrandImage, isBrandImage } from '../../protocol/brand/brand.ts';
import type { Logo } from '../../storage/storage.ts';
import type { Services, Storing } from '../services.ts';

/**
 * Finds images by name and version. The ones in use are kept in memory, so that many responses to slow connections share
 * one copy of the bytes; a version's bytes never change.
 */
export class BrandImageFinder {
  readonly #services: Storing & Pick<Services, 'settings'>;
  readonly #known = new Map<BrandImage, Logo>();

  constructor(services: Storing & Pick<Services, 'settings'>) {
    this.#services = services;
  }

  /** Undefined when there is none, or another one. */
  async find(name: string, version: string): Promise<Logo | undefined> {
    if (!isBrandImage(name)) return undefined;
    const known = this.#known.get(name);
    // Removed or replaced images are gone as soon as this instance knows.
    if (known?.version === version && this.#services.settings.images[name] === version) return known;
    // Another instance may be ahead of this one and have sent people here for an image that it doesn't know of yet.
    const found = await this.#services.storage.findBrandImage(name, version);
    if (found !== undefined) this.#known.set(name, found);
    return found;
  }
}
