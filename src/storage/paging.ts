// Lists that are read a page at a time, in both directions.

import type { PeopleFilters } from '../protocol/admin/people-filters.ts';
import type { Total } from '../protocol/admin/totals.ts';

/** Items after a position, or before one; without either, from the beginning. */
export interface ListPart {
  readonly after: PagePosition | undefined;
  readonly before?: PagePosition | undefined;
  readonly limit: number;
  /** Whether to count the whole list, too. */
  readonly total?: boolean | undefined;
}

/** `words` are prefixes of words, all of which have to match; without any, everything is listed. */
export interface PageQuery<Sort extends string = string> extends ListPart {
  readonly words: readonly string[];
  /** Newest first if undefined. With words, in order of the matching words. */
  readonly order?: ListOrder<Sort> | undefined;
}

/** `last_active` is the last activity that counts, and `expires` is for those whose access ends. */
export interface UserQuery extends PageQuery<'created' | 'name' | 'last_sign_in' | 'last_active' | 'expires'> {
  /** People in the list meet all of them, at this time. */
  readonly filter?: { readonly by: PeopleFilters; readonly now: number } | undefined;
}

/** `people` is how many people use one, and `last_used` when one of them last did. */
export interface ClientQuery extends PageQuery<'created' | 'name' | 'people' | 'last_used'> {
  /** Clients in the list meet all of them. */
  readonly filter?: ClientFilter | undefined;
}

export interface ClientFilter {
  /** Those that this user owns, or null for those that nobody owns who can sign in at this time. */
  readonly owner?: { readonly id: string | null; readonly now: number } | undefined;
  /** Those with a list of who has access. */
  readonly limited?: boolean;
  readonly isPublic?: boolean;
  /** Those that nobody has used since then. */
  readonly unusedSince?: number | undefined;
}

export interface ListOrder<Sort extends string = string> {
  readonly by: Sort;
  readonly descending: boolean;
}

/** A span of time: after its begin, and up to its end. */
export interface Span {
  readonly after: number;
  readonly until: number;
}

/** The end of an earlier page. */
export type PagePosition = readonly [string, string];

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Undefined on the last page. */
  readonly next: PagePosition | undefined;
  /** Undefined on the first page. */
  readonly previous: PagePosition | undefined;
  /** A search for common words, or a filter that most don't meet, stopped before the page was full. */
  readonly truncated?: true;
  /** Only if it was asked for. */
  readonly total?: Total | undefined;
}
