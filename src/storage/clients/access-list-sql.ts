// Who may use a client: the switch between everyone and its list, and the users and groups on the list.

import type { Statement } from '../driver.ts';
import { access, lastChange, lasting, nextChange } from '../groups/access-conditions.ts';
import { byId, listedGroupColumns, toGroup } from '../groups/groups-sql.ts';
import type { ListPart, Span } from '../paging.ts';
import type { AccessChange, Client, ListedChange } from '../records.ts';
import { clientAccess } from '../schema.ts';
import type { Database } from '../sql/database.ts';
import { endsIn, pageOf, type Walk, walk } from '../sql/lists/walk.ts';
import { both, columns, computed, perEngine, required, select } from '../sql/query.ts';
import { toUser, userColumns } from '../sql/rows.ts';
import { everyoneLosesAccess, groupLosesAccess, personLosesAccess } from '../webhooks/ended-grants.ts';
import { insertEvent, insertEventIf } from '../webhooks/outbox-sql.ts';

type Kind = 'person' | 'group';

const accessEnd = columns(clientAccess, 'expires_at');
const allowedGroups = select(
  [listedGroupColumns, accessEnd],
  `FROM client_access ca JOIN groups gr ON gr.id = ca.subject_id AND gr.ended_by = ${lasting}
    WHERE ca.client_id = $1 AND ca.kind = 'group' AND ca.ended_by = ${lasting} ORDER BY gr.name_key`,
);
const present = perEngine((engine) =>
  select(
    [computed<{ one: number }>('1 AS one')],
    `FROM clients c JOIN users u ON u.id = $2 WHERE c.id = $1 AND ${access[engine].hasAccess('u.id')}`,
  ),
);

const isListed = (kind: Kind) => `SELECT 1 FROM client_access ca WHERE ca.client_id = $1 AND ca.kind = '${kind}'
  AND ca.subject_id = $2 AND ca.ended_by = ${lasting}`;
const allow = (kind: Kind, source: string) => `INSERT INTO client_access
  (client_id, kind, subject_id, began_with, ended_by)
  SELECT CAST($1 AS TEXT), '${kind}', x.id, ${lastChange}, ${lasting} FROM ${source}
  WHERE x.id = $2 AND NOT EXISTS (${isListed(kind)})`;
const disallow = (kind: Kind) => `UPDATE client_access SET ended_by = ${lastChange}
  WHERE client_id = $1 AND kind = '${kind}' AND subject_id = $2 AND ended_by = ${lasting}`;
const endListed = (kind: Kind) => `UPDATE client_access SET expires_at = $3, end_notices = 0
  WHERE client_id = $1 AND kind = '${kind}' AND subject_id = $2 AND ended_by = ${lasting} AND expires_at IS DISTINCT FROM $3`;
/** Change numbers are unique, so rows with this one were changed by this write. */
const noteIf = (kind: Kind, column: 'began_with' | 'ended_by') =>
  insertEventIf(
    (place) => `EXISTS (SELECT 1 FROM client_access ca WHERE ca.client_id = ${place(0)} AND ca.kind = '${kind}'
      AND ca.subject_id = ${place(1)} AND ca.${column} = ${lastChange})`,
  );
const changes = {
  allow: {
    person: { sql: allow('person', 'users x'), note: noteIf('person', 'began_with') },
    group: {
      sql: `${allow('group', 'groups x')} AND x.ended_by = ${lasting}`,
      note: noteIf('group', 'began_with'),
    },
  },
  disallow: {
    person: { sql: disallow('person'), note: noteIf('person', 'ended_by') },
    group: { sql: disallow('group'), note: noteIf('group', 'ended_by') },
  },
};

/** Until the first switch to a list, there's no row that gives everyone access. */
const endedForEveryone = [
  `INSERT INTO client_access (client_id, kind, subject_id, began_with, ended_by)
    SELECT c.id, 'everyone', '', 0, ${lastChange} FROM clients c WHERE c.id = $1 AND c.was_listed = 0`,
  `UPDATE client_access SET ended_by = ${lastChange}
    WHERE client_id = $1 AND kind = 'everyone' AND subject_id = '' AND ended_by = ${lasting}`,
  `UPDATE clients SET access = 'listed', was_listed = 1 WHERE id = $1`,
];
const openedForEveryone = [
  `INSERT INTO client_access (client_id, kind, subject_id, began_with, ended_by)
    SELECT c.id, 'everyone', '', ${lastChange}, ${lasting} FROM clients c WHERE c.id = $1 AND c.access = 'listed'`,
  `UPDATE clients SET access = 'everyone' WHERE id = $1`,
];

/** For a write that begins with `nextChange`. */
export function switchAccess(clientId: string, to: Client['access']): Statement[] {
  const texts = to === 'listed' ? endedForEveryone : openedForEveryone;
  return texts.map((sql) => ({ sql, params: [clientId] }));
}

/** For a write that begins with `nextChange`. */
export const forgetClient = 'DELETE FROM client_access WHERE client_id = $1';
export const forgetUser = [
  `DELETE FROM client_access WHERE kind = 'person' AND subject_id = $1`,
  'DELETE FROM group_members WHERE user_id = $1',
];

export function sqlClientList(database: Database) {
  return {
    /**
     * Changes who can use a client, as one change: people who have access before and after it have had no gap. Adds
     * those who aren't on the list and removes those who are; deleted users and groups are skipped. False for an
     * unknown client.
     */
    changeAccess(clientId: string, change: AccessChange, now: number) {
      return database.write([nextChange, ...changeStatements(clientId, change, now)]);
    },

    /** The groups on the client's list, by name. */
    listAllowedGroups: (clientId: string) =>
      database.list(allowedGroups, [clientId], (row) => ({ ...toGroup(row), listedUntil: row.ca_expires_at })),

    /** The users on the client's list directly, not through a group: all, or those whose place ends in a span of time. */
    async pageAllowedUsers(clientId: string, part: ListPart, ending?: Span) {
      const listed = (place: (value: string) => string) =>
        `ca.client_id = ${place(clientId)} AND ca.kind = 'person' AND ca.ended_by = ${lasting}`;
      const allowedUsers: Walk = {
        from: 'client_access ca JOIN users u ON u.id = ca.subject_id',
        conditions: [listed, ...endsIn('ca.expires_at', ending)],
        key: ['ca.subject_id'],
        valuesAt: ([, id]) => [id],
      };
      const rows = await walk(database, both(userColumns, accessEnd), allowedUsers, part);
      return pageOf(rows, part, (row) => ({ ...toUser(row), listedUntil: row.ca_expires_at }), byId);
    },

    /** Whether the user has access to the client now. */
    async hasAccess(clientId: string, userId: string) {
      return (await database.read(present, [clientId, userId])).length > 0;
    },
  };
}

function changeStatements(clientId: string, { access, allow, disallow }: AccessChange, now: number): Statement[] {
  const list = (change: 'allow' | 'disallow', kind: Kind, subjects: readonly ListedChange[]) =>
    subjects.flatMap(({ id, event, expiresAt }) => {
      const { sql, note } = changes[change][kind];
      const end = expiresAt === undefined ? [] : [{ sql: endListed(kind), params: [clientId, id, expiresAt] }];
      return [{ sql, params: [clientId, id] }, ...end, ...note(event, clientId, id)];
    });
  const touch = 'UPDATE clients SET updated_at = $2 WHERE id = $1';
  return [
    required('SELECT c.id FROM clients c WHERE c.id = $1', [clientId]),
    ...(access === undefined
      ? []
      : [{ sql: touch, params: [clientId, now] }, ...switchAccess(clientId, access.to), ...insertEvent(access.event)]),
    ...list('allow', 'person', allow.people),
    ...list('allow', 'group', allow.groups),
    ...list('disallow', 'person', disallow.people),
    ...list('disallow', 'group', disallow.groups),
    ...(access?.to === 'listed' ? everyoneLosesAccess(access.event, clientId) : []),
    ...disallow.people.flatMap(({ id, event }) => personLosesAccess(event, clientId, id)),
    ...disallow.groups.flatMap(({ id, event }) => groupLosesAccess(event, clientId, id)),
  ];
}
