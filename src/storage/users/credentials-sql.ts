// Passwords and email addresses: how they change, what a change needs, and what it ends.

import { emailKey } from '../../protocol/account/email-address.ts';
import { proofs } from '../../protocol/account/what-ends.ts';
import type { EventRecord } from '../../protocol/event.ts';
import { noPassword } from '../../protocol/sign-in/password-policy.ts';
import type { Statement } from '../driver.ts';
import type { PasswordChange, User } from '../records.ts';
import type { Database } from '../sql/database.ts';
import { lockUser, requireSession } from '../sql/guards.ts';
import { consumeLink } from '../sql/links.ts';
import { setEmailWords } from '../sql/lists/words.ts';
import { required } from '../sql/query.ts';
import { addPasskey } from '../sql/second-factors.ts';
import { insertSession } from '../sql/sessions.ts';
import { refuseTaken } from './names-sql.ts';
import { requireInstead } from './passwordless-sql.ts';
import { claimAccount, endedBy } from './what-ends-sql.ts';

const setPassword = 'UPDATE users SET password_hash = $2, breached_since = NULL, updated_at = $3 WHERE id = $1';

export function sqlCredentials(database: Database) {
  return {
    /**
     * By a link that was sent to the new address, which verifies it. False if the link or the session doesn't work any more, or
     * the address isn't as verified as the user's record says.
     */
    changeEmail(
      { id, emailVerifiedAt, sessionGeneration }: Pick<User, 'id' | 'emailVerifiedAt' | 'sessionGeneration'>,
      email: string,
      linkDigest: string,
      now: number,
      event: EventRecord,
      kept: { readonly digest?: string; readonly device?: string | undefined } = {},
    ) {
      const update = required(
        `UPDATE users SET email = $2, email_key = $3, email_verified_at = $4, updated_at = $4
          WHERE id = $1 AND disabled_at IS NULL AND (expires_at IS NULL OR expires_at > $4)
            AND email_verified_at IS NOT DISTINCT FROM $5 RETURNING id`,
        [id, email, emailKey(email), now, emailVerifiedAt],
      );
      const ending = { userId: id, now, event, kept };
      return database.writeWith(event, [
        lockUser(id, sessionGeneration),
        ...requireSession(id, kept.digest),
        consumeLink(linkDigest, 'change_email', now),
        ...refuseTaken([{ email }], id),
        ...endedBy(emailVerifiedAt === null ? proofs.address_link.ends : 'address_changed', ending),
        update,
        ...setEmailWords(id, email),
      ]);
    },

    /**
     * Ends what such a change ends, and starts the session that is given. False when the session generation or the link is not what
     * it was, the session that it's changed in has ended, the user was disabled or their access has ended, or `instead` isn't
     * possible; with a link also if the account has to be claimed, or can't be.
     */
    changePassword(
      userId: string,
      { passwordHash, proof, session, keptDevice, instead, claim }: PasswordChange,
      now: number,
      event: EventRecord,
      furtherEvents: readonly EventRecord[] = [],
    ) {
      const byLink = proof.kind === 'link';
      const inSession = passwordHash === noPassword ? 'password_removed' : 'password_changed';
      const occasion = byLink ? linkOccasions[proof.purpose] : inSession;
      const ending = { userId, now, event, kept: { id: session?.id ?? null, device: keptDevice } };
      const isInForce = 'disabled_at IS NULL AND (expires_at IS NULL OR expires_at > $3)';
      const change = required(`${setPassword} AND ${isInForce} RETURNING id`, [userId, passwordHash, now]);
      return database.writeWith(
        [event, ...(claim?.events ?? []), ...furtherEvents],
        [
          lockUser(userId, byLink ? undefined : proof.sessionGeneration),
          ...(byLink
            ? [required(isForAddress, [userId, proof.digest]), consumeLink(proof.digest, proof.purpose, now)]
            : requireSession(userId, proof.session)),
          ...(instead === undefined ? [] : requireInstead(userId, instead)),
          ...(byLink && claim === undefined ? [required(isVerified, [userId])] : []),
          ...(claim === undefined ? endedBy(occasion, ending) : claimAccount(userId, claim, now)),
          change,
          ...(byLink && claim === undefined ? [reviewLater(userId, now)] : []),
          ...(session === undefined ? [] : [insertSession(session)]),
          ...(instead?.kind === 'new_passkey' ? addPasskey(instead) : []),
        ],
      );
    },

    /** For administrators: needs no proof; otherwise the same as with a link. False for an unknown user. */
    setPasswordHash(userId: string, passwordHash: string, now: number, event: EventRecord) {
      return database.writeWith(event, [
        lockUser(userId),
        ...endedBy('password_set', { userId, now, event }),
        { sql: setPassword, params: [userId, passwordHash, now] },
        reviewLater(userId, now),
      ]);
    },

    /**
     * Notes that the password was found among those known from breaches; setting another one clears it. False when that
     * was noted before, or the password may no longer be the one that was checked.
     */
    noteBreach(userId: string, sessionGeneration: number, now: number, event: EventRecord) {
      const update = required(
        `UPDATE users SET breached_since = $3 WHERE id = $1 AND session_generation = $2 AND breached_since IS NULL
          RETURNING id`,
        [userId, sessionGeneration, now],
      );
      return database.writeWith(event, [update]);
    },
  };
}

const linkOccasions = { reset_password: 'password_reset', recover: 'account_recovered' } as const;

/** A link that was sent proves the mailbox that it was sent to, and no other. */
const isForAddress = `SELECT l.digest FROM links l JOIN users u ON u.id = l.user_id
  WHERE u.id = $1 AND l.digest = $2 AND (l.email_key IS NULL OR l.email_key = u.email_key)`;

/** Without a claim, a link is for an account whose address is verified. */
const isVerified = 'SELECT id FROM users WHERE id = $1 AND email_verified_at IS NOT NULL';

/** The owner looks through what is left when they sign in next. */
function reviewLater(userId: string, now: number): Statement {
  return { sql: 'UPDATE users SET review_since = $2 WHERE id = $1', params: [userId, now] };
}
