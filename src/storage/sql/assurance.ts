// Sessions that get a second factor, at their start or later.

import type { Assurance, RaisedSession } from '../assurance.ts';
import type { Statement } from '../driver.ts';
import { insertEvent } from '../events/events-sql.ts';
import { noteUse } from '../users/identities-sql.ts';
import type { Database } from './database.ts';
import { required } from './query.ts';
import { addAuthenticator, endProof, useRecoveryCode } from './second-factors.ts';
import { conditionStatements, startStatements } from './sessions.ts';

export function sqlAssurance(database: Database): Assurance {
  return {
    setUpAuthenticator(authenticator, recoveryCodes, passwordHash, given, event, used) {
      const { session } = given;
      const { userId } = session;
      const makeWay = 'DELETE FROM authenticators WHERE user_id = $1 AND suspended_at IS NOT NULL';
      return database.write([
        ...conditionStatements(session, passwordHash, session.lastSeenAt, { kind: 'no_second_factor' }),
        ...(used === undefined ? [] : [noteUse(used, userId, session.lastSeenAt)]),
        { sql: makeWay, params: [userId] },
        ...addAuthenticator(userId, authenticator, recoveryCodes, event.at),
        ...('deviceDigest' in given ? startStatements(given) : [raise(given)]),
        endProof(userId, session.digest),
        ...insertEvent(event),
      ]);
    },

    raiseSession(raised, passwordHash, recoveryCode) {
      const { session } = raised;
      return database.write([
        ...conditionStatements(session, passwordHash, session.lastSeenAt, { kind: 'second_factor' }),
        ...useRecoveryCode(session.userId, recoveryCode),
        raise(raised),
      ]);
    },
  };
}

function raise({ session, replacedDigest }: RaisedSession): Statement {
  const sql = `UPDATE sessions SET digest = $2, amr = $3, trusted = 0, proven_at = $5
    WHERE digest = $1 AND user_id = $4 RETURNING digest`;
  const { digest, amr, userId, provenAt } = session;
  return required(sql, [replacedDigest, digest, amr.join(' '), userId, provenAt]);
}
