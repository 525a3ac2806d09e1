// Reviews of who has access, and how they get their items. What a review is about is read in batches, by the query of the table of access;
// each batch states where the one before ended, so that of several processes one adds it.

import type { ReviewPhase } from '../../protocol/admin/reviews.ts';
import type { EventRecord } from '../../protocol/event.ts';
import type { Engine, Statement } from '../driver.ts';
import { everyoneDirectly, everyoneThroughGroups } from '../groups/access-conditions.ts';
import { namedIds } from '../groups/named-ids.ts';
import type { ListPart, PagePosition } from '../paging.ts';
import type { Client } from '../records.ts';
import { clients, type RecordOf, reviewApplications, reviewItems, reviews } from '../schema.ts';
import type { Database } from '../sql/database.ts';
import { timeAndId } from '../sql/lists/time-walk.ts';
import { pageOf, type Walk, walk } from '../sql/lists/walk.ts';
import { insertEmail, type NewEmail } from '../sql/mail.ts';
import { columnNames, columns, computed, insertInto, perEngine, required, select } from '../sql/query.ts';
import { recordColumns } from '../sql/record-columns.ts';
import { insertEvent } from '../webhooks/outbox-sql.ts';

export type ReviewApplication = Omit<RecordOf<typeof reviewApplications>, 'reviewId' | 'place'>;
export interface Review extends Omit<RecordOf<typeof reviews>, 'deletedPeople'> {
  /** Of those that the reader may see. */
  readonly applications: readonly ReviewApplication[];
}
export type ReviewItem = Omit<RecordOf<typeof reviewItems>, 'unusedSince' | 'sortKey'>;
type NewReviewItem = Omit<
  RecordOf<typeof reviewItems>,
  'deletedNumber' | 'decision' | 'decidedBy' | 'decidedAt' | 'outcome' | 'remaining'
>;

const reviewRows = recordColumns(reviews, 'deleted_people');
const applicationRows = recordColumns(reviewApplications, 'review_id', 'place');
const itemRows = recordColumns(reviewItems);
const insertReview = insertInto(reviews);
const insertApplication = insertInto(reviewApplications);

const byId = select([reviewRows.columns], "FROM reviews rw WHERE rw.id = $1 AND rw.status <> 'deleted'");
const applicationsOf = perEngine((engine) =>
  select(
    [columns(reviewApplications)],
    `FROM ${namedIds(engine, '$1')} AS n CROSS JOIN review_applications ra WHERE ra.review_id = n.id`,
  ),
);
const atWork = select(
  [reviewRows.columns],
  "FROM reviews rw WHERE rw.status IN ('filling', 'closing') ORDER BY rw.id LIMIT 1",
);
const toRemind = select(
  [reviewRows.columns],
  `FROM reviews rw WHERE rw.status = 'open' AND rw.reminded_at IS NULL AND rw.due_at > $1 AND rw.due_at <= $2
    ORDER BY rw.due_at, rw.id LIMIT 20`,
);
const overdue = select(
  [reviewRows.columns],
  "FROM reviews rw WHERE rw.status = 'closed' AND rw.closed_at < $1 ORDER BY rw.closed_at, rw.id LIMIT 20",
);
const limited = select(
  [columns(clients, 'id', 'name')],
  "FROM clients c WHERE c.access = 'listed' AND c.revoked_at IS NULL ORDER BY c.created_at, c.id LIMIT $1",
);

const canSignIn = (now: string) => `u.disabled_at IS NULL AND (u.expires_at IS NULL OR u.expires_at > ${now})`;
const counted = (ids: string, now: string) =>
  select(
    [computed<{ n: number }>('COUNT(*) AS n')],
    `FROM (SELECT l.id FROM (${ids}) AS l CROSS JOIN users u WHERE u.id = l.id AND ${canSignIn(now)} LIMIT $3) AS counted`,
  );
const countListed = perEngine((engine) =>
  counted(
    `${everyoneDirectly('$1', '$2', 'true')} UNION ${everyoneThroughGroups(engine, '$1', '$2', 'true', 'true')}`,
    '$2',
  ),
);
const countConnected = counted(
  'SELECT k.user_id AS id FROM consents k WHERE k.client_id = $1 AND k.client_generation = $4',
  'CAST($2 AS BIGINT)',
);

const itemNames = columnNames(reviewItems);
const userPlace = `$${itemNames.indexOf('user_id') + 1}`;
const insertOfItem = (engine: Engine) => {
  const values = itemNames.map((name, index) => {
    const { sql } = reviewItems.columns[name];
    // The embedded engine would make a number of it.
    return engine === 'embedded' && sql === 'BYTEA' ? `$${index + 1}` : `CAST($${index + 1} AS ${sql})`;
  });
  return `INSERT INTO review_items (${itemNames.join(', ')}) SELECT ${values.join(', ')} FROM users u
    WHERE u.id = ${userPlace} ${engine === 'server' ? 'FOR KEY SHARE OF u' : ''}
    ON CONFLICT (review_id, client_id, user_id) DO NOTHING`;
};
const itemTexts = { sql: insertOfItem('embedded'), serverSql: insertOfItem('server') };

/** Nobody who is being deleted: on a server, they stay until this is written, and the deletion then finds it. */
function insertItem(item: NewReviewItem): Statement {
  const row = itemRows.encode({
    ...item,
    deletedNumber: null,
    decision: null,
    decidedBy: null,
    decidedAt: null,
    outcome: null,
    remaining: null,
  });
  return { ...itemTexts, params: itemNames.map((name) => row[name]) };
}

/** Comes after a change of items, in a write that has locked the review. */
export function recount(reviewId: string, clientIds: readonly string[]): Statement[] {
  const sql = `UPDATE review_applications SET
      items = (SELECT COUNT(*) FROM review_items ri WHERE ri.review_id = $1 AND ri.client_id = $2),
      reviewed = (SELECT COUNT(*) FROM review_items ri
        WHERE ri.review_id = $1 AND ri.client_id = $2 AND ri.decision IS NOT NULL)
    WHERE review_id = $1 AND client_id = $2`;
  return clientIds.map((clientId) => ({ sql, params: [reviewId, clientId] }));
}

/** Rolls back unless the review is in this phase; of several changes of one, each waits for the others. */
export function lockReview(reviewId: string, phase: ReviewPhase): Statement {
  return required('UPDATE reviews SET status = status WHERE id = $1 AND status = $2 RETURNING id', [reviewId, phase]);
}

/** A deleted person has no name in any review: what follows the deletion of their row, in its write. */
export function forgetReviewed(userId: string): Statement[] {
  const number = `UPDATE reviews SET deleted_people = deleted_people + 1
    WHERE id IN (SELECT ri.review_id FROM review_items ri WHERE ri.user_id = $1)`;
  const forget = `UPDATE review_items SET name = NULL, email = NULL, sort_key = $2, user_id = NULL,
      deleted_number = (SELECT rw.deleted_people FROM reviews rw WHERE rw.id = review_items.review_id)
    WHERE user_id = $1`;
  return [
    { sql: number, params: [userId] },
    { sql: forget, params: [userId, Buffer.from('1')] },
  ];
}
const forgotten = select(
  [computed<{ user_id: string }>('DISTINCT ri.user_id AS user_id')],
  `FROM review_items ri WHERE ri.user_id IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM users u WHERE u.id = ri.user_id) LIMIT 100`,
);

/** Said so that the index of reviews that are at work serves. */
const isDeleted = "rw.status = 'deleted' AND rw.status <> 'closed' AND rw.status <> 'open'";

/** The items of deleted reviews, and then these. Each takes the most rows that it deletes. */
export const deletedReviews = [
  `DELETE FROM review_items WHERE id IN (SELECT ri.id FROM reviews rw CROSS JOIN review_items ri
    WHERE ${isDeleted} AND ri.review_id = rw.id LIMIT $1) RETURNING 1 AS one`,
  `DELETE FROM review_applications WHERE (review_id, client_id) IN (SELECT ra.review_id, ra.client_id
    FROM reviews rw CROSS JOIN review_applications ra
    WHERE ${isDeleted} AND ra.review_id = rw.id LIMIT $1) RETURNING 1 AS one`,
  `DELETE FROM reviews WHERE id IN (SELECT rw.id FROM reviews rw WHERE ${isDeleted}
    AND NOT EXISTS (SELECT 1 FROM review_items ri WHERE ri.review_id = rw.id)
    AND NOT EXISTS (SELECT 1 FROM review_applications ra WHERE ra.review_id = rw.id) LIMIT $1) RETURNING 1 AS one`,
];

export function sqlReviews(database: Database) {
  /** Without `among`, with all of its applications. */
  const withApplications = async (
    found: readonly RecordOf<typeof reviews, Exclude<keyof typeof reviews.columns, 'deleted_people'>>[],
    among?: ReadonlySet<string>,
  ): Promise<Review[]> => {
    if (found.length === 0) return [];
    const rows = await database.read(applicationsOf, [JSON.stringify(found.map(({ id }) => id))]);
    const byReview = Map.groupBy(rows, (row) => row.ra_review_id);
    return found.map((review) => ({
      ...review,
      applications: (byReview.get(review.id) ?? [])
        .filter((row) => among === undefined || among.has(row.ra_client_id))
        .toSorted((a, b) => a.ra_place - b.ra_place)
        .map((row) => applicationRows.decode(row)),
    }));
  };
  const someWith = async (query: typeof atWork, params: readonly number[]) =>
    withApplications(await database.list(query, params, reviewRows.decode));

  return {
    async createReview(
      review: Omit<Review, 'applications'>,
      applications: readonly Pick<Client, 'id' | 'name'>[],
      event: EventRecord,
    ) {
      await database.write([
        insertReview({ ...reviewRows.encode(review), deleted_people: 0 }),
        ...applications.map(({ id, name }, place) =>
          insertApplication({ review_id: review.id, place, client_id: id, name, items: 0, reviewed: 0 }),
        ),
        ...insertEvent(event),
      ]);
    },

    /** The clients that are open to their lists alone, oldest first. */
    listLimitedClients: (limit: number) =>
      database.list(limited, [limit], ({ c_id: id, c_name: name }) => ({ id, name })),

    /** How many items a review of this client has, as far as `most`. */
    countReviewable({ id, access, generation, revokedAt }: Client, now: number, most: number) {
      if (revokedAt !== null) return Promise.resolve(0);
      return access === 'everyone'
        ? database.count(countConnected, [id, now, most, generation])
        : database.count(countListed, [id, now, most]);
    },

    /** With `among`, one that has none of these applications isn't found. */
    async findAccessReview(reviewId: string, among?: ReadonlySet<string>): Promise<Review | undefined> {
      const [found] = await withApplications(await database.list(byId, [reviewId], reviewRows.decode), among);
      return found !== undefined && (among === undefined || found.applications.length > 0) ? found : undefined;
    },

    /** Newest first. With `among`, those that have one of these applications. */
    async pageReviews(part: ListPart, among?: ReadonlySet<string>) {
      const walked: Walk = {
        from: 'reviews rw',
        conditions: [
          () => "rw.status <> 'deleted'",
          ...(among === undefined
            ? []
            : [
                (place: (value: string) => string, engine: typeof database.engine) =>
                  `EXISTS (SELECT 1 FROM review_applications ra JOIN ${namedIds(engine, place(JSON.stringify([...among])))} AS n
                    ON n.id = ra.client_id WHERE ra.review_id = rw.id)`,
              ]),
        ],
        key: ['rw.created_at', 'rw.id'],
        descending: true,
        valuesAt: timeAndId,
      };
      const rows = await walk(database, reviewRows.columns, walked, part);
      const page = pageOf(
        rows,
        part,
        reviewRows.decode,
        (row, { id }): PagePosition => [String(row.rw_created_at), id],
      );
      return { ...page, items: await withApplications(page.items, among) };
    },

    /** One that is being filled or closed. */
    async findReviewAtWork() {
      return (await someWith(atWork, []))[0];
    },

    /**
     * Adds a batch of items of one application, and notes where the next one begins. False if another process did, or it isn't being
     * filled any more. People who are gone are left out.
     */
    addReviewItems(
      { id, place }: Pick<Review, 'id' | 'place'>,
      next: Review['place'],
      clientId: string | undefined,
      items: readonly NewReviewItem[],
    ) {
      const sql = `UPDATE reviews SET place = $3 WHERE id = $1 AND place = $2 AND status = 'filling' RETURNING id`;
      return database.write([
        required(sql, [id, JSON.stringify(place), JSON.stringify(next)]),
        ...items.map(insertItem),
        ...(clientId === undefined || items.length === 0 ? [] : recount(id, [clientId])),
      ]);
    },

    /** Opens one that has all its items. */
    openReview({ id, place }: Pick<Review, 'id' | 'place'>, event: EventRecord) {
      const sql = `UPDATE reviews SET status = 'open' WHERE id = $1 AND place = $2 AND status = 'filling' RETURNING id`;
      return database.writeWith(event, [required(sql, [id, JSON.stringify(place)])]);
    },

    /** Anyone is reminded of the new date. False for one that is closed, or being closed. */
    changeReviewDue(reviewId: string, dueAt: number, event: EventRecord) {
      const sql = `UPDATE reviews SET due_at = $2, reminded_at = NULL
        WHERE id = $1 AND status IN ('filling', 'open') RETURNING id`;
      return database.writeWith(event, [required(sql, [reviewId, dueAt])]);
    },

    /** The sweep deletes its items. False for one that is unknown, or being closed. */
    deleteReview(reviewId: string, event: EventRecord) {
      const sql = `UPDATE reviews SET status = 'deleted' WHERE id = $1 AND status NOT IN ('closing', 'deleted') RETURNING id`;
      return database.writeWith(event, [required(sql, [reviewId])]);
    },

    /** Those of which nobody was reminded, and that are due in a span of time. */
    listReviewsToRemind: (after: number, until: number) => someWith(toRemind, [after, until]),

    /** Queues the emails. False if another process has, or the date was changed. */
    queueReviewReminder({ id, dueAt }: Pick<Review, 'id' | 'dueAt'>, now: number, emails: readonly NewEmail[]) {
      const sql = `UPDATE reviews SET reminded_at = $3
        WHERE id = $1 AND due_at = $2 AND reminded_at IS NULL AND status = 'open' RETURNING id`;
      return database.write([required(sql, [id, dueAt, now]), ...emails.map(insertEmail)]);
    },

    /** Those that were closed before this time. */
    listOverdueReviews: (before: number) => someWith(overdue, [before]),

    /** Takes the names out of reviews of people whom a version without reviews has deleted. Returns how many, up to 100. */
    async forgetReviewedPeople() {
      const ids = await database.list(forgotten, [], (row) => row.user_id);
      for (const id of ids) await database.write(forgetReviewed(id));
      return ids.length;
    },
  };
}
