// What follows from a password that was right: the hash that replaces one made by another service, in the write that starts
// the session, and a notice if the password is known from breaches. Where a second step lies between the password and the
// session, the hash travels through the browser, encrypted, like the rest of what the password has proved.

import type { Place } from '../../platform/fair-queue.ts';
import type { Requester } from '../../protocol/event.ts';
import { isForeignHash } from '../../protocol/sign-in/password-hashes.ts';
import type { User } from '../../storage/storage.ts';
import type { Mailing, Recording, Services } from '../services.ts';

/** Of what was typed, all of it, though the other service may have ignored a part. Undefined when none is needed. */
export async function replacementFor(
  { passwords }: Pick<Services, 'passwords'>,
  user: User,
  password: string,
  place: Place,
): Promise<string | undefined> {
  return isForeignHash(user.passwordHash) ? passwords.hash(password, place) : undefined;
}

export function sealReplacement({ keys }: Pick<Services, 'keys'>, userId: string, hash: string): string {
  return keys.seal(purpose(userId), hash);
}

/** Undefined also when the key that sealed it is gone; the next sign-in replaces the hash then. */
export function unsealReplacement(
  { keys }: Pick<Services, 'keys'>,
  userId: string,
  sealed: string | undefined,
): string | undefined {
  return sealed === undefined ? undefined : keys.unseal(purpose(userId), sealed);
}

function purpose(userId: string): string {
  return `replacement hash ${userId}`;
}

/**
 * The owner of a breached password is let in all the same: they're told once by email, and on the security page until they
 * change it. Only for a password that was verified: the time that this takes must not depend on anything that is secret.
 */
export async function noteBreach(
  services: Recording & Mailing & Pick<Services, 'isBreachedPassword'>,
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
