// The logos of clients. Whether a version is still the client's current one is asked of storage every time.

import type { Logo } from '../../storage/storage.ts';
import { RecentImages } from '../recent-images.ts';
import type { Storing } from '../services.ts';

export class ClientLogos {
  readonly #services: Storing;
  readonly #recent = new RecentImages();

  constructor(services: Storing) {
    this.#services = services;
  }

  /** Undefined when the client has no logo, or a newer one. */
  async find(clientId: string, version: string): Promise<Logo | undefined> {
    const { storage } = this.#services;
    const client = await storage.findClient(clientId);
    if (client?.logoVersion !== version) return undefined;
    return this.#recent.find(clientId, version, () => storage.findLogo(clientId, version));
  }
}
