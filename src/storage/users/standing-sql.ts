// Whether a user can sign in: disabled by an administrator and enabled again, and access that ends by itself.

import type { EventRecord } from '../../protocol/event.ts';
import type { Statement } from '../driver.ts';
import type { Database } from '../sql/database.ts';
import { keepAnAdministrator } from '../sql/guards.ts';
import { endLinks } from '../sql/links.ts';
import { required } from '../sql/query.ts';
import { endAllTrust } from '../sql/second-factors.ts';
import { grantsOfUserEnd } from '../webhooks/ended-grants.ts';
import { endGivenRights } from './given-rights-sql.ts';

/** What administrators have made for others ends as well; `endEvents` are about that. */
export function sqlStanding(database: Database) {
  return {
    /** Ends the user's sessions and grants. False when disabled already, unknown, or the last administrator. */
    disableUser(userId: string, now: number, event: EventRecord, endEvents: readonly EventRecord[] = []) {
      // Someone whose access has ended by itself would be let in again by another end.
      const stop = stopUser(
        userId,
        'disabled_at = $2',
        '(disabled_at IS NULL OR disabled_at = expires_at)',
        now,
        event,
      );
      return database.writeWith([event, ...endEvents], [...keepAnAdministrator(userId), ...stop]);
    },

    /**
     * The same for someone whose access has ended by itself, from that time on. False when it's written already, or has been
     * prolonged meanwhile.
     */
    expireUser(userId: string, now: number, event: EventRecord, endEvents: readonly EventRecord[] = []) {
      const isOver = 'disabled_at IS NULL AND expires_at <= $2';
      const stop = stopUser(userId, 'disabled_at = expires_at', isOver, now, event);
      return database.writeWith([event, ...endEvents], stop);
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
      return database.writeWith(event, enableStatements(userId, now));
    },
  };
}

export function enableStatements(userId: string, now: number): Statement[] {
  const enable = required(
    `UPDATE users SET disabled_at = NULL, updated_at = $2 WHERE id = $1 AND disabled_at IS NOT NULL
      AND pending_since IS NULL AND (expires_at IS NULL OR expires_at > $2) RETURNING id`,
    [userId, now],
  );
  return [enable, ...endGivenRights(userId, now)];
}

/** Ends the user's sessions and grants. `change` and `condition` have the time as `$2`. */
export function stopUser(
  userId: string,
  change: string,
  condition: string,
  now: number,
  event: EventRecord,
): Statement[] {
  const sql = `UPDATE users SET ${change}, generation = generation + 1, updated_at = $2
    WHERE id = $1 AND ${condition} RETURNING id`;
  return [
    ...grantsOfUserEnd(event, userId),
    required(sql, [userId, now]),
    endAllTrust(userId),
    endLinks(userId),
    ...endGivenRights(userId, now),
  ];
}

export function setUserEnd(userId: string, expiresAt: number | null, now: number): Statement[] {
  const change = required(
    `UPDATE users SET disabled_at = CASE WHEN disabled_at = expires_at THEN NULL ELSE disabled_at END,
        expires_at = CAST($2 AS BIGINT), end_notices = 0, updated_at = $3
      WHERE id = $1 AND (expires_at IS NULL OR expires_at > $3 OR disabled_at IS NOT NULL) RETURNING id`,
    [userId, expiresAt, now],
  );
  return [...(expiresAt === null ? [] : keepAnAdministrator(userId)), change];
}
