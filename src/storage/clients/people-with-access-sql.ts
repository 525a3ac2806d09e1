// Who can use a client now, and why: everyone, by an entry on its list, or by a group on it. Where everyone can use it, those who have
// connected it. The list walks people like any other list of them (lists/list-page.ts); the reasons are looked up for its page alone.

import type { AccessFilters } from '../../protocol/admin/access-filters.ts';
import type { Total } from '../../protocol/admin/totals.ts';
import { DAY } from '../../protocol/durations.ts';
import { directly, everyoneDirectly, everyoneThroughGroups, throughGroups } from '../groups/access-conditions.ts';
import { namedIds } from '../groups/named-ids.ts';
import type { Page, PageQuery } from '../paging.ts';
import type { Client, User } from '../records.ts';
import { type SelectedRow, users } from '../schema.ts';
import type { Database } from '../sql/database.ts';
import { byIds, type ListFilter } from '../sql/lists/filtered.ts';
import { countFiltered, listLimits, pageOfList } from '../sql/lists/list-page.ts';
import type { WalkCondition } from '../sql/lists/walk.ts';
import { columns, computed, perEngine, select } from '../sql/query.ts';
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

type ClientWithAccess = Pick<Client, 'id' | 'access' | 'generation' | 'revokedAt'>;
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
  /** People in the list meet all of them, at this time. */
  readonly filter: { readonly by: AccessFilters; readonly now: number };
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
const onList = perEngine((engine) =>
  select(
    [computed<ReasonRow>('r.*')],
    `FROM (SELECT n.id AS user_id, CAST(NULL AS TEXT) AS group_id, CAST(NULL AS TEXT) AS group_name, ca.began_at AS since,
        ca.expires_at AS expires_at
      FROM ${namedIds(engine, '$2')} AS n CROSS JOIN ${directly('n.id', '$1', '$3')}
    UNION ALL SELECT n.id, gr.id, gr.name, ${latestSince}, ${earliestEnd}
      FROM ${namedIds(engine, '$2')} AS n CROSS JOIN ${throughGroups('n.id', '$1', '$3')}) AS r`,
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
  const filterOf = async (client: ClientWithAccess, filter: AccessQuery['filter']): Promise<ListFilter> =>
    filtersOf(client, filter, client.access === 'everyone' ? await findOpenSince(client) : null);
  const findOpenSince = ({ id }: Pick<Client, 'id'>) =>
    database.first(openSince, [id], ({ since }) => since).then((since) => since ?? null);

  const describe = async (client: ClientWithAccess, people: readonly PersonOnList[], now: number) => {
    if (people.length === 0) return [];
    const ids = JSON.stringify(people.map(({ id }) => id));
    const [reasons, connected, since] = await Promise.all([
      database.read(onList, [client.id, ids, now]),
      database.read(connections, [client.id, ids, client.generation]),
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
      const page = await pageOfList(database, list, query, await filterOf(client, query.filter));
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

function hasNobody({ access, revokedAt }: ClientWithAccess, { reason, expiresWithin }: AccessFilters): boolean {
  if (revokedAt !== null) return true;
  return access === 'everyone' ? expiresWithin !== undefined : reason === 'everyone';
}

/**
 * The filters as one condition, so that their combinations are no more prepared statements, and where the people who meet them are read
 * from.
 */
function filtersOf(client: ClientWithAccess, { by, now }: AccessQuery['filter'], since: number | null): ListFilter {
  const isOpen = client.access === 'everyone';
  /** Only those that are read become parameters. */
  const texts = (place: Parameters<WalkCondition>[0]) => {
    const text = (value: string) => `CAST(${place(value)} AS TEXT)`;
    const number = (value: number) => `CAST(${place(value)} AS BIGINT)`;
    return {
      get client() {
        return text(client.id);
      },
      get generation() {
        return number(client.generation);
      },
      get reason() {
        return text(by.reason ?? '');
      },
      get group() {
        return text(by.group ?? '');
      },
      get now() {
        return number(now);
      },
      get until() {
        return number(by.expiresWithin === undefined ? 0 : now + by.expiresWithin * DAY);
      },
      get before() {
        return number(by.unused === undefined ? 0 : now - by.unused * DAY);
      },
    };
  };
  /** Looked up for one person after the other: a server would otherwise read everyone who has access. */
  const exists = (from: string) => `EXISTS (SELECT 1 FROM ${from} LIMIT 1 OFFSET 0)`;
  const connection = (generation: string, of: string) =>
    `consents k WHERE k.user_id = u.id AND k.client_id = ${of} AND k.client_generation = ${generation}`;
  const canSignIn = ({ now }: ReturnType<typeof texts>) =>
    `+u.disabled_at IS NULL AND (+u.expires_at IS NULL OR +u.expires_at > ${now})`;
  /** What those who are on the list by the given reason and group have to meet besides. */
  const further: WalkCondition = (place) => {
    const given = texts(place);
    const { client, until } = given;
    return `${canSignIn(given)}
      AND (${until} = 0 OR NOT ${exists(directly('u.id', client, until))} AND NOT ${exists(throughGroups('u.id', client, until))})
      AND ${isUnused(place)}`;
  };
  const hasReason: WalkCondition = (place) => {
    const { client, reason, group, now } = texts(place);
    return `CASE ${reason} WHEN 'person' THEN ${exists(directly('u.id', client, now))}
        WHEN 'group' THEN ${group} <> '' OR ${exists(throughGroups('u.id', client, now))} ELSE true END
      AND (${group} = '' OR ${exists(`${throughGroups('u.id', client, now)} AND gm.group_id = ${group}`)})`;
  };
  /** Where it isn't known since when, it's since the account is there. */
  const isUnused = (place: Parameters<WalkCondition>[0]) => {
    const { client, generation, now, before } = texts(place);
    const isLong = (one: string, other: string) =>
      `COALESCE(${one}.began_at, ${other}.began_at, u.created_at) < ${before}`;
    const isOpenLong = () => `COALESCE(CAST(${place(since)} AS BIGINT), 0) < ${before} AND u.created_at < ${before}`;
    return `(${before} = 0 OR NOT ${exists(`${connection(generation, client)} AND k.last_used_at >= ${before}`)}
      AND (${isOpen ? `${isOpenLong()} OR` : ''} ${exists(`${directly('u.id', client, now)} AND ${isLong('ca', 'ca')}`)}
        OR ${exists(`${throughGroups('u.id', client, now)} AND ${isLong('ca', 'gm')} AND ${isLong('gm', 'ca')}`)}))`;
  };
  const isConnected: WalkCondition = (place) => {
    const { client, generation } = texts(place);
    return exists(connection(generation, client));
  };
  /** Whoever meets one of these filters is on the list. */
  const isOnList: WalkCondition = (place) => {
    const { client, reason, group, now, before } = texts(place);
    return `(${reason} <> '' OR ${group} <> '' OR ${before} > 0
      OR ${exists(directly('u.id', client, now))} OR ${exists(throughGroups('u.id', client, now))})`;
  };
  const met: WalkCondition = (place, engine) =>
    [further, hasReason, isOpen ? isConnected : isOnList].map((each) => each(place, engine)).join(' AND ');

  const allOnList: WalkCondition = (place, engine) => {
    const { client, reason, group, now } = texts(place);
    const wanted = `(${group} = ca.subject_id OR ${group} = '' AND ${reason} <> 'person')`;
    return `${everyoneDirectly(client, now, `${reason} <> 'group' AND ${group} = ''`)}
      UNION ALL ${everyoneThroughGroups(engine, client, now, wanted, 'true')}`;
  };
  const ending: WalkCondition = (place, engine) => {
    const { client, now, until } = texts(place);
    const ends = (alias: string) => `${alias}.expires_at IS NOT NULL AND ${alias}.expires_at <= ${until}`;
    return `${everyoneDirectly(client, now, ends('ca'))}
      UNION ALL ${everyoneThroughGroups(engine, client, now, ends('ca'), 'true')}
      UNION ALL ${everyoneThroughGroups(engine, client, now, 'true', ends('gm'))}`;
  };
  const connected: WalkCondition = (place) => {
    const { client, generation, before } = texts(place);
    return `SELECT k.user_id AS id FROM consents k WHERE k.client_id = ${client} AND k.client_generation = ${generation}
      AND (${before} = 0 OR k.last_used_at < ${before})`;
  };
  const isForList = by.reason === 'person' || by.reason === 'group' || by.group !== undefined;
  // Of the two, the list has those by the group.
  const isOnListSo = by.group === undefined || by.reason !== 'person' ? further : met;
  const indexes = [
    ...(isOpen ? [byIds(connected, isForList ? met : further)] : []),
    ...(isForList || (!isOpen && by.expiresWithin === undefined) ? [byIds(allOnList, isOpen ? met : isOnListSo)] : []),
    ...(by.expiresWithin === undefined ? [] : [byIds(ending, isForList ? met : further)]),
  ];
  return { met, indexes, effort: Object.keys(by).length === 0 ? 1 : 2 };
}
