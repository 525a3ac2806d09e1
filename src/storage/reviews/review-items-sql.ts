// The items of reviews: how they are listed and decided, and how a removal is carried out.

import { placeOf, textAt } from '../../protocol/admin/cursor.ts';
import { outcomeOf, type ReviewDecision, type ReviewOutcome } from '../../protocol/admin/reviews.ts';
import type { EventRecord } from '../../protocol/event.ts';
import { endOwnEntry } from '../clients/access-list-sql.ts';
import { ownedThroughGroups } from '../clients/owners-sql.ts';

import type { Statement } from '../driver.ts';
import { nextChange, throughGroups } from '../groups/access-conditions.ts';
import { namedIds } from '../groups/named-ids.ts';
import type { ListPart, PagePosition } from '../paging.ts';
import { reviewItems } from '../schema.ts';
import type { Database } from '../sql/database.ts';
import { lockAdministrator } from '../sql/guards.ts';
import { countWalked, pageOf, type Walk, type WalkCondition, walk } from '../sql/lists/walk.ts';
import { both, columnsExcept, computed, perEngine, required, select, statementFor } from '../sql/query.ts';
import { recordColumns } from '../sql/record-columns.ts';
import { insertEvent } from '../webhooks/outbox-sql.ts';
import { lockReview, type Review, type ReviewItem, recount } from './reviews-sql.ts';

export interface ReviewItemsFilter {
  readonly decision?: ReviewDecision | 'none' | undefined;
  /** Only those without a use for so many milliseconds before they were read. */
  readonly unused?: number | undefined;
  readonly application?: string | undefined;
  /** Only of these applications. */
  readonly among?: ReadonlySet<string> | undefined;
  /** Any part of a name or email address, in lower case. */
  readonly outcome?: 'task' | undefined;
}

/** With the names of the person and of whoever decided. */
export interface ShownReviewItem extends ReviewItem {
  readonly application: string;
  /** Undefined for nobody, and for someone who is gone. */
  readonly decidedByName: string | undefined;
  /** Null until the review is closed. */
  readonly finalOutcome: ReviewOutcome | null;
  readonly remainingGroups: readonly { readonly id: string; readonly name: string }[];
}

/** What someone is told of an item about them. */
export interface OwnReviewItem {
  readonly review: string;
  readonly application: string;
  readonly item: ReviewItem;
  readonly finalOutcome: ReviewOutcome | null;
}

const itemRows = recordColumns(reviewItems, 'unused_since', 'sort_key');
const shown = both(
  columnsExcept(reviewItems, 'unused_since'),
  computed<{ application: string; decided_by_name: string | null; phase: Review['status'] }>(
    `ra.name AS application, rw.status AS phase, (SELECT u.name FROM users u WHERE u.id = ri.decided_by) AS decided_by_name`,
  ),
);
const joined = `review_items ri JOIN reviews rw ON rw.id = ri.review_id
  JOIN review_applications ra ON ra.review_id = ri.review_id AND ra.client_id = ri.client_id`;
type ShownRow = typeof shown extends { readonly row?: infer Row } ? NonNullable<Row> : never;

function toShown(row: ShownRow): ShownReviewItem {
  const item = itemRows.decode(row);
  return {
    ...item,
    application: row.application,
    decidedByName: row.decided_by_name ?? undefined,
    finalOutcome: outcomeOf(row.phase, item),
    remainingGroups: groupsIn(item.remaining),
  };
}

function groupsIn(remaining: string | null): { id: string; name: string }[] {
  const groups = JSON.parse(remaining ?? '[]') as { id: string; name: string }[];
  return groups.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

const named = perEngine((engine) =>
  select([shown], `FROM ${namedIds(engine, '$2')} AS n CROSS JOIN ${joined} WHERE ri.id = n.id AND ri.review_id = $1`),
);
const about = select(
  [
    both(
      columnsExcept(reviewItems, 'unused_since', 'sort_key'),
      computed<{ review: string; application: string; phase: Review['status'] }>(
        'rw.name AS review, ra.name AS application, rw.status AS phase',
      ),
    ),
  ],
  `FROM ${joined} WHERE ri.user_id = $1 AND rw.status <> 'deleted' ORDER BY ri.as_of, ri.id`,
);
const toRemove = select(
  [columnsExcept(reviewItems, 'unused_since', 'sort_key')],
  `FROM review_items ri WHERE ri.review_id = $1 AND ri.decision = 'remove' AND ri.outcome IS NULL ORDER BY ri.id LIMIT $2`,
);

const decide = statementFor(
  (engine) => `UPDATE review_items SET decision = $3, decided_by = $4, decided_at = $5
    WHERE review_id = $1 AND id IN (SELECT n.id FROM ${namedIds(engine, '$2')} AS n) AND decision IS DISTINCT FROM $3`,
);
/** How many of them are there and about someone else. */
const decidable = statementFor(
  (engine) => `SELECT 1 AS one WHERE (SELECT COUNT(*) FROM ${namedIds(engine, '$2')} AS n CROSS JOIN review_items ri
    WHERE ri.id = n.id AND ri.review_id = $1 AND (ri.user_id IS NULL OR ri.user_id <> $3)) = CAST($4 AS BIGINT)`,
);

/** Whether everyone can use the application, or the groups by which the person can, at a time. */
const noteOutcome = statementFor((engine) => {
  const isOpen = `EXISTS (SELECT 1 FROM clients c WHERE c.id = review_items.client_id AND c.access = 'everyone')`;
  const groups = throughGroups('review_items.user_id', 'review_items.client_id', 'CAST($2 AS BIGINT)');
  const listed =
    engine === 'server'
      ? `(SELECT CAST(COALESCE(json_agg(json_build_object('id', gr.id, 'name', gr.name)), '[]') AS TEXT) FROM ${groups})`
      : `(SELECT json_group_array(json_object('id', gr.id, 'name', gr.name)) FROM ${groups})`;
  return `UPDATE review_items SET remaining = ${listed},
      outcome = CASE WHEN user_id IS NOT NULL AND (${isOpen} OR EXISTS (SELECT 1 FROM ${groups})) THEN 'task' ELSE 'removed' END
    WHERE id = $1 AND outcome IS NULL`;
});

const owned = statementFor(
  (engine) => `SELECT 1 AS one WHERE NOT EXISTS (SELECT 1 FROM ${namedIds(engine, '$3')} AS n WHERE n.id NOT IN
    (SELECT co.client_id FROM client_owners co WHERE co.kind = 'person' AND co.subject_id = $1
      UNION SELECT co.client_id FROM ${ownedThroughGroups('CAST($2 AS BIGINT)')} AND gm.user_id = $1))`,
);

/** Rolls back unless the user owns all of these now. */
function stillOwns(userId: string, clientIds: readonly string[], now: number): Statement {
  return { ...owned(userId, now, JSON.stringify(clientIds)), mustReturn: true };
}

/** Who decides or closes. */
interface Acting {
  readonly userId: string;
  readonly isAdministrator: boolean;
}

/** Rolls back unless they're an administrator who can sign in, or own all of the applications. */
function actsFor({ userId, isAdministrator }: Acting, clientIds: readonly string[], now: number): Statement {
  return isAdministrator ? lockAdministrator(userId, now) : stillOwns(userId, clientIds, now);
}

export function sqlReviewItems(database: Database) {
  return {
    /** Unused for 90 days first, then by name. */
    async pageReviewItems(
      reviewId: string,
      part: ListPart,
      { decision, unused, application, among, outcome }: ReviewItemsFilter,
    ) {
      const conditions: WalkCondition[] = [
        (place) => `ri.review_id = ${place(reviewId)}`,
        ...(decision === undefined
          ? []
          : [
              (place: (value: string) => string) =>
                decision === 'none' ? 'ri.decision IS NULL' : `ri.decision = ${place(decision)}`,
            ]),
        ...(unused === undefined
          ? []
          : [(place: (value: number) => string) => `ri.unused_since < ri.as_of - CAST(${place(unused)} AS BIGINT)`]),
        ...(application === undefined
          ? []
          : [(place: (value: string) => string) => `ri.client_id = ${place(application)}`]),
        ...(outcome === undefined ? [] : [(place: (value: string) => string) => `ri.outcome = ${place(outcome)}`]),
        ...(among === undefined
          ? []
          : [
              (place: (value: string) => string, engine: typeof database.engine) =>
                `ri.client_id IN (SELECT n.id FROM ${namedIds(engine, place(JSON.stringify([...among])))} AS n)`,
            ]),
      ];
      const walked: Walk = {
        from: joined,
        conditions,
        key: ['ri.sort_key', 'ri.id'],
        valuesAt([place, id]) {
          const text = textAt(place);
          return text === undefined ? undefined : [Buffer.from(text), id];
        },
      };
      const rows = await walk(database, shown, walked, part);
      const page = pageOf(
        rows,
        part,
        toShown,
        (row, { id }): PagePosition => [placeOf(Buffer.from(row.ri_sort_key).toString()), id],
      );
      return part.total ? { ...page, total: await countWalked(database, walked, {}, 50_000) } : page;
    },

    /** Those of the review. */
    findReviewItems: (reviewId: string, ids: readonly string[]) =>
      database.list(named, [reviewId, JSON.stringify(ids)], toShown),

    /** Everything that reviews say about a user. */
    listReviewItemsAbout: (userId: string): Promise<OwnReviewItem[]> =>
      database.list(about, [userId], (row) => {
        const item = itemRows.decode(row);
        return { review: row.review, application: row.application, item, finalOutcome: outcomeOf(row.phase, item) };
      }),

    /**
     * False if the review isn't open any more, if one of them isn't its item or is about the user who decides, or if that user is no
     * reviewer by now.
     */
    decideReviewItems(
      reviewId: string,
      { ids, clientIds }: { readonly ids: readonly string[]; readonly clientIds: readonly string[] },
      decision: ReviewDecision,
      reviewer: Acting,
      now: number,
      events: readonly EventRecord[],
    ) {
      const { userId } = reviewer;
      const list = JSON.stringify(ids);
      return database.writeWith(events, [
        actsFor(reviewer, clientIds, now),
        lockReview(reviewId, 'open'),
        { ...decidable(reviewId, list, userId, ids.length), mustReturn: true },
        decide(reviewId, list, decision, userId, now),
        ...recount(reviewId, clientIds),
      ]);
    },

    /**
     * From then on nothing is decided any more. Without a reviewer, it's the command line. False if it isn't open, or they may not
     * by now.
     */
    beginClosingReview(reviewId: string, reviewer: Acting | undefined, clientIds: readonly string[], now: number) {
      const sql = `UPDATE reviews SET status = 'closing', closed_at = $2, closed_by = CAST($3 AS TEXT)
        WHERE id = $1 AND status = 'open' RETURNING id`;
      return database.write([
        ...(reviewer === undefined ? [] : [actsFor(reviewer, clientIds, now)]),
        required(sql, [reviewId, now, reviewer?.userId ?? null]),
      ]);
    },

    /** Removals that aren't carried out yet. */
    listReviewRemovals: (reviewId: string, limit: number) =>
      database.list(toRemove, [reviewId, limit], itemRows.decode),

    /** Ends the person's own entry on the list, if there's one, and notes what is left. False if the review isn't being closed. */
    carryOutRemovals(
      reviewId: string,
      removals: readonly { readonly item: ReviewItem; readonly event: EventRecord }[],
      now: number,
    ) {
      return database.write([
        nextChange,
        lockReview(reviewId, 'closing'),
        ...removals.flatMap(({ item, event }) => [
          ...(item.userId === null ? [] : endOwnEntry(item.clientId, item.userId, event)),
          noteOutcome(item.id, now),
        ]),
      ]);
    },

    /** False while removals are left, or if it was closed before. */
    finishClosingReview(reviewId: string, event: EventRecord) {
      const sql = `UPDATE reviews SET status = 'closed' WHERE id = $1 AND status = 'closing' AND NOT EXISTS
        (SELECT 1 FROM review_items ri WHERE ri.review_id = $1 AND ri.decision = 'remove' AND ri.outcome IS NULL) RETURNING id`;
      return database.write([required(sql, [reviewId]), ...insertEvent(event)]);
    },
  };
}
