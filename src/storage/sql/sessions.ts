// Sessions, and the browsers in which users have signed in before.

import { HOUR } from '../../protocol/durations.ts';
import type { EventRecord } from '../../protocol/event.ts';
import type { Statement } from '../driver.ts';
import { isInForce } from '../groups/access-conditions.ts';
import type { NewSession, Session, SessionCondition, SessionStart } from '../records.ts';
import { knownDevices, sessions } from '../schema.ts';
import { endedBy } from '../users/what-ends-sql.ts';
import { sessionEnds, sessionOfOtherEnds } from '../webhooks/logout-messages.ts';
import { insertEvent } from '../webhooks/outbox-sql.ts';
import type { Database } from './database.ts';
import { hasFactor, lockUser } from './guards.ts';
import { columns, insertInto, required, select } from './query.ts';
import { fromSession, sessionColumns, toSession, toUser, userColumns } from './rows.ts';
import { lockTrustedDevice, useRecoveryCode } from './second-factors.ts';

const insertRow = insertInto(sessions);
const insertDevice = insertInto(
  knownDevices,
  `ON CONFLICT (user_id, digest) DO UPDATE SET last_seen_at = excluded.last_seen_at,
    trusted_until = COALESCE(excluded.trusted_until, known_devices.trusted_until),
    device = COALESCE(excluded.device, known_devices.device)`,
);

const byDigest = select(
  [sessionColumns, userColumns],
  `FROM sessions s JOIN users u ON u.id = s.user_id AND u.generation = s.user_generation AND u.disabled_at IS NULL
    WHERE s.digest = $1 AND ${isInForce('u', '$2')}`,
);
const ofUser = select(
  [sessionColumns],
  `FROM sessions s JOIN users u ON u.id = s.user_id AND u.generation = s.user_generation
    WHERE s.user_id = $1 AND s.last_seen_at > $2 ORDER BY s.last_seen_at DESC, s.digest LIMIT 200`,
);
const devicesOfUser = select(
  [columns(knownDevices, 'last_seen_at')],
  'FROM known_devices d WHERE d.user_id = $1 ORDER BY d.last_seen_at DESC',
);

/** An instance whose clock is behind doesn't take back what another has noted. */
const holdUser = `UPDATE users SET last_active_at = CASE WHEN last_active_at > $4 THEN last_active_at ELSE $4 END,
    last_sign_in_at = COALESCE(CAST($5 AS BIGINT), last_sign_in_at)
  WHERE id = $1 AND generation = $2 AND session_generation = $3 AND disabled_at IS NULL AND ${isInForce('users', '$4')}`;
const holds: Record<SessionCondition['kind'] | 'none', string> = {
  none: `${holdUser} RETURNING id`,
  recovery_code: `${holdUser} RETURNING id`,
  trusted_device: `${holdUser} RETURNING id`,
  passkey: `${holdUser} RETURNING id`,
  no_second_factor: `${holdUser} AND NOT ${hasFactor('users.id')} RETURNING id`,
  second_factor: `${holdUser} AND ${hasFactor('users.id')} RETURNING id`,
};

const noteActive = `UPDATE users SET last_active_at = $2
  WHERE id = (SELECT s.user_id FROM sessions s WHERE s.digest = $1) AND last_active_at <= $3`;

const passkeyInForce = 'SELECT id FROM passkeys WHERE id = $1 AND user_id = $2 AND suspended_at IS NULL';

/** A session is found only while its user is of the generation that it was started in, not disabled, and has access. */
export function sqlSessions(database: Database) {
  return {
    /**
     * Starts a session and ends the one that it replaces. False when the user was disabled meanwhile, their password is
     * no longer the one that was checked, or the condition doesn't hold.
     */
    startSession(start: SessionStart) {
      const { session, sessionGeneration, condition } = start;
      return database.write([
        ...conditionStatements(session, sessionGeneration, session.lastSeenAt, condition, session.createdAt),
        ...startStatements(start),
      ]);
    },

    /**
     * Notes that the user has proved again who they are; nothing else about the session changes. False when it has
     * ended, and for the same reasons as `startSession`.
     */
    proveSession(session: Session, sessionGeneration: number, now: number, condition?: SessionCondition) {
      const note = 'UPDATE sessions SET proven_at = $2 WHERE digest = $1 RETURNING digest';
      return database.write([
        ...conditionStatements(session, sessionGeneration, now, condition),
        required(note, [session.digest, now]),
      ]);
    },

    findSession: (digest: string, now: number) =>
      database.first(byDigest, [digest, now], (row) => ({ session: toSession(row), user: toUser(row) })),

    /** The last seen first, at most 200. */
    listSessions: (userId: string, seenAfter: number) => database.list(ofUser, [userId, seenAfter], toSession),

    /** False when it had ended before. */
    endSession(digest: string, event: EventRecord) {
      const end = required('DELETE FROM sessions WHERE digest = $1 RETURNING digest', [digest]);
      return database.writeWith(event, [sessionEnds(event, digest), end]);
    },

    /** Signs the user out everywhere, and also ends their links. */
    endSessions(userId: string, event: EventRecord) {
      const ended = endedBy('signed_out_everywhere', { userId, now: event.at, event });
      return database.writeWith(event, [lockUser(userId), ...ended]);
    },

    /** Also ends the user's links; returns how many sessions ended. */
    async endOtherSessions(userId: string, keptDigest: string, event: EventRecord) {
      const end = endedBy('signed_out_elsewhere', { userId, now: event.at, event, kept: { digest: keptDigest } });
      const [, , ended = 0] = await database.countReturned([lockUser(userId), ...end, ...insertEvent(event)]);
      return ended;
    },

    /** Remembers which authorization request the user has answered; null clears it. */
    answerRequest(digest: string, answered: string | null) {
      return database.write([
        required('UPDATE sessions SET answered = $2 WHERE digest = $1 RETURNING digest', [digest, answered]),
      ]);
    },

    async noteSessionsSeen(digests: readonly string[], now: number) {
      const sql = 'UPDATE sessions SET last_seen_at = $2 WHERE digest = $1 AND last_seen_at < $2';
      await database.write(digests.map((digest) => ({ sql, params: [digest, now] })));
      // Good to the hour. One after the other: a write that has locked a person's row may wait for their sessions.
      for (const digest of digests) await database.write([{ sql: noteActive, params: [digest, now, now - HOUR] }]);
    },

    /** When the user last signed in with each browser that is known for them. */
    listKnownDevices: (userId: string) => database.list(devicesOfUser, [userId], (row) => row.d_last_seen_at),
  };
}

/**
 * Locks the row of the session's user: a concurrent password change either makes the write fail, or runs later and ends the
 * session. Rolls back if the condition doesn't hold.
 */
export function conditionStatements(
  { userId, userGeneration }: Session,
  sessionGeneration: number,
  now: number,
  condition: SessionCondition | undefined,
  signedInAt?: number,
): Statement[] {
  const hold = holds[condition?.kind ?? 'none'];
  return [
    required(hold, [userId, userGeneration, sessionGeneration, now, signedInAt ?? null]),
    ...useRecoveryCode(userId, condition?.kind === 'recovery_code' ? condition.digest : undefined),
    ...(condition?.kind === 'trusted_device' ? [lockTrustedDevice(userId, condition.digest, condition.at)] : []),
    ...(condition?.kind === 'passkey' ? [required(passkeyInForce, [condition.id, userId])] : []),
  ];
}

/** Starts a session for a user whose row the write has locked. */
export function startStatements(start: Partial<NewSession> & Pick<NewSession, 'session'>): Statement[] {
  const { session, replacedDigest, deviceDigest, trustedUntil, event, replacementHash } = start;
  return [
    insertSession(session),
    ...(replacementHash === undefined ? [] : [replaceForeignHash(session.userId, replacementHash)]),
    ...(replacedDigest === undefined ? [] : replaceSession(session, replacedDigest, event)),
    ...(deviceDigest === undefined ? [] : [rememberDevice(session, deviceDigest, trustedUntil)]),
    ...(event === undefined ? [] : insertEvent(event)),
  ];
}

const continueAs = `UPDATE sessions SET id = (SELECT o.id FROM sessions o WHERE o.digest = $2) WHERE digest = $1
  AND EXISTS (SELECT 1 FROM sessions o WHERE o.digest = $2 AND o.user_id = sessions.user_id AND o.id IS NOT NULL)`;

/**
 * A person who signs in again in the same browser goes on with their session, as far as the clients are concerned that it has
 * signed them in to. Anyone else's ends.
 */
function replaceSession({ digest, userId }: Session, replaced: string, event: EventRecord | undefined): Statement[] {
  return [
    { sql: continueAs, params: [digest, replaced] },
    ...(event === undefined ? [] : [sessionOfOtherEnds(event, replaced, userId)]),
    { sql: 'DELETE FROM sessions WHERE digest = $1', params: [replaced] },
  ];
}

/** For a write that has locked the row and checked its hash. */
function replaceForeignHash(userId: string, replacement: string): Statement {
  const sql = "UPDATE users SET password_hash = $2 WHERE id = $1 AND SUBSTR(password_hash, 1, 8) = 'foreign:'";
  return { sql, params: [userId, replacement] };
}

/** The browser's name is only kept while it's trusted, for the devices page. */
function rememberDevice(session: Session, digest: string, trustedUntil: number | undefined): Statement {
  const { userId, createdAt, device } = session;
  const trust =
    trustedUntil === undefined ? { trusted_until: null, device: null } : { trusted_until: trustedUntil, device };
  return insertDevice({ user_id: userId, digest, last_seen_at: createdAt, ...trust });
}

export function insertSession(session: Session): Statement {
  return insertRow(fromSession(session));
}
