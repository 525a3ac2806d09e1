// Groups of directories. A change of members is a few statements over the people that it names, however many others there are.

import { groupKey } from '../../protocol/account/names.ts';
import type { EventRecord } from '../../protocol/event.ts';
import type { MappedGroup } from '../../protocol/scim/group-mapping.ts';
import type { Statement, Value } from '../driver.ts';
import { lastChange, lasting, nextChange } from '../groups/access-conditions.ts';
import { noneExpired } from '../groups/expiry-sql.ts';
import { endNewRecovery, insertGroup, listedGroupColumns, nameGuard, refuseId, toGroup } from '../groups/groups-sql.ts';
import { namedIds } from '../groups/named-ids.ts';
import type { Group, ListedChange } from '../records.ts';
import type { Database } from '../sql/database.ts';
import { holdsNoRole } from '../sql/guards.ts';
import { computed, countOf, perEngine, required, select, statementFor } from '../sql/query.ts';
import { removedLoseAccess } from '../webhooks/ended-grants.ts';
import { insertEvents } from '../webhooks/outbox-sql.ts';
import { texts, type WantedText } from './scim-users-sql.ts';

/** What is compared, in the form that it's stored in. */
export interface ScimGroupFilter {
  readonly id?: WantedText | undefined;
  readonly name?: WantedText | undefined;
  readonly externalId?: (WantedText & { readonly pr?: true | undefined }) | undefined;
}

/** Someone who is named in a change. */
export interface NamedMember {
  readonly id: string;
  readonly hasRole: boolean;
  readonly isMember: boolean;
}

/** Those who change, not those whose membership is already so. */
export interface MemberChanges {
  readonly add: readonly ListedChange[];
  readonly remove: readonly ListedChange[];
}

/** With one of these, an index finds the group. */
const leads = {
  none: '',
  id: 'AND gr.id = $2',
  name: 'AND gr.name_key = $4',
  externalId: 'AND gr.external_id = $6',
} as const;
type Lead = keyof typeof leads;

function queriesFor(lead: Lead) {
  const from = `FROM groups gr WHERE gr.managed_by = $1 AND gr.ended_by = ${lasting} ${leads[lead]}
    ${texts('gr.id', 2)} ${texts('gr.name_key', 4)} ${texts('gr.external_id', 6)}
    AND (CAST($8 AS BIGINT) IS NULL OR gr.external_id IS NOT NULL)`;
  return {
    page: select([listedGroupColumns], `${from} ORDER BY gr.created_at, gr.id LIMIT $9 OFFSET $10`),
    count: countOf(from),
  };
}
const queries = Object.fromEntries((Object.keys(leads) as Lead[]).map((lead) => [lead, queriesFor(lead)])) as Record<
  Lead,
  ReturnType<typeof queriesFor>
>;

/** Looks it up for each: a server would otherwise read all of a group's members, or of the source's people, to compare them. */
const exists = (from: string) => `EXISTS (SELECT 1 FROM ${from} LIMIT 1 OFFSET 0)`;
const isMember = (id: string) =>
  exists(`group_members gm WHERE gm.group_id = $1 AND gm.user_id = ${id} AND gm.ended_by = ${lasting}`);
/** By their ID: an index by the source has all of its people, whom a server may take for nobody while they're imported. */
const belongs = (id: string) => `users u WHERE u.id = ${id} AND COALESCE(u.managed_by, '') = $3`;
const isOwn = exists(belongs('n.id'));
const isOwnWithoutRole = exists(`${belongs('n.id')} AND ${holdsNoRole('u')}`);

/** Each with the group, the people and the source as its first parameters. */
const namedMembers = perEngine((engine) =>
  select(
    [
      computed<{ id: string; has_role: number; is_member: number }>(`n.id AS id,
        CASE WHEN ${isOwnWithoutRole} THEN 0 ELSE 1 END AS has_role,
        CASE WHEN ${isMember('n.id')} THEN 1 ELSE 0 END AS is_member`),
    ],
    `FROM ${namedIds(engine, '$2')} AS n WHERE ${isOwn}`,
  ),
);
/** In the order of their IDs, which the engine would give up for an index of the source's people. */
const others = perEngine((engine) =>
  select(
    [computed<{ id: string }>('gm.user_id AS id')],
    `FROM group_members gm WHERE gm.group_id = $1 AND gm.ended_by = ${lasting} AND gm.user_id > $5
      AND gm.began_with <= CAST($4 AS BIGINT) AND gm.user_id NOT IN (SELECT n.id FROM ${namedIds(engine, '$2')} AS n)
      AND ${exists(`${belongs('gm.user_id')} AND ${holdsNoRole('u')}`)} ORDER BY gm.user_id LIMIT $6`,
  ),
);
/** By the index of people with roles: few have one, and many belong to a source. */
const othersWithRole = perEngine((engine) =>
  select(
    [computed<{ id: string }>('u.id AS id')],
    `FROM users u WHERE (u.roles IS NOT NULL OR u.admin_since IS NOT NULL) AND COALESCE(u.managed_by, '') = $3
      AND ${isMember('u.id')} AND u.id NOT IN (SELECT n.id FROM ${namedIds(engine, '$2')} AS n) ORDER BY u.created_at, u.id LIMIT 1`,
  ),
);
const members = select(
  [
    computed<{ id: string; name: string }>(
      'gm.user_id AS id, (SELECT u.name FROM users u WHERE u.id = gm.user_id LIMIT 1 OFFSET 0) AS name',
    ),
  ],
  `FROM group_members gm WHERE gm.group_id = $1 AND gm.ended_by = ${lasting} AND gm.user_id > $2
    AND ${exists(belongs('gm.user_id'))} ORDER BY gm.user_id LIMIT $4`,
);

const update = `UPDATE groups SET name = $3, name_key = $4, external_id = $5, updated_at = $6
  WHERE id = $1 AND managed_by = $2 AND name = $7 AND external_id IS NOT DISTINCT FROM $8 AND ended_by = ${lasting}
  RETURNING id`;

/** Rolls back if someone is no longer as they were when the change was put together. */
const unless = (wrong: string) => {
  const statement = statementFor(
    (engine) =>
      `SELECT 1 AS one WHERE NOT EXISTS (SELECT 1 FROM ${namedIds(engine, '$2')} AS n WHERE NOT ${isOwnWithoutRole} OR ${wrong})`,
  );
  return (...params: readonly Value[]): Statement => ({ ...statement(...params), mustReturn: true });
};
const allCanJoin = unless(isMember('n.id'));
const allCanLeave = unless(`NOT ${isMember('n.id')}`);
const join = statementFor(
  (engine) => `INSERT INTO group_members (group_id, user_id, began_with, ended_by, began_at)
    SELECT CAST($1 AS TEXT), n.id, ${lastChange}, ${lasting}, CAST($3 AS BIGINT) FROM ${namedIds(engine, '$2')} AS n`,
);
const leave = statementFor(
  (engine) => `UPDATE group_members SET ended_by = ${lastChange} WHERE group_id = $1 AND ended_by = ${lasting}
    AND user_id ${engine === 'server' ? '= ANY (ARRAY' : 'IN ('}(SELECT n.id FROM ${namedIds(engine, '$2')} AS n))`,
);

export function sqlScimGroups(database: Database) {
  return {
    /** Oldest first, and how many there are in all. */
    async findScimGroups(
      source: string,
      { id, name, externalId }: ScimGroupFilter,
      part: { readonly limit: number; readonly offset: number },
    ) {
      const wanted = { id, name, externalId };
      const lead = (['id', 'name', 'externalId'] as const).find((each) => wanted[each]?.eq !== undefined) ?? 'none';
      const both = (each: WantedText | undefined) => [each?.eq ?? null, each?.sw ?? null];
      const params = [source, ...both(id), ...both(name), ...both(externalId), externalId?.pr ? 1 : null];
      const { page, count } = queries[lead];
      const [groups, total] = await Promise.all([
        part.limit === 0 ? [] : database.list(page, [...params, part.limit, part.offset], toGroup),
        database.count(count, params),
      ]);
      return { groups, total };
    },

    /** The source's people in a group, by ID, from the first one after `after`. */
    listScimMembers: (groupId: string, source: string, after: string, limit: number) =>
      database.list(members, [groupId, after, source, limit], (row) => row),

    /** Those of these people whom the source owns. */
    findNamedMembers: (groupId: string, source: string, ids: readonly string[]): Promise<NamedMember[]> =>
      database.list(namedMembers, [groupId, JSON.stringify(ids), source], (row) => ({
        id: row.id,
        hasRole: row.has_role === 1,
        isMember: row.is_member === 1,
      })),

    /** The source's people without a role who were in the group at a change, besides those named; by ID, after `after`. */
    listOtherMembers: (
      groupId: string,
      source: string,
      ids: readonly string[],
      part: { readonly change: number; readonly after: string; readonly limit: number },
    ) =>
      database.list(
        others,
        [groupId, JSON.stringify(ids), source, part.change, part.after, part.limit],
        (row) => row.id,
      ),

    /** One of the others who has a role. */
    findOtherWithRole: (groupId: string, source: string, ids: readonly string[]) =>
      database.first(othersWithRole, [groupId, JSON.stringify(ids), source], (row) => row.id),

    /** A StorageConflict if the name or the external ID is taken; false if someone can't join, or an application gets its name. */
    createScimGroup(group: Group, add: readonly ListedChange[], events: readonly EventRecord[], now: number) {
      return database.write([
        ...changeBegins({ add, remove: [] }, now),
        ...insertGroup(group),
        nameGuard(group.id),
        ...insertEvents(events),
        ...memberStatements(group, { add, remove: [] }, now),
      ]);
    },

    /**
     * False if the group is no longer as it was, someone can't join or leave, or an application gets the name that would change, and while an end isn't
     * written (expiry-sql.ts); a StorageConflict if the name or the external ID is taken.
     */
    changeScimGroup(
      basis: Group,
      { name, externalId }: MappedGroup,
      changes: MemberChanges,
      events: readonly EventRecord[],
      now: number,
    ) {
      const { id } = basis;
      const after = [name, groupKey(name), externalId, now];
      return database.write([
        ...changeBegins(changes, now),
        ...(groupKey(name) === groupKey(basis.name) ? [] : [refuseId(id, groupKey(name))]),
        required(update, [id, basis.managedBy, ...after, basis.name, basis.externalId]),
        ...(name === basis.name ? [] : [nameGuard(id)]),
        ...insertEvents(events),
        ...memberStatements(basis, changes, now),
      ]);
    },
  };
}

function changeBegins({ add, remove }: MemberChanges, now: number): Statement[] {
  if (add.length + remove.length === 0) return [];
  return [nextChange, ...(add.length === 0 ? [] : [noneExpired(now)])];
}

function memberStatements({ id, managedBy }: Group, { add, remove }: MemberChanges, now: number): Statement[] {
  const paramsOf = (changes: readonly ListedChange[]) => [id, JSON.stringify(changes.map((each) => each.id))];
  const joined = paramsOf(add);
  const [first] = remove;
  return [
    ...(add.length === 0 ? [] : [allCanJoin(...joined, managedBy), join(...joined, now), ...endNewRecovery(...joined)]),
    ...(remove.length === 0 ? [] : [allCanLeave(...paramsOf(remove), managedBy), leave(...paramsOf(remove))]),
    ...insertEvents([...add, ...remove].map(({ event }) => event)),
    ...(first === undefined ? [] : removedLoseAccess(first.event, id)),
  ];
}
