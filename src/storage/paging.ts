// Lists that are read a page at a time.

/** `prefix` is the beginning of a word to search for, or empty for everything. */
export interface PageQuery {
  readonly prefix: string;
  readonly after: PagePosition | undefined;
  readonly limit: number;
}

/** The end of a page, as an earlier answer gave it. */
export type PagePosition = readonly [string, string];

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: PagePosition | undefined;
}
