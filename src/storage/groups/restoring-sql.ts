// Entries that were removed and begin again as they were: members of groups, and people and groups on clients' lists. An entry is
// known by the number of the change that it began with, which is never another's.

import type { Statement, Value } from '../driver.ts';
import type { Database } from '../sql/database.ts';
import { computed, required, select } from '../sql/query.ts';
import { isInForce, lastChange, lasting } from './access-conditions.ts';

interface EntryRow {
  readonly began_with: number;
  readonly ended_by: number;
  readonly expires_at: number | null;
}

export interface LatestEntry {
  readonly beganWith: number;
  /** Whether it lasts until it's removed or ends by itself. */
  readonly lasts: boolean;
  /** When it ends by itself; null for never. */
  readonly expiresAt: number | null;
}

function textsOf(table: string, key: readonly string[]) {
  const isMeant = key.map((column, index) => `e.${column} = $${index + 1}`).join(' AND ');
  const isSame = key.map((column) => `o.${column} = e.${column}`).join(' AND ');
  const [beganWith, now] = [key.length + 1, key.length + 2].map((place) => `$${place}`);
  return {
    latest: select(
      [computed<EntryRow>('e.began_with AS began_with, e.ended_by AS ended_by, e.expires_at AS expires_at')],
      `FROM ${table} e WHERE ${isMeant} ORDER BY e.began_with DESC LIMIT 1`,
    ),
    restore: `INSERT INTO ${table} (${key.join(', ')}, began_with, ended_by, expires_at, end_notices, began_at)
      SELECT ${key.map((column) => `e.${column}`).join(', ')}, ${lastChange}, ${lasting}, e.expires_at, e.end_notices, e.began_at
      FROM ${table} e WHERE ${isMeant} AND e.began_with = ${beganWith} AND e.ended_by < ${lasting}
        AND ${isInForce('e', String(now))}
        AND NOT EXISTS (SELECT 1 FROM ${table} o WHERE ${isSame} AND o.began_with > e.began_with)
      RETURNING began_with`,
  };
}

const members = textsOf('group_members', ['group_id', 'user_id']);
const entries = textsOf('client_access', ['client_id', 'kind', 'subject_id']);

/** For a write that begins with `nextChange`: rolls back unless the membership is the latest of the user, and over before its end. */
export function restoreMember(groupId: string, userId: string, beganWith: number, now: number): Statement {
  return required(members.restore, [groupId, userId, beganWith, now]);
}

/** For such a write, too: rolls back unless the entry is the latest of the subject on the client's list, and over before its end. */
export function restoreEntry(key: readonly [string, 'person' | 'group', string], beganWith: number, now: number) {
  return required(entries.restore, [...key, beganWith, now]);
}

export function sqlRestoring(database: Database) {
  const first = (query: typeof members.latest, params: readonly Value[]) => database.first(query, params, toEntry);
  return {
    /** The user's latest membership; undefined if none is known. */
    findLatestMembership: (groupId: string, userId: string) => first(members.latest, [groupId, userId]),

    /** The latest entry of a user or a group on the client's list. */
    findLatestListing: (clientId: string, kind: 'person' | 'group', id: string) =>
      first(entries.latest, [clientId, kind, id]),
  };
}

function toEntry({ began_with, ended_by, expires_at }: EntryRow): LatestEntry {
  return { beganWith: began_with, lasts: ended_by === lasting, expiresAt: expires_at };
}
