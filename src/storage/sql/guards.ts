// Statements that come first in a write: each locks a row, so that writes about the same thing happen one after the
// other, or rolls back the write when a condition doesn't hold.

import type { Statement } from '../driver.ts';
import { required } from './query.ts';

/** Only locks the user's row; rolls back if there's no such user, or the given password has changed since it was checked. */
export function lockUser(userId: string, passwordHash?: string): Statement {
  const lock = 'UPDATE users SET updated_at = updated_at WHERE id = $1';
  return passwordHash === undefined
    ? required(`${lock} RETURNING id`, [userId])
    : required(`${lock} AND password_hash = $2 RETURNING id`, [userId, passwordHash]);
}

/**
 * Rolls back if the session has ended. A reset ends all of them, also where it leaves a user without a password as they were.
 * Nothing without a session.
 */
export function requireSession(userId: string, digest: string | undefined): Statement[] {
  const sql = 'SELECT digest FROM sessions WHERE digest = $1 AND user_id = $2';
  return digest === undefined ? [] : [required(sql, [digest, userId])];
}

/** Locks the user's row, and rolls back if the user isn't an administrator who can sign in. */
export function lockAdministrator(userId: string): Statement {
  const sql = `UPDATE users SET updated_at = updated_at
    WHERE id = $1 AND admin_since IS NOT NULL AND disabled_at IS NULL RETURNING id`;
  return required(sql, [userId]);
}

/** One lock is enough for what administrators rarely do. */
export const lockAdministrators: Statement = {
  sql: "UPDATE leases SET holder = holder WHERE name = 'administrators'",
  params: [],
};

/**
 * Rolls back if the user is the last administrator who can sign in. If two administrators remove each other concurrently,
 * one of them waits for the other at the first statement and then finds that it's the last.
 */
export function keepAnAdministrator(userId: string): Statement[] {
  const notTheLast = `SELECT u.id FROM users u WHERE u.id = $1 AND (u.admin_since IS NULL OR u.disabled_at IS NOT NULL
    OR EXISTS (SELECT 1 FROM users o WHERE o.admin_since IS NOT NULL AND o.disabled_at IS NULL AND o.id <> u.id))`;
  return [lockAdministrators, required(notTheLast, [userId])];
}

/** Rolls back if there's already an administrator. */
export function firstAdministrator(): Statement[] {
  const none = `SELECT 1 AS one WHERE NOT EXISTS
    (SELECT 1 FROM users WHERE admin_since IS NOT NULL AND disabled_at IS NULL)`;
  return [lockAdministrators, required(none, [])];
}
