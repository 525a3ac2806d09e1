// Account recovery: factors that a password reset has suspended, undoing a new factor, and removing all other
// access in one write.

import type { EventRecord } from '../../protocol/event.ts';
import type { FactorRef, User } from '../records.ts';
import { endedBy } from '../users/what-ends-sql.ts';
import type { Database } from './database.ts';
import { lockUser, requireSession } from './guards.ts';
import { consumeLink } from './links.ts';
import { required } from './query.ts';
import { endProof } from './second-factors.ts';

const tableOf: Readonly<Record<FactorRef['kind'], string>> = {
  authenticator: 'authenticators',
  passkey: 'passkeys',
  recovery_codes: 'recovery_codes',
};

/**
 * Resetting a password (`changePassword` with a link, `setPasswordHash`) suspends the factors that were added shortly before: someone
 * who knew the old password may have added them. A suspended factor can't be used and doesn't count as a second factor. Recently
 * linked identities are unlinked, because their owner can simply link them again.
 */
export function sqlRecovery(database: Database) {
  return {
    /**
     * Puts a suspended factor back into force, or removes it, together with the recovery codes that came with it. False
     * when it isn't suspended, or the password is no longer the one that was checked. One that is kept counts as new.
     */
    decideOnFactor(
      userId: string,
      factor: FactorRef,
      decision: 'keep' | 'remove',
      sessionGeneration: number,
      event: EventRecord,
      session?: string,
    ) {
      const { table, where, params } = rowsOf(userId, factor);
      const change = (name: string) =>
        decision === 'keep' ? `UPDATE ${name} SET suspended_at = NULL` : `DELETE FROM ${name}`;
      const decide = required(`${change(table)} WHERE ${where} AND suspended_at IS NOT NULL RETURNING user_id`, params);
      const codes = {
        sql: `${change('recovery_codes')} WHERE user_id = $1 AND created_at = $2 AND suspended_at IS NOT NULL`,
        params: [userId, factor.createdAt],
      };
      return database.writeWith(event, [
        lockUser(userId, sessionGeneration),
        ...requireSession(userId, session),
        decide,
        codes,
        ...(decision === 'keep'
          ? [endProof(userId, session)]
          : endedBy('factor_removed', { userId, now: event.at, event })),
      ]);
    },

    /**
     * Uses up a link that was sent about a new factor: removes the factor, if it's still there, with the recovery codes
     * that came with it, and ends the user's sessions, known browsers and links. Even the last way in goes: another person
     * may hold it, and its owner gets a password by email, as they got the link. False when the link doesn't work.
     */
    undoFactor(userId: string, factor: FactorRef, linkDigest: string, now: number, event: EventRecord) {
      const { table, where, params } = rowsOf(userId, factor);
      return database.writeWith(event, [
        lockUser(userId),
        consumeLink(linkDigest, 'undo_factor', now),
        { sql: `DELETE FROM ${table} WHERE ${where}`, params },
        {
          sql: 'DELETE FROM recovery_codes WHERE user_id = $1 AND created_at = $2',
          params: [userId, factor.createdAt],
        },
        ...endedBy('factor_undone', { userId, now, event }),
      ]);
    },

    /**
     * Removes the user's suspended factors and, unless they are kept, all others; their sessions and known browsers but
     * for the ones that are kept; their connected apps and links; and what they have made for others. Also ends the review.
     * Without a password, what was added since the reset stays: it's what the user signs in with. False for an unknown user,
     * and for one who would be left without a way to sign in.
     */
    removeOtherAccess(
      { id: userId, sessionGeneration }: Pick<User, 'id' | 'sessionGeneration'>,
      kept: { readonly session?: string; readonly device?: string | undefined; readonly factors: boolean },
      now: number,
      event: EventRecord,
      furtherEvents: readonly EventRecord[] = [],
    ) {
      const { session: digest, device, factors } = kept;
      const ending = { userId, now, event, kept: { ...(digest !== undefined && { digest }), device } };
      return database.writeWith(
        [...furtherEvents, event],
        [
          lockUser(userId, sessionGeneration),
          ...requireSession(userId, digest),
          ...endedBy(factors ? 'reviewed' : 'reviewed_with_proof', ending),
          { sql: 'UPDATE users SET review_since = NULL WHERE id = $1', params: [userId] },
        ],
      );
    },

    /** The user has completed this review of their account. False if it isn't due: another may be, since a reset meanwhile. */
    finishReview({ id, reviewSince }: Pick<User, 'id' | 'reviewSince'>, events: readonly EventRecord[]) {
      const sql = 'UPDATE users SET review_since = NULL WHERE id = $1 AND review_since = $2 RETURNING id';
      return database.writeWith(events, [required(sql, [id, reviewSince])]);
    },
  };
}

function rowsOf(userId: string, factor: FactorRef) {
  const [column, value] =
    factor.kind === 'passkey' ? (['id', factor.id] as const) : (['created_at', factor.createdAt] as const);
  return { table: tableOf[factor.kind], where: `user_id = $1 AND ${column} = $2`, params: [userId, value] };
}
