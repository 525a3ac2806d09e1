// The ways a person can sign in, as SQL conditions.

import type { Statement } from '../driver.ts';
import { required } from '../sql/query.ts';

/**
 * Whether a user has a password, a passkey in force, or an identity at an upstream that isn't disabled. `counted` says
 * which of their identities, `o`, count.
 */
export function hasWayIn(user: string, counted = '1 = 1'): string {
  return `(${user}.password_hash <> '' OR ${hasWayBesidesPassword(user, counted)})`;
}

/** Whether a user has a passkey in force, or such an identity. With offsets, a server looks it up for one user after the other. */
export function hasWayBesidesPassword(user: string, counted = '1 = 1'): string {
  return `(EXISTS (SELECT 1 FROM passkeys wp WHERE wp.user_id = ${user}.id AND wp.suspended_at IS NULL LIMIT 1 OFFSET 0)
    OR EXISTS (SELECT 1 FROM identities o WHERE o.user_id = ${user}.id AND ${isOpen('o.issuer')} AND ${counted}
      LIMIT 1 OFFSET 0))`;
}

const keepAny = `SELECT u.id FROM users u WHERE u.id = $1 AND ${hasWayIn('u')}`;
const keepAnother = `SELECT u.id FROM users u WHERE u.id = $1 AND ${hasWayBesidesPassword('u')}`;

/**
 * Comes after what removes a way to sign in: rolls back if it was the last one. The user's row has to be locked.
 * `passwordCounts` is false for a user whose password no longer signs in.
 */
export function keepAWayIn(userId: string, passwordCounts = true): Statement {
  return required(passwordCounts ? keepAny : keepAnother, [userId]);
}

/** Whether an enabled upstream has the issuer. */
export function isOpen(issuer: string): string {
  return `EXISTS (SELECT 1 FROM upstreams wu WHERE wu.issuer = ${issuer} AND wu.disabled_at IS NULL)`;
}

const unlink = `DELETE FROM identities WHERE user_id = $1 AND (
  EXISTS (SELECT 1 FROM users u WHERE u.id = $1 AND u.password_hash <> '')
  OR EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = $1 AND p.suspended_at IS NULL))`;
const unlinkAdded = `DELETE FROM identities WHERE user_id = $1 AND linked_at >= $2 AND EXISTS
  (SELECT 1 FROM users u WHERE u.id = $1 AND u.created_at < identities.linked_at)`;

/** For users with a password or a passkey. */
export function unlinkEverything(userId: string): Statement {
  return { sql: unlink, params: [userId] };
}

/** Identities linked at that time or later, except the one that the account was created with. */
export function unlinkAddedSince(userId: string, since: number): Statement {
  return { sql: unlinkAdded, params: [userId, since] };
}
