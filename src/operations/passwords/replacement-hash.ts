// The hash that takes the place of one that another service has made, in the write that starts the session. Where a second
// step lies between the password and the session, it travels through the browser, encrypted, like the rest of what the
// password has proved.

import type { Place } from '../../platform/fair-queue.ts';
import { isForeignHash } from '../../protocol/sign-in/password-hashes.ts';
import type { User } from '../../storage/storage.ts';
import type { Services } from '../services.ts';

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
