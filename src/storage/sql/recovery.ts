// Account recovery: factors that a password reset has suspended, undoing a new factor, and removing all other
// access in one write.

import { lifetimes } from '../../protocol/oauth/grant.ts';
import { suspendedFrom } from '../../protocol/sign-in/factor-suspension.ts';
import { endApiKeys } from '../api-keys/api-keys-sql.ts';
import type { Statement } from '../driver.ts';
import { insertEvent } from '../events/events-sql.ts';
import type { FactorRef } from '../records.ts';
import type { AccountRecovery } from '../second-factors.ts';
import { unlinkAddedSince, unlinkEverything } from '../upstreams/ways-in-sql.ts';
import { grantsOfUserEnd } from '../webhooks/ended-grants.ts';
import type { Database } from './database.ts';
import { lockUser, lockUserWithPassword } from './guards.ts';
import { consumeLink, endLinks } from './links.ts';
import { required } from './query.ts';
import { dropUnneededCodes, endProof } from './second-factors.ts';
import { endSessions, forgetDevices } from './sessions.ts';
import { endAllTrust } from './trusted-devices.ts';

const factorTables = ['authenticators', 'passkeys', 'recovery_codes'] as const;
const tableOf: Record<FactorRef['kind'], (typeof factorTables)[number]> = {
  authenticator: 'authenticators',
  passkey: 'passkeys',
  recovery_codes: 'recovery_codes',
};

export function sqlRecovery(database: Database): AccountRecovery {
  return {
    decideOnFactor(userId, factor, decision, passwordHash, event, session) {
      const { table, where, params } = rowsOf(userId, factor);
      const change = (name: string) =>
        decision === 'keep' ? `UPDATE ${name} SET suspended_at = NULL` : `DELETE FROM ${name}`;
      const decide = required(`${change(table)} WHERE ${where} AND suspended_at IS NOT NULL RETURNING user_id`, params);
      const codes = {
        sql: `${change('recovery_codes')} WHERE user_id = $1 AND created_at = $2 AND suspended_at IS NOT NULL`,
        params: [userId, factor.createdAt],
      };
      return database.write([
        lockUserWithPassword(userId, passwordHash),
        decide,
        codes,
        dropUnneededCodes(userId),
        decision === 'keep' ? endProof(userId, session) : endAllTrust(userId),
        ...insertEvent(event),
      ]);
    },

    undoFactor(userId, factor, linkDigest, now, event) {
      const { table, where, params } = rowsOf(userId, factor);
      return database.write([
        lockUser(userId),
        consumeLink(linkDigest, 'undo_factor', now),
        { sql: `DELETE FROM ${table} WHERE ${where}`, params },
        {
          sql: 'DELETE FROM recovery_codes WHERE user_id = $1 AND created_at = $2',
          params: [userId, factor.createdAt],
        },
        dropUnneededCodes(userId),
        endSessions(userId),
        forgetDevices(userId),
        endLinks(userId),
        ...insertEvent(event),
      ]);
    },

    removeOtherAccess(userId, kept, now, events) {
      const removed = kept.factors ? 'user_id = $1 AND suspended_at IS NOT NULL' : 'user_id = $1';
      const reviewed = events.filter(({ kind }) => kind === 'account_reviewed');
      return database.write([
        lockUser(userId),
        ...reviewed.map((event) => grantsOfUserEnd(event, userId)),
        ...factorTables.map((table) => ({ sql: `DELETE FROM ${table} WHERE ${removed}`, params: [userId] })),
        dropUnneededCodes(userId),
        endSessions(userId, kept.session),
        forgetDevices(userId, kept.device),
        endAllTrust(userId),
        endLinks(userId),
        ...(kept.factors ? [] : [unlinkEverything(userId)]),
        { sql: 'DELETE FROM consents WHERE user_id = $1', params: [userId] },
        {
          sql: 'UPDATE grants SET ended_at = $2, delete_after = $3 WHERE user_id = $1 AND ended_at IS NULL',
          params: [userId, now, now + lifetimes.retention],
        },
        endApiKeys(userId),
        { sql: 'UPDATE users SET review_since = NULL WHERE id = $1', params: [userId] },
        ...events.flatMap(insertEvent),
      ]);
    },

    finishReview(userId, events) {
      const sql = 'UPDATE users SET review_since = NULL WHERE id = $1 AND review_since IS NOT NULL RETURNING id';
      return database.write([required(sql, [userId]), ...events.flatMap(insertEvent)]);
    },
  };
}

/**
 * Part of a password reset: someone who knew the old password may have added these. Recently linked identities are unlinked,
 * because their owner can simply link them again. Also makes a review due.
 */
export function suspendRecentFactors(userId: string, now: number): Statement[] {
  return [
    ...factorTables.map((table) => ({
      sql: `UPDATE ${table} SET suspended_at = $2 WHERE user_id = $1 AND created_at >= $3 AND suspended_at IS NULL`,
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
