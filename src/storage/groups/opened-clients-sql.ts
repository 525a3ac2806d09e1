// What groups and places on lists open: the clients that a group is on the list of, which aren't for everyone, and which people
// are members or have a place already.

import type { Database } from '../sql/database.ts';
import { computed, perEngine, select } from '../sql/query.ts';
import { isInForce, lasting } from './access-conditions.ts';
import { namedIds } from './named-ids.ts';

export interface OpenedClient {
  readonly id: string;
  readonly name: string;
  /** When the place on the list ends; null for never. */
  readonly until: number | null;
}

/** More than anyone looks through on one page. */
const most = 200;

const isListed = `c.id = ca.client_id AND c.access = 'listed' AND c.revoked_at IS NULL`;
const lasts = (alias: string, now: string) => `${alias}.ended_by = ${lasting} AND ${isInForce(alias, now)}`;
const byGroup = select(
  [computed<OpenedClient>('c.id AS id, c.name AS name, ca.expires_at AS until')],
  `FROM client_access ca JOIN clients c ON ${isListed}
    WHERE ca.kind = 'group' AND ca.subject_id = $1 AND ${lasts('ca', '$2')} ORDER BY c.name, c.id LIMIT ${most}`,
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

    /** Which of these people are in the group. */
    findMembersAmong: (groupId: string, userIds: readonly string[]) =>
      database.list(membersAmong, [groupId, JSON.stringify(userIds)], ({ id }) => id),

    /** Which of them are on the client's list themselves. */
    findAllowedAmong: (clientId: string, userIds: readonly string[]) =>
      database.list(allowedAmong, [clientId, JSON.stringify(userIds)], ({ id }) => id),
  };
}
