// Tells those who decide about requests for access that some wait: the owners of an application, or administrators where there are
// none. Each gets at most one email an hour, which lists what waits, and none unless something was asked since the last one.

import { requestNoticeDelay, requestNoticeInterval } from '../../protocol/account/access-requests.ts';
import { standingOf } from '../../protocol/account/standing.ts';
import type { User } from '../../storage/storage.ts';
import type { Mailing, Timing } from '../services.ts';

/** An email with more lines is no longer read. */
const longestList = 50;

type Waiting = Awaited<ReturnType<Timing['storage']['listWaitingByClient']>>[number];
interface Recipient {
  readonly user: User;
  readonly waiting: Waiting[];
}

/** Exactly one process sends each email. */
export async function tellOfRequests(services: Timing & Mailing): Promise<void> {
  const { storage, clock, emailQueue } = services;
  const until = clock.now() - requestNoticeDelay;
  // Nothing is marked as told, for when there is a mail server.
  if (!emailQueue.works || !(await storage.hasUntoldRequests(until))) return;
  const waiting = await storage.listWaitingByClient(until);
  const recipients = await recipientsOf(services, waiting);
  const told = new Map<string, number>();
  for (const recipient of recipients.values()) told.set(recipient.user.id, await tell(services, recipient, until));
  for (const { clientId, untold } of waiting) {
    if (untold === 0) continue;
    const theirs = [...recipients.values()].filter((each) => each.waiting.some((one) => one.clientId === clientId));
    const everyoneBy = Math.min(until, ...theirs.map(({ user }) => told.get(user.id) ?? 0));
    await storage.noteRequestsTold(clientId, everyoneBy);
  }
}

async function recipientsOf({ storage, clock }: Timing, waiting: readonly Waiting[]): Promise<Map<string, Recipient>> {
  const now = clock.now();
  const administrators = (await storage.listAdministrators()).filter((user) => standingOf(user, now) === 'active');
  const recipients = new Map<string, Recipient>();
  for (const each of waiting) {
    const owners = await storage.ownersOf(each.clientId, now);
    for (const user of owners.length === 0 ? administrators : owners) {
      const known = recipients.get(user.id);
      if (known === undefined) recipients.set(user.id, { user, waiting: [each] });
      else known.waiting.push(each);
    }
  }
  return recipients;
}

/** Up to when the person knows by then. */
async function tell(services: Timing & Mailing, { user, waiting }: Recipient, until: number): Promise<number> {
  const { storage, emailQueue, emailsFor } = services;
  const last = await storage.findRequestsToldAt(user.id);
  // Looked up first, so that nothing is written every minute; the write decides.
  if (waiting.every(({ newest }) => newest <= last) || Math.abs(until - last) < requestNoticeInterval) return last;
  const among = waiting.map(({ clientId }) => clientId);
  const { items } = await storage.pageAccessRequests(
    { after: undefined, limit: longestList },
    { status: 'open', among },
  );
  const count = waiting.reduce((sum, each) => sum + each.waiting, 0);
  const email = emailsFor(user.locale).accessRequested({
    to: user.email,
    waiting: items.map(({ person, application }) => ({
      person: `${person.name} <${person.email}>`,
      application: application.name,
    })),
    more: Math.max(0, count - items.length),
  });
  const queued = await emailQueue.queueWith([email], (emails) =>
    storage.queueRequestsNotice(user.id, until, requestNoticeInterval, emails),
  );
  return queued ? until : last;
}
