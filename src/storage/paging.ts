// Lists that are read a page at a time, in both directions.

/** What comes after a position, or before one; without either, the beginning of the list. */
export interface ListPart {
  readonly after: PagePosition | undefined;
  readonly before?: PagePosition | undefined;
  readonly limit: number;
}

/** `words` are beginnings of words, all of which have to match; with none, everything is listed. */
export interface PageQuery<Sort extends string = string> extends ListPart {
  readonly words: readonly string[];
  /** The newest first when undefined. With words, the order is that of the words that are found. */
  readonly order?: ListOrder<Sort> | undefined;
}

export interface ListOrder<Sort extends string = string> {
  readonly by: Sort;
  readonly descending: boolean;
}

/** The end of a page, as an earlier answer gave it. */
export type PagePosition = readonly [string, string];

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Undefined on the last page. */
  readonly next: PagePosition | undefined;
  /** Undefined on the first page. */
  readonly previous: PagePosition | undefined;
}
