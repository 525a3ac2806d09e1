// Images that were read lately, kept in memory: many responses to slow connections then share one copy of the bytes. The
// bytes of a version never change.

import type { Logo } from '../storage/storage.ts';

const cacheSize = 64;

export class RecentImages {
  readonly #cache = new Map<string, Promise<Logo | undefined>>();

  /** `name` says of what, and has no slash. */
  find(name: string, version: string, load: () => Promise<Logo | undefined>): Promise<Logo | undefined> {
    const key = `${name}/${version}`;
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached;
    const loading = load();
    if (this.#cache.size >= cacheSize) this.#cache.delete(this.#cache.keys().next().value ?? '');
    this.#cache.set(key, loading);
    loading.catch(() => this.#cache.delete(key));
    return loading;
  }
}
