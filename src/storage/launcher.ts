// Part of the storage contract (storage.ts): the clients that a user can open from their account.

import type { PagePosition } from './paging.ts';
import type { Client } from './records.ts';

export interface Launcher {
  /** Clients with a URL that the user can use, by name; `next` is undefined on the last page. */
  pageClientsToLaunch(
    userId: string,
    part: { readonly after: PagePosition | undefined; readonly limit: number },
  ): Promise<{ readonly items: readonly Client[]; readonly next: PagePosition | undefined }>;
}
