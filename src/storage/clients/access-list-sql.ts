// Who may use a client: the switch between everyone and its list, and the users and groups on the list.

import type { EventRecord } from '../../protocol/event.ts';
import type { Statement } from '../driver.ts';
import { access, isOnList, lastChange, lasting, nextChange } from '../groups/access-conditions.ts';
import { noneExpired } from '../groups/expiry-sql.ts';
import { byId, listedGroupColumns, listedUser, toGroup, toListed, withEnd } from '../groups/groups-sql.ts';
import { type MembersQuery, peopleIn } from '../groups/members-sql.ts';
import { restoreEntry } from '../groups/restoring-sql.ts';
import type { ListPart, Span } from '../paging.ts';
import type { AccessChange, Client, ListEntry, ListedChange } from '../records.ts';
import { users } from '../schema.ts';
import type { Database } from '../sql/database.ts';
import { endsIn, pageOf, type Walk, walk } from '../sql/lists/walk.ts';
import { columns, computed, perEngine, required, select } from '../sql/query.ts';
import { everyoneLosesAccess, groupLosesAccess, personLosesAccess } from '../webhooks/ended-grants.ts';
import { insertEvent, insertEventIf } from '../webhooks/outbox-sql.ts';

type Kind = 'person' | 'group';

const allowedGroups = select(
  [withEnd(listedGroupColumns, 'ca')],
  `FROM client_access ca JOIN groups gr ON gr.id = ca.subject_id AND gr.ended_by = ${lasting}
    WHERE ca.client_id = $1 AND ca.kind = 'group' AND ca.ended_by = ${lasting} ORDER BY gr.name_key`,
);
const addressColumns = withEnd(columns(users, 'id', 'email'), 'ca');
const toAddress = ({ u_id: id, u_email: email }: { readonly u_id: string; readonly u_email: string }) => ({
  id,
  email,
});
const present = perEngine((engine) =>
  select(
    [computed<{ one: number }>('1 AS one')],
    `FROM clients c JOIN users u ON u.id = $2 WHERE c.id = $1 AND ${access[engine].hasAccess('u.id', '$3')}`,
  ),
);

/** Whom the list would leave in, among those who use the client. */
const listedUsers = select(
  [computed<{ users: number; listed: number }>('COUNT(*) AS users, COUNT(used.listed) AS listed')],
  `FROM (SELECT CASE WHEN ${isOnList('k.user_id', '$2', { person: '$4', group: '$5' })} THEN 1 END AS listed
    FROM clients c JOIN consents k ON k.client_id = c.id AND k.client_generation = c.generation
    WHERE c.id = $1 LIMIT $3) AS used`,
);

const isListed = (kind: Kind) => `SELECT 1 FROM client_access ca WHERE ca.client_id = $1 AND ca.kind = '${kind}'
  AND ca.subject_id = $2 AND ca.ended_by = ${lasting}`;
/** Who can be added, `x`. */
const sources = { person: 'users x WHERE x.id =', group: `groups x WHERE x.ended_by = ${lasting} AND x.id =` };
const allow = (kind: Kind) => `INSERT INTO client_access
  (client_id, kind, subject_id, began_with, ended_by, expires_at, end_notices, began_at)
  SELECT CAST($1 AS TEXT), '${kind}', x.id, ${lastChange}, ${lasting}, CAST($3 AS BIGINT), 0, CAST($4 AS BIGINT)
  FROM ${sources[kind]} $2 AND NOT EXISTS (${isListed(kind)})`;
const setEnd = (kind: Kind) => `UPDATE client_access SET expires_at = CAST($3 AS BIGINT), end_notices = 0
  WHERE client_id = $1 AND kind = '${kind}' AND subject_id = $2 AND ended_by = ${lasting}
    AND expires_at IS DISTINCT FROM $3`;
const disallow = (kind: Kind) => `UPDATE client_access SET ended_by = ${lastChange}
  WHERE client_id = $1 AND kind = '${kind}' AND subject_id = $2 AND ended_by = ${lasting}`;
/** Comes before it. Only if the subject isn't on the list already, or not with this end. */
const noteAllowed = (kind: Kind) =>
  insertEventIf(
    (place) => `EXISTS (SELECT 1 FROM ${sources[kind]} ${place(1)}) AND NOT EXISTS (SELECT 1 FROM client_access ca
      WHERE ca.client_id = ${place(0)} AND ca.kind = '${kind}' AND ca.subject_id = ${place(1)} AND ca.ended_by = ${lasting}
        AND (CAST(${place(3)} AS BIGINT) = 1 OR ca.expires_at IS NOT DISTINCT FROM CAST(${place(2)} AS BIGINT)))`,
  );
/** Change numbers are unique, so rows with this one were changed by this write. */
const noteDisallowed = (kind: Kind) =>
  insertEventIf(
    (place) => `EXISTS (SELECT 1 FROM client_access ca WHERE ca.client_id = ${place(0)} AND ca.kind = '${kind}'
      AND ca.subject_id = ${place(1)} AND ca.ended_by = ${lastChange})`,
  );
const textsOf = (kind: Kind) => ({
  allow: { sql: allow(kind), setEnd: setEnd(kind), note: noteAllowed(kind) },
  disallow: { sql: disallow(kind), note: noteDisallowed(kind) },
});
const texts = { person: textsOf('person'), group: textsOf('group') };

/** Until the first switch to a list, there's no row that gives everyone access. */
const endedForEveryone = [
  `INSERT INTO client_access (client_id, kind, subject_id, began_with, ended_by)
    SELECT c.id, 'everyone', '', 0, ${lastChange} FROM clients c WHERE c.id = $1 AND c.was_listed = 0`,
  `UPDATE client_access SET ended_by = ${lastChange}
    WHERE client_id = $1 AND kind = 'everyone' AND subject_id = '' AND ended_by = ${lasting}`,
  `UPDATE clients SET access = 'listed', was_listed = 1 WHERE id = $1`,
];
const openedForEveryone = `INSERT INTO client_access (client_id, kind, subject_id, began_with, ended_by, began_at)
  SELECT c.id, 'everyone', '', ${lastChange}, ${lasting}, CAST($2 AS BIGINT) FROM clients c WHERE c.id = $1 AND c.access = 'listed'`;
const setOpen = `UPDATE clients SET access = 'everyone' WHERE id = $1`;

/** For a write that begins with `nextChange`. */
export function switchAccess(clientId: string, to: Client['access'], now: number): Statement[] {
  if (to === 'listed') return endedForEveryone.map((sql) => ({ sql, params: [clientId] }));
  return [
    { sql: openedForEveryone, params: [clientId, now] },
    { sql: setOpen, params: [clientId] },
  ];
}

/** For a write that begins with `nextChange`. */
export const forgetClient = 'DELETE FROM client_access WHERE client_id = $1';
export const forgetUser = [
  `DELETE FROM client_access WHERE kind = 'person' AND subject_id = $1`,
  'DELETE FROM group_members WHERE user_id = $1',
];

function allowedUsers(clientId: string, ending?: Span): Walk {
  const listed = (place: (value: string) => string) =>
    `ca.client_id = ${place(clientId)} AND ca.kind = 'person' AND ca.ended_by = ${lasting}`;
  return {
    from: 'client_access ca JOIN users u ON u.id = ca.subject_id',
    conditions: [listed, ...endsIn('ca.expires_at', ending)],
    key: ['ca.subject_id'],
    valuesAt: ([, id]) => [id],
  };
}

/** A person's own entry, for a write that begins with `nextChange`. Nothing if there's none. */
export function endOwnEntry(clientId: string, userId: string, event: EventRecord): Statement[] {
  const { sql, note } = texts.person.disallow;
  return [
    { sql, params: [clientId, userId] },
    ...note(event, clientId, userId),
    ...personLosesAccess(event, clientId, userId),
  ];
}

export function sqlClientList(database: Database) {
  const sorted = peopleIn(database, {
    table: 'client_access',
    userId: 'e.subject_id',
    of: (place) => `e.client_id = ${place} AND e.kind = 'person'`,
  });
  return {
    /**
     * Changes who can use a client, as one change: people who have access before and after it have had no gap. Adds
     * those who aren't on the list and removes those who are; deleted users and groups are skipped. False for an
     * unknown client, while an end isn't written (expiry-sql.ts), and if what is to be restored can't be.
     */
    changeAccess(clientId: string, change: AccessChange, now: number) {
      return database.write([nextChange, ...changeStatements(clientId, change, now)]);
    },

    /** The groups on the client's list, by name. */
    listAllowedGroups: (clientId: string) => database.list(allowedGroups, [clientId], toListed(toGroup)),

    /** The users on the client's list directly, not through a group: all, or those whose place ends in a span of time. */
    async pageAllowedUsers(clientId: string, part: ListPart & Partial<MembersQuery>, ending?: Span) {
      if (part.order !== undefined) return sorted(clientId, { ...part, words: [] }, endsIn('e.expires_at', ending));
      const rows = await walk(database, listedUser.columns('ca'), allowedUsers(clientId, ending), part);
      return pageOf(rows, part, listedUser.decode, byId);
    },

    /** The list with as much of each as names them. */
    async pageAllowedAddresses(clientId: string, part: ListPart) {
      const rows = await walk(database, addressColumns, allowedUsers(clientId), part);
      return pageOf(rows, part, toListed(toAddress), byId);
    },

    /**
     * How many people use the client, and how many of them are on its list, themselves or through a group; as if the person
     * or group in `without` weren't on it. Counts up to the limit.
     */
    async countListedUsers(clientId: string, now: number, most: number, without: ListEntry = {}) {
      const { person = '', group = '' } = without;
      const [counted] = await database.read(listedUsers, [clientId, now, most, person, group]);
      return { users: counted?.users ?? 0, listed: counted?.listed ?? 0 };
    },

    /** Whether the user has access to the client now. */
    async hasAccess(clientId: string, userId: string, now: number) {
      return (await database.read(present, [clientId, userId, now])).length > 0;
    },
  };
}

/** For a write that begins with `nextChange`. */
export function changeStatements(
  clientId: string,
  { access, allow, disallow }: AccessChange,
  now: number,
): Statement[] {
  const allowed = (kind: Kind, subjects: readonly ListedChange[]) =>
    subjects.flatMap(({ id, event, expiresAt, restores }): Statement[] => {
      if (restores !== undefined) return [restoreEntry([clientId, kind, id], restores, now), ...insertEvent(event)];
      const { sql, setEnd, note } = texts[kind].allow;
      const params = [clientId, id, expiresAt ?? null];
      return [
        ...note(event, ...params, expiresAt === undefined ? 1 : 0),
        ...(expiresAt === undefined ? [] : [{ sql: setEnd, params }]),
        { sql, params: [...params, now] },
      ];
    });
  const disallowed = (kind: Kind, subjects: readonly ListedChange[]) =>
    subjects.flatMap(({ id, event }): Statement[] => {
      const { sql, note } = texts[kind].disallow;
      return [{ sql, params: [clientId, id] }, ...note(event, clientId, id)];
    });
  const begins = access?.to === 'everyone' || allow.people.length + allow.groups.length > 0;
  const touch = 'UPDATE clients SET updated_at = $2 WHERE id = $1';
  return [
    ...(begins ? [noneExpired(now)] : []),
    required('SELECT c.id FROM clients c WHERE c.id = $1', [clientId]),
    ...(access === undefined
      ? []
      : [
          { sql: touch, params: [clientId, now] },
          ...switchAccess(clientId, access.to, now),
          ...insertEvent(access.event),
        ]),
    ...allowed('person', allow.people),
    ...allowed('group', allow.groups),
    ...disallowed('person', disallow.people),
    ...disallowed('group', disallow.groups),
    ...(access?.to === 'listed' ? everyoneLosesAccess(access.event, clientId) : []),
    ...disallow.people.flatMap(({ id, event }) => personLosesAccess(event, clientId, id)),
    ...disallow.groups.flatMap(({ id, event }) => groupLosesAccess(event, clientId, id)),
  ];
}
