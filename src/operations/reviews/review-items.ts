// What reviewers do with the items of a review: they look through them, and say of each whether the person keeps access.

import { dayRule, daysIn } from '../../protocol/admin/people-filters.ts';
import { mayDecide, mostDecided, type ReviewDecision } from '../../protocol/admin/reviews.ts';
import { may } from '../../protocol/admin/rights.ts';
import { DAY } from '../../protocol/durations.ts';
import type { Requester } from '../../protocol/event.ts';
import { isoTime } from '../../protocol/iso-time.ts';
import type { Group, ShownReviewItem } from '../../storage/storage.ts';
import { groupContentRefusal } from '../admin/authority.ts';
import { type Outcome, refused } from '../admin/outcome.ts';
import { findEach, type ListPage, type ListRequest, readPage } from '../admin/paging.ts';
import { reasonJson } from '../clients/people-with-access.ts';
import type { Recording, Storing } from '../services.ts';
import { findReview, noSuchReview, notOpen, progressOf, reviewerBehind, type ShownReview, seenBy } from './reviews.ts';

/** As they are written in a URL. An empty text is no filter. */
export interface ItemFilters {
  readonly decision?: 'none' | ReviewDecision | undefined;
  readonly unused?: string | undefined;
  readonly application?: string | undefined;
  /** Of a closed review: what is left to do. */
  readonly outcome?: 'task' | undefined;
}

/** Unused for 90 days first, then by name. */
export async function listReviewItems(
  services: Storing,
  reviewId: string,
  { decision, unused, application, outcome, ...request }: ListRequest & ItemFilters,
  requester: Requester,
): Outcome<{ review: ShownReview; items: ListPage<ShownReviewItem> }> {
  const found = await findReview(services, reviewId, requester);
  if (found.kind === 'refused') return found;
  const days = unused ? daysIn(unused) : undefined;
  if (unused && days === undefined) return refused({ field: 'unused', says: `"unused" ${dayRule}` });
  const filter = {
    decision,
    unused: days === undefined ? undefined : days * DAY,
    application: application || undefined,
    outcome,
    among: seenBy(requester),
  };
  const { status } = found.review;
  const none = { items: [], next: undefined, previous: undefined };
  const page = await readPage(request, async (part) =>
    status === 'filling' ? none : services.storage.pageReviewItems(reviewId, part, filter),
  );
  return page.kind === 'refused' ? page : { ...found, items: page };
}

/**
 * All of them or none. What isn't the requester's to see doesn't exist for them, and nobody decides about their own access. An item can
 * be decided again until the review is closed.
 */
export async function decideItems(
  services: Recording,
  reviewId: string,
  { ids, decision }: { readonly ids: readonly string[]; readonly decision: ReviewDecision },
  requester: Requester,
): Outcome<{ review: ShownReview; items: readonly ShownReviewItem[] }> {
  const { storage, clock, journal } = services;
  const reviewer = reviewerBehind(requester);
  if (reviewer === undefined) return refused('only a person can decide about access', 'forbidden');
  const found = await findReview(services, reviewId, requester);
  if (found.kind === 'refused') return found;
  const { review } = found;
  const wanted = [...new Set(ids)];
  if (wanted.length === 0 || wanted.length > mostDecided) return refused(`"ids" must name 1 to ${mostDecided} items`);
  const seen = seenBy(requester);
  const items = (await storage.findReviewItems(reviewId, wanted)).filter(
    ({ clientId }) => seen === undefined || seen.has(clientId),
  );
  if (items.length < wanted.length) return refused('the review has no such item', 'not_found');
  if (items.some(({ userId }) => userId === reviewer.id)) {
    return refused('nobody reviews their own access: another owner or an administrator decides', 'forbidden');
  }
  if (!items.every((item) => mayDecide(reviewer, item))) {
    return refused('only the owners of the application and administrators can decide', 'forbidden');
  }
  if (review.status !== 'open') return notOpen;
  const byClient = [...Map.groupBy(items, ({ clientId }) => clientId)];
  const events = byClient.map(([clientId, { length }]) => {
    const detail = { review_id: reviewId, review: review.name, decision, items: length };
    return journal.event({ kind: 'review_decided', clientId, detail }, requester);
  });
  const clientIds = byClient.map(([clientId]) => clientId);
  const { id: userId, isAdministrator } = reviewer;
  const acting = { userId, isAdministrator };
  const decided = { ids: wanted, clientIds };
  if (!(await storage.decideReviewItems(reviewId, decided, decision, acting, clock.now(), events))) return notOpen;
  const [after, changed] = await Promise.all([
    findReview(services, reviewId, requester),
    storage.findReviewItems(reviewId, wanted),
  ]);
  if (after.kind === 'refused') return noSuchReview(reviewId);
  const byId = new Map(changed.map((item) => [item.id, item]));
  return { ...after, items: wanted.flatMap((id) => byId.get(id) ?? []) };
}

export function deletedName(number: number | null): string {
  return `Deleted person ${number ?? ''}`.trim();
}

export function reviewItemJson(item: ShownReviewItem) {
  const { id, userId, name, email, deletedNumber, clientId, application, reasons, lastUsedAt, asOf } = item;
  const { decision, decidedBy, decidedByName, decidedAt, finalOutcome, remainingGroups } = item;
  return {
    id,
    person: { id: userId, name: name ?? deletedName(deletedNumber), email },
    application: { id: clientId, name: application },
    reasons: reasons.map(reasonJson),
    last_used_at: isoTime(lastUsedAt),
    as_of: isoTime(asOf),
    decision,
    decided_by: decidedBy === null ? null : { id: decidedBy, name: decidedByName ?? null },
    decided_at: isoTime(decidedAt),
    outcome: finalOutcome,
    ...(finalOutcome === 'task' && { task: { groups: [...remainingGroups], everyone: remainingGroups.length === 0 } }),
  };
}

/** One that the requester may see. */
export async function findReviewItem(
  { storage }: Storing,
  reviewId: string,
  itemId: string,
  requester: Requester,
): Promise<ShownReviewItem | undefined> {
  const seen = seenBy(requester);
  const [item] = await storage.findReviewItems(reviewId, [itemId]);
  return item !== undefined && (seen === undefined || seen.has(item.clientId)) ? item : undefined;
}

/** What closing the review would do. */
export async function countDecisions({ storage }: Storing, review: ShownReview) {
  const { items, reviewed } = progressOf(review);
  const page = { after: undefined, limit: 1, total: true };
  const removals = await storage.pageReviewItems(review.id, page, { decision: 'remove' });
  const removed = removals.total?.count ?? 0;
  return { removed, kept: reviewed - removed, open: items - reviewed };
}

/** Of a task: the groups that still give the person access, and that the requester may remove them from. */
export async function endableGroups(
  { storage }: Storing,
  { finalOutcome, userId, remainingGroups }: ShownReviewItem,
  requester: Requester,
): Promise<Group[]> {
  if (finalOutcome !== 'task' || userId === null || !may(requester.authority, 'groups.change')) return [];
  const groups = await findEach(
    remainingGroups.map(({ id }) => id),
    (id) => storage.findGroupById(id),
  );
  const ours = groups.filter((group) => groupContentRefusal(requester, group) === undefined);
  const members = await Promise.all(ours.map(({ id }) => storage.findMembersAmong(id, [userId])));
  return ours.filter((_, index) => members[index]?.length === 1);
}
