// Mails that wait to be sent.

import type { Driver, Row } from '../driver.ts';
import type { QueuedEmail, Storage } from '../storage.ts';
import { newLink } from './accounts.ts';
import { insertEvent } from './events.ts';

type Mails = Pick<Storage, 'queueEmail' | 'claimEmails' | 'deleteEmail' | 'postponeEmail' | 'listEmails'>;

export function sqlMail(driver: Driver): Mails {
  return {
    async queueEmail(mail, link, event) {
      const sql = `INSERT INTO mails (id, sealed, created_at, attempts, next_attempt_at) VALUES ($1, $2, $3, 0, $3)`;
      const insert = { sql, params: [mail.id, mail.sealed, mail.createdAt] };
      await driver.write([
        ...(link === undefined ? [] : newLink(link)),
        insert,
        ...(event === undefined ? [] : [insertEvent(event)]),
      ]);
    },

    async claimEmails(now, claimedUntil, limit) {
      // The condition stands twice: of two processes that choose the same row, the second finds it changed.
      const sql = `UPDATE mails SET attempts = attempts + 1, next_attempt_at = $2
        WHERE next_attempt_at <= $1 AND id IN
          (SELECT id FROM mails WHERE next_attempt_at <= $1 ORDER BY next_attempt_at, id LIMIT $3)
        RETURNING id, sealed, created_at, attempts`;
      const results = await driver.write([{ sql, params: [now, claimedUntil, limit] }]);
      return (results?.[0] ?? []).map(toMail);
    },

    async deleteEmail(mailId) {
      await driver.write([{ sql: 'DELETE FROM mails WHERE id = $1', params: [mailId] }]);
    },

    async postponeEmail(mailId, nextAttemptAt) {
      const sql = 'UPDATE mails SET next_attempt_at = $2 WHERE id = $1';
      await driver.write([{ sql, params: [mailId, nextAttemptAt] }]);
    },

    async listEmails(limit) {
      const sql = 'SELECT id, sealed, created_at, attempts FROM mails ORDER BY id DESC LIMIT $1';
      return (await driver.read(sql, [limit])).map(toMail);
    },
  };
}

function toMail(row: Row): QueuedEmail {
  return {
    id: row.id as string,
    sealed: row.sealed as string,
    createdAt: row.created_at as number,
    attempts: row.attempts as number,
  };
}
