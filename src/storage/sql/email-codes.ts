// Codes by email. They are kept as links are, by their digest, and using one deletes its row, in the write that it is used for.

import { emailKey } from '../../protocol/account/email-address.ts';
import type { EventRecord } from '../../protocol/event.ts';
import type { Statement } from '../driver.ts';
import type { CodePurpose, NewSession, Session, SessionCondition, User } from '../records.ts';
import { endGivenRights } from '../users/given-rights-sql.ts';
import type { Database } from './database.ts';
import { lockUser } from './guards.ts';
import { consumeLink, endLinks } from './links.ts';
import { required } from './query.ts';
import { hasFactor } from './second-factors.ts';
import { conditionStatements, forgetDevices, signOutEverywhere, startStatements } from './sessions.ts';

export interface UsedCode {
  readonly digest: string;
  readonly purpose: CodePurpose;
}

/** What the first code does that verifies an email address. */
export interface FirstCode {
  /** About what ends. The first one is the reason why sessions do. */
  readonly events: readonly [EventRecord, ...EventRecord[]];
  /** Whether the owner has to look through what is left. */
  readonly review: boolean;
}

export function sqlEmailCodes(database: Database) {
  return {
    /**
     * Uses up the user's code and, if given, starts the session of somebody without a second factor. The first code that verifies
     * the email address ends everything that was set before. False when the code doesn't work any more, or the user is no longer
     * as they were when it was checked.
     */
    useEmailCode(
      user: Pick<User, 'id' | 'email' | 'passwordHash'>,
      { digest, purpose }: UsedCode,
      now: number,
      { start, first }: { readonly start?: NewSession | undefined; readonly first?: FirstCode | undefined } = {},
    ) {
      const { id, email, passwordHash } = user;
      const hold =
        start === undefined
          ? [lockUser(id, passwordHash)]
          : conditionStatements(
              start.session,
              passwordHash,
              now,
              { kind: 'no_second_factor' },
              start.session.createdAt,
            );
      return database.writeWith(first?.events ?? [], [
        ...hold,
        consumeLink(digest, purpose, now),
        required('SELECT id FROM users WHERE id = $1 AND email_key = $2', [id, emailKey(email)]),
        ...(first === undefined ? [] : claimAccount(id, now, first)),
        ...(start === undefined ? [] : startStatements(start)),
      ]);
    },

    /** The same as `proveSession`, with a code instead of a password; false also when the code doesn't work any more. */
    proveSessionWithCode(
      session: Session,
      passwordHash: string,
      now: number,
      { digest, purpose }: UsedCode,
      condition: SessionCondition | undefined,
    ) {
      const note = 'UPDATE sessions SET proven_at = $2 WHERE digest = $1 RETURNING digest';
      return database.write([
        ...conditionStatements(session, passwordHash, now, condition),
        consumeLink(digest, purpose, now),
        required(note, [session.digest, now]),
      ]);
    },
  };
}

/**
 * The address of the account was never verified, so anybody may have made it and set what is there. None of that is of use to
 * them any more. A second factor in force would be, and rolls the write back.
 */
function claimAccount(userId: string, now: number, { events: [event], review }: FirstCode): Statement[] {
  const verify = `UPDATE users SET email_verified_at = $2, password_hash = '', breached_since = NULL, updated_at = $2,
      review_since = COALESCE(CAST($3 AS BIGINT), review_since)
    WHERE id = $1 AND email_verified_at IS NULL AND NOT ${hasFactor('users.id')} RETURNING id`;
  return [
    required(verify, [userId, now, review ? now : null]),
    { sql: 'DELETE FROM identities WHERE user_id = $1', params: [userId] },
    ...signOutEverywhere(event, userId),
    forgetDevices(userId),
    endLinks(userId),
    ...endGivenRights(userId, now),
  ];
}
