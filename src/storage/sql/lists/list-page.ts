// A page of people or clients: all of them in some order, those that a search finds, or those that meet filters, and how
// many there are. Whatever is asked for, few rows are looked at: where few of them may be listed, the page ends early.

import type { ListOrder, ListPart, Page, PagePosition, PageQuery, Total, UserQuery } from '../../paging.ts';
import type { SearchKind, Table } from '../../schema.ts';
import { type FilterIndex, indexesOf, meetsAll } from '../../users/filters-sql.ts';
import type { Database } from '../database.ts';
import { both, computed, countOf, type Selection } from '../query.ts';
import { countWalked, pageOf, type Walk, type WalkCondition, walk } from './walk.ts';

/**
 * Of those that a page is chosen from, so many are looked at. People who meet filters are read and sorted, if there are no
 * more who meet the rarest of them.
 */
const mostCandidates = 10_000;
/** The same for counting those who meet several filters that many do. */
const mostCompared = 100_000;

const newestFirst = { by: 'created', descending: true } as const;
const matches = countOf(`FROM (SELECT 1 FROM search_words w WHERE w.kind = $1 AND w.word >= $2 AND w.word < $3
    ORDER BY w.word LIMIT ${mostCandidates}) AS counted`);

export interface List<Row extends object, Item> {
  readonly kind: SearchKind;
  readonly table: Table;
  readonly columns: Selection<Row>;
  toItem(row: Row): Item;
}

/** How a list is read. */
interface Course {
  readonly walk: Walk;
  /** What it's chosen from, if that may be much more. */
  readonly candidates?: Walk | undefined;
  /** Before everything that a search finds. */
  readonly start?: PagePosition | undefined;
}

/** Where a list is read from. */
interface Source {
  /** The table, or the few of its rows that may be listed. */
  readonly from: WalkCondition;
  readonly conditions: readonly WalkCondition[];
  /** Whether the conditions leave out many, and the index with fewer of them. */
  readonly index?: FilterIndex | undefined;
  readonly isSmall: boolean;
}

export async function pageOfList<Row extends object, Item extends { readonly id: string }>(
  database: Database,
  list: List<Row, Item>,
  query: PageQuery,
  filter?: UserQuery['filter'],
): Promise<Page<Item>> {
  const { name, alias } = list.table;
  const all: Source = { from: () => `${name} ${alias}`, conditions: [], isSmall: false };
  const source = filter === undefined ? all : await sourceFor(database, filter, all);
  const { words, order = newestFirst } = query;
  const course =
    words.length > 0
      ? await found(database, list, source, query)
      : order.by === 'name'
        ? byName(list, source, order)
        : byTime(list, source, order);
  const total = async () =>
    words.length > 0
      ? countCourse(database, course, mostCandidates)
      : countCourse(
          database,
          byTime(list, source, { by: source.index?.order ?? 'created', descending: true }),
          mostCompared,
        );
  const [page, counted] = await Promise.all([readCourse(database, list, course, query), query.total && total()]);
  return counted ? { ...page, total: counted } : page;
}

async function readCourse<Row extends object, Item extends { readonly id: string }>(
  database: Database,
  { columns, toItem }: List<Row, Item>,
  course: Course,
  query: PageQuery,
): Promise<Page<Item>> {
  const { before, limit } = query;
  const part = { after: before === undefined ? (query.after ?? course.start) : undefined, before, limit };
  const until = await lastCandidate(database, course, part, mostCandidates);
  const selection = both(columns, placeIn(course.walk));
  const rows = await walk(database, selection, course.walk, { ...part, until });
  const page = pageOf(rows, query, toItem, ({ place }, { id }) => [placeText(place), id]);
  if (until === undefined || rows.length > limit) return page;
  // The next page goes on from there, so that a list that is read to its end is whole.
  const end = before === undefined ? { next: until } : { previous: until };
  return { ...page, ...end, truncated: true };
}

async function countCourse(database: Database, course: Course, compared: number): Promise<Total> {
  const part = { after: course.start, limit: 0 };
  const until = await lastCandidate(database, course, part, compared);
  const { count, more } = await countWalked(database, course.walk, { ...part, until });
  return { count, more: more || until !== undefined };
}

/** Where to stop; undefined if there are fewer. */
async function lastCandidate(
  database: Database,
  { candidates }: Course,
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

/** Of filters that few meet, those people. Of others, everyone: the next who meet them are soon found. */
async function sourceFor(
  database: Database,
  filter: NonNullable<UserQuery['filter']>,
  { from }: Source,
): Promise<Source> {
  const indexes = indexesOf(filter);
  const inIndex = ({ condition }: FilterIndex) =>
    countWalked(database, timeWalk(from, [condition], ['u.created_at', 'u.id'], true), undefined, mostCandidates);
  const totals = await Promise.all(indexes.map(inIndex));
  const sizes = totals.map(({ count, more }) => (more ? count + 1 : count));
  const index = indexes[sizes.indexOf(Math.min(...sizes))];
  if (index === undefined) return { from, conditions: [], isSmall: false };
  const condition = meetsAll(filter);
  if (Math.min(...sizes) > mostCandidates) return { from, conditions: [condition], index, isSmall: false };
  // Without a limit, engines would merge the queries, and might walk another index.
  const few: WalkCondition = (place) =>
    `(SELECT * FROM ${from(place)} WHERE ${index.condition(place)} AND ${condition(place)} LIMIT ${mostCandidates}) AS u`;
  return { from: few, conditions: [], isSmall: true };
}

function byTime({ table: { alias } }: Pick<List<object, unknown>, 'table'>, source: Source, order: ListOrder): Course {
  const { from, conditions, index } = source;
  const inIndex = index?.order === order.by ? [index.condition] : [];
  const key = [`${alias}.${order.by}_at`, `${alias}.id`] as const;
  return {
    walk: timeWalk(from, [...inIndex, ...conditions], key, order.descending),
    candidates: index && timeWalk(from, inIndex, key, order.descending),
  };
}

export function timeWalk(
  from: WalkCondition,
  conditions: readonly WalkCondition[],
  key: readonly [time: string, id: string],
  descending: boolean,
): Walk {
  const valuesAt = ([place, ref]: PagePosition) => {
    const at = Number(place);
    // In a list by name, the position isn't a time.
    return Number.isSafeInteger(at) ? [at, ref] : undefined;
  };
  return { from, conditions, key, descending, valuesAt };
}

function byName(list: Pick<List<object, unknown>, 'kind' | 'table'>, source: Source, order: ListOrder): Course {
  return byWords(list, source, [() => `w.kind = '${list.kind}_name'`], [], order.descending);
}

/** Few people are read first and then their words, also by an engine that knows nothing about the tables. */
function byWords(
  { table: { alias } }: Pick<List<object, unknown>, 'table'>,
  { from, conditions, index, isSmall }: Source,
  inRange: readonly WalkCondition[],
  others: readonly WalkCondition[],
  descending = false,
): Course {
  const course = { key: ['w.word', 'w.ref'], valuesAt: bytesAt, descending };
  const joined: WalkCondition = (place) =>
    isSmall ? `${from(place)} CROSS JOIN search_words w` : `search_words w JOIN ${from(place)} ON ${alias}.id = w.ref`;
  const ofThem = isSmall ? [() => `w.ref = ${alias}.id`] : [];
  const isChosen = !isSmall && (index !== undefined || others.length > 1);
  return {
    walk: { ...course, from: joined, conditions: [...inRange, ...ofThem, ...conditions, ...others] },
    candidates: isChosen ? { ...course, from: 'search_words w', conditions: inRange } : undefined,
  };
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
): Promise<Course> {
  const { kind } = list;
  const walked = await rarestOf(database, kind, words, before ?? after);
  const [begin, end] = rangeOf(walked);
  const others = words.filter((word) => word !== walked).map(rangeOf);
  // With an offset, this is looked up for one row after the other, and without an index by kind or word, it's looked up by record.
  // Otherwise, an engine that doesn't know the table yet, or as it was in the middle of an import, may read all words for each of them.
  const ofSame = (condition: string) =>
    `EXISTS (SELECT 1 FROM search_words o
      WHERE o.ref = w.ref AND o.kind || '' = '${kind}' AND (${condition}) IS TRUE LIMIT 1 OFFSET 0)`;
  const inRange: WalkCondition = (place) =>
    `w.kind = '${kind}' AND w.word >= ${place(begin)} AND w.word < ${place(end)}`;
  const conditions: WalkCondition[] = [
    ...others.map(
      ([from, to]): WalkCondition =>
        (place) =>
          ofSame(`o.word >= ${place(from)} AND o.word < ${place(to)}`),
    ),
    (place) => `NOT ${ofSame(`o.word >= ${place(begin)} AND (o.word, o.source) < (w.word, w.source)`)}`,
  ];
  const start: PagePosition = [Buffer.from(walked, 'utf8').toString('hex'), ''];
  return { ...byWords(list, source, [inRange], conditions), start };
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
function rangeOf(word: string): readonly [Buffer, Buffer] {
  const begin = Buffer.from(word, 'utf8');
  return [begin, Buffer.concat([begin, Buffer.of(255)])];
}
