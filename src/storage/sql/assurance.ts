// Sessions that get a second factor, at their start or later.

import type { EventRecord } from '../../protocol/event.ts';
import type { Statement } from '../driver.ts';
import type { Authenticator, NewPasskey, NewSession, RaisedSession, UsedIdentityKey } from '../records.ts';
import { noteUse } from '../users/identities-sql.ts';
import type { Database } from './database.ts';
import { lockUser } from './guards.ts';
import { required } from './query.ts';
import { addAuthenticator, addPasskey, endProof, useRecoveryCode } from './second-factors.ts';
import { conditionStatements, startStatements } from './sessions.ts';

export function sqlAssurance(database: Database) {
  return {
    /**
     * Adds an authenticator with recovery codes for a user without an active second factor, and starts their session or
     * raises the one they have. Replaces a suspended authenticator. False if they have a second factor by now, the
     * password has changed since it was checked, they were disabled, or the session to raise has ended.
     */
    setUpAuthenticator(
      authenticator: Authenticator,
      recoveryCodes: readonly string[],
      sessionGeneration: number,
      given: NewSession | RaisedSession,
      event: EventRecord /** The identity used instead of the password, which must still be the user's. */,
      used?: UsedIdentityKey,
      addedAt = event.at,
    ) {
      const { userId } = given.session;
      const makeWay = 'DELETE FROM authenticators WHERE user_id = $1 AND suspended_at IS NOT NULL';
      const add = [
        { sql: makeWay, params: [userId] },
        ...addAuthenticator(userId, authenticator, recoveryCodes, addedAt),
      ];
      return database.writeWith(event, setUp(add, sessionGeneration, given, used));
    },

    /** Sets up a passkey. Those that are suspended stay so. */
    setUpPasskey(
      passkey: NewPasskey,
      sessionGeneration: number,
      given: NewSession | RaisedSession,
      event: EventRecord,
      used?: UsedIdentityKey,
    ) {
      return database.writeWith(event, setUp(addPasskey(passkey), sessionGeneration, given, used));
    },

    /**
     * For a user who has just proved a second factor, with a recovery code to consume if that was the proof. False if
     * they no longer have a second factor, the session has ended, the password was changed, or the code was used.
     */
    raiseSession(raised: RaisedSession, sessionGeneration: number, recoveryCode?: string) {
      const { session } = raised;
      return database.write([
        ...conditionStatements(session, sessionGeneration, session.lastSeenAt, { kind: 'second_factor' }),
        ...useRecoveryCode(session.userId, recoveryCode),
        raise(raised),
      ]);
    },
  };
}

function setUp(
  add: readonly Statement[],
  sessionGeneration: number,
  given: NewSession | RaisedSession,
  used: UsedIdentityKey | undefined,
): Statement[] {
  const { session } = given;
  const { userId, lastSeenAt } = session;
  return [
    // Before the condition, which would otherwise not see a factor that was added while it waited for the lock.
    lockUser(userId),
    ...conditionStatements(session, sessionGeneration, lastSeenAt, { kind: 'no_second_factor' }),
    ...(used === undefined ? [] : [noteUse(used, userId, lastSeenAt)]),
    ...add,
    ...('deviceDigest' in given ? startStatements(given) : [raise(given)]),
    endProof(userId, session.digest),
  ];
}

function raise({ session, replacedDigest }: RaisedSession): Statement {
  const sql = `UPDATE sessions SET digest = $2, amr = $3, trusted = 0, proven_at = $5
    WHERE digest = $1 AND user_id = $4 RETURNING digest`;
  const { digest, amr, userId, provenAt } = session;
  return required(sql, [replacedDigest, digest, amr.join(' '), userId, provenAt]);
}
