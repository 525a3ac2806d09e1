// Access that ends by itself: it counts from its time on, and is written as a change soon after, with an event and with what others
// are told of it. Nothing else begins access before that, or a grant could come back to life (access-conditions.ts).

import type { EventRecord } from '../../protocol/event.ts';
import type { Statement } from '../driver.ts';
import type { Database } from '../sql/database.ts';
import { computed, required, select } from '../sql/query.ts';
import { groupLosesAccess, memberLosesAccess, personLosesAccess } from '../webhooks/ended-grants.ts';
import { insertEventIf } from '../webhooks/outbox-sql.ts';
import { lastChange, lasting, nextChange } from './access-conditions.ts';

/** A membership, or an entry on a client's list. */
export type ExpiredEntry = {
  /** Undefined for a group on a list. */
  readonly userId: string | undefined;
  /** Undefined for a person on a list. */
  readonly group: { readonly id: string; readonly name: string } | undefined;
  /** Undefined for a membership. */
  readonly clientId: string | undefined;
};

interface ExpiredRow {
  readonly client_id: string | null;
  readonly user_id: string | null;
  readonly group_id: string | null;
  readonly group_name: string | null;
}

/** What belongs to a deleted group has ended with it. */
const members = `FROM group_members gm JOIN groups gr ON gr.id = gm.group_id AND gr.ended_by = ${lasting}
  WHERE gm.ended_by = ${lasting} AND gm.expires_at <= $1`;
const listings = `FROM client_access ca LEFT JOIN groups gr ON ca.kind = 'group' AND gr.id = ca.subject_id
    AND gr.ended_by = ${lasting}
  WHERE ca.ended_by = ${lasting} AND ca.expires_at <= $1 AND (ca.kind = 'person' OR gr.id IS NOT NULL)`;
const expiredEntries = select(
  [computed<ExpiredRow>('x.client_id, x.user_id, x.group_id, x.group_name')],
  `FROM (SELECT CAST(NULL AS TEXT) AS client_id, gm.user_id, gr.id AS group_id, gr.name AS group_name, gm.expires_at ${members}
    UNION ALL SELECT ca.client_id, CASE WHEN ca.kind = 'person' THEN ca.subject_id END, gr.id, gr.name, ca.expires_at
      ${listings}) AS x ORDER BY x.expires_at LIMIT $2`,
);
const expiredUsers = select(
  [computed<{ id: string }>('u.id AS id')],
  'FROM users u WHERE u.expires_at <= $1 AND u.disabled_at IS NULL ORDER BY u.expires_at LIMIT $2',
);

/** In a write that begins access, after `nextChange`: rolls back while an end isn't written. */
export function noneExpired(now: number): Statement {
  return required(`SELECT 1 AS one WHERE NOT EXISTS (SELECT 1 ${members}) AND NOT EXISTS (SELECT 1 ${listings})`, [
    now,
  ]);
}

const endMember = `UPDATE group_members SET ended_by = ${lastChange}
  WHERE group_id = $1 AND user_id = $2 AND ended_by = ${lasting} AND expires_at <= $3`;
const endListing = `UPDATE client_access SET ended_by = ${lastChange}
  WHERE client_id = $1 AND kind = $2 AND subject_id = $3 AND ended_by = ${lasting} AND expires_at <= $4`;
const noteMember = insertEventIf(
  (place) => `EXISTS (SELECT 1 FROM group_members gm
    WHERE gm.group_id = ${place(0)} AND gm.user_id = ${place(1)} AND gm.ended_by = ${lastChange})`,
);
const noteListing = insertEventIf(
  (place) => `EXISTS (SELECT 1 FROM client_access ca WHERE ca.client_id = ${place(0)} AND ca.kind = ${place(1)}
    AND ca.subject_id = ${place(2)} AND ca.ended_by = ${lastChange})`,
);

export function sqlExpiry(database: Database) {
  return {
    /** The users whose access has ended by itself, which isn't written yet. */
    listExpiredUsers: (now: number, limit: number) => database.list(expiredUsers, [now, limit], ({ id }) => id),

    /** The memberships and entries on lists that have ended by themselves, which isn't written yet. */
    listExpiredEntries: (now: number, limit: number) => database.list(expiredEntries, [now, limit], toEntry),

    /** Entries that have been prolonged or removed meanwhile stay as they are. */
    async endExpiredEntries(entries: readonly (readonly [ExpiredEntry, EventRecord])[], now: number) {
      // A change for each: someone who loses an application by two of them has lost it with the second, and hears of it once.
      await database.write(entries.flatMap(([entry, event]) => [nextChange, ...endEntry(entry, now, event)]));
    },
  };
}

function endEntry({ clientId, userId = '', group }: ExpiredEntry, now: number, event: EventRecord): Statement[] {
  if (clientId === undefined) {
    const [groupId, ids] = [group?.id ?? '', [group?.id ?? '', userId]];
    return [
      { sql: endMember, params: [...ids, now] },
      ...noteMember(event, ...ids),
      ...memberLosesAccess(event, groupId, userId),
    ];
  }
  const ids = group === undefined ? [clientId, 'person', userId] : [clientId, 'group', group.id];
  return [
    { sql: endListing, params: [...ids, now] },
    ...noteListing(event, ...ids),
    ...(group === undefined ? personLosesAccess(event, clientId, userId) : groupLosesAccess(event, clientId, group.id)),
  ];
}

function toEntry(row: ExpiredRow): ExpiredEntry {
  return {
    clientId: row.client_id ?? undefined,
    userId: row.user_id ?? undefined,
    group: row.group_id === null ? undefined : { id: row.group_id, name: row.group_name ?? '' },
  };
}
