// Whether a user can sign in: disabled by an administrator and enabled again, and access that ends by itself.

import type { EventRecord } from '../../protocol/event.ts';
import type { Statement } from '../driver.ts';
import type { Database } from '../sql/database.ts';
import { keepAnAdministrator, lockUser } from '../sql/guards.ts';
import { required } from '../sql/query.ts';
import { endedBy } from './what-ends-sql.ts';

/** What administrators have made for others ends as well; `endEvents` are about that. */
export function sqlStanding(database: Database) {
  return {
    /** Ends the user's sessions and grants. False when disabled already, unknown, or the last administrator. */
    disableUser(userId: string, now: number, event: EventRecord, endEvents: readonly EventRecord[] = []) {
      const stop = disableStatements(userId, now, event);
      return database.writeWith([event, ...endEvents], [...keepAnAdministrator(userId), ...stop]);
    },

    /**
     * Disables someone whose access has ended by itself, from that time on. False when it's written already, or has been
     * prolonged meanwhile.
     */
    expireUser(userId: string, now: number, event: EventRecord, endEvents: readonly EventRecord[] = []) {
      const over = required(
        `UPDATE users SET disabled_at = expires_at, updated_at = $2
          WHERE id = $1 AND disabled_at IS NULL AND expires_at <= $2 RETURNING id`,
        [userId, now],
      );
      const ended = endedBy('expired', { userId, now, event });
      return database.writeWith([event, ...endEvents], [lockUser(userId), ...ended, over]);
    },

    /**
     * When the user's access ends by itself; null for never. Gives access back to someone whose access has ended so, but revives
     * no session and no grant. False when unknown, for the last administrator, and while an end that has come isn't written.
     */
    changeUserEnd(userId: string, expiresAt: number | null, now: number, event: EventRecord) {
      return database.writeWith(event, setUserEnd(userId, expiresAt, now));
    },

    /**
     * Revives no session and no grant. False when not disabled or unknown, and for someone who waits for approval or whose access
     * has ended.
     */
    enableUser(userId: string, now: number, event: EventRecord) {
      return database.writeWith(event, enableStatements(userId, now, event));
    },
  };
}

/** Later than any end. */
const never = Number.MAX_SAFE_INTEGER;

export function enableStatements(userId: string, now: number, event: EventRecord): Statement[] {
  const enable = required(
    `UPDATE users SET disabled_at = NULL, inactive_from = $2, inactive_end = NULL, updated_at = $2
      WHERE id = $1 AND disabled_at IS NOT NULL
      AND pending_since IS NULL AND (expires_at IS NULL OR expires_at > $2) RETURNING id`,
    [userId, now],
  );
  return [enable, ...endedBy('enabled', { userId, now, event })];
}

export function disableStatements(userId: string, now: number, event: EventRecord): Statement[] {
  // Someone whose access has ended by itself would be let in again by another end.
  const disable = required(
    `UPDATE users SET disabled_at = $2, updated_at = $2
      WHERE id = $1 AND (disabled_at IS NULL OR disabled_at = expires_at) RETURNING id`,
    [userId, now],
  );
  return [lockUser(userId), ...endedBy('disabled', { userId, now, event }), disable];
}

export function setUserEnd(userId: string, expiresAt: number | null, now: number): Statement[] {
  const change = required(
    `UPDATE users SET disabled_at = CASE WHEN disabled_at = expires_at THEN NULL ELSE disabled_at END,
        inactive_from = CASE WHEN expires_at < COALESCE(CAST($2 AS BIGINT), ${never}) THEN $3 ELSE inactive_from END,
        expires_at = CAST($2 AS BIGINT), end_notices = 0, updated_at = $3
      WHERE id = $1 AND (expires_at IS NULL OR expires_at > $3 OR disabled_at IS NOT NULL) RETURNING id`,
    [userId, expiresAt, now],
  );
  return [...(expiresAt === null ? [] : keepAnAdministrator(userId)), change];
}
