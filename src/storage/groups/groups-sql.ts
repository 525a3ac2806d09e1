// Groups, and changes of who is in them.

import { groupKey } from '../../protocol/account/names.ts';
import { placeOf, textAt } from '../../protocol/admin/cursor.ts';
import { totalOf } from '../../protocol/admin/totals.ts';
import type { EventRecord } from '../../protocol/event.ts';
import type { Engine, Statement, Value } from '../driver.ts';
import type { ListedGroup } from '../listed-records.ts';
import type { ListPart, Page, PagePosition } from '../paging.ts';
import type { Group, Listed, ListedChange, NewGroup } from '../records.ts';
import { clients, groups } from '../schema.ts';
import type { Database } from '../sql/database.ts';
import { protectedMember } from '../sql/guards.ts';
import { countColumn, countWalked, pageOf, type Walk, walk } from '../sql/lists/walk.ts';
import {
  both,
  columns,
  columnsExcept,
  computed,
  countOf,
  insertInto,
  perEngine,
  required,
  type Selection,
  select,
  statementFor,
} from '../sql/query.ts';
import { recordColumns } from '../sql/record-columns.ts';
import { toUser, userColumns } from '../sql/rows.ts';
import { memberLosesAccess, membersLoseAccess } from '../webhooks/ended-grants.ts';
import { insertEvent, insertEventIf } from '../webhooks/outbox-sql.ts';
import { isInForce, lastChange, lasting, nextChange } from './access-conditions.ts';
import { noneExpired } from './expiry-sql.ts';
import { namedIds } from './named-ids.ts';
import { restoreMember } from './restoring-sql.ts';

const groupColumns = columnsExcept(groups, 'ended_by');
const groupRows = recordColumns(groups, 'name_key', 'ended_by');
export const { columns: listedGroupColumns, decode: toGroup } = groupRows;
const foundByEither = select(
  [listedGroupColumns],
  `FROM groups gr WHERE (gr.id = $1 OR gr.name_key = $2) AND gr.ended_by = ${lasting}`,
);
const foundByName = select([listedGroupColumns], `FROM groups gr WHERE gr.name_key = $1 AND gr.ended_by = ${lasting}`);
const foundById = select([listedGroupColumns], `FROM groups gr WHERE gr.id = $1 AND gr.ended_by = ${lasting}`);
/** With words, those that have each of them somewhere in their name. */
type GroupsPart = ListPart & { readonly words?: readonly string[] };

const byName = ({ words = [] }: GroupsPart): Walk => ({
  from: 'groups gr',
  // There are few groups, so those without the words are walked past.
  conditions: [
    () => 'gr.name_key IS NOT NULL',
    ...words.map((word) => (place: (value: string) => string) => {
      return `gr.name_key LIKE ${place(`%${word.replace(/[\\%_]/g, '\\$&')}%`)} ESCAPE '\\'`;
    }),
  ],
  key: ['gr.name_key'],
  valuesAt([place]) {
    const name = textAt(place);
    return name === undefined ? undefined : [name];
  },
});
/** A list means something only while the application isn't open to everyone. */
const counts = computed<{ members: number; clients: number }>(
  `${countColumn(`FROM group_members gm WHERE gm.group_id = gr.id AND gm.ended_by = ${lasting}`, 'members')},
  ${countColumn(
    `FROM client_access ca JOIN clients c ON c.id = ca.client_id AND c.access = 'listed' AND c.revoked_at IS NULL
    WHERE ca.kind = 'group' AND ca.subject_id = gr.id AND ca.ended_by = ${lasting}`,
    'clients',
  )}`,
);
const lastNumber = select([computed<{ value: number }>(`${lastChange} AS value`)], '');
const insertRow = insertInto(groups);
/** Claims refer to groups by IDs, which have letters and digits only. */
const usesGroup = "c.claims <> '[]' AND c.claims LIKE CAST($1 AS TEXT)";
const clientsWithClaims = select(
  [columns(clients, 'id', 'name')],
  `FROM clients c WHERE ${usesGroup} ORDER BY c.name, c.id`,
);
/** Whether a claim names this group, or all of them. Without an ID, or for a new group, it's the latter. */
const getsName = `claims <> '[]' AND (claims LIKE '%"groups":null%' OR claims LIKE CAST($1 AS TEXT))`;
const clientsWithName = countOf(`FROM clients WHERE ${getsName}`);
const unused = `SELECT 1 AS unused WHERE NOT EXISTS (SELECT 1 FROM clients c WHERE ${usesGroup})`;

function nameOf({ gr_name_key }: { readonly gr_name_key: string | null }, { id }: Group): PagePosition {
  return [placeOf(gr_name_key ?? ''), id];
}

const referenceTo = (groupId: string) => `%"id":"${groupId}"%`;

/**
 * Rolls back if an application gets the group's name, which is an administrator's to choose then. It comes after what locks the
 * group's row: claims that are being changed lock it as well.
 */
export function nameGuard(groupId: string): Statement {
  const sql = `SELECT 1 AS one WHERE NOT EXISTS (SELECT 1 FROM clients WHERE ${getsName})`;
  return required(sql, [referenceTo(groupId)]);
}

/**
 * Rolls back if the group owns an application: its members would decide, or nobody. For a write that
 * begins with `nextChange`, as one that changes owners does.
 */
function ownsNothing(groupId: string): Statement {
  const sql = `SELECT 1 AS one WHERE NOT EXISTS
    (SELECT 1 FROM client_owners co WHERE co.kind = 'group' AND co.subject_id = $1)`;
  return required(sql, [groupId]);
}

/** A StorageConflict if a group has this name, in any case, or as its ID. */
export function insertGroup(group: Group): Statement[] {
  const name_key = groupKey(group.name);
  return [refuseId(group.id, name_key), insertRow({ ...groupRows.encode(group), name_key, ended_by: lasting })];
}

/** Inserts another group that has the name as its ID a second time, which is a StorageConflict. */
export function refuseId(groupId: string, nameKey: string): Statement {
  const sql = 'INSERT INTO groups SELECT gr.* FROM groups gr WHERE gr.id = $2 AND gr.id <> $1';
  return { sql, params: [groupId, nameKey] };
}

/** A change of a client's claims locks the groups that they refer to, so that no reference stays as it was. */
export function inClaims(before: string, after: string): Statement {
  const sql = "UPDATE clients SET claims = REPLACE(claims, $1, $2) WHERE claims <> '[]'";
  return { sql, params: [before, after] };
}

/** A user or group with beginning and end of its row, `alias`, on a list. */
export function withEnd<Row extends object>({ list }: Selection<Row>, alias: string) {
  return computed<Row & EndRow>(`${list}, ${alias}.expires_at AS listed_until, ${alias}.began_at AS listed_since`);
}

export interface EndRow {
  readonly listed_until: number | null;
  readonly listed_since: number | null;
}

export function toListed<Row, Subject>(toSubject: (row: Row) => Subject): (row: Row & EndRow) => Listed<Subject> {
  return (row) => ({ ...toSubject(row), listedUntil: row.listed_until, listedSince: row.listed_since });
}

export const listedUser = { columns: (alias: string) => withEnd(userColumns, alias), decode: toListed(toUser) };

const groupsOfUser = perEngine((engine) =>
  select(
    [withEnd(listedGroupColumns, 'gm')],
    `FROM group_members gm JOIN groups gr ON gr.id = gm.group_id
    WHERE gm.user_id = $1 AND gm.ended_by = ${lasting} AND ${isInForce('gm', '$2')} AND gr.ended_by = ${lasting}
    ORDER BY ${engine === 'server' ? 'gr.name COLLATE "C"' : 'gr.name'}`,
  ),
);

const protectedGroups = select(
  [computed<{ one: number }>('p.one AS one')],
  `FROM (SELECT 1 AS one WHERE EXISTS (${protectedMember})) AS p`,
);

const isMember = `SELECT 1 FROM group_members gm
  WHERE gm.group_id = $1 AND gm.user_id = $2 AND gm.ended_by = ${lasting}`;
const addMember = `INSERT INTO group_members (group_id, user_id, began_with, ended_by, expires_at, end_notices, began_at)
  SELECT CAST($1 AS TEXT), u.id, ${lastChange}, ${lasting}, CAST($3 AS BIGINT), 0, CAST($4 AS BIGINT) FROM users u
    WHERE u.id = $2 AND NOT EXISTS (${isMember})`;
const setEnd = `UPDATE group_members SET expires_at = CAST($3 AS BIGINT), end_notices = 0
  WHERE group_id = $1 AND user_id = $2 AND ended_by = ${lasting} AND expires_at IS DISTINCT FROM $3`;
const removeMember = `UPDATE group_members SET ended_by = ${lastChange}
  WHERE group_id = $1 AND user_id = $2 AND ended_by = ${lasting}`;
/** Comes before it. Only if the user isn't a member already, or not with this end. */
const noteAdded = insertEventIf(
  (place) => `EXISTS (SELECT 1 FROM users u WHERE u.id = ${place(1)}) AND NOT EXISTS (SELECT 1 FROM group_members gm
    WHERE gm.group_id = ${place(0)} AND gm.user_id = ${place(1)} AND gm.ended_by = ${lasting}
      AND (CAST(${place(3)} AS BIGINT) = 1 OR gm.expires_at IS NOT DISTINCT FROM CAST(${place(2)} AS BIGINT)))`,
);
const noteRemoved = insertEventIf(
  (place) => `EXISTS (SELECT 1 FROM group_members gm
    WHERE gm.group_id = ${place(0)} AND gm.user_id = ${place(1)} AND gm.ended_by = ${lastChange})`,
);

/**
 * A link from before that a person with less than admin access has made would open the account of a member. What stores one
 * locks the person's row first, and so does this: either it finds the link, or that write finds the member.
 */
const endRecovery = (peopleFor: (engine: Engine) => string) => {
  const lock = statementFor((engine) => {
    const rows = `SELECT u.id FROM users u WHERE u.id IN (${peopleFor(engine)}) ORDER BY u.id`;
    return `SELECT COUNT(*) AS locked FROM (${rows} ${engine === 'server' ? 'FOR NO KEY UPDATE' : ''}) AS p`;
  });
  const end = statementFor(
    (engine) => `DELETE FROM links WHERE purpose = 'recover' AND user_id IN (${peopleFor(engine)})`,
  );
  return (...params: readonly Value[]): Statement[] => [lock(...params), end(...params)];
};
const endRecoveryOfMembers = endRecovery(
  () => `SELECT gm.user_id FROM group_members gm WHERE gm.group_id = $1 AND gm.ended_by = ${lasting}`,
);
/** Of these people, with the group, those whom this write has added to it, if it's protected. */
export const endNewRecovery = endRecovery(
  (engine) => `SELECT n.id FROM ${namedIds(engine, '$2')} AS n
    WHERE EXISTS (SELECT 1 FROM groups gr WHERE gr.id = $1 AND gr.protected_since IS NOT NULL)
      AND EXISTS (SELECT 1 FROM group_members gm
        WHERE gm.group_id = $1 AND gm.user_id = n.id AND gm.began_with = ${lastChange} LIMIT 1 OFFSET 0)`,
);

/** For a write that begins with `nextChange`. */
function joinGroup(groupId: string, { id, event, expiresAt, restores }: ListedChange, now: number): Statement[] {
  if (restores !== undefined) return [restoreMember(groupId, id, restores, now), ...insertEvent(event)];
  const params = [groupId, id, expiresAt ?? null];
  return [
    ...noteAdded(event, ...params, expiresAt === undefined ? 1 : 0),
    ...(expiresAt === undefined ? [] : [{ sql: setEnd, params }]),
    { sql: addMember, params: [...params, now] },
  ];
}

/** For a write that begins with `nextChange`, too. */
export function leaveGroup(groupId: string, userId: string, event: EventRecord): Statement[] {
  return [{ sql: removeMember, params: [groupId, userId] }, ...noteRemoved(event, groupId, userId)];
}

export function sqlGroups(database: Database) {
  const withTotal = async <Item>(page: Page<Item>, part: GroupsPart): Promise<Page<Item>> =>
    part.total ? { ...page, total: await countWalked(database, byName(part), {}) } : page;

  return {
    /** A StorageConflict if a group has this name, in any case, or as its ID; undefined if the event's guard says so. */
    async createGroup(given: NewGroup, event: EventRecord): Promise<Group | undefined> {
      const group = { protectedSince: null, managedBy: null, externalId: null, ...given };
      const done = await database.writeWith(event, [
        ...insertGroup(group),
        ...(event.limited ? [nameGuard(group.id)] : []),
      ]);
      return done ? group : undefined;
    },

    /** Whether an application gets the name of this group, or of all. */
    isNameClaimed: async (groupId: string) => (await database.count(clientsWithName, [referenceTo(groupId)])) > 0,

    /** By ID or name: a name can be another group's ID since before that was refused, and then it's the ID that counts. */
    async findGroup(nameOrId: string) {
      const found = await database.list(foundByEither, [nameOrId, groupKey(nameOrId)], toGroup);
      return found.find(({ id }) => id === nameOrId) ?? found[0];
    },

    findGroupById: (id: string) => database.first(foundById, [id], toGroup),

    findGroupByName: (name: string) => database.first(foundByName, [groupKey(name)], toGroup),

    /** By name; with words, those that have each of them somewhere in their name. */
    async pageGroups(part: GroupsPart) {
      return withTotal(pageOf(await walk(database, groupColumns, byName(part), part), part, toGroup, nameOf), part);
    },

    /** Groups by name, with how many are in each, and how many clients it opens. */
    async pageListedGroups(part: GroupsPart) {
      const rows = await walk(database, both(groupColumns, counts), byName(part), part);
      const toListedGroup = (row: (typeof rows)[number]): ListedGroup => {
        return { ...toGroup(row), members: totalOf(row.members), clients: totalOf(row.clients) };
      };
      return withTotal(pageOf(rows, part, toListedGroup, nameOf), part);
    },

    isInProtectedGroup: async (userId: string) => (await database.read(protectedGroups, [userId])).length > 0,

    /** By name, in the order of code points. */
    listGroupsOf: (userId: string, now: number) => database.list(groupsOfUser, [userId, now], toListed(toGroup)),

    /** False for an unknown group, while an end isn't written (expiry-sql.ts), and if what is to be restored can't be. */
    changeMembers(
      groupId: string,
      { add, remove }: Readonly<Record<'add' | 'remove', readonly ListedChange[]>>,
      now: number,
    ) {
      const touch = `UPDATE groups SET updated_at = $2 WHERE id = $1 AND ended_by = ${lasting} RETURNING id`;
      return database.write([
        nextChange,
        ...(add.length === 0 ? [] : [noneExpired(now)]),
        required(touch, [groupId, now]),
        ...add.flatMap((each) => joinGroup(groupId, each, now)),
        ...(add.length === 0 ? [] : endNewRecovery(groupId, JSON.stringify(add.map(({ id }) => id)))),
        ...remove.flatMap(({ id, event }) => leaveGroup(groupId, id, event)),
        ...remove.flatMap(({ id, event }) => memberLosesAccess(event, groupId, id)),
      ]);
    },

    /**
     * Claims of clients show the new name and mean what they did. False for a group that is unknown or has another name by
     * now, or if the event's guard says so; a StorageConflict if another group has the new one, or as its ID.
     */
    renameGroup({ id, name }: Pick<Group, 'id' | 'name'>, newName: string, now: number, event: EventRecord) {
      const rename = `UPDATE groups SET name = $3, name_key = $4, updated_at = $5
        WHERE id = $1 AND name = $2 AND ended_by = ${lasting} RETURNING id`;
      return database.writeWith(event, [
        refuseId(id, groupKey(newName)),
        required(rename, [id, name, newName, groupKey(newName), now]),
        ...(event.limited ? [nameGuard(id)] : []),
        inClaims(JSON.stringify({ id, name }), JSON.stringify({ id, name: newName })),
      ]);
    },

    /** False for a group that is unknown, or was protected or opened meanwhile. */
    protectGroup(
      { id, protectedSince }: Pick<Group, 'id' | 'protectedSince'>,
      isProtected: boolean,
      now: number,
      event: EventRecord,
    ) {
      const sql = `UPDATE groups SET protected_since = CAST($3 AS BIGINT), updated_at = $4
        WHERE id = $1 AND protected_since IS NOT DISTINCT FROM CAST($2 AS BIGINT) AND ended_by = ${lasting} RETURNING id`;
      return database.writeWith(event, [
        // Members are locked after it, as by changes of access.
        nextChange,
        required(sql, [id, protectedSince, isProtected ? now : null, now]),
        ...(isProtected ? endRecoveryOfMembers(id) : [ownsNothing(id)]),
      ]);
    },

    /** By name. */
    listClientsWithClaimsOf: (groupId: string) =>
      database.list(clientsWithClaims, [referenceTo(groupId)], (row) => ({ id: row.c_id, name: row.c_name })),

    /**
     * Writes few rows, however many members there are; the sweep deletes the rest. False for an unknown group and, without
     * `force`, for one that claims of clients use; with it, they match nobody.
     */
    deleteGroup(groupId: string, now: number, event: EventRecord, force = false) {
      const end = `UPDATE groups SET ended_by = ${lastChange}, name_key = NULL, updated_at = $2
        WHERE id = $1 AND ended_by = ${lasting} RETURNING id`;
      const reference = `{"id":"${groupId}",`;
      return database.write([
        nextChange,
        ownsNothing(groupId),
        required(end, [groupId, now]),
        force ? inClaims(reference, `${reference}"deleted":true,`) : required(unused, [referenceTo(groupId)]),
        ...insertEvent(event),
        ...membersLoseAccess(event, groupId),
      ]);
    },

    /** The number of the last change. */
    async lastAccessChange() {
      const [row] = await database.read(lastNumber, []);
      return row?.value ?? 0;
    },
  };
}

/** The position of an item in a list ordered by ID. */
export function byId(_row: object, { id }: { readonly id: string }): PagePosition {
  return ['0', id];
}
