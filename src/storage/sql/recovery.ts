// Account recovery: factors that a password reset has suspended, undoing a new factor, and removing all other
// access in one write.

import type { EventRecord } from '../../protocol/event.ts';
import { lifetimes } from '../../protocol/oauth/grant.ts';
import { suspendedFrom } from '../../protocol/sign-in/factor-suspension.ts';
import type { Statement } from '../driver.ts';
import type { FactorRef } from '../records.ts';
import { keepAWayIn, unlinkAddedSince, unlinkEverything } from '../upstreams/ways-in-sql.ts';
import { endGivenRights } from '../users/given-rights-sql.ts';
import { grantsOfUserEnd } from '../webhooks/ended-grants.ts';
import type { Database } from './database.ts';
import { lockUser, requireSession } from './guards.ts';
import { consumeLink, endLinks } from './links.ts';
import { required } from './query.ts';
import { dropUnneededCodes, endAllTrust, endProof } from './second-factors.ts';
import { endSessions, forgetDevices, signOutEverywhere } from './sessions.ts';

const factorTables = ['authenticators', 'passkeys', 'recovery_codes'] as const;
const tableOf: Record<FactorRef['kind'], (typeof factorTables)[number]> = {
  authenticator: 'authenticators',
  passkey: 'passkeys',
  recovery_codes: 'recovery_codes',
};

/**
 * Resetting a password (`changePassword` with a link, `setPasswordHash`) suspends the factors that were added shortly
 * before. A suspended factor signs nobody in and doesn't count as a second factor.
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
      passwordHash: string,
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
        lockUser(userId, passwordHash),
        ...requireSession(userId, session),
        decide,
        codes,
        dropUnneededCodes(userId),
        decision === 'keep' ? endProof(userId, session) : endAllTrust(userId),
      ]);
    },

    /**
     * Uses up a link that was sent about a new factor: removes the factor, if it's still there, with the recovery codes
     * that came with it, and ends the user's sessions, known browsers and links. Even the last way in goes: somebody else
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
        dropUnneededCodes(userId),
        ...signOutEverywhere(event, userId),
        forgetDevices(userId),
        endLinks(userId),
      ]);
    },

    /**
     * Removes the user's suspended factors and, unless they are kept, all others; their sessions and known browsers but
     * for the ones that are kept; their connected apps and links; and what they have made for others. Also ends the review.
     * Without a password, what was added since the reset stays: it's what the user signs in with. False for an unknown user,
     * and for one who would be left without a way to sign in.
     */
    removeOtherAccess(
      userId: string,
      kept: { readonly session: string; readonly device: string | undefined; readonly factors: boolean },
      now: number,
      events: readonly EventRecord[],
    ) {
      const removalFrom = (table: string) => {
        const suspended = `DELETE FROM ${table} WHERE user_id = $1 AND (suspended_at IS NOT NULL`;
        if (kept.factors) return `${suspended})`;
        return `${suspended} OR NOT EXISTS (SELECT 1 FROM users u
          WHERE u.id = $1 AND u.password_hash = '' AND u.review_since <= ${table}.created_at))`;
      };
      const reviewed = events.filter(({ kind }) => kind === 'account_reviewed');
      return database.writeWith(events, [
        lockUser(userId),
        ...reviewed.flatMap((event) => grantsOfUserEnd(event, userId)),
        ...factorTables.map((table) => ({ sql: removalFrom(table), params: [userId] })),
        dropUnneededCodes(userId),
        // All grants end, so their clients have been told already.
        endSessions(userId, kept.session),
        forgetDevices(userId, kept.device),
        endAllTrust(userId),
        endLinks(userId),
        ...(kept.factors ? [] : [unlinkEverything(userId), keepAWayIn(userId)]),
        { sql: 'DELETE FROM consents WHERE user_id = $1', params: [userId] },
        {
          sql: 'UPDATE grants SET ended_at = $2, delete_after = $3 WHERE user_id = $1 AND ended_at IS NULL',
          params: [userId, now, now + lifetimes.retention],
        },
        ...endGivenRights(userId, now),
        { sql: 'UPDATE users SET review_since = NULL WHERE id = $1', params: [userId] },
      ]);
    },

    /** The user has completed the review of their account. False if none was due. */
    finishReview(userId: string, events: readonly EventRecord[]) {
      const sql = 'UPDATE users SET review_since = NULL WHERE id = $1 AND review_since IS NOT NULL RETURNING id';
      return database.writeWith(events, [required(sql, [userId])]);
    },
  };
}

/** Whoever had the mailbox then has set it up: the account was created with it, and in the same moment its address was verified. */
const isOfCreation = (table: string) => `EXISTS (SELECT 1 FROM users u
  WHERE u.id = $1 AND u.created_at = ${table}.created_at AND u.email_verified_at = u.created_at)`;

/**
 * Part of a password reset: someone who knew the old password may have added these. Recently linked identities are unlinked,
 * because their owner can simply link them again. Also makes a review due.
 */
export function suspendRecentFactors(userId: string, now: number): Statement[] {
  return [
    ...factorTables.map((table) => ({
      sql: `UPDATE ${table} SET suspended_at = $2
        WHERE user_id = $1 AND created_at >= $3 AND suspended_at IS NULL AND NOT ${isOfCreation(table)}`,
      params: [userId, now, suspendedFrom(now)],
    })),
    unlinkAddedSince(userId, suspendedFrom(now)),
    { sql: 'UPDATE users SET review_since = $2 WHERE id = $1', params: [userId, now] },
  ];
}

function rowsOf(userId: string, factor: FactorRef) {
  const [column, value] =
    factor.kind === 'passkey' ? (['id', factor.id] as const) : (['created_at', factor.createdAt] as const);
  return { table: tableOf[factor.kind], where: `user_id = $1 AND ${column} = $2`, params: [userId, value] };
}
