// The logos of clients, the icons of upstreams and the images of the brand, which anybody can see. Those that were read lately
// are kept in memory: many responses to slow connections then share one copy of the bytes.

import { type BrandImage, isBrandImage } from '../protocol/brand/brand.ts';
import { isUpstreamName } from '../protocol/resources/upstream.ts';
import type { Logo } from '../storage/storage.ts';
import type { Services, Storing } from './services.ts';

const cacheSize = 64;

/** Undefined when there is no image of that name, or a newer version. */
type FindImage = (name: string, version: string) => Promise<Logo | undefined>;

/** By client ID. */
export function clientLogos({ storage }: Storing): FindImage {
  const currentVersion = async (id: string) => (await storage.findClient(id))?.logoVersion;
  return recentImages(currentVersion, (id, version) => storage.findLogo(id, version));
}

export function upstreamIcons({ storage }: Storing): FindImage {
  const currentVersion = async (name: string) =>
    isUpstreamName(name) ? (await storage.findUpstream(name))?.iconVersion : undefined;
  return recentImages(currentVersion, (name, version) => storage.findUpstreamIcon(name, version));
}

/** Whether a version is still the current one is asked of storage every time; its bytes never change. */
function recentImages(
  currentVersion: (name: string) => Promise<string | null | undefined>,
  load: FindImage,
): FindImage {
  const cache = new Map<string, Promise<Logo | undefined>>();
  return async (name, version) => {
    if ((await currentVersion(name)) !== version) return undefined;
    const key = `${name}/${version}`;
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const loading = load(name, version);
    if (cache.size >= cacheSize) cache.delete(cache.keys().next().value ?? '');
    cache.set(key, loading);
    loading.catch(() => cache.delete(key));
    return loading;
  };
}

/** Finds images of the brand by name and version. */
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
