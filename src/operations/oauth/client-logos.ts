// The logos of clients, with the ones in use kept in memory: many responses to slow connections then share one copy of
// the bytes. Whether a version is still the client's current one is asked of storage every time.

import type { Logo } from '../../storage/storage.ts';
import type { Services } from '../services.ts';

const cacheSize = 64;

export class ClientLogos {
  readonly #services: Services;
  readonly #cache = new Map<string, Promise<Logo | undefined>>();

  constructor(services: Services) {
    this.#services = services;
  }

  /** Undefined when the client has no logo, or a newer one. */
  async find(clientId: string, version: string): Promise<Logo | undefined> {
    const client = await this.#services.storage.findClient(clientId);
    return client?.logoVersion === version ? this.#load(clientId, version) : undefined;
  }

  #load(clientId: string, version: string): Promise<Logo | undefined> {
    const key = `${clientId}/${version}`;
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached;
    const loading = this.#services.storage.findLogo(clientId, version);
    if (this.#cache.size >= cacheSize) this.#cache.delete(this.#cache.keys().next().value ?? '');
    this.#cache.set(key, loading);
    loading.catch(() => this.#cache.delete(key));
    return loading;
  }
}
