// Statements that come first in a write: each locks a row, so that writes about the same thing happen one after the
// other, or rolls back the write when a condition doesn't hold.

import { mostWaiting } from '../../protocol/account/standing.ts';
import type { EventRecord } from '../../protocol/event.ts';
import type { Statement } from '../driver.ts';
import { lasting } from '../groups/access-conditions.ts';
import { required } from './query.ts';

/** Only locks the user's row; rolls back if there's no such user, or all of their sessions have ended since they were checked. */
export function lockUser(userId: string, sessionGeneration?: number): Statement {
  const lock = 'UPDATE users SET updated_at = updated_at WHERE id = $1';
  return sessionGeneration === undefined
    ? required(`${lock} RETURNING id`, [userId])
    : required(`${lock} AND session_generation = $2 RETURNING id`, [userId, sessionGeneration]);
}

/**
 * Rolls back if the session has ended. Nothing without one.
 */
export function requireSession(userId: string, digest: string | undefined): Statement[] {
  const sql = 'SELECT digest FROM sessions WHERE digest = $1 AND user_id = $2';
  return digest === undefined ? [] : [required(sql, [digest, userId])];
}

/** Whether the user with this ID has an active second factor. */
export function hasFactor(userId: string): string {
  return `(EXISTS (SELECT 1 FROM authenticators a WHERE a.user_id = ${userId} AND a.suspended_at IS NULL)
    OR EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = ${userId} AND p.suspended_at IS NULL))`;
}

/** Locks the user's row, and rolls back if the user isn't an administrator who can sign in. */
export function lockAdministrator(userId: string, now: number): Statement {
  const sql = `UPDATE users SET updated_at = updated_at WHERE id = $1 AND admin_since IS NOT NULL AND disabled_at IS NULL
    AND (expires_at IS NULL OR expires_at > CAST($2 AS BIGINT)) RETURNING id`;
  return required(sql, [userId, now]);
}

/** Whether the user of this alias has no role. */
export const holdsNoRole = (alias: string) => `${alias}.admin_since IS NULL AND ${alias}.roles IS NULL`;

/** Whether they also own no application, which counts as much. */
export const withoutRole = (alias: string) => `${holdsNoRole(alias)} AND ${alias}.is_owner = 0`;

/** Rolls back if a person whom the events are about has a role, where that would be too much for the requester. */
export function guardsOf(events: readonly EventRecord[]): Statement[] {
  const sql = `SELECT 1 AS one WHERE NOT EXISTS
    (SELECT 1 FROM users u WHERE u.id = $1 AND NOT (${withoutRole('u')}))`;
  return events.flatMap(({ limited, takesOver, userId = '' }) => [
    ...(limited ? [required(sql, [userId])] : []),
    ...(limited && takesOver ? [required(`SELECT 1 AS one WHERE NOT EXISTS (${protectedMember})`, [userId])] : []),
  ]);
}

/** A protected group that the user is in. An end that has come counts once it's written. */
export const protectedMember = `SELECT 1 FROM group_members gm JOIN groups gr ON gr.id = gm.group_id
  WHERE gm.user_id = $1 AND gm.ended_by = ${lasting} AND gr.ended_by = ${lasting} AND gr.protected_since IS NOT NULL`;

/** Whether the user of this alias may let people sign up: an administrator, or with the role `people`. */
export const letsPeopleIn = (alias: string) =>
  `(${alias}.admin_since IS NOT NULL OR ' ' || ${alias}.roles || ' ' LIKE '% people %')`;

/** Rolls back unless the user may let people sign up, and can sign in; locks their row until the write is over. */
export function lockWhoLetsPeopleIn(userId: string, now: number): Statement {
  const sql = `UPDATE users SET updated_at = updated_at WHERE id = $1 AND ${letsPeopleIn('users')} AND disabled_at IS NULL
    AND (expires_at IS NULL OR expires_at > CAST($2 AS BIGINT)) RETURNING id`;
  return required(sql, [userId, now]);
}

/** One lock is enough for what administrators rarely do. */
export const lockAdministrators: Statement = {
  sql: "UPDATE leases SET holder = holder WHERE name = 'administrators'",
  params: [],
};

/** An administrator who can sign in and stays one: access that ends leaves nobody behind. */
const isLasting = (alias: string) =>
  `${alias}.admin_since IS NOT NULL AND ${alias}.disabled_at IS NULL AND ${alias}.expires_at IS NULL`;

/**
 * Rolls back if the user is the last administrator who can sign in, not counting those whose access ends. If two administrators
 * remove each other concurrently, one of them waits for the other at the first statement and then finds that it's the last.
 */
export function keepAnAdministrator(userId: string): Statement[] {
  const notTheLast = `SELECT u.id FROM users u WHERE u.id = $1 AND (NOT (${isLasting('u')})
    OR EXISTS (SELECT 1 FROM users o WHERE ${isLasting('o')} AND o.id <> u.id))`;
  return [lockAdministrators, required(notTheLast, [userId])];
}

/** Comes after a new administrator whose access may end: rolls back if there's none whose doesn't. */
export function oneAdministratorStays(): Statement[] {
  return [lockAdministrators, required(`SELECT o.id FROM users o WHERE ${isLasting('o')} LIMIT 1`, [])];
}

/** Rolls back if there's already an administrator. */
export function firstAdministrator(): Statement[] {
  const none = `SELECT 1 AS one WHERE NOT EXISTS
    (SELECT 1 FROM users WHERE admin_since IS NOT NULL AND disabled_at IS NULL)`;
  return [lockAdministrators, required(none, [])];
}

/** Rolls back if as many wait for approval as may. Of several at once, each waits for the others. */
export function leaveRoomToWait(): Statement[] {
  const room =
    'SELECT 1 AS one WHERE (SELECT COUNT(*) FROM users WHERE pending_since IS NOT NULL) < CAST($1 AS BIGINT)';
  return [lockAdministrators, required(room, [mostWaiting])];
}
