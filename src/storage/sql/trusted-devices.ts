// Browsers that skip the second step.

import type { EventRecord } from '../../protocol/event.ts';
import type { Statement } from '../driver.ts';
import { knownDevices } from '../schema.ts';
import type { Database } from './database.ts';
import { columns, required, select } from './query.ts';

const ofUser = select(
  [columns(knownDevices)],
  `FROM known_devices d WHERE d.user_id = $1 AND d.trusted_until > $2
    ORDER BY d.last_seen_at DESC, d.digest`,
);

/**
 * Trust ends by itself at its time. Whatever changes the user's password, removes a second factor or disables the user
 * ends it, too, in the same write.
 */
export function sqlTrustedDevices(database: Database) {
  return {
    /** The last seen first. */
    listTrustedDevices: (userId: string, now: number) =>
      database.list(ofUser, [userId, now], (row) => ({
        digest: row.d_digest,
        device: row.d_device,
        lastSeenAt: row.d_last_seen_at,
        trustedUntil: row.d_trusted_until ?? 0,
      })),

    /** The browser stays known. False when it isn't trusted. */
    endTrust(userId: string, digest: string, now: number, event: EventRecord) {
      const sql = `UPDATE known_devices SET trusted_until = NULL
        WHERE user_id = $1 AND digest = $2 AND trusted_until > $3 RETURNING digest`;
      return database.writeWith(event, [required(sql, [userId, digest, now])]);
    },
  };
}

/** Only locks the browser's row; rolls back if it isn't trusted. */
export function lockTrustedDevice(userId: string, digest: string, now: number): Statement {
  const sql = `UPDATE known_devices SET last_seen_at = last_seen_at
    WHERE user_id = $1 AND digest = $2 AND trusted_until > $3 RETURNING digest`;
  return required(sql, [userId, digest, now]);
}

/** All browsers of the user. */
export function endAllTrust(userId: string): Statement {
  const sql = 'UPDATE known_devices SET trusted_until = NULL WHERE user_id = $1 AND trusted_until IS NOT NULL';
  return { sql, params: [userId] };
}
