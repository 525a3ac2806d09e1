// Accounts that nobody uses: since when, whom to tell that theirs will be disabled, and disabling it. What was told is stored with the
// person, and the account is disabled at that time by one statement, which compares it with the last activity: a sign-in at the same
// moment keeps the account.

import { mostCounted, type Total, totalOf } from '../../protocol/admin/totals.ts';
import type { EventRecord } from '../../protocol/event.ts';
import type { Database } from '../sql/database.ts';
import { lockUser } from '../sql/guards.ts';
import { activityOf } from '../sql/lists/time-walk.ts';
import { insertEmail, type NewEmail } from '../sql/mail.ts';
import { computed, countOf, required, select } from '../sql/query.ts';
import { endedBy } from './what-ends-sql.ts';

/** By what accounts are disabled, in milliseconds. */
export interface InactivityRule {
  readonly disableAfter: number;
  /** When that was last changed. Whatever was told before doesn't count. */
  readonly since: number;
  /** How long before people are told, and how long they have from then on at least. */
  readonly notice: number;
}

/** Someone whose account is disabled unless it's used. */
export interface InactiveUser {
  readonly id: string;
  readonly activeAt: number;
  /** What they were told before, which doesn't count anymore. */
  readonly end: number | null;
}

/** Where a look at the inactive ones ended. */
export interface InactivePlace {
  readonly activeAt: number;
  readonly id: string;
}

const setting = "(SELECT se.updated_at FROM settings se WHERE se.name = 'disable_inactive_after_days')";
const lastActivity = activityOf('u');
const canBeDisabled = (alias: 'u' | 'users') => `${alias}.disabled_at IS NULL AND ${alias}.admin_since IS NULL
  AND ${alias}.roles IS NULL AND ${alias}.managed_by IS NULL`;
/** What was told is right by the rule: its parameters are `after`, and `since` with `notice` added. */
const isTold = (alias: 'u' | 'users', [after, least]: readonly [string, string]) =>
  `${alias}.inactive_end >= ${activityOf(alias)} + CAST(${after} AS BIGINT)
    AND ${alias}.inactive_end >= CAST(${least} AS BIGINT)`;

/** So many of the longest inactive are looked at, so that a count takes no longer than a list. */
const mostCompared = 20_000;
const affected = countOf(`FROM (SELECT 1 AS one FROM (SELECT * FROM users u WHERE ${lastActivity} <= $1
  ORDER BY ${lastActivity}, u.id LIMIT ${mostCompared}) AS u WHERE ${canBeDisabled('u')} LIMIT ${mostCounted + 1}) AS counted`);
const compared = countOf(
  `FROM (SELECT 1 AS one FROM users u WHERE ${lastActivity} <= $1 LIMIT ${mostCompared}) AS counted`,
);
const changedAt = select([computed<{ at: number | null }>(`${setting} AS at`)], '');
const inactive = select(
  [
    computed<{ id: string; active_at: number; told: number | null; to_tell: number }>(
      `u.id AS id, ${lastActivity} AS active_at, u.inactive_end AS told,
        CASE WHEN ${canBeDisabled('u')} AND (u.expires_at IS NULL OR u.expires_at > $5)
          AND (${isTold('u', ['$6', '$7'])}) IS NOT TRUE THEN 1 ELSE 0 END AS to_tell`,
    ),
  ],
  // The embedded engine doesn't look the first condition up in the index.
  `FROM users u WHERE (${lastActivity}, u.id) > ($2, $3) AND ${lastActivity} >= $2 AND ${lastActivity} <= $1
    ORDER BY ${lastActivity}, u.id LIMIT $4`,
);
const due = select(
  [
    computed<{ id: string; end: number; holds: number }>(
      `u.id AS id, u.inactive_end AS "end",
        CASE WHEN ${canBeDisabled('u')} AND ${isTold('u', ['$3', '$4'])} THEN 1 ELSE 0 END AS holds`,
    ),
  ],
  'FROM users u WHERE u.disabled_at IS NULL AND u.inactive_end <= $1 ORDER BY u.inactive_end, u.id LIMIT $2',
);

const tell = `UPDATE users SET inactive_end = $2 WHERE id = $1 AND ${canBeDisabled('users')}
  AND inactive_end IS NOT DISTINCT FROM CAST($3 AS BIGINT) AND ${activityOf('users')} = $4 RETURNING id`;
const disable = `UPDATE users SET disabled_at = $2, inactive_end = $2, updated_at = $2
  WHERE id = $1 AND ${canBeDisabled('users')} AND inactive_end <= $2 AND ${isTold('users', ['$3', '$4'])}
    AND ${setting} = CAST($5 AS BIGINT) RETURNING id`;
const forget = 'UPDATE users SET inactive_end = NULL WHERE id = $1 AND inactive_end = $2 AND disabled_at IS NULL';

export function sqlInactivity(database: Database) {
  return {
    /** How many are disabled for not having used their account since then, unless they do. */
    async countInactive(since: number): Promise<Total> {
      const [found, looked] = await Promise.all([database.count(affected, [since]), database.count(compared, [since])]);
      const { count, more } = totalOf(found);
      return { count, more: more || looked === mostCompared };
    },

    /** When it was last decided after how long accounts are disabled. */
    async inactivityChangedAt() {
      const [row] = await database.read(changedAt, []);
      return row?.at ?? 0;
    },

    /**
     * Looks at the next few people without activity since then, the longest inactive first: those who have to be told, and where the
     * look ended; undefined at the end.
     */
    async lookAtInactive(rule: InactivityRule, now: number, after: InactivePlace, limit: number) {
      const until = now - rule.disableAfter + rule.notice;
      const rows = await database.read(inactive, [
        until,
        after.activeAt,
        after.id,
        limit,
        now + rule.notice,
        rule.disableAfter,
        rule.since + rule.notice,
      ]);
      const last = rows.length < limit ? undefined : rows.at(-1);
      const toTell = rows
        .filter(({ to_tell }) => to_tell === 1)
        .map(({ id, active_at: activeAt, told }): InactiveUser => ({ id, activeAt, end: told }));
      return { toTell, last: last && { activeAt: last.active_at, id: last.id } };
    },

    /**
     * Queues the email that tells someone when their account is disabled. False if they have used it meanwhile, can't be disabled anymore,
     * or were told by another process.
     */
    queueInactivityNotice({ id, activeAt, end }: InactiveUser, disabledFrom: number, emails: readonly NewEmail[]) {
      return database.write([required(tell, [id, disabledFrom, end, activeAt]), ...emails.map(insertEmail)]);
    },

    /** People whose time is over, the first of them. It doesn't hold for those who have used their account since they were told. */
    listInactiveDue: (rule: InactivityRule, now: number, limit: number) =>
      database.list(due, [now, limit, rule.disableAfter, rule.since + rule.notice], ({ id, end, holds }) => ({
        id,
        end,
        holds: holds === 1,
      })),

    /**
     * Disables someone who was told and hasn't used their account. False if they have, even at this moment, or if they can't be disabled
     * anymore, or something else was decided.
     */
    disableInactive(
      userId: string,
      rule: InactivityRule,
      now: number,
      event: EventRecord,
      endEvents: readonly EventRecord[] = [],
    ) {
      const { disableAfter, since, notice } = rule;
      const over = required(disable, [userId, now, disableAfter, since + notice, since]);
      const ended = endedBy('disabled', { userId, now, event });
      return database.writeWith([event, ...endEvents], [lockUser(userId), ...ended, over]);
    },

    /** What they were told doesn't count anymore. */
    async forgetInactivityNotice(userId: string, end: number) {
      await database.write([{ sql: forget, params: [userId, end] }]);
    },
  };
}
