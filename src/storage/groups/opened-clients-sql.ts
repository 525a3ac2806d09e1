// What groups and places on lists open: the clients that a group is on the list of, and those that a user has access to by one.
// Clients for everyone aren't among them.

import type { Database } from '../sql/database.ts';
import { computed, perEngine, select } from '../sql/query.ts';
import { isInForce, lasting } from './access-conditions.ts';
import { namedIds } from './named-ids.ts';

export interface OpenedClient {
  readonly id: string;
  readonly name: string;
  /** When the place on the list ends, or the membership if that's earlier; null for never. */
  readonly until: number | null;
}

/** By way of a group, or of the user's own place on the list. */
export interface OpenedToUser extends OpenedClient {
  readonly group: string | undefined;
}

interface Row {
  readonly id: string;
  readonly name: string;
  readonly until: number | null;
}

/** More than anyone looks through on one page. */
const most = 200;

const isListed = `c.id = ca.client_id AND c.access = 'listed' AND c.revoked_at IS NULL`;
const lasts = (alias: string, now: string) => `${alias}.ended_by = ${lasting} AND ${isInForce(alias, now)}`;
const byGroup = select(
  [computed<Row>('c.id AS id, c.name AS name, ca.expires_at AS until')],
  `FROM client_access ca JOIN clients c ON ${isListed}
    WHERE ca.kind = 'group' AND ca.subject_id = $1 AND ${lasts('ca', '$2')} ORDER BY c.name, c.id LIMIT ${most}`,
);
const earlier = `CASE WHEN ca.expires_at IS NULL OR gm.expires_at < ca.expires_at THEN gm.expires_at ELSE ca.expires_at END`;
const toUser = select(
  [
    computed<Row & { group_name: string | null }>(
      'o.id AS id, o.name AS name, o.until AS until, o.group_name AS group_name',
    ),
  ],
  `FROM (SELECT c.id AS id, c.name AS name, ca.expires_at AS until, CAST(NULL AS TEXT) AS group_name
      FROM client_access ca CROSS JOIN clients c
      WHERE ca.kind = 'person' AND ca.subject_id = $1 AND ${lasts('ca', '$2')} AND ${isListed}
    UNION ALL SELECT c.id, c.name, ${earlier}, gr.name
      FROM group_members gm CROSS JOIN groups gr CROSS JOIN client_access ca CROSS JOIN clients c
      WHERE gm.user_id = $1 AND ${lasts('gm', '$2')} AND gr.id = gm.group_id AND gr.ended_by = ${lasting}
        AND ca.kind = 'group' AND ca.subject_id = gm.group_id AND ${lasts('ca', '$2')} AND ${isListed}) AS o
    ORDER BY o.name, o.id, o.group_name LIMIT ${most}`,
);

const among = (from: string) =>
  perEngine((engine) =>
    select(
      [computed<{ id: string }>('n.id AS id')],
      `FROM ${namedIds(engine, '$2')} AS n WHERE EXISTS (SELECT 1 FROM ${from} LIMIT 1 OFFSET 0)`,
    ),
  );
const membersAmong = among(
  `group_members gm WHERE gm.group_id = $1 AND gm.user_id = n.id AND gm.ended_by = ${lasting}`,
);
const allowedAmong = among(`client_access ca WHERE ca.client_id = $1 AND ca.kind = 'person' AND ca.subject_id = n.id
  AND ca.ended_by = ${lasting}`);

export function sqlOpenedClients(database: Database) {
  return {
    /** By name. */
    listClientsOpenedBy: (groupId: string, now: number): Promise<OpenedClient[]> =>
      database.list(byGroup, [groupId, now], (row) => row),

    /** By name; a client once for each way to it. */
    listClientsOpenedTo: (userId: string, now: number): Promise<OpenedToUser[]> =>
      database.list(toUser, [userId, now], ({ group_name, ...row }) => ({ ...row, group: group_name ?? undefined })),

    /** Which of these people are in the group. */
    findMembersAmong: (groupId: string, userIds: readonly string[]) =>
      database.list(membersAmong, [groupId, JSON.stringify(userIds)], ({ id }) => id),

    /** Which of them are on the client's list themselves. */
    findAllowedAmong: (clientId: string, userIds: readonly string[]) =>
      database.list(allowedAmong, [clientId, JSON.stringify(userIds)], ({ id }) => id),
  };
}
