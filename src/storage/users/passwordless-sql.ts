// Users without a password: what takes its place, and how many have nothing else.

import type { Statement } from '../driver.ts';
import type { PasswordChange } from '../records.ts';
import type { Database } from '../sql/database.ts';
import { hasFactor, holdsNoRole } from '../sql/guards.ts';
import { computed, countOf, required, select } from '../sql/query.ts';
import { useRecoveryCode } from '../sql/second-factors.ts';
import { hasWayBesidesPassword } from '../upstreams/ways-in-sql.ts';

const withFactor = `SELECT u.id FROM users u WHERE u.id = $1 AND ${hasFactor('u.id')}`;
const withoutFactor = `SELECT u.id FROM users u WHERE u.id = $1 AND NOT ${hasFactor('u.id')}`;
/** As `canDoWithoutPassword` says. */
const canLoseOne = `SELECT u.id FROM users u WHERE u.id = $1
  AND (SELECT COUNT(*) FROM passkeys p WHERE p.user_id = u.id AND p.suspended_at IS NULL) > CASE WHEN EXISTS
    (SELECT 1 FROM recovery_codes rc WHERE rc.user_id = u.id AND rc.suspended_at IS NULL) THEN 0 ELSE 1 END`;

/** Rolls back unless this can take the place of the password. The user's row has to be locked. */
export function requireInstead(userId: string, instead: NonNullable<PasswordChange['instead']>): Statement[] {
  if (instead.kind === 'own_passkeys') return [required(canLoseOne, [userId])];
  const { condition } = instead;
  if (condition.kind === 'recovery_code') return useRecoveryCode(userId, condition.digest);
  return [required(condition.kind === 'second_factor' ? withFactor : withoutFactor, [userId])];
}

/** More precision isn't needed, and counting a million people takes a while. */
export const countedAtMost = 10_000;

/** With a plus, another index can be walked than that of all active people. */
const isPasswordOnly = `u.password_hash <> '' AND +u.disabled_at IS NULL AND NOT ${hasWayBesidesPassword('u')}`;

function withPasswordOnly(...who: readonly string[]) {
  const each = who.map((condition) => `SELECT 1 FROM users u WHERE ${condition} AND ${isPasswordOnly}`);
  return countOf(`FROM (SELECT 1 FROM (${each.join(' UNION ALL ')}) AS them LIMIT ${countedAtMost}) AS found`);
}

/** What is asked of administrators is asked of everyone with a role, and of owners. Written like the conditions of their indexes. */
const hasRole = '(u.roles IS NOT NULL OR u.admin_since IS NOT NULL)';
const ownsOnly = `u.is_owner = 1 AND ${holdsNoRole('u')}`;

const counts = {
  everyone: withPasswordOnly('1 = 1'),
  everyone_with_factor: withPasswordOnly(hasFactor('u.id')),
  administrators: withPasswordOnly(hasRole, ownsOnly),
  administrators_with_factor: withPasswordOnly(...[hasRole, ownsOnly].map((who) => `${who} AND ${hasFactor('u.id')}`)),
};

const ofOne = {
  everyone: countOf(`FROM users u WHERE u.id = $1 AND ${isPasswordOnly}`),
  everyone_with_factor: countOf(`FROM users u WHERE u.id = $1 AND ${isPasswordOnly} AND ${hasFactor('u.id')}`),
};

const nextCounts = select(
  [
    computed<{ everybody: number; password_only: number; with_factor: number; last: string | null }>(`
      COUNT(*) AS everybody, COUNT(x.password_only) AS password_only, COUNT(x.with_factor) AS with_factor, MAX(x.id) AS last`),
  ],
  `FROM (SELECT u.id, CASE WHEN ${isPasswordOnly} THEN 1 END AS password_only,
      CASE WHEN ${isPasswordOnly} AND ${hasFactor('u.id')} THEN 1 END AS with_factor
    FROM users u WHERE u.id > $1 ORDER BY u.id LIMIT $2) AS x`,
);

export type PasswordOnlyCount = keyof typeof counts;

export function sqlPasswordless(database: Database) {
  return {
    /**
     * How many active users have a password and neither a passkey in force nor an identity at an upstream that isn't
     * disabled, at most 10,000.
     */
    countPasswordOnly: (of: PasswordOnlyCount) => database.count(counts[of], []),

    /** Whether this user is one of them. */
    async isPasswordOnly(userId: string, of: keyof typeof ofOne): Promise<boolean> {
      return (await database.count(ofOne[of], [userId])) > 0;
    },

    /** Counts them among the next few of everyone, in the order of their IDs. `last` is undefined once there are no more. */
    async countNextPasswordOnly(after: string, limit: number) {
      const [row] = await database.read(nextCounts, [after, limit]);
      const isLast = (row?.everybody ?? 0) < limit;
      return {
        everyone: row?.password_only ?? 0,
        everyone_with_factor: row?.with_factor ?? 0,
        last: isLast ? undefined : (row?.last ?? undefined),
      };
    },
  };
}
