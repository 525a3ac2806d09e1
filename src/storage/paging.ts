// Lists that are read a page at a time, in both directions.

/** Items after a position, or before one; without either, from the beginning. */
export interface ListPart {
  readonly after: PagePosition | undefined;
  readonly before?: PagePosition | undefined;
  readonly limit: number;
}

/** `words` are prefixes of words, all of which have to match; without any, everything is listed. */
export interface PageQuery<Sort extends string = string> extends ListPart {
  readonly words: readonly string[];
  /** Newest first if undefined. With words, in order of the matching words. */
  readonly order?: ListOrder<Sort> | undefined;
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
  /** A search for common words stopped before the page was full. */
  readonly truncated?: true;
}
