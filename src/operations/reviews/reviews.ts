// Reviews of who has access: administrators create, change and delete them. How one gets its items is in review-work.ts, what reviewers do
// with these in review-items.ts, and how it's closed in close-review.ts.

import { cleanName, nameProblem } from '../../protocol/account/names.ts';
import { mostReviewItems, type Reviewer, type ReviewStatus, statusOf } from '../../protocol/admin/reviews.ts';
import { may, ownedOnly, owns } from '../../protocol/admin/rights.ts';
import { readEnd } from '../../protocol/ends.ts';
import type { Requester } from '../../protocol/event.ts';
import { newTimeOrderedId } from '../../protocol/identifiers.ts';
import { isoTime } from '../../protocol/iso-time.ts';
import type { Problem } from '../../protocol/problem.ts';
import { text } from '../../protocol/resources/field.ts';
import { readNew } from '../../protocol/resources/resource.ts';
import type { Client, Review } from '../../storage/storage.ts';
import { type Outcome, problemsAt, type Refused, refused, wholeOrRefused } from '../admin/outcome.ts';
import { type ListPage, type ListRequest, readPage } from '../admin/paging.ts';
import { findClient } from '../clients/clients.ts';
import type { Recording, Services, Storing } from '../services.ts';

export const mostReviewed = 500;
/** Of one application. Counting more takes too long for a request. */
const mostCounted = 2 * mostReviewItems;

const reviewFields = {
  name: text({
    description: 'What the review is called.',
    longest: 100,
    documentsLimit: true,
    option: { value: 'NAME', about: 'what the review is called' },
    clean: cleanName,
    subject: 'the name',
    problem: nameProblem,
  }),
};

function readDue(written: string, now: number): number | Problem {
  const at = readEnd(written, now);
  return typeof at === 'number' ? at : { field: 'due_at', subject: 'the due date', says: at.problem };
}

/** The applications whose part of a review the requester sees; undefined for all of it. */
export function seenBy({ authority }: Requester): ReadonlySet<string> | undefined {
  return ownedOnly(authority, 'reviews.read');
}

/** Undefined for programs and the command line: people decide. */
export function reviewerBehind({ authority, actor }: Requester): Reviewer | undefined {
  if (actor?.kind !== 'administrator' || authority === undefined) return undefined;
  const isAdministrator = may(authority, 'reviews.change');
  return { id: actor.id, isAdministrator, owns: (clientId) => owns(authority, clientId) };
}

export interface ReviewInput {
  readonly name: string;
  /** As it's written. */
  readonly due_at: string;
  /** IDs, or all that are open to their lists alone. */
  readonly applications: readonly string[] | 'limited';
}

/** With the name of whoever closed it. */
export interface ShownReview extends Review {
  readonly closedByName: string | undefined;
}

export async function createReview(
  services: Recording & Pick<Services, 'random'>,
  { applications, ...input }: ReviewInput,
  requester: Requester,
): Outcome<{ review: ShownReview }> {
  const { storage, clock, random, journal } = services;
  const now = clock.now();
  const found = await applicationsOf(services, applications);
  const dueAt = readDue(input.due_at, now);
  const problems = [...(typeof dueAt === 'number' ? [] : [dueAt]), ...problemsAt('applications', found)];
  const read = wholeOrRefused(readNew(reviewFields, { name: input.name }), problems);
  if (read.kind === 'refused') return read;
  if (found.kind === 'refused') return found;
  if (typeof dueAt !== 'number') return refused(dueAt);
  const items = await itemsOf(services, found.clients, now);
  if (items.count > mostReviewItems) return tooMany(items.count, items.more);
  const { name } = read.values;
  const review = {
    id: newTimeOrderedId(now, random),
    name,
    status: 'filling',
    dueAt,
    createdAt: now,
    place: { application: 0, after: null },
    remindedAt: null,
    closedAt: null,
    closedBy: null,
  } as const;
  const detail = {
    review_id: review.id,
    review: name,
    applications: found.clients.map((client) => client.name).slice(0, 20),
  };
  await storage.createReview(review, found.clients, journal.event({ kind: 'review_created', detail }, requester));
  return findReview(services, review.id, requester);
}

async function applicationsOf(
  services: Storing,
  named: ReviewInput['applications'],
): Outcome<{ clients: readonly Client[] }> {
  const { storage } = services;
  const ids =
    named === 'limited'
      ? (await storage.listLimitedClients(mostReviewed + 1)).map(({ id }) => id)
      : [...new Set(named)];
  if (ids.length === 0) {
    return refused(
      named === 'limited' ? 'no application is limited to its access list' : 'a review needs an application',
    );
  }
  if (ids.length > mostReviewed) return refused(`a review can cover at most ${mostReviewed} applications`);
  const found = await Promise.all(ids.map((id) => findClient(services, id)));
  const missing = found.find((each) => each.kind === 'refused');
  if (missing?.kind === 'refused') return { ...missing, reason: 'invalid' };
  return { kind: 'done', clients: found.flatMap((each) => (each.kind === 'done' ? [each.client] : [])) };
}

/** How many there would be now. */
async function itemsOf({ storage }: Storing, clients: readonly Client[], now: number) {
  let count = 0;
  let more = false;
  for (const client of clients) {
    const items = await storage.countReviewable(client, now, mostCounted + 1);
    count += Math.min(items, mostCounted);
    more ||= items > mostCounted;
    if (count > mostCounted) break;
  }
  return { count, more };
}

function tooMany(count: number, more: boolean): Refused {
  const number = `${more ? 'more than ' : ''}${count.toLocaleString('en')}`;
  const most = mostReviewItems.toLocaleString('en');
  return refused(
    {
      field: 'applications',
      says: `the review would have ${number} items, and can have at most ${most}: choose fewer applications`,
    },
    'conflict',
  );
}

export async function findReview(
  services: Storing,
  reviewId: string,
  requester: Requester,
): Outcome<{ review: ShownReview }> {
  const review = await services.storage.findAccessReview(reviewId, seenBy(requester));
  if (review === undefined) return noSuchReview(reviewId);
  const [shown] = await withClosers(services, [review]);
  return { kind: 'done', review: shown ?? { ...review, closedByName: undefined } };
}

/** Newest first. */
export async function listReviews(
  services: Storing,
  request: ListRequest,
  requester: Requester,
): Outcome<ListPage<ShownReview>> {
  const page = await readPage(request, (part) => services.storage.pageReviews(part, seenBy(requester)));
  return page.kind === 'refused' ? page : { ...page, items: await withClosers(services, page.items) };
}

async function withClosers({ storage }: Storing, reviews: readonly Review[]): Promise<ShownReview[]> {
  const ids = new Set(reviews.flatMap(({ closedBy }) => closedBy ?? []));
  const people = await Promise.all([...ids].map((id) => storage.findUser(id)));
  const names = new Map(people.flatMap((user) => (user === undefined ? [] : [[user.id, user.name] as const])));
  return reviews.map((review) => ({ ...review, closedByName: names.get(review.closedBy ?? '') }));
}

export async function changeReview(
  services: Recording,
  reviewId: string,
  given: { readonly due_at: string },
  requester: Requester,
): Outcome<{ review: ShownReview }> {
  const { storage, clock, journal } = services;
  const found = await findReview(services, reviewId, requester);
  if (found.kind === 'refused') return found;
  const dueAt = readDue(given.due_at, clock.now());
  if (typeof dueAt !== 'number') return refused(dueAt);
  const detail = { review_id: reviewId, review: found.review.name };
  const event = journal.event({ kind: 'review_updated', detail }, requester);
  if (!(await storage.changeReviewDue(reviewId, dueAt, event))) return notOpen;
  return findReview(services, reviewId, requester);
}

export async function deleteReview(
  services: Recording,
  reviewId: string,
  requester: Requester,
): Outcome<{ review: ShownReview }> {
  const found = await findReview(services, reviewId, requester);
  if (found.kind === 'refused') return found;
  const detail = { review_id: reviewId, review: found.review.name };
  const event = services.journal.event({ kind: 'review_deleted', detail }, requester);
  return (await services.storage.deleteReview(reviewId, event)) ? found : notOpen;
}

export const notOpen = refused(
  "the review isn't open: it's being filled or closed, or closed already, or you're no reviewer any more",
  'conflict',
);

export function noSuchReview(reviewId: string): Refused {
  return refused(`there is no review ${JSON.stringify(reviewId)}`, 'not_found');
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

/** How many items there are, and how many of them were decided. */
export function progressOf({ applications }: Pick<Review, 'applications'>) {
  return {
    items: sum(applications.map(({ items }) => items)),
    reviewed: sum(applications.map(({ reviewed }) => reviewed)),
  };
}

export function shownStatus({ status }: Pick<Review, 'status'>): ReviewStatus {
  return statusOf(status);
}

export function reviewJson(review: ShownReview) {
  const { id, name, status, dueAt, applications, closedAt, closedBy, closedByName } = review;
  const isClosed = status === 'closed';
  return {
    id,
    name,
    status: statusOf(status),
    due_at: isoTime(dueAt),
    applications: applications.map(({ clientId, name }) => ({ id: clientId, name })),
    ...progressOf(review),
    closed_at: isClosed ? isoTime(closedAt) : null,
    closed_by: isClosed ? { id: closedBy, name: closedBy === null ? 'Command line' : (closedByName ?? null) } : null,
  };
}
