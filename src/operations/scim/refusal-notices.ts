// Tells administrators of directories that tried to change someone with a role, at most once a day. Often that is a person who
// has left, whom only an administrator can disable.

import { standingOf } from '../../protocol/account/standing.ts';
import { DAY } from '../../protocol/durations.ts';
import { firstIdAt } from '../../protocol/identifiers.ts';
import type { Mailing, Timing } from '../services.ts';

/** What is older isn't told any more, if nothing could be sent. */
const longestWait = 7 * DAY;
/** More than is recorded of one directory in a day, usually. */
const mostCounted = 2000;

/** Exactly one process sends each email. What was refused since the last one is in the next. */
export async function tellOfRefusals({ storage, clock, emailQueue, emailsFor }: Timing & Mailing): Promise<void> {
  if (!emailQueue.works) return;
  const now = clock.now();
  // Looked up first, so that nothing is written every minute; the write decides.
  const last = Number((await storage.findFact('scim_notice_at')) ?? 0);
  if (Math.abs(now - last) < DAY) return;
  // A time that lies ahead was written by a wrong clock.
  const since = last > now ? now - DAY : Math.max(last, now - longestWait);
  const events = await storage.findEvents({ kind: 'scim_refused', fromId: firstIdAt(since) }, mostCounted);
  const counts = new Map<string, number>();
  for (const { detail } of events) {
    const source = String(detail?.source ?? '');
    counts.set(source, (counts.get(source) ?? 0) + 1);
  }
  if (counts.size === 0) return;
  const refused = [...counts].map(([source, count]) => ({ source, count })).toSorted((a, b) => b.count - a.count);
  const administrators = (await storage.listAdministrators()).filter((user) => standingOf(user, now) === 'active');
  const emails = administrators.map(({ email, locale }) => emailsFor(locale).directoryRefused({ to: email, refused }));
  if (emails.length === 0) return;
  await emailQueue.queueWith(emails, (queued) => storage.queueInTurn('scim_notice_at', now, DAY, queued));
}
