// Reads one page of a list by walking an index from where the page begins, in either direction.

import { mostCounted, type Total, totalOf } from '../../../protocol/admin/totals.ts';
import type { Engine, Value } from '../../driver.ts';
import type { ListPart, Page, PagePosition, Span } from '../../paging.ts';
import type { Database } from '../database.ts';
import { countOf, plannedAnew, type Selection, select } from '../query.ts';

/** Gets the parameters that it needs from `place`. */
export type WalkCondition = (place: (value: Value) => string, engine: Engine) => string;

/** What ends in a span of time; without one, everything. */
export function endsIn(column: string, span: Span | undefined): WalkCondition[] {
  if (span === undefined) return [];
  return [
    (place) => `${column} IS NOT NULL AND ${column} > ${place(span.after)} AND ${column} <= ${place(span.until)}`,
  ];
}

/** What the first column of a key is at least, and at most. */
export interface Range {
  readonly least?: Bound;
  readonly most?: Bound;
}

interface Bound {
  readonly value: number | Buffer;
  readonly orEqual: boolean;
}

export interface Walk {
  readonly from: string | WalkCondition;
  readonly conditions?: readonly WalkCondition[];
  readonly range?: Range | undefined;
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
  given: Walk,
  part: WalkedPart,
): Promise<Row[]> {
  const { key, descending = false, valuesAt } = given;
  const position = part.before ?? part.after;
  if (position !== undefined && valuesAt(position) === undefined) return [];
  const { from, params, place } = rowsOf(given, part, database.engine);
  const downwards = descending !== (part.before !== undefined);
  const order = key.map((column) => (downwards ? `${column} DESC` : column)).join(', ');
  const rows = `LIMIT ${place(part.limit + 1)}${part.skip === undefined ? '' : ` OFFSET ${place(part.skip)}`}`;
  return database.read(plannedAnew(select([selection], `${from} ORDER BY ${order} ${rows}`)), params);
}

/** How many rows the walk has from its beginning, or from a position, until another one. */
export async function countWalked(
  database: Database,
  given: Walk,
  part: Partial<Pick<WalkedPart, 'after' | 'until'>>,
  most = mostCounted,
): Promise<Total> {
  const { from, params, place } = rowsOf(given, part, database.engine);
  const query = countOf(`FROM (SELECT 1 AS one ${from} LIMIT ${place(most + 1)}) AS counted`);
  return totalOf(await database.count(plannedAnew(query), params), most);
}

/**
 * How many values a column has in the rows of the walk, of which there are no more than `most`. Conditions of each value are looked up once,
 * however many rows have it.
 */
export async function countValues(
  database: Database,
  given: Walk,
  { until, most }: { readonly until: PagePosition | undefined; readonly most: number },
  column: `${string}.${string}`,
  conditions: readonly WalkCondition[],
): Promise<Total> {
  const { from, params, place } = rowsOf(given, { until }, database.engine);
  const [alias] = column.split('.');
  // Without a limit, a server might rather walk all of the table, in the order of the column.
  const rows = `(SELECT ${column} ${from} LIMIT ${place(most)}) AS ${alias}`;
  const met = conditions.map((condition) => condition(place, database.engine));
  const values = `(SELECT DISTINCT ${column} FROM ${rows}) AS ${alias} ${met.length === 0 ? '' : `WHERE ${met.join(' AND ')}`}`;
  const query = countOf(`FROM (SELECT 1 AS one FROM ${values} LIMIT ${place(mostCounted + 1)}) AS counted`);
  return totalOf(await database.count(plannedAnew(query), params));
}

/** What is walked, as the engine is asked for it. */
function rowsOf(
  { from, conditions = [], range = {}, key, descending = false, valuesAt }: Walk,
  { after, before, until }: Partial<Pick<WalkedPart, 'after' | 'before' | 'until'>>,
  engine: Engine,
) {
  const params: Value[] = [];
  const place = (value: Value) => `$${params.push(value)}`;
  const source = typeof from === 'string' ? from : from(place, engine);
  const downwards = descending !== (before !== undefined);
  const column = key[0] ?? '';
  const bounded = (side: '<' | '>', position: PagePosition | undefined, orEqual: string, bound: Bound | undefined) => {
    const values = position && valuesAt(position);
    if (values === undefined || (bound !== undefined && !isWithin(values[0] ?? null, side, bound))) {
      return bound === undefined ? [] : [boundOf(column, side, bound, place)];
    }
    const isColumn = /^[\w.]+$/.test(column);
    const fromPosition = [
      // Of an expression, the embedded engine doesn't look a row of values up in an index.
      ...(isColumn ? [] : [`${column} ${side}= ${place(values[0] ?? null)}`]),
      `(${key.join(', ')}) ${side}${orEqual} (${values.map(place).join(', ')})`,
    ];
    // Servers estimate by it how much there is. Of two bounds, the embedded engine would walk up to either, and compare the rows with
    // the other.
    const unindexed = engine === 'embedded' ? '+' : '';
    return [...fromPosition, ...(bound === undefined ? [] : [`${unindexed}${boundOf(column, side, bound, place)}`])];
  };
  const start = before ?? after;
  const where = [
    ...(downwards ? bounded('<', start, '', range.most) : bounded('>', start, '', range.least)),
    ...(downwards ? bounded('>', until, '=', range.least) : bounded('<', until, '=', range.most)),
    ...conditions.map((condition) => condition(place, engine)),
  ];
  return { from: `FROM ${source} ${where.length === 0 ? '' : `WHERE ${where.join(' AND ')}`}`, params, place };
}

function isWithin(value: Value, side: '<' | '>', { value: bound, orEqual }: Bound): boolean {
  const order =
    typeof value === 'number' && typeof bound === 'number'
      ? value - bound
      : Buffer.compare(value as Uint8Array, bound as Buffer);
  return order === 0 ? orEqual : side === '<' ? order < 0 : order > 0;
}

function boundOf(column: string, side: '<' | '>', { value, orEqual }: Bound, place: (value: Value) => string): string {
  return `${column} ${side}${orEqual ? '=' : ''} ${place(value)}`;
}

/** That a column is in a range. */
export function inRange(column: string, { least, most }: Range): WalkCondition {
  return (place) =>
    [least && boundOf(column, '>', least, place), most && boundOf(column, '<', most, place)]
      .filter(Boolean)
      .join(' AND ');
}

/** The number of rows as a column, counted as far as a list is. */
export function countColumn(from: string, name: string): string {
  return `(SELECT COUNT(*) FROM (SELECT 1 AS one ${from} LIMIT ${mostCounted + 1}) AS counted) AS ${name}`;
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
    // Where nothing is left, there is a way back.
    previous: before === undefined ? after && (at(first) ?? after) : goesOn ? at(first) : undefined,
  };
}
