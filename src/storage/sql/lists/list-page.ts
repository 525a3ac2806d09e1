// A page of people or clients: all of them in some order, those that a search finds, or those that meet filters, and how
// many there are. Whatever is asked for, few rows are looked at: where few of them may be listed, the page ends early.

import type { Total } from '../../../protocol/admin/totals.ts';
import type { ListOrder, ListPart, Page, PagePosition, PageQuery } from '../../paging.ts';
import type { SearchKind, Table } from '../../schema.ts';
import type { Database } from '../database.ts';
import { both, computed, countOf, type Selection } from '../query.ts';
import { type Filtered, filteredBy, type ListFilter } from './filtered.ts';
import { timeOf, timeWalk } from './time-walk.ts';
import { countValues, countWalked, inRange, pageOf, type Range, type Walk, type WalkCondition, walk } from './walk.ts';

/** How many rows are looked at, so that a page takes less than 100 ms with a million people. */
export const listLimits = {
  /** Of those that a page is chosen from. People who meet filters are read and sorted, if there are no more who meet the rarest of them. */
  candidates: 5000,
  /** Along words, whose people aren't next to each other. */
  lookedUp: 2500,
  /** For counting people who meet several filters that many meet, and words that a search finds. */
  compared: 20_000,
  words: 40_000,
};
export type ListLimits = typeof listLimits;

const newestFirst = { by: 'created', descending: true } as const;
const matches = countOf(`FROM (SELECT 1 FROM search_words w WHERE w.kind = $1 AND w.word >= $2 AND w.word < $3
    ORDER BY w.word LIMIT 10000) AS counted`);

/** How many are looked at, if that takes so much. */
function within(most: number, filter: Pick<ListFilter, 'effort'> | undefined): number {
  return Math.floor(most / (filter?.effort ?? 1));
}

export interface List<Row extends object, Item> {
  readonly kind: SearchKind;
  readonly table: Table;
  readonly columns: Selection<Row>;
  readonly limits: ListLimits;
  /** The rows that it can have, under the table's alias; all of the table if undefined. */
  readonly among?: WalkCondition | undefined;
  toItem(row: Row): Item;
}

type Listed = Pick<List<object, unknown>, 'kind' | 'table' | 'limits' | 'among'>;

/** How a list is read. */
interface Course {
  readonly walk: Walk;
  /** What it's chosen from, if that may be much more; and how much of that is read. */
  readonly candidates?: Walk | undefined;
  readonly most?: number;
}

/** Where a list is read from: a table, or its rows that meet filters. */
interface Source {
  readonly from: WalkCondition;
  readonly filter?: Filtered | undefined;
}

export async function pageOfList<Row extends object, Item extends { readonly id: string }>(
  database: Database,
  list: List<Row, Item>,
  query: PageQuery,
  filter?: ListFilter,
): Promise<Page<Item>> {
  const { table, limits, among } = list;
  const from = among ?? (() => `${table.name} ${table.alias}`);
  const { words, order = newestFirst } = query;
  const mostFew = within(words.length === 0 ? limits.candidates : limits.lookedUp, filter);
  const total = query.total && words.length === 0;
  const source: Source = { from, filter: filter && (await filteredBy(database, filter, from, { mostFew, total })) };
  const search = words.length === 0 ? undefined : await found(database, list, source, query);
  const course = search ?? (order.by === 'name' ? byName(list, source, order) : byTime(list, source, order));
  const page = await readCourse(database, list, course, {
    ...query,
    most: within(course.most ?? limits.candidates, filter),
  });
  if (!query.total) return page;
  const counted = search === undefined ? () => countSource(database, list, source) : search.total;
  return { ...page, total: totalOfFirst(page, query, search !== undefined) ?? (await counted()) };
}

/** If all who are counted are on the first page. For that of a search, as many words are looked at as for the total. */
function totalOfFirst(
  { items, next, truncated }: Page<unknown>,
  { after, before }: ListPart,
  isSearch: boolean,
): Total | undefined {
  const isWhole = truncated ? isSearch : next === undefined;
  return after === undefined && before === undefined && isWhole
    ? { count: items.length, more: truncated === true }
    : undefined;
}

/** How many people meet the filters, counted as far as for their list. */
export async function countFiltered(
  database: Database,
  list: Omit<Listed, 'kind'>,
  filter: ListFilter,
): Promise<Total> {
  const { table, limits } = list;
  const from = () => `${table.name} ${table.alias}`;
  const filtered = await filteredBy(database, filter, from, {
    mostFew: within(limits.candidates, filter),
    total: true,
  });
  return countSource(database, list, { from, filter: filtered });
}

async function readCourse<Row extends object, Item extends { readonly id: string }>(
  database: Database,
  { columns, toItem }: List<Row, Item>,
  course: Course,
  query: PageQuery & { readonly most: number },
): Promise<Page<Item>> {
  const { before, limit, most } = query;
  const part = { after: before === undefined ? query.after : undefined, before, limit };
  const until = await lastCandidate(database, course, part, most);
  const selection = both(columns, placeIn(course.walk));
  const rows = await walk(database, selection, course.walk, { ...part, until });
  const page = pageOf(rows, query, toItem, ({ place }, { id }) => [placeText(place), id]);
  if (until === undefined || rows.length > limit) return page;
  // The next page goes on from there, so that a list that is read to its end is whole.
  const [next, previous] =
    before === undefined
      ? [until, part.after && (page.items.length > 0 ? page.previous : until)]
      : [page.next ?? until, until];
  return { ...page, next, previous, truncated: true };
}

async function countSource(
  database: Database,
  { table: { alias }, limits }: Omit<Listed, 'kind'>,
  { from, filter }: Source,
): Promise<Total> {
  const counted = (source: WalkCondition, where: readonly WalkCondition[], most?: number) =>
    countWalked(database, timeWalk(source, where, [`${alias}.created_at`, `${alias}.id`], true), {}, most);
  if (filter === undefined) return counted(from, []);
  const { index, further, few, total, people = Number.POSITIVE_INFINITY, effort } = filter;
  const most =
    index.ids === undefined ? limits.compared : effort === 1 ? index.ids.most : within(limits.candidates, filter);
  if (total !== undefined) return total;
  if (few !== undefined || further.length === 0) return counted(from, [index.condition, ...further]);
  const compared: WalkCondition = (place, engine) =>
    `(SELECT * FROM ${from(place, engine)} WHERE ${index.condition(place, engine)} LIMIT ${most}) AS ${alias}`;
  const { count, more } = await counted(compared, further);
  if (index.ids !== undefined) return { count, more: more || people > most };
  return { count, more: more || (await counted(from, [index.condition], limits.compared)).more };
}

/** Where to stop; undefined if there are fewer. */
async function lastCandidate(
  database: Database,
  { candidates }: Pick<Course, 'candidates'>,
  part: ListPart,
  most: number,
): Promise<PagePosition | undefined> {
  if (candidates === undefined) return undefined;
  const selection = both(placeIn(candidates), computed<{ ref: string }>(`${candidates.key[1]} AS ref`));
  const [last] = await walk(database, selection, candidates, { ...part, limit: 0, skip: most - 1 });
  return last && [placeText(last.place), last.ref];
}

function placeIn({ key }: Walk) {
  return computed<{ place: number | Uint8Array }>(`${key[0]} AS place`);
}

/** Of a time or a word, as a position has it. */
function placeText(place: number | Uint8Array): string {
  return typeof place === 'number' ? String(place) : Buffer.from(place).toString('hex');
}

/** In the order of an index of theirs, filters are walked. In another one, few people are sorted, and of many the next are soon found. */
function byTime({ table: { alias } }: Pick<Listed, 'table'>, { from, filter }: Source, order: ListOrder): Course {
  const walked = (table: WalkCondition, where: readonly WalkCondition[], range?: Range) =>
    timeWalk(table, where, [timeOf(alias, order.by), `${alias}.id`], order.descending, range);
  if (filter === undefined) return { walk: walked(from, []) };
  const { met, index, further, few, indexes } = filter;
  const inOrder = index.order === order.by ? index : indexes.find((each) => each.order === order.by);
  if (inOrder !== undefined && (few === undefined || inOrder === index)) {
    const { condition, range } = inOrder;
    const where = inOrder === index ? further : [met];
    const walkedIndex = (more: readonly WalkCondition[]) =>
      walked(from, range === undefined ? [condition, ...more] : more, range);
    return {
      walk: walkedIndex(where),
      candidates: few === undefined && where.length > 0 ? walkedIndex([]) : undefined,
    };
  }
  return few === undefined ? { walk: walked(from, [met]), candidates: walked(from, []) } : { walk: walked(few(), []) };
}

function byName(list: Listed, source: Source, order: ListOrder): Course {
  return byWords(list, source, { kind: `${list.kind}_name` }, [], order.descending);
}

/** Words of a kind, in a range or all of them. */
interface Words {
  readonly kind: string;
  readonly range?: Range;
}

function byWords(
  { table: { alias }, limits }: Listed,
  { from, filter }: Source,
  { kind, range }: Words,
  others: readonly WalkCondition[],
  descending = false,
): Course & { readonly words: Walk } {
  const course = { key: ['w.word', 'w.ref'], valuesAt: bytesAt, descending, range };
  const ofKind = () => `w.kind = '${kind}'`;
  const words = { ...course, from: 'search_words w', conditions: [ofKind] };
  if (filter?.few !== undefined) {
    // Each one's first word is a column: a join might read all words first. Without an index by kind, it's looked up by record.
    const word: WalkCondition = (place, engine) =>
      `(SELECT w.word FROM search_words w WHERE w.ref = u.id AND w.kind || '' = '${kind}'
          ${range === undefined ? '' : `AND ${inRange('w.word', range)(place, engine)}`}
        ORDER BY w.word LIMIT 1) AS word`;
    const conditions = [() => 'u.word IS NOT NULL', ...others];
    const walk = { key: ['u.word', 'u.id'], valuesAt: bytesAt, descending, from: filter.few(word), conditions };
    return { walk, words };
  }
  const walked: WalkCondition = (place, engine) => `search_words w JOIN ${from(place, engine)} ON ${alias}.id = w.ref`;
  return {
    walk: { ...course, from: walked, conditions: [ofKind, ...(filter ? [meets(filter)] : []), ...others] },
    candidates: filter === undefined && others.length === 0 ? undefined : words,
    most: limits.lookedUp,
    words,
  };
}

/**
 * Whether the person of a word meets the filters. With an offset, that is looked up for one word after the other: a server that
 * expects few people to meet them would otherwise begin with reading everyone.
 */
function meets({ met }: Filtered): WalkCondition {
  return (place, engine) =>
    `EXISTS (SELECT 1 FROM users u WHERE u.id = w.ref AND ${met(place, engine)} LIMIT 1 OFFSET 0)`;
}

function bytesAt([place, ref]: PagePosition) {
  return [Buffer.from(place, 'hex'), ref];
}

/**
 * Walks the words that begin with the rarest one that was typed. A record is listed once, at its first such word, if
 * every other one that was typed begins a word of it as well.
 */
async function found<Row extends object, Item>(
  database: Database,
  list: List<Row, Item>,
  source: Source,
  { words, after, before }: PageQuery,
): Promise<Course & { total(): Promise<Total> }> {
  const { kind, limits } = list;
  const walked = await rarestOf(database, kind, words, before ?? after);
  const [begin, end] = rangeOf(walked);
  const others = words.filter((word) => word !== walked).map(rangeOf);
  // With an offset, this is looked up for one row after the other, and without an index by kind or word, it's looked up by record.
  // Otherwise, an engine that doesn't know the table yet, or as it was in the middle of an import, may read all words for each of them.
  const isSmall = source.filter?.few !== undefined;
  const ofSame = (condition: string) =>
    `EXISTS (SELECT 1 FROM search_words o
      WHERE o.ref = ${isSmall ? 'u.id' : 'w.ref'} AND o.kind || '' = '${kind}' AND (${condition}) IS TRUE LIMIT 1 OFFSET 0)`;
  const hasOthers = others.map(
    ([from, to]): WalkCondition =>
      (place) =>
        ofSame(`o.word >= ${place(from)} AND o.word < ${place(to)}`),
  );
  const isFirst: WalkCondition = (place) =>
    `NOT ${ofSame(`o.word >= ${place(begin)} AND (o.word, o.source) < (w.word, w.source)`)}`;
  const range = { least: { value: begin, orEqual: true }, most: { value: end, orEqual: false } };
  const { walk, candidates, words: all } = byWords(list, source, { kind, range }, hasOthers);
  const { among, table } = list;
  const isAmong: WalkCondition = (place, engine) =>
    `EXISTS (SELECT 1 FROM ${source.from(place, engine)} WHERE ${table.alias}.id = w.ref)`;
  const met = [
    ...(source.filter === undefined ? [] : [meets(source.filter)]),
    ...(among === undefined ? [] : [isAmong]),
  ];
  return {
    walk: isSmall ? walk : { ...walk, conditions: [...(walk.conditions ?? []), isFirst] },
    candidates,
    most: limits.lookedUp,
    async total() {
      if (isSmall) return countWalked(database, walk, {});
      const most = candidates === undefined ? limits.words : within(limits.lookedUp, source.filter);
      const until = await lastCandidate(database, { candidates: all }, { after: undefined, limit: 0 }, most);
      // To count each once takes less than to look for its first word.
      const { count, more } = await countValues(database, all, { until, most }, 'w.ref', [...met, ...hasOthers]);
      return { count, more: more || until !== undefined };
    },
  };
}

/** On a later page, the word at the end of the previous page decides which one is walked. */
async function rarestOf(
  database: Database,
  kind: SearchKind,
  words: readonly string[],
  position: PagePosition | undefined,
): Promise<string> {
  const [only = '', ...more] = words;
  if (more.length === 0) return only;
  const place = position === undefined ? undefined : Buffer.from(position[0], 'hex').toString();
  const walked = words.find((word) => place?.startsWith(word));
  if (walked !== undefined) return walked;
  const counts = await Promise.all(words.map((word) => database.read(matches, [kind, ...rangeOf(word)])));
  const counted = words.map((word, index) => ({ word, n: counts[index]?.[0]?.n ?? 0 }));
  return counted.toSorted((a, b) => a.n - b.n || b.word.length - a.word.length)[0]?.word ?? only;
}

/** No text in UTF-8 contains the byte 255, so everything that begins with the word comes before the end. */
export function rangeOf(word: string): readonly [Buffer, Buffer] {
  const begin = Buffer.from(word, 'utf8');
  return [begin, Buffer.concat([begin, Buffer.of(255)])];
}
