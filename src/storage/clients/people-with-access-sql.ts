// Who can use a client now, and why: everyone, by an entry on its list, or by a group on it. Where everyone can use it, those who have
// connected it. The list walks people like any other list of them (lists/list-page.ts); the reasons are looked up for its page alone.

import type { Total } from '../../protocol/admin/totals.ts';
import type { Engine } from '../driver.ts';
import { directly, throughGroups } from '../groups/access-conditions.ts';
import { namedIds } from '../groups/named-ids.ts';
import type { Page, PageQuery } from '../paging.ts';
import type { Client, User } from '../records.ts';
import { type SelectedRow, users } from '../schema.ts';
import type { Database } from '../sql/database.ts';
import type { ListFilter } from '../sql/lists/filtered.ts';
import { countFiltered, listLimits, pageOfList } from '../sql/lists/list-page.ts';
import { columns, computed, perEngine, plannedAnew, select } from '../sql/query.ts';
import { type AccessFilter, accessFilter, type ClientWithAccess } from './access-filter-sql.ts';
import {
  type AccessReason,
  byGroup,
  earliestEnd,
  forEveryone,
  latestEnd,
  latestSince,
  openSinceOf,
  type ReasonRow,
  toReason,
} from './access-reasons.ts';

type PersonOnList = Pick<User, 'id' | 'name' | 'email' | 'createdAt'>;

export interface PersonWithAccess {
  readonly person: Pick<User, 'id' | 'name' | 'email'>;
  /** Everyone, then the person's own entry, then groups by name. */
  readonly reasons: readonly AccessReason[];
  /** The latest end of the reasons; null if one of them has none. */
  readonly expiresAt: number | null;
  /** When the person connected the client, and last used it; null if they haven't. */
  readonly connectedAt: number | null;
  readonly lastUsedAt: number | null;
}

export interface AccessQuery extends PageQuery<'created' | 'name' | 'last_sign_in'> {
  readonly filter: AccessFilter;
}

const listed = columns(users, 'id', 'name', 'email', 'created_at');
const toPerson = (row: SelectedRow<typeof users, 'id' | 'name' | 'email' | 'created_at'>): PersonOnList => ({
  id: row.u_id,
  name: row.u_name,
  email: row.u_email,
  createdAt: row.u_created_at,
});

const list = { kind: 'person', table: users, columns: listed, limits: listLimits, toItem: toPerson } as const;

const openSince = select(
  [computed<{ since: number | null }>(`${openSinceOf} AS since`)],
  'FROM clients c WHERE c.id = $1',
);
/** For each of the people whose IDs are the second parameter. A server would rather begin with everyone in a group. */
const ofEach = (engine: Engine, entry: string, from: string) =>
  engine === 'server'
    ? `SELECT n.id AS user_id, e.* FROM ${namedIds(engine, '$2')} AS n
        CROSS JOIN LATERAL (SELECT ${entry} FROM ${from} OFFSET 0) AS e`
    : `SELECT n.id AS user_id, ${entry} FROM ${namedIds(engine, '$2')} AS n CROSS JOIN ${from}`;
const ownEntry = `CAST(NULL AS TEXT) AS group_id, CAST(NULL AS TEXT) AS group_name, ca.began_at AS since, ca.expires_at AS expires_at`;
const groupEntry = `gr.id AS group_id, gr.name AS group_name, ${latestSince} AS since, ${earliestEnd} AS expires_at`;
const onList = perEngine((engine) =>
  select(
    [computed<ReasonRow>('r.*')],
    `FROM (${ofEach(engine, ownEntry, directly('n.id', '$1', '$3'))}
      UNION ALL ${ofEach(engine, groupEntry, throughGroups('n.id', '$1', '$3'))}) AS r`,
  ),
);
interface ConsentRow {
  readonly user_id: string;
  readonly granted_at: number;
  readonly last_used_at: number;
}
const connections = perEngine((engine) =>
  select(
    [computed<ConsentRow>('k.user_id AS user_id, k.granted_at AS granted_at, k.last_used_at AS last_used_at')],
    `FROM ${namedIds(engine, '$2')} AS n CROSS JOIN consents k
      WHERE k.user_id = n.id AND k.client_id = $1 AND k.client_generation = $3`,
  ),
);

export function sqlPeopleWithAccess(database: Database) {
  const filterOf = async (client: ClientWithAccess, filter: AccessFilter, isSearch = false): Promise<ListFilter> =>
    accessFilter(client, filter, client.access === 'everyone' ? await findOpenSince(client) : null, isSearch);
  const findOpenSince = ({ id }: Pick<Client, 'id'>) =>
    database.first(openSince, [id], ({ since }) => since).then((since) => since ?? null);

  const describe = async (client: ClientWithAccess, people: readonly PersonOnList[], now: number) => {
    if (people.length === 0) return [];
    const ids = JSON.stringify(people.map(({ id }) => id));
    const [reasons, connected, since] = await Promise.all([
      database.read(plannedAnew(onList), [client.id, ids, now]),
      database.read(plannedAnew(connections), [client.id, ids, client.generation]),
      client.access === 'everyone' ? findOpenSince(client) : undefined,
    ]);
    const reasonsOf = Map.groupBy(reasons, (row) => row.user_id);
    const connectionOf = new Map(connected.map((row) => [row.user_id, row]));
    return people.map((person): PersonWithAccess => {
      const connection = connectionOf.get(person.id);
      const all = [
        ...(since === undefined ? [] : [forEveryone(since, person)]),
        ...(reasonsOf.get(person.id) ?? []).map(toReason).toSorted(byGroup),
      ];
      const { id, name, email } = person;
      return {
        person: { id, name, email },
        reasons: all,
        expiresAt: latestEnd(all),
        connectedAt: connection?.granted_at ?? null,
        lastUsedAt: connection?.last_used_at ?? null,
      };
    });
  };

  return {
    /** The people who can use the client now; of one that everyone can use, those who have connected it. Nobody can use a revoked one. */
    async pagePeopleWithAccess(client: ClientWithAccess, query: AccessQuery): Promise<Page<PersonWithAccess>> {
      if (hasNobody(client, query.filter.by))
        return { items: [], next: undefined, previous: undefined, ...(query.total && { total: none }) };
      const filter = await filterOf(client, query.filter, query.words.length > 0);
      const page = await pageOfList(database, list, query, filter);
      return { ...page, items: await describe(client, page.items, query.filter.now) };
    },

    /** How many there are, counted as far as for their list. */
    async countPeopleWithAccess(client: ClientWithAccess, now: number) {
      return hasNobody(client, {}) ? none : countFiltered(database, list, await filterOf(client, { by: {}, now }));
    },

    /** What gives these people access now, whether or not they can sign in; in the order in which they're given. */
    describeAccess: describe,
  };
}

const none: Total = { count: 0, more: false };

function hasNobody({ access, revokedAt }: ClientWithAccess, { reason, expiresWithin }: AccessFilter['by']): boolean {
  if (revokedAt !== null) return true;
  return access === 'everyone' ? expiresWithin !== undefined : reason === 'everyone';
}
