// Closing a review: from then on nobody decides, and removals are carried out, some at a time. If the process is killed, another goes on
// where it stopped.

import type { Reviewer } from '../../protocol/admin/reviews.ts';
import type { Requester } from '../../protocol/event.ts';
import type { Review } from '../../storage/storage.ts';
import { type Outcome, refused } from '../admin/outcome.ts';
import type { Recording, Storing } from '../services.ts';
import { findReview, notOpen, reviewerBehind, type ShownReview } from './reviews.ts';

const removedAtOnce = 50;

/** By the command line, an administrator, or an owner of all of its applications. */
export async function closeReview(
  services: Recording,
  reviewId: string,
  requester: Requester,
): Outcome<{ review: ShownReview }> {
  const { storage, clock } = services;
  const found = await findReview(services, reviewId, requester);
  if (found.kind === 'refused') return found;
  const applications = (await storage.findAccessReview(reviewId))?.applications ?? [];
  const reviewer = reviewerBehind(requester);
  if (requester.authority !== undefined && (reviewer === undefined || !mayClose(reviewer, applications))) {
    return refused('only an administrator or an owner of all its applications can close the review', 'forbidden');
  }
  const acting = reviewer && { userId: reviewer.id, isAdministrator: reviewer.isAdministrator };
  const clientIds = applications.map(({ clientId }) => clientId);
  if (!(await storage.beginClosingReview(reviewId, acting, clientIds, clock.now()))) return notOpen;
  const { review } = found;
  await carryOut(services, review, requester);
  return findReview(services, reviewId, requester);
}

/** Whether the requester may close it, of which they may see only a part. */
export async function mayCloseReview({ storage }: Storing, { id }: Pick<Review, 'id'>, requester: Requester) {
  const reviewer = reviewerBehind(requester);
  return reviewer !== undefined && mayClose(reviewer, (await storage.findAccessReview(id))?.applications ?? []);
}

function mayClose(reviewer: Reviewer, applications: Review['applications']): boolean {
  return reviewer.isAdministrator || applications.every(({ clientId }) => reviewer.owns(clientId));
}

/** What is left of it, for whoever closed it. False if something kept it from being finished. */
export async function carryOut(
  { storage, clock, journal }: Recording,
  { id, name }: Pick<Review, 'id' | 'name'>,
  requester: Requester,
  goesOn: () => Promise<boolean> = async () => true,
): Promise<boolean> {
  for (;;) {
    const items = await storage.listReviewRemovals(id, removedAtOnce);
    if (items.length === 0) break;
    const removals = items.map((item) => {
      const { clientId, userId } = item;
      const facts = { kind: 'access_disallowed', clientId, ...(userId !== null && { userId }) } as const;
      return { item, event: journal.event({ ...facts, detail: { review: name } }, requester) };
    });
    if (!(await storage.carryOutRemovals(id, removals, clock.now()))) return false;
    if (!(await goesOn())) return false;
  }
  const detail = { review_id: id, review: name };
  return storage.finishClosingReview(id, journal.event({ kind: 'review_closed', detail }, requester));
}
