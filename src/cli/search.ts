// What --search finds, to the last page.

import type { List, ListInput } from '../operations/admin/lists.ts';
import type { AdminOutcome } from '../operations/admin/outcome.ts';
import { makeEverythingSearchable } from '../operations/journal/sweep.ts';
import type { Services } from '../operations/services.ts';
import { requireDone } from './command.ts';

export async function searchAll<Item>(
  services: Services,
  list: (services: Services, input: ListInput) => Promise<AdminOutcome<List<Item>>>,
  search: string,
): Promise<Item[]> {
  // A service does this when it starts; a store from before there was a search may not have seen one yet.
  await makeEverythingSearchable(services);
  const found: Item[] = [];
  let cursor: string | undefined;
  do {
    const page = requireDone(await list(services, { search, cursor }));
    found.push(...page.items);
    cursor = page.next;
  } while (cursor !== undefined);
  return found;
}
