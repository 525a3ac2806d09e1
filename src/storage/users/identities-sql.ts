// Identities at upstreams. A change to a person's identities first locks the person's row, so that two changes happen one
// after the other and the last way in isn't removed by two requests at once.

import type { EventRecord } from '../../protocol/event.ts';
import type { Statement } from '../driver.ts';
import { beforeJoining, joinGroups } from '../groups/joining-sql.ts';
import type {
  Identity,
  IdentityKey,
  ListedChange,
  NewSession,
  Session,
  SessionCondition,
  SessionStart,
  UsedIdentityKey,
  User,
} from '../records.ts';
import { identities } from '../schema.ts';
import type { Database } from '../sql/database.ts';
import { lockUser } from '../sql/guards.ts';
import { insertWhere, required, select } from '../sql/query.ts';
import { recordColumns } from '../sql/record-columns.ts';
import { toUser, userColumns } from '../sql/rows.ts';
import { conditionStatements, startStatements } from '../sql/sessions.ts';
import { isOpen, keepAWayIn } from '../upstreams/ways-in-sql.ts';
import type { DeletedIds } from './deleted-ids-sql.ts';
import { insertUser, noteSignIn, roomFor } from './users-sql.ts';
import { endedBy } from './what-ends-sql.ts';

const { columns, decode: toIdentity, encode: fromIdentity } = recordColumns(identities);
const byKey = select(
  [columns, userColumns],
  'FROM identities id JOIN users u ON u.id = id.user_id WHERE id.issuer = $1 AND id.subject = $2',
);
const ofUser = select(
  [columns],
  'FROM identities id WHERE id.user_id = $1 ORDER BY id.linked_at, id.issuer, id.subject',
);

/** Rolls back if the identity is taken, the user has reached the limit, or the upstream is disabled. */
const insertIfAllowed = insertWhere(
  identities,
  (place, further) => `WHERE ${isOpen(place.issuer)}
      AND (SELECT COUNT(*) FROM identities o WHERE o.user_id = ${place.user_id}) < CAST(${further(0)} AS BIGINT)
    ON CONFLICT (issuer, subject) DO NOTHING`,
);

const noteUseSql = `UPDATE identities SET last_used_at = $4, email = $5
  WHERE issuer = $1 AND subject = $2 AND user_id = $3 AND ${isOpen('identities.issuer')} RETURNING subject`;
const unlink = 'DELETE FROM identities WHERE user_id = $1 AND issuer = $2 AND subject = $3 RETURNING subject';

/**
 * Ways to sign in are a password, a passkey in force, and identities at upstreams that aren't disabled. An identity is
 * one user's, and is never moved to another.
 */
export function sqlIdentities(database: Database, deletedIds: DeletedIds) {
  return {
    findIdentity: ({ issuer, subject }: IdentityKey) =>
      database.first(byKey, [issuer, subject], (row) => ({ identity: toIdentity(row), user: toUser(row) })),

    /** Oldest first. */
    listIdentities: (userId: string) => database.list(ofUser, [userId], toIdentity),

    /**
     * Creates the user with their identity, groups that aren't deleted and, if given, session. False if the identity is taken, the
     * upstream is gone or disabled, or the user has to wait for approval, and too many do; a taken email address is a
     * StorageConflict.
     */
    async createUserWithIdentity(
      user: User,
      identity: Identity,
      start: NewSession | undefined,
      event: EventRecord,
      groups: readonly ListedChange[] = [],
    ) {
      return database.writeWith(event, [
        ...beforeJoining(groups),
        ...roomFor(user),
        ...(await insertUser(user, deletedIds)),
        insertIfAllowed(fromIdentity(identity), 1),
        ...joinGroups(user.id, groups, user.createdAt),
        ...(start === undefined ? [] : [noteSignIn(user.id, start.session.createdAt), ...startStatements(start)]),
      ]);
    },

    /**
     * Starts a session as `startSession` does, and notes the use. False also when the identity is no longer the user's,
     * or the upstream is gone or disabled.
     */
    startSessionWithIdentity(start: SessionStart, used: UsedIdentityKey) {
      const { session, sessionGeneration, condition } = start;
      return database.write([
        ...conditionStatements(session, sessionGeneration, session.lastSeenAt, condition, session.createdAt),
        noteUse(used, session.userId, session.lastSeenAt),
        ...startStatements(start),
      ]);
    },

    /**
     * Links the identity to the session's user. False if the identity is taken, the user has reached the limit, the
     * upstream is gone or disabled, the session has ended, or its user has changed their password meanwhile.
     */
    linkIdentity(identity: Identity, session: Session, sessionGeneration: number, limit: number, event: EventRecord) {
      return database.writeWith(event, [
        ...conditionStatements(session, sessionGeneration, identity.linkedAt, undefined),
        required('SELECT digest FROM sessions WHERE digest = $1 AND user_id = $2', [session.digest, identity.userId]),
        insertIfAllowed(fromIdentity(identity), limit),
      ]);
    },

    /**
     * False when it isn't the user's, or is their last way to sign in. `passwordCounts` is false for a user whose password
     * no longer signs in.
     */
    unlinkIdentity(
      userId: string,
      { issuer, subject }: IdentityKey,
      event: EventRecord,
      passwordCounts = true,
      sessionGeneration?: number,
    ) {
      return database.writeWith(event, [
        lockUser(userId, sessionGeneration),
        required(unlink, [userId, issuer, subject]),
        keepAWayIn(userId, passwordCounts),
      ]);
    },

    /** Unlinks even the last way to sign in, and ends the user's sessions. False when it isn't the user's. */
    revokeIdentity(userId: string, { issuer, subject }: IdentityKey, event: EventRecord) {
      return database.writeWith(event, [
        lockUser(userId),
        required(unlink, [userId, issuer, subject]),
        ...endedBy('identity_revoked', { userId, now: event.at, event }),
      ]);
    },

    /** What proveSession does, with an identity instead of the password, used `now`. */
    proveSessionWithIdentity(
      session: Session,
      sessionGeneration: number,
      { provenAt, now }: { readonly provenAt: number; readonly now: number },
      used: UsedIdentityKey,
      condition: SessionCondition | undefined,
    ) {
      const note = 'UPDATE sessions SET proven_at = $2 WHERE digest = $1 RETURNING digest';
      return database.write([
        ...conditionStatements(session, sessionGeneration, now, condition),
        noteUse(used, session.userId, now),
        required(note, [session.digest, provenAt]),
      ]);
    },
  };
}

/** Rolls back if the identity is no longer the user's, or the upstream is disabled. */
export function noteUse({ issuer, subject, email }: UsedIdentityKey, userId: string, now: number): Statement {
  return required(noteUseSql, [issuer, subject, userId, now, email]);
}
