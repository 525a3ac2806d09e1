// Accounts that wait for approval. Each is decided about once: of an approval and a decline at the same moment, one takes place.

import type { EventRecord } from '../../protocol/event.ts';
import { users } from '../schema.ts';
import type { Database } from '../sql/database.ts';
import { insertEmail, type NewEmail, takeTurn } from '../sql/mail.ts';
import { columns, countOf, required, select } from '../sql/query.ts';
import type { DeletedIds } from './deleted-ids-sql.ts';
import { deleteStatements } from './users-sql.ts';

const isWaiting = 'pending_since IS NOT NULL';
const waitingCount = countOf(`FROM users WHERE ${isWaiting}`);
const overdue = select(
  [columns(users, 'id')],
  'FROM users u WHERE u.pending_since < $1 ORDER BY u.pending_since, u.id LIMIT $2',
);
const approve = `UPDATE users SET disabled_at = NULL, pending_since = NULL, inactive_from = $2, updated_at = $2
  WHERE id = $1 AND ${isWaiting} RETURNING id`;
const someoneWaits = `SELECT 1 AS one WHERE EXISTS (SELECT 1 FROM users WHERE ${isWaiting})`;

export function sqlWaiting(database: Database, deletedIds: DeletedIds) {
  return {
    countWaiting: () => database.count(waitingCount, []),

    /** Lets the user sign in. False when they don't wait. */
    approveUser: (userId: string, now: number, event: EventRecord) =>
      database.writeWith(event, [required(approve, [userId, now])]),

    /** Deletes the user, and queues the email to them. False when they don't wait. */
    declineUser: async (userId: string, event: EventRecord, email?: NewEmail) =>
      database.writeWith(event, [
        ...deleteStatements(userId, await deletedIds.remember(userId), event, isWaiting),
        ...(email === undefined ? [] : [insertEmail(email)]),
      ]),

    /** The IDs of those who began to wait before then. */
    listOverdue: (before: number, limit: number) => database.list(overdue, [before, limit], ({ u_id }) => u_id),

    /** Queues emails about people who wait. False when there are none, or others were queued in the interval before. */
    queueWaitingNotice(now: number, interval: number, emails: readonly NewEmail[]) {
      return database.write([
        takeTurn('approval_notice_at', now, interval),
        required(someoneWaits, []),
        ...emails.map(insertEmail),
      ]);
    },
  };
}
