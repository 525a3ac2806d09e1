// The upstreams as this process knows them, for every page that shows their buttons. A sign-in asks the store.

import type { Clock } from '../../platform/clock.ts';
import type { Storage, Upstream } from '../../storage/storage.ts';
import { RecentlyRead } from './recently-read.ts';

export class UpstreamDirectory {
  readonly #recent: RecentlyRead<readonly Upstream[]>;

  constructor(storage: Pick<Storage, 'listUpstreams'>, clock: Clock) {
    this.#recent = new RecentlyRead(clock, () => storage.listUpstreams());
  }

  /** Those that aren't disabled, oldest first. */
  async open(): Promise<readonly Upstream[]> {
    return (await this.#recent.read()).filter(({ disabledAt }) => disabledAt === null);
  }

  /** Forgets what is known, after a change. */
  forget(): void {
    this.#recent.forget();
  }
}
