// How users and clients are listed: a page at a time, optionally those that match a search.

import { formatCursor, parseCursor } from '../../protocol/admin/cursor.ts';
import { searchKey } from '../../protocol/admin/search-words.ts';
import type { Page, PageQuery } from '../../storage/storage.ts';
import { type AdminOutcome, type Refused, refused } from './outcome.ts';

export const defaultPageLength = 50;

export interface ListRequest {
  readonly search?: string | undefined;
  /** Where the previous page ended, as that page said. */
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

export interface ListPage<Item> {
  readonly items: readonly Item[];
  /** The cursor of the next page; undefined on the last one. */
  readonly next: string | undefined;
}

export async function readPage<Item>(
  request: ListRequest,
  read: (query: PageQuery) => Promise<Page<Item>>,
): Promise<AdminOutcome<ListPage<Item>>> {
  const after = request.cursor === undefined ? undefined : parseCursor(request.cursor);
  if (request.cursor !== undefined && after === undefined) return invalidCursor();
  const prefix = searchKey(request.search ?? '');
  const { items, next } = await read({ prefix, after, limit: request.limit ?? defaultPageLength });
  return { kind: 'done', items, next: next && formatCursor(next) };
}

/** Every item of a list, a page at a time. */
export async function readAll<Item>(read: (query: PageQuery) => Promise<Page<Item>>): Promise<Item[]> {
  const items: Item[] = [];
  let after: PageQuery['after'];
  do {
    const page = await read({ prefix: '', after, limit: 1000 });
    items.push(...page.items);
    after = page.next;
  } while (after !== undefined);
  return items;
}

export function invalidCursor(): Refused {
  return refused('the cursor is not one of this list');
}
