// Queued emails.

import type { EventRecord } from '../../protocol/event.ts';
import { briefRests, longestEmailWait } from '../../protocol/mail-schedule.ts';
import type { Engine, Statement } from '../driver.ts';
import type { Link, QueuedEmail } from '../records.ts';
import { mails, serviceFacts } from '../schema.ts';
import type { Database } from './database.ts';
import { newLink } from './links.ts';
import { computed, insertInto, perEngine, required, returning, select } from './query.ts';
import { recordColumns } from './record-columns.ts';

const { columns, decode: toEmail } = recordColumns(mails, 'next_attempt_at');
const newestFirst = select([columns], 'FROM mails m ORDER BY m.id DESC LIMIT $1');
/**
 * Changes some of the emails to which a condition applies, the first ones of an index. The condition is there twice: when two processes
 * choose the same row, the second one finds that it has changed. Without an array, a server may choose again for each row.
 */
const changeSome = (changes: string, condition: string, order: string) => (engine: Engine) => {
  const first = `SELECT id FROM mails WHERE ${condition} ORDER BY ${order} LIMIT $3`;
  const chosen = engine === 'server' ? `= ANY (ARRAY(${first}))` : `IN (${first})`;
  return `UPDATE mails SET next_attempt_at = $2${changes} WHERE ${condition} AND id ${chosen}`;
};
// An email that was queued in the future was queued by a wrong clock, and is as old as its first attempt.
const claimSome = changeSome(
  ', attempts = attempts + 1, created_at = CASE WHEN created_at > $1 THEN $1 ELSE created_at END',
  'next_attempt_at <= $1',
  'next_attempt_at, id',
);
const claim = perEngine((engine) => returning(claimSome(engine), mails));
const waitsTooLong = `next_attempt_at > $1 AND (next_attempt_at > $4 OR attempts <= ${briefRests})`;
const hastenSome = changeSome('', waitsTooLong, 'next_attempt_at DESC');
const hasten = perEngine((engine) => ({ sql: `${hastenSome(engine)} RETURNING id` }));
const replaceSealed = 'UPDATE mails SET sealed = $3 WHERE id = $1 AND sealed = $2 RETURNING id';
const insertRow = insertInto(mails);
const waiting = select(
  [computed<{ n: number; oldest: number | null }>('COUNT(*) AS n, MIN(m.created_at) AS oldest')],
  'FROM mails m',
);

/** An email that is being queued. */
export type NewEmail = Omit<QueuedEmail, 'attempts'>;

/** It's due at once, whatever the clock of the instance says that queues it. */
export function insertEmail({ id, sealed, createdAt }: NewEmail): Statement {
  return insertRow({ id, sealed, created_at: createdAt, attempts: 0, next_attempt_at: 0 });
}

/** Emails to administrators that are sent once in an interval, by the fact that says when. */
export type TurnName = 'approval_notice_at' | 'end_list_at' | 'scim_notice_at';

const noteTurn = insertInto(
  serviceFacts,
  `ON CONFLICT (name) DO UPDATE SET value = excluded.value
    WHERE CAST(service_facts.value AS BIGINT) <= $3 OR CAST(service_facts.value AS BIGINT) > $4 RETURNING name`,
);

/** Rolls back if something of this name was sent in the interval before. A time that lies far ahead was written by a wrong clock. */
export function takeTurn(name: TurnName, now: number, interval: number): Statement {
  const { sql, params } = noteTurn({ name, value: String(now) });
  return required(sql, [...params, now - interval, now + interval]);
}

export function sqlMail(database: Database) {
  return {
    /** Queues the email together with the link in it. False when the link's user is gone, or the event's guard says so. */
    queueEmail(email: NewEmail, link?: Link, event?: EventRecord) {
      return database.writeWith(event ?? [], [...(link === undefined ? [] : newLink(link, event)), insertEmail(email)]);
    },

    /** Queues emails, all of them or none. False if others of this name were queued in the interval before. */
    queueInTurn(name: TurnName, now: number, interval: number, emails: readonly NewEmail[]) {
      return database.write([takeTurn(name, now, interval), ...emails.map(insertEmail)]);
    },

    /**
     * Replaces a request with the email that answers it. False when it was answered before, or the link's user is gone.
     */
    answerEmailRequest(request: Pick<QueuedEmail, 'id' | 'sealed'>, sealed: string, link?: Link) {
      return database.write([
        ...(link === undefined ? [] : newLink(link)),
        required(replaceSealed, [request.id, request.sealed, sealed]),
      ]);
    },

    /** Claims emails that are due, exclusively until `claimedUntil`. Times are by the clock of the store. */
    async claimEmails(now: number, claimedUntil: number, limit: number) {
      return (await database.writeThenRead([], claim, [now, claimedUntil, limit])).map(toEmail);
    },

    /**
     * Makes emails due that would have to wait for longer than their attempts explain: a wrong clock has claimed or postponed them.
     * Returns how many it found, up to the limit.
     */
    async hastenEmails(now: number, limit: number) {
      const { brief, long } = longestEmailWait;
      return (await database.writeThenRead([], hasten, [now + brief, now, limit, now + long])).length;
    },

    /** Prolongs claims, unless another process has claimed the email since. */
    async renewEmailClaims(emails: readonly Pick<QueuedEmail, 'id' | 'attempts'>[], claimedUntil: number) {
      const sql = 'UPDATE mails SET next_attempt_at = $3 WHERE id = $1 AND attempts = $2';
      await database.write(emails.map(({ id, attempts }) => ({ sql, params: [id, attempts, claimedUntil] })));
    },

    async deleteEmail(mailId: string) {
      await database.write([{ sql: 'DELETE FROM mails WHERE id = $1', params: [mailId] }]);
    },

    /** With 0, it's due at once. */
    async postponeEmail(mailId: string, nextAttemptAt: number) {
      const sql = 'UPDATE mails SET next_attempt_at = $2 WHERE id = $1';
      await database.write([{ sql, params: [mailId, nextAttemptAt] }]);
    },

    /** How many there are, and when the oldest was queued. */
    async countEmails() {
      const [row] = await database.read(waiting, []);
      return { count: row?.n ?? 0, oldestAt: row?.oldest ?? undefined };
    },

    /** Newest first. */
    listEmails: (limit: number) => database.list(newestFirst, [limit], toEmail),
  };
}
