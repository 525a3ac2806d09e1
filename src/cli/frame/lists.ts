// Lists on the command line: how much of one is read, and what the last line says about the rest.

import type { AdminOutcome } from '../../operations/admin/outcome.ts';
import type { ListPage, ListRequest } from '../../operations/admin/paging.ts';
import { makeEverythingSearchable } from '../../operations/housekeeping/upkeep.ts';
import type { Services } from '../../operations/services.ts';
import { requireDone, UsageError } from '../command.ts';

/** What a terminal shows without `--limit`. */
const terminalLimit = 50;
const pageLength = 200;

/** Of every list. */
export const limitOption = {
  limit: { value: 'N', about: `how many to show; default: ${terminalLimit} on a terminal, otherwise all` },
} as const;

interface GivenLimit {
  readonly limit: string | undefined;
  readonly json: boolean;
}

export interface Shown<Item> {
  readonly items: readonly Item[];
  /** What the last line says; undefined if nothing is left out. */
  readonly rest: string | undefined;
}

/** As much of a list that is read page by page as is shown. */
export async function readList<Item>(
  given: GivenLimit,
  read: (request: Pick<ListRequest, 'cursor' | 'limit' | 'total'>) => Promise<AdminOutcome<ListPage<Item>>>,
): Promise<Shown<Item>> {
  const limit = limitIn(given);
  const pageOf = async (cursor: string | undefined, total: boolean) =>
    requireDone(await read({ cursor, limit: Math.min(pageLength, limit - items.length), total }));
  const items: Item[] = [];
  // A list that is shown as a whole needs no total.
  let page = await pageOf(undefined, Number.isFinite(limit));
  const { total } = page;
  items.push(...page.items);
  while (page.next !== undefined && items.length < limit) {
    page = await pageOf(page.next, false);
    items.push(...page.items);
  }
  if (page.next === undefined) return { items, rest: undefined };
  let all = total?.count ?? items.length;
  // Lists that aren't counted are short.
  while (total === undefined && page.next !== undefined) {
    page = requireDone(await read({ cursor: page.next, limit: pageLength }));
    all += page.items.length;
  }
  return { items, rest: restOf(all - items.length, total?.more) };
}

/** Also those of whom a service of this version has no words yet: it writes them when it starts. */
export async function searchList<Item>(
  services: Services,
  given: GivenLimit & { readonly search: string | undefined },
  read: (request: ListRequest) => Promise<AdminOutcome<ListPage<Item>>>,
): Promise<Shown<Item>> {
  const { search } = given;
  if (search === undefined) return readList(given, read);
  await makeEverythingSearchable(services);
  return readList(given, (request) => read({ ...request, search }));
}

/** As much of a list that is there already as is shown. */
export function shownOf<Item>(given: GivenLimit, all: readonly Item[]): Shown<Item> {
  const items = all.slice(0, limitIn(given));
  const left = all.length - items.length;
  return { items, rest: left === 0 ? undefined : restOf(left) };
}

/** A list that wasn't counted to its end can have more than are left of what was counted, which may be nothing. */
function restOf(left: number, more = false): string {
  const counted = left > 0 ? `${left.toLocaleString('en')}${more ? ' or more' : ''} more` : 'more';
  return `… and ${counted}. Use --limit to see them.`;
}

function limitIn({ limit, json }: GivenLimit): number {
  if (limit === undefined) return process.stdout.isTTY && !json ? terminalLimit : Number.POSITIVE_INFINITY;
  if (!/^[1-9]\d{0,8}$/.test(limit)) throw new UsageError('--limit must be a whole number from 1 on');
  return Number(limit);
}
