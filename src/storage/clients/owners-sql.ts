// Who owns an application: people, and protected groups, whose members do. `users.is_owner` follows from it (036).

import type { EventRecord } from '../../protocol/event.ts';
import { isInForce, lasting, nextChange } from '../groups/access-conditions.ts';
import { listedGroupColumns, toGroup } from '../groups/groups-sql.ts';
import type { ClientFilter } from '../paging.ts';
import { clients } from '../schema.ts';
import type { Database } from '../sql/database.ts';
import type { WalkCondition } from '../sql/lists/walk.ts';
import { columns, computed, required, select } from '../sql/query.ts';
import { toUser, userColumns } from '../sql/rows.ts';
import { endedBy } from '../users/what-ends-sql.ts';
import { insertEventIf } from '../webhooks/outbox-sql.ts';

/** A person or group that becomes an owner of an application or no longer is one, and the event about it. */
export interface OwnerChange {
  readonly kind: 'person' | 'group';
  readonly id: string;
  readonly event: EventRecord;
}

export interface OwnersChange {
  readonly added: readonly OwnerChange[];
  readonly removed: readonly OwnerChange[];
}

/** Whoever could be asked to decide at once. */
const mostOwners = 200;

/** Memberships `gm` in force at a time in groups `gr` that own applications `co`. */
export const ownedThroughGroups = (at: string) => `group_members gm JOIN groups gr ON gr.id = gm.group_id
    JOIN client_owners co ON co.kind = 'group' AND co.subject_id = gm.group_id
  WHERE gm.ended_by = ${lasting} AND ${isInForce('gm', at)} AND gr.ended_by = ${lasting} AND gr.protected_since IS NOT NULL`;

const owned = select(
  [computed<{ id: string }>('o.client_id AS id')],
  `FROM (SELECT co.client_id FROM client_owners co WHERE co.kind = 'person' AND co.subject_id = $1
    UNION SELECT co.client_id FROM ${ownedThroughGroups('$2')} AND gm.user_id = $1) AS o`,
);
const owners = select(
  [userColumns],
  `FROM users u WHERE u.is_owner = 1 AND u.disabled_at IS NULL AND (u.expires_at IS NULL OR u.expires_at > $2)
    AND u.id IN (SELECT co.subject_id FROM client_owners co WHERE co.client_id = $1 AND co.kind = 'person'
      UNION SELECT gm.user_id FROM ${ownedThroughGroups('$2')} AND co.client_id = $1)
    ORDER BY u.created_at, u.id LIMIT ${mostOwners}`,
);
const ownersNamed = select(
  [userColumns],
  `FROM client_owners co JOIN users u ON u.id = co.subject_id
    WHERE co.client_id = $1 AND co.kind = 'person' ORDER BY u.created_at, u.id`,
);
const owningGroups = select(
  [listedGroupColumns],
  `FROM client_owners co JOIN groups gr ON gr.id = co.subject_id AND gr.ended_by = ${lasting}
    WHERE co.client_id = $1 AND co.kind = 'group' ORDER BY gr.name_key`,
);
const clientsOfGroup = select(
  [columns(clients, 'id', 'name')],
  `FROM client_owners co JOIN clients c ON c.id = co.client_id
    WHERE co.kind = 'group' AND co.subject_id = $1 ORDER BY c.name, c.id`,
);

const row = 'SELECT 1 FROM client_owners co WHERE co.client_id = $1 AND co.kind = $2 AND co.subject_id = $3';
const add = `INSERT INTO client_owners (client_id, kind, subject_id, began_at)
  SELECT CAST($1 AS TEXT), CAST($2 AS TEXT), CAST($3 AS TEXT), CAST($4 AS BIGINT) WHERE NOT EXISTS (${row})`;
const remove = 'DELETE FROM client_owners WHERE client_id = $1 AND kind = $2 AND subject_id = $3';
const isRow = (place: (index: number) => string) => `EXISTS (SELECT 1 FROM client_owners co
  WHERE co.client_id = ${place(0)} AND co.kind = ${place(1)} AND co.subject_id = ${place(2)})`;
const noteAdded = insertEventIf((place) => `NOT ${isRow(place)}`);
const noteRemoved = insertEventIf(isRow);

/** Each locks what becomes an owner, and rolls back if it can't. */
const canOwn = {
  person: 'UPDATE users SET updated_at = updated_at WHERE id = $1 AND disabled_at IS NULL RETURNING id',
  group: `UPDATE groups SET updated_at = updated_at
    WHERE id = $1 AND protected_since IS NOT NULL AND ended_by = ${lasting} RETURNING id`,
};

export function sqlOwners(database: Database) {
  return {
    /** The IDs of the applications that the user owns now. Whether the account can be used isn't looked at. */
    ownedClients: (userId: string, now: number): Promise<readonly string[]> =>
      database.list(owned, [userId, now], ({ id }) => id),

    /** Those who own the application now, and whose account can be used; each once, the oldest accounts first, at most 200. */
    ownersOf: (clientId: string, now: number) => database.list(owners, [clientId, now], toUser),

    /** Whom an administrator has named: people, whatever their account is, and groups. */
    async listOwners(clientId: string) {
      const [people, groups] = await Promise.all([
        database.list(ownersNamed, [clientId], toUser),
        database.list(owningGroups, [clientId], toGroup),
      ]);
      return { people, groups };
    },

    /** By name. */
    listClientsOwnedByGroup: (groupId: string) =>
      database.list(clientsOfGroup, [groupId], (client) => ({ id: client.c_id, name: client.c_name })),

    /**
     * Each event is written if that owner is added or removed. Links that someone with less power has made for a new owner end. False for an
     * unknown application, and if one of those who are added is disabled, unprotected or deleted.
     */
    changeOwners(clientId: string, { added, removed }: OwnersChange, now: number) {
      const key = ({ kind, id }: OwnerChange) => [clientId, kind, id];
      return database.write([
        // Whatever changes owners or members waits for this, so that `is_owner` is made from all of them.
        nextChange,
        required('UPDATE clients SET updated_at = $2 WHERE id = $1 RETURNING id', [clientId, now]),
        ...added.flatMap((each) => [
          required(canOwn[each.kind], [each.id]),
          ...noteAdded(each.event, ...key(each)),
          { sql: add, params: [...key(each), now] },
          ...(each.kind === 'person' ? endedBy('roles_changed', { userId: each.id, now, event: each.event }) : []),
        ]),
        ...removed.flatMap((each) => [...noteRemoved(each.event, ...key(each)), { sql: remove, params: key(each) }]),
      ]);
    },
  };
}

/** Whether somebody owns client `c`, or nobody who can sign in. */
export function isOwned({ id, now }: NonNullable<ClientFilter['owner']>): WalkCondition {
  return (place) => {
    const at = `CAST(${place(now)} AS BIGINT)`;
    // Not by the view, for which a membership lasts until its end is written.
    const owned = `(SELECT co.client_id, co.subject_id AS user_id FROM client_owners co WHERE co.kind = 'person'
      UNION ALL SELECT co.client_id, gm.user_id FROM ${ownedThroughGroups(at)}) AS oc
      JOIN users u ON u.id = oc.user_id WHERE oc.client_id = c.id`;
    return id === null
      ? `NOT EXISTS (SELECT 1 FROM ${owned} AND u.disabled_at IS NULL AND (u.expires_at IS NULL OR u.expires_at > ${at}))`
      : `EXISTS (SELECT 1 FROM ${owned} AND u.id = ${place(id)})`;
  };
}
