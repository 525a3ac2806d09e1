// The icons of upstreams. Whether a version is still the current one is asked of storage every time.

import { isUpstreamName } from '../../protocol/resources/upstream.ts';
import type { Logo } from '../../storage/storage.ts';
import { RecentImages } from '../recent-images.ts';
import type { Storing } from '../services.ts';

export class UpstreamIcons {
  readonly #services: Storing;
  readonly #recent = new RecentImages();

  constructor(services: Storing) {
    this.#services = services;
  }

  /** Undefined when the upstream has no icon, or a newer one. */
  async find(name: string, version: string): Promise<Logo | undefined> {
    const { storage } = this.#services;
    const upstream = isUpstreamName(name) ? await storage.findUpstream(name) : undefined;
    if (upstream?.iconVersion !== version) return undefined;
    return this.#recent.find(name, version, () => storage.findUpstreamIcon(name, version));
  }
}
