// Everything that --search finds, however many pages it takes.

import type { AdminOutcome } from '../operations/admin/outcome.ts';
import type { ListPage, ListRequest } from '../operations/admin/paging.ts';
import { makeEverythingSearchable } from '../operations/housekeeping/sweep.ts';
import type { Services } from '../operations/services.ts';
import { requireDone } from './command.ts';

export async function searchAll<Item>(
  services: Services,
  list: (services: Services, request: ListRequest) => Promise<AdminOutcome<ListPage<Item>>>,
  search: string,
): Promise<Item[]> {
  // The service does this when it starts, but a store from 0.3.0 may not have seen a start yet.
  await makeEverythingSearchable(services);
  return everyPage((cursor) => list(services, { search, cursor }));
}

export async function everyPage<Item>(
  read: (cursor: string | undefined) => Promise<AdminOutcome<ListPage<Item>>>,
): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const page = requireDone(await read(cursor));
    items.push(...page.items);
    cursor = page.next;
  } while (cursor !== undefined);
  return items;
}
