// Codes by email. They are kept as links are, by their digest, and using one deletes its row, in the write that it is used for.

import { emailKey } from '../../protocol/account/email-address.ts';
import type { Claim, CodePurpose, NewSession, Session, SessionCondition, User } from '../records.ts';
import { claimAccount } from '../users/what-ends-sql.ts';
import type { Database } from './database.ts';
import { lockUser } from './guards.ts';
import { consumeLink } from './links.ts';
import { required } from './query.ts';
import { conditionStatements, startStatements } from './sessions.ts';

export interface UsedCode {
  readonly digest: string;
  readonly purpose: CodePurpose;
}

export function sqlEmailCodes(database: Database) {
  return {
    /**
     * Uses up the user's code and, if given, starts the session of a person without a second factor. The first code, which verifies
     * the email address, ends everything that was there before. False when the code doesn't work any more, or the user is no longer
     * as they were when it was checked.
     */
    useEmailCode(
      { id, email, sessionGeneration }: Pick<User, 'id' | 'email' | 'sessionGeneration'>,
      { digest, purpose }: UsedCode,
      now: number,
      { start, claim }: { readonly start?: NewSession | undefined; readonly claim?: Claim | undefined } = {},
    ) {
      const current = claim === undefined ? sessionGeneration : sessionGeneration + 1;
      return database.writeWith(claim?.events ?? [], [
        lockUser(id, sessionGeneration),
        consumeLink(digest, purpose, now),
        required('SELECT id FROM users WHERE id = $1 AND email_key = $2', [id, emailKey(email)]),
        ...(claim === undefined ? [] : claimAccount(id, claim, now)),
        ...(start === undefined
          ? []
          : [
              ...conditionStatements(
                start.session,
                current,
                now,
                { kind: 'no_second_factor' },
                start.session.createdAt,
              ),
              ...startStatements(start),
            ]),
      ]);
    },

    /** What `proveSession` does, with a code instead of a password; false also when the code doesn't work any more. */
    proveSessionWithCode(
      session: Session,
      sessionGeneration: number,
      now: number,
      { digest, purpose }: UsedCode,
      condition: SessionCondition | undefined,
    ) {
      const note = 'UPDATE sessions SET proven_at = $2 WHERE digest = $1 RETURNING digest';
      return database.write([
        ...conditionStatements(session, sessionGeneration, now, condition),
        consumeLink(digest, purpose, now),
        required(note, [session.digest, now]),
      ]);
    },
  };
}
