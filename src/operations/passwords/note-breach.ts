// A password that was right turns out to be known from breaches. Its owner is let in all the same: they're told once by
// email, and on the security page until they change it.

import type { Requester } from '../../protocol/event.ts';
import type { User } from '../../storage/storage.ts';
import type { Services } from '../services.ts';

/** Only for a password that was verified: the time that this takes must not depend on anything that is still secret. */
export async function noteBreach(
  services: Pick<Services, 'storage' | 'clock' | 'isBreachedPassword' | 'journal' | 'emailQueue' | 'emailsFor'>,
  user: User,
  password: string,
  requester: Requester,
): Promise<void> {
  const { storage, clock, journal, emailQueue, emailsFor, isBreachedPassword } = services;
  if (user.breachedSince !== null || !(await isBreachedPassword(password))) return;
  const event = journal.event({ kind: 'password_found_in_breach', userId: user.id }, requester);
  if (!(await storage.noteBreach(user.id, user.passwordHash, clock.now(), event))) return;
  await emailQueue.notify(emailsFor(user.locale).passwordBreached({ to: user.email }));
}
