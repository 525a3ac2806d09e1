// Tells people before their access ends, 7 days and 1 day before: in one email, however much of it ends. Administrators get
// the list of what ends in the next 7 days, at most once a day.

import { standingOf } from '../../protocol/account/standing.ts';
import { DAY } from '../../protocol/durations.ts';
import type { EndingAccess } from '../../storage/storage.ts';
import type { Mailing, Timing } from '../services.ts';

const firstNotice = 7 * DAY;
const secondNotice = DAY;
/** What would be told so soon after is in the same email. */
const together = DAY / 2;
const batchSize = 100;
/** An email with more lines is no longer read. */
const longestList = 50;

/** Exactly one process sends each email. What a crash keeps from being queued is queued in the next round. */
export async function tellOfEnds(services: Timing & Mailing): Promise<void> {
  // Nothing is marked as told, for when there is a mail server.
  if (!services.emailQueue.works) return;
  await tellPeople(services);
  await tellAdministrators(services);
}

async function tellPeople(services: Timing & Mailing): Promise<void> {
  const { storage, clock } = services;
  const now = clock.now();
  let afterId = '';
  for (;;) {
    const due = { after: now, until: now + firstNotice };
    const people = await storage.listPeopleToTell(due, now + secondNotice, afterId, batchSize);
    for (const userId of people) await tellPerson(services, userId, now);
    if (people.length < batchSize) return;
    afterId = people.at(-1) ?? '';
  }
}

async function tellPerson({ storage, emailQueue, emailsFor }: Timing & Mailing, userId: string, now: number) {
  const [user, ending] = await Promise.all([
    storage.findUser(userId),
    storage.listEndingOf(userId, { after: now, until: now + firstNotice + together }),
  ]);
  const marks = ending
    .map((access) => ({ access, notices: access.expiresAt - now <= secondNotice + together ? 2 : 1 }))
    .filter(({ access, notices }) => access.notices < notices);
  // It may have been changed meanwhile.
  if (user === undefined || marks.length === 0) return;
  const email = emailsFor(user.locale).accessEnds({ to: user.email, ending: ending.map(shown) });
  await emailQueue.queueWith([email], (queued) => storage.queueEndNotice(marks, queued));
}

async function tellAdministrators({ storage, clock, emailQueue, emailsFor }: Timing & Mailing): Promise<void> {
  const now = clock.now();
  // Looked up first, so that nothing is written every minute; the write decides.
  const last = Number((await storage.findFact('end_list_at')) ?? 0);
  if (Math.abs(now - last) < DAY) return;
  const { items, count } = await storage.listEnding({ after: now, until: now + firstNotice }, longestList);
  if (count === 0) return;
  const administrators = (await storage.listAdministrators()).filter((user) => standingOf(user, now) === 'active');
  const emails = administrators.map(({ email, locale }) =>
    emailsFor(locale).accessEndsList({ to: email, ending: items.map(shown), more: count - items.length }),
  );
  if (emails.length === 0) return;
  await emailQueue.queueWith(emails, (queued) => storage.queueInTurn('end_list_at', now, DAY, queued));
}

function shown({ kind, user, group, client, expiresAt }: EndingAccess) {
  return {
    kind,
    person: user === undefined ? '' : `${user.name} <${user.email}>`,
    group: group?.name ?? '',
    application: client?.name ?? '',
    at: expiresAt,
  };
}
