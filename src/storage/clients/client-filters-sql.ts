// The filters and orders of a list of applications in SQL. There are few of them compared with people: each is looked at.

import type { ClientQuery } from '../paging.ts';
import { countColumn, type WalkCondition } from '../sql/lists/walk.ts';
import { isOwned } from './owners-sql.ts';

const usedBy = 'FROM consents k WHERE k.client_id = c.id AND k.client_generation = c.generation';

/** Who uses client `c`, counted as far as a list is. */
export const peopleOfClient = countColumn(usedBy, 'people');
/** When one of them last did. */
export const lastUseOfClient = `(SELECT MAX(k.last_used_at) ${usedBy})`;

/** With what the list is sorted by, where that's no column. With a limit, an engine works it out once for each. */
const sortable = `${peopleOfClient}, COALESCE(${lastUseOfClient}, 0) AS last_used_at`;
const asTable = 'LIMIT 1000000000';

/** Nothing if they're all of the table. */
export function amongClients({ filter = {}, order, words }: ClientQuery): { readonly among?: WalkCondition } {
  const { owner, limited, isPublic, unusedSince } = filter;
  const isSorted = words.length === 0 && (order?.by === 'people' || order?.by === 'last_used');
  const conditions: WalkCondition[] = [
    ...(owner ? [isOwned(owner)] : []),
    ...(limited ? [() => "c.access = 'listed'"] : []),
    ...(isPublic ? [() => 'c.is_public = 1'] : []),
    ...(unusedSince === undefined ? [] : [unusedFor(unusedSince)]),
  ];
  if (conditions.length === 0 && !isSorted) return {};
  return {
    among: (place, engine) => {
      const where = conditions.map((condition) => condition(place, engine)).join(' AND ');
      const table = `SELECT c.*${isSorted ? `, ${sortable}` : ''} FROM clients c ${where && `WHERE ${where}`}`;
      return `(${table} ${isSorted ? asTable : ''}) AS c`;
    },
  };
}

function unusedFor(since: number): WalkCondition {
  return (place) => `NOT EXISTS (SELECT 1 ${usedBy} AND k.last_used_at > CAST(${place(since)} AS BIGINT))`;
}
