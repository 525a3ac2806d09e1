// What happens to reviews in the background, in one process at a time: they get their items, are closed to the end if that was interrupted,
// reviewers are reminded, and old ones are deleted.

import {
  mostReviewItems,
  reminderBefore,
  reviewOrder,
  unusedFirst,
  unusedSince,
} from '../../protocol/admin/reviews.ts';
import { DAY, MINUTE } from '../../protocol/durations.ts';
import type { Requester } from '../../protocol/event.ts';
import { newTimeOrderedId } from '../../protocol/identifiers.ts';
import type { PersonWithAccess, Review, User } from '../../storage/storage.ts';
import type { Mailing, Recording, Services, Storing } from '../services.ts';
import { carryOut } from './close-review.ts';
import { progressOf } from './reviews.ts';

type WorkServices = Recording & Pick<Services, 'random'>;
type UpkeepServices = Recording & Mailing & Pick<Services, 'settings'>;

const noRequester: Requester = { address: '', requestId: '' };
/** The embedded store reads a page on the event loop: it must be over before other requests notice. */
const batchSize = 100;
/** A process that was killed is replaced after this long. */
const leaseLifetime = MINUTE;

/** Fills what is new, and finishes what was interrupted. `rest` is called after each step, and says whether to go on. */
export async function workOnReviews(
  services: WorkServices,
  holder: string,
  rest: () => Promise<boolean> = async () => true,
): Promise<void> {
  const { storage, clock } = services;
  for (;;) {
    const review = await storage.findReviewAtWork();
    if (review === undefined) return;
    const now = clock.now();
    if (!(await storage.takeLease('reviews', holder, now, now + leaseLifetime))) return;
    if (review.status === 'closing') {
      // Whoever closes it is at it; this is for what they left.
      if (now - (review.closedAt ?? now) < leaseLifetime) return;
      const { closedBy } = review;
      const actor = closedBy === null ? {} : { actor: { kind: 'administrator', id: closedBy } as const };
      if (!(await carryOut(services, review, { ...noRequester, ...actor }, rest))) return;
    } else await addBatch(services, review);
    if (!(await rest())) return;
  }
}

async function addBatch(services: WorkServices, review: Review): Promise<void> {
  const { storage, clock, random, journal } = services;
  const { id, name, place, applications } = review;
  const application = applications[place.application];
  const detail = { review_id: id, review: name };
  if (application === undefined) {
    await storage.openReview(review, journal.event({ kind: 'review_opened', detail }, noRequester));
    return;
  }
  const nextApplication = { application: place.application + 1, after: null };
  const client = await storage.findClient(application.clientId);
  if (client === undefined) {
    await storage.addReviewItems(review, nextApplication, undefined, []);
    return;
  }
  const now = clock.now();
  const page = await storage.pagePeopleWithAccess(client, {
    words: [],
    after: place.after ?? undefined,
    limit: batchSize,
    filter: { by: {}, now },
  });
  const items = page.items.map(itemOf);
  if (progressOf(review).items + items.length > mostReviewItems) {
    const event = journal.event({ kind: 'review_deleted', detail: { ...detail, reason: 'too_many' } }, noRequester);
    await storage.deleteReview(id, event);
    return;
  }
  const next = page.next === undefined ? nextApplication : { application: place.application, after: page.next };
  await storage.addReviewItems(review, next, client.id, items);

  function itemOf({ person, reasons, lastUsedAt }: PersonWithAccess) {
    const since = unusedSince(lastUsedAt, reasons);
    return {
      id: newTimeOrderedId(now, random),
      reviewId: id,
      clientId: client?.id ?? '',
      userId: person.id,
      name: person.name,
      email: person.email,
      reasons,
      lastUsedAt,
      asOf: now,
      unusedSince: since,
      sortKey: Buffer.from(reviewOrder(since < now - unusedFirst, person.name)),
    };
  }
}

/** When the service starts: those whom a version without reviews has deleted have no name in them, either. */
export async function forgetDeletedPeople({ storage }: Storing): Promise<void> {
  while ((await storage.forgetReviewedPeople()) > 0);
}

/** Part of the sweep: for a clock that can be trusted. */
export async function keepReviews(services: UpkeepServices): Promise<void> {
  const { storage, clock, journal, settings } = services;
  await remindReviewers(services);
  const { review_keep_days: days } = await settings.readFresh();
  for (;;) {
    const overdue = await storage.listOverdueReviews(clock.now() - days * DAY);
    for (const { id, name } of overdue) {
      const detail = { review_id: id, review: name, reason: 'kept_long_enough' };
      await storage.deleteReview(id, journal.event({ kind: 'review_deleted', detail }, noRequester));
    }
    if (overdue.length === 0) return;
  }
}

/** Exactly one process sends each email. */
async function remindReviewers({ storage, clock, emailQueue, emailsFor }: UpkeepServices): Promise<void> {
  // Nothing is marked as told, for when there is a mail server.
  if (!emailQueue.works) return;
  const now = clock.now();
  for (const review of await storage.listReviewsToRemind(now, now + reminderBefore)) {
    const { items, reviewed } = progressOf(review);
    const left = items - reviewed;
    const people = left === 0 ? [] : await reviewersOf({ storage, clock }, review);
    const emails = people.map(({ email, locale }) =>
      emailsFor(locale).reviewDue({ to: email, review: review.name, id: review.id, at: review.dueAt, left }),
    );
    await emailQueue.queueWith(emails, (queued) => storage.queueReviewReminder(review, now, queued));
  }
}

/** Who still has something to decide: the owners of an application with open items, administrators where there's none. */
async function reviewersOf({ storage, clock }: Pick<Services, 'storage' | 'clock'>, review: Review): Promise<User[]> {
  const now = clock.now();
  const open = review.applications.filter(({ items, reviewed }) => reviewed < items);
  const owners = await Promise.all(open.map(({ clientId }) => storage.ownersOf(clientId, now)));
  const administrators = owners.some(({ length }) => length === 0) ? await storage.listAdministrators() : [];
  const isActive = (user: User) => user.disabledAt === null && (user.expiresAt === null || user.expiresAt > now);
  const people = [...owners.flat(), ...administrators.filter(isActive)];
  return [...new Map(people.map((user) => [user.id, user])).values()];
}
