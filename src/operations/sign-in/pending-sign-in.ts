// A sign-in whose first factor was right and that needs a second. Nothing is stored meanwhile: what was proved travels through
// the browser, stamped by the HTTP layer.

import { digestOf, sameText } from '../../protocol/digest.ts';
import type { SignInFacts, User } from '../../storage/storage.ts';
import { sealReplacement, unsealReplacement } from '../passwords/passwords.ts';
import { askForPasskey, type Challenge } from '../second-factors/passkey-challenge.ts';
import type { Services, Timing } from '../services.ts';
import type { SignInContext, UsedIdentity } from './start-session.ts';

export interface PendingSignIn {
  readonly userId: string;
  /** A digest of the password's hash: changing the password ends every sign-in that is waiting. */
  readonly passwordMark: string;
  /** When the password was given. */
  readonly at: number;
  /** What takes the place of the hash that another service has made of the password, encrypted. */
  readonly sealedHash?: string | undefined;
  /** What has taken the place of the password. */
  readonly upstream?: UsedIdentity | undefined;
}

/** How long the second step may take; people have to find their phone first. */
export const secondStepLifetime = 10 * 60 * 1000;

export function pendingSignIn(
  services: Pick<Services, 'clock' | 'keys'>,
  user: User,
  { replacementHash, upstream }: Pick<SignInContext, 'replacementHash' | 'upstream'>,
): PendingSignIn {
  const sealedHash = replacementHash && sealReplacement(services, user.id, replacementHash);
  return { userId: user.id, passwordMark: digestOf(user.passwordHash), at: services.clock.now(), sealedHash, upstream };
}

export interface FoundPending {
  readonly user: User;
  readonly facts: SignInFacts;
  readonly first: 'password' | 'upstream';
  readonly replacementHash: string | undefined;
}

/** The user of a sign-in that is waiting and their second factors; undefined when it has expired. */
export async function findPendingSignIn(
  services: Timing & Pick<Services, 'keys'>,
  pending: PendingSignIn,
  marks: readonly string[] = [],
): Promise<FoundPending | undefined> {
  const { storage, clock } = services;
  if (clock.now() - pending.at >= secondStepLifetime) return undefined;
  const user = await storage.findUser(pending.userId);
  if (user === undefined || user.disabledAt !== null) return undefined;
  if (!sameText(digestOf(user.passwordHash), pending.passwordMark)) return undefined;
  const replacementHash = unsealReplacement(services, user.id, pending.sealedHash);
  const facts = await storage.findSignInFacts(user.id, marks.map(digestOf));
  return { user, facts, first: pending.upstream === undefined ? 'password' : 'upstream', replacementHash };
}

/** What a browser needs to ask for one of the user's passkeys; undefined when the sign-in has expired. */
export async function askForSecondStepPasskey(
  services: Timing & Pick<Services, 'random' | 'keys' | 'webauthn'>,
  pending: PendingSignIn,
): Promise<{ challenge: Challenge; options: object } | undefined> {
  const found = await findPendingSignIn(services, pending);
  return found && askForPasskey(services, found.facts.passkeys);
}
