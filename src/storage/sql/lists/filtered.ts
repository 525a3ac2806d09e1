// The people in a list who meet filters. Each filter has an index with those people, or tables that say who they are, and the one with
// the fewest people is read. What they have to meet besides is one condition.

import { mostCounted, type Total } from '../../../protocol/admin/totals.ts';
import type { Value } from '../../driver.ts';
import type { Database } from '../database.ts';
import { computed, plannedAnew, select } from '../query.ts';
import { timeWalk } from './time-walk.ts';
import { countWalked, type Range, type WalkCondition } from './walk.ts';

export interface ListFilter {
  /** Whether a person `u` meets everything. */
  readonly met: WalkCondition;
  /** At least one, unless nothing is filtered by. */
  readonly indexes: readonly FilterIndex[];
  /** How much the condition takes, compared with that of a list of people: so much fewer of them are looked at. */
  readonly effort?: number;
}

/** Those that an index of `users u` has, and the order it's in; undefined for one of its own. */
export interface FilterIndex {
  readonly condition: WalkCondition;
  /** The condition, if it's a range of what the index is ordered by. */
  readonly range?: Range;
  readonly order: 'created' | 'expires' | 'last_sign_in' | 'last_active' | undefined;
  /** Whether nobody else is in it. */
  readonly isExact: boolean;
  /** A query for their IDs, if other tables say who they are, and how many of these are read; it can have some more than once. */
  readonly ids?: { readonly query: WalkCondition; readonly most: number };
  /** What those who are in it have to meet besides, if that's less than everything. */
  readonly further?: WalkCondition;
}

/** Those whose IDs are in other tables. Of a list that takes no effort, one more is read than counted. */
export function byIds(query: WalkCondition, further: WalkCondition, effort = 1): FilterIndex {
  const most = Math.floor(mostCounted / effort) + 1;
  const condition: WalkCondition = (place, engine) => {
    const first = `${query(place, engine)} LIMIT ${most}`;
    // A server would compare the list with all people, whom it would read for that.
    return engine === 'server' ? `u.id = ANY (ARRAY(${first}))` : `u.id IN (${first})`;
  };
  return { condition, order: undefined, isExact: false, ids: { query, most }, further };
}

/** How the people who meet a filter are read. */
export interface Filtered {
  readonly met: WalkCondition;
  readonly indexes: readonly FilterIndex[];
  /** The index with the fewest people, and what they have to meet besides being in it. */
  readonly index: FilterIndex;
  readonly further: readonly WalkCondition[];
  /** In the place of the table, those who meet all filters, if they are few, with one more column. */
  readonly few: ((column?: WalkCondition) => WalkCondition) | undefined;
  /** If that is known already. */
  readonly total: Total | undefined;
  /** How many are in the index, if it's one of IDs and all of them were read. */
  readonly people: number | undefined;
  readonly effort: number;
}

export async function filteredBy(
  database: Database,
  { met, indexes, effort = 1 }: ListFilter,
  from: WalkCondition,
  { mostFew, total: withTotal = false }: { readonly mostFew: number; readonly total?: boolean | undefined },
): Promise<Filtered | undefined> {
  const isAlone = indexes.length === 1 && indexes[0]?.isExact === true;
  const most = isAlone && withTotal ? mostCounted : mostFew;
  const inIndex = async ({ condition, ids }: FilterIndex) => {
    if (ids !== undefined) return countIds(database, ids, most);
    const walked = timeWalk(from, [condition], ['u.created_at', 'u.id'], true);
    return { ...(await countWalked(database, walked, {}, most)), people: undefined };
  };
  const totals = await Promise.all(indexes.map(inIndex));
  const [rarest] = indexes
    .map((index, place) => ({ index, total: totals[place] ?? { count: 0, more: false, people: undefined } }))
    .toSorted((a, b) => Number(a.total.more) - Number(b.total.more) || a.total.count - b.total.count);
  if (rarest === undefined) return undefined;
  const { index, total } = rarest;
  const further = isAlone ? [] : [index.further ?? met];
  // Without a limit, engines would merge the queries, and might walk another index.
  const few =
    (column?: WalkCondition): WalkCondition =>
    (place, engine) => {
      const columns = column === undefined ? '*' : `*, ${column(place, engine)}`;
      const table = from(place, engine);
      const where = [index.condition, ...further].map((condition) => condition(place, engine));
      return `(SELECT ${columns} FROM ${table} WHERE ${where.join(' AND ')} LIMIT ${mostFew}) AS u`;
    };
  return {
    met,
    indexes,
    index,
    further,
    few: total.more || total.count > mostFew ? undefined : few,
    total: isAlone && withTotal ? { count: total.count, more: total.more } : undefined,
    people: total.people,
    effort,
  };
}

/** How many people there are, and whether all IDs were read. */
async function countIds(database: Database, ids: NonNullable<FilterIndex['ids']>, most: number) {
  const params: Value[] = [];
  const place = (value: Value) => `$${params.push(value)}`;
  const first = `${ids.query(place, database.engine)} LIMIT ${ids.most + 1}`;
  const counted = computed<{ people: number; ids: number }>('COUNT(DISTINCT i.id) AS people, COUNT(*) AS ids');
  const [row] = await database.read(plannedAnew(select([counted], `FROM (${first}) AS i`)), params);
  const { people, ids: read } = row ?? { people: 0, ids: 0 };
  const isWhole = read <= ids.most;
  return {
    count: Math.min(people, most),
    more: people > most || !isWhole,
    people: isWhole ? people : undefined,
  };
}
