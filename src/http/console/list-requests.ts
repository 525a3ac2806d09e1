// What the URL of a list asks for, and where in the list the answer is.

import type { ListPage } from '../../operations/admin/paging.ts';
import type { ListPlace } from '../../pages/console/lists.ts';

export const emptyList: ListPage<never> = { items: [], next: undefined, previous: undefined, start: 0 };

export function listRequestIn(query: URLSearchParams) {
  return {
    search: query.get('search') ?? '',
    sort: query.get('sort') ?? '',
    cursor: query.get('cursor') ?? undefined,
  };
}

export function placeOf({ items, next, previous, start }: ListPage<unknown>): ListPlace {
  return { next, previous, start, count: items.length };
}
