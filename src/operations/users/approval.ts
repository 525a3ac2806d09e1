// New accounts that wait for approval: administrators approve or decline them, and are told that there are some. Such an account is
// disabled as well.

import {
  cleanMessage,
  longestWait,
  messageProblem,
  mostWaiting,
  noticeInterval,
} from '../../protocol/account/standing.ts';
import { totalOf } from '../../protocol/admin/totals.ts';
import type { Requester } from '../../protocol/event.ts';
import { problemWith } from '../../protocol/problem.ts';
import type { ListedUser, NewEmail, User } from '../../storage/storage.ts';
import { type Outcome, type Refused, refused, refusedAll, refusedFields } from '../admin/outcome.ts';
import { type ListPage, type ListRequest, readPage } from '../admin/paging.ts';
import type { Mailing, Metering, Recording, Services, Storing, Timing } from '../services.ts';
import { changeUser, userChange, withEmail } from './disable-user.ts';
import { findUser, type NamedUser } from './users.ts';

type DecidingServices = Recording & Mailing & Metering;

/** Whether a person who signs up now has to wait; read from the store, because the mode may have just changed. */
export async function needsApproval({ settings }: Pick<Services, 'settings'>): Promise<boolean> {
  return (await settings.readFresh()).sign_up === 'approval';
}

/** The account as it is stored while it waits. */
export function waitingSince(user: User, now: number): User {
  return { ...user, disabledAt: now, pendingSince: now };
}

export async function isWaitingListFull({ storage }: Storing): Promise<boolean> {
  return (await storage.countWaiting()) >= mostWaiting;
}

/** The longest waiting first. There are few enough to need no search. */
export async function listWaiting({ storage }: Storing, request: ListRequest): Outcome<ListPage<ListedUser>> {
  if (request.search || request.sort) return refused("people who wait for approval can't be searched or sorted");
  const page = await readPage(request, (part) => storage.pageWaiting(part));
  if (page.kind === 'refused' || !request.total) return page;
  return { ...page, total: totalOf(await storage.countWaiting()) };
}

/** From now on the person can sign in, of which they're told. */
export const approveUser = withEmail(
  userChange('user_approved', ({ storage, clock }, { id }, event) => storage.approveUser(id, clock.now(), event)),
  (emails, to) => emails.accountApproved({ to }),
);

/** Deletes the account. The person is told if there's a message. */
export async function declineUser(
  services: DecidingServices,
  named: NamedUser,
  given: string,
  requester: Requester,
): Outcome<{ user: User }> {
  const { storage, emailQueue, emailsFor } = services;
  const message = cleanMessage(given);
  const refusal = messageRefusal(services, message);
  if (refusal !== undefined) return refusal;
  return changeUser(services, named, 'user_declined', requester, ({ id, email: to, locale }, event) => {
    const emails = message === '' ? [] : [emailsFor(locale).accountDeclined({ to, message })];
    return emailQueue.queueWith(emails, ([email]: readonly NewEmail[]) => storage.declineUser(id, event, email));
  });
}

function messageRefusal({ emailQueue }: Mailing, message: string): Refused | undefined {
  if (message !== '' && !emailQueue.works)
    return refused("email is not set up, so a message can't be sent", 'conflict');
  const problem = messageProblem(message);
  return refusedFields(problemWith('message', problem && `the message ${problem}`));
}

/** Approves or declines several. If any of them is unknown or doesn't wait, nothing changes. */
export async function decideOnAll(
  services: Storing,
  named: readonly NamedUser[],
  decide: (user: { readonly id: string }) => Outcome<{ user: User }>,
): Outcome<{ users: readonly User[] }> {
  const found = await Promise.all(named.map((each) => findUser(services, each)));
  const users = new Map(found.flatMap((each) => (each.kind === 'done' ? [[each.user.id, each.user] as const] : [])));
  const problems = [
    ...found.flatMap((each) => (each.kind === 'refused' ? each.problems : [])),
    ...[...users.values()]
      .filter(({ pendingSince }) => pendingSince === null)
      .map(({ email }) => ({ subject: email, says: 'is not waiting for approval' })),
  ];
  const refusal = refusedAll(problems, 'conflict');
  if (refusal !== undefined) return refusal;
  const decided: User[] = [];
  for (const id of users.keys()) {
    const outcome = await decide({ id });
    if (outcome.kind === 'refused') return outcome;
    decided.push(outcome.user);
  }
  return { kind: 'done', users: decided };
}

/** Tells administrators that people wait, at most once a day, however many instances and sign-ups there are. */
export async function tellOfWaiting({ storage, clock, emailQueue, emailsFor }: Timing & Mailing): Promise<void> {
  if (!emailQueue.works) return;
  const count = await storage.countWaiting();
  if (count === 0) return;
  const now = clock.now();
  // Looked up first, so that nothing is written every minute; the write decides.
  const last = Number((await storage.findFact('approval_notice_at')) ?? 0);
  if (Math.abs(now - last) < noticeInterval) return;
  const emails = (await storage.listAdministrators()).map(({ email, locale }) =>
    emailsFor(locale).peopleWaiting({ to: email, count }),
  );
  if (emails.length === 0) return;
  await emailQueue.queueWith(emails, (queued) => storage.queueWaitingNotice(now, noticeInterval, queued));
}

/** Deletes those who weren't approved or declined in time, without a message. */
export async function deleteOverdue({ storage, clock, journal }: Recording): Promise<void> {
  for (const userId of await storage.listOverdue(clock.now() - longestWait, mostWaiting)) {
    const facts = { kind: 'user_declined', userId, detail: { reason: 'not_decided' } } as const;
    await storage.declineUser(userId, journal.event(facts, { address: '', requestId: '' }));
  }
}
