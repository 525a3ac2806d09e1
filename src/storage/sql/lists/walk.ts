// Reads one page of a list by walking an index from where the page begins, in either direction.

import type { Value } from '../../driver.ts';
import type { ListPart, Page, PagePosition, Span } from '../../paging.ts';
import type { Database } from '../database.ts';
import { type Selection, select } from '../query.ts';

/** Gets the parameters that it needs from `place`. */
export type WalkCondition = (place: (value: Value) => string) => string;

/** What ends in a span of time; without one, everything. */
export function endsIn(column: string, span: Span | undefined): WalkCondition[] {
  if (span === undefined) return [];
  return [
    (place) => `${column} IS NOT NULL AND ${column} > ${place(span.after)} AND ${column} <= ${place(span.until)}`,
  ];
}

export interface Walk {
  readonly from: string;
  readonly conditions?: readonly WalkCondition[];
  /** The columns of the index that are walked, in its order; the last one is unique. */
  readonly key: readonly string[];
  readonly descending?: boolean;
  /** The values of the key at a position; undefined for the position of another list. */
  valuesAt(position: PagePosition): readonly Value[] | undefined;
}

export interface WalkedPart extends ListPart {
  /** The last position to read, in the direction of the walk. */
  readonly until?: PagePosition | undefined;
  /** So many rows are left out first. */
  readonly skip?: number;
}

/** The rows of a page, plus one more if there is one, in the order they're read. */
export async function walk<Row extends object>(
  database: Database,
  selection: Selection<Row>,
  { from, conditions = [], key, descending = false, valuesAt }: Walk,
  { after, before, until, skip, limit }: WalkedPart,
): Promise<Row[]> {
  const params: Value[] = [];
  const place = (value: Value) => `$${params.push(value)}`;
  const downwards = descending !== (before !== undefined);
  const position = before ?? after;
  const values = position && valuesAt(position);
  if (position !== undefined && values === undefined) return [];
  const where = conditions.map((condition) => condition(place));
  const compare = (operator: string, others: readonly Value[]) =>
    where.push(`(${key.join(', ')}) ${operator} (${others.map(place).join(', ')})`);
  if (values !== undefined) compare(downwards ? '<' : '>', values);
  const last = until && valuesAt(until);
  if (last !== undefined) compare(downwards ? '>=' : '<=', last);
  const order = key.map((column) => (downwards ? `${column} DESC` : column)).join(', ');
  const filter = where.length === 0 ? '' : `WHERE ${where.join(' AND ')}`;
  const rows = `LIMIT ${place(limit + 1)}${skip === undefined ? '' : ` OFFSET ${place(skip)}`}`;
  const query = select([selection], `FROM ${from} ${filter} ORDER BY ${order} ${rows}`);
  return database.read(query, params);
}

/** Queries read one row more than a page, to know whether there's a next page. */
export function pageOf<Row, Item extends { readonly id: string }>(
  rows: readonly Row[],
  { after, before, limit }: ListPart,
  toItem: (row: Row) => Item,
  positionOf: (row: Row, item: Item) => PagePosition,
): Page<Item> {
  const read = rows.slice(0, limit).map((row) => ({ row, item: toItem(row) }));
  const shown = before === undefined ? read : read.toReversed();
  const [first, last] = [shown[0], shown.at(-1)];
  const goesOn = rows.length > limit;
  const at = (end: typeof first) => end && positionOf(end.row, end.item);
  return {
    items: shown.map(({ item }) => item),
    next: before !== undefined || goesOn ? at(last) : undefined,
    previous: before === undefined ? (after === undefined ? undefined : at(first)) : goesOn ? at(first) : undefined,
  };
}
