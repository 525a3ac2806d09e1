// How users, clients and everything else are listed: a page at a time, optionally sorted, or those that match a search.

import { formatCursor, parseCursor } from '../../protocol/admin/cursor.ts';
import { searchedWords } from '../../protocol/admin/search-words.ts';
import type { Total } from '../../protocol/admin/totals.ts';
import type { ListOrder, ListPart, Page, PageQuery } from '../../storage/storage.ts';
import { type AdminOutcome, type Outcome, type Refused, refused } from './outcome.ts';

export const defaultPageLength = 50;

export interface ListRequest {
  readonly search?: string | undefined;
  /** Where another page ended or began, as that page said. */
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
  /** What the list is sorted by; with a minus sign, in the opposite order. A search has an order of its own. */
  readonly sort?: string | undefined;
  /** Whether to count the whole list, too: as far as it's cheap, but not for nothing. */
  readonly total?: boolean | undefined;
}

export interface ListPage<Item> {
  readonly items: readonly Item[];
  /** The cursor of the next page; undefined on the last one. */
  readonly next: string | undefined;
  /** The cursor of the previous page; undefined on the first one. */
  readonly previous: string | undefined;
  /** How many items come before this page, as far as the cursors have counted. */
  readonly start: number;
  /** A search for common words, or a filter that most don't meet, stopped before the page was full. The next page continues from there. */
  readonly truncated?: true;
  /** If it was asked for. */
  readonly total?: Total | undefined;
}

export async function readPage<Item, Sort extends string = never>(
  request: ListRequest,
  read: (query: PageQuery<Sort>) => Promise<Page<Item>>,
  sorts: readonly Sort[] = [],
): Outcome<ListPage<Item>> {
  const { search = '', limit = defaultPageLength } = request;
  const cursor = request.cursor === undefined ? undefined : parseCursor(request.cursor);
  if (request.cursor !== undefined && cursor === undefined) return invalidCursor();
  const order = orderIn(request.sort, sorts);
  if (order === 'unknown') return cannotSortBy(request.sort ?? '');
  const words = searchedWords(search);
  const query = { words, limit, order, total: request.total };
  const fromTheBeginning = async () => withCursors(await read({ ...query, after: undefined }), 0);
  if (cursor === undefined) return fromTheBeginning();
  const { position, direction, count } = cursor;
  if (direction === 'after') return withCursors(await read({ ...query, after: position }), count);
  const page = await read({ ...query, after: undefined, before: position });
  // The first page is a whole one, even if less than a page comes before the position by now.
  if (page.previous === undefined) return fromTheBeginning();
  return withCursors(page, Math.max(0, count - page.items.length));
}

function withCursors<Item>(
  { items, next, previous, truncated, total }: Page<Item>,
  start: number,
): AdminOutcome<ListPage<Item>> {
  return {
    kind: 'done',
    ...(truncated && { truncated }),
    ...(total && { total }),
    items,
    next: next && formatCursor({ position: next, direction: 'after', count: start + items.length }),
    previous: previous && formatCursor({ position: previous, direction: 'before', count: start }),
    start,
  };
}

function orderIn<Sort extends string>(
  text: string | undefined,
  sorts: readonly Sort[],
): ListOrder<Sort> | undefined | 'unknown' {
  if (text === undefined || text === '') return undefined;
  const by = sorts.find((sort) => sort === text.replace(/^-/, ''));
  return by === undefined ? 'unknown' : { by, descending: text.startsWith('-') };
}

/** Every item of a list, a page at a time. */
export async function readAll<Item>(read: (part: ListPart) => Promise<Page<Item>>, limit = 1000): Promise<Item[]> {
  const items: Item[] = [];
  let after: ListPart['after'];
  do {
    const page = await read({ after, limit });
    items.push(...page.items);
    after = page.next;
  } while (after !== undefined);
  return items;
}

export function cannotSortBy(text: string): Refused {
  return refused(`the list can't be sorted by "${text}"`);
}

export function invalidCursor(): Refused {
  return refused('the cursor does not belong to this list');
}

/** Looks each one up once, and leaves out those that no longer exist. */
export async function findEach<Found>(
  ids: readonly string[],
  find: (id: string) => Promise<Found | undefined>,
): Promise<Found[]> {
  const found = await Promise.all([...new Set(ids)].map(find));
  return found.filter((each) => each !== undefined);
}

export function namesById(
  items: readonly { readonly id: string; readonly name: string }[],
): ReadonlyMap<string, string> {
  return new Map(items.map(({ id, name }) => [id, name]));
}
