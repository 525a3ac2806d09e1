// Judges a password that a person wants to set, wherever passwords are set; asks a signed-in user for theirs, and changes it;
// and does what follows from one that was right. A person who can't sign in resets it: sign-in/reset-password.ts.

import type { Place } from '../../platform/fair-queue.ts';
import { hasRole } from '../../protocol/account/roles.ts';
import { digestOf } from '../../protocol/digest.ts';
import type { Requester } from '../../protocol/event.ts';
import { newSecret } from '../../protocol/identifiers.ts';
import type { SealPurpose } from '../../protocol/purposes.ts';
import { canHavePassword, hasPassword, isForeignHash, noPassword } from '../../protocol/sign-in/password-policy.ts';
import { isTooLong, type PasswordProblem, passwordProblem } from '../../protocol/sign-in/password-rules.ts';
import { confirmationCounters } from '../../protocol/sign-in/throttle-rules.ts';
import type { SignedIn, User } from '../../storage/storage.ts';
import type { Linking, Mailing, Metering, PasswordRules, Recording, Services } from '../services.ts';
import { noteRefusedSignIn, startAttempt } from '../throttle.ts';
import { passwordSignsIn } from './password-policy.ts';

/** Whose password it will be. */
export interface PasswordOwner {
  /** What others know about them. */
  readonly personal: readonly (string | null)[];
  readonly hasRole: boolean;
}

export async function newPasswordProblem(
  { isCommonPassword, isBreachedPassword, settings }: PasswordRules,
  password: string,
  owner: PasswordOwner,
): Promise<PasswordProblem | undefined> {
  if (!canHavePassword(await settings.read(), owner.hasRole)) return 'not_allowed';
  const problem = passwordProblem(password, { isCommon: isCommonPassword, personal: owner.personal });
  if (problem !== undefined) return problem;
  return (await isBreachedPassword(password)) ? 'breached' : undefined;
}

export function ownerOf(user: User): PasswordOwner {
  return { personal: [user.email, user.name, user.givenName, user.familyName], hasRole: hasRole(user) };
}

/** Someone who is signed in, or in a known browser, goes before strangers. */
export function placeOf(user: User): Place {
  return { owner: user.id, urgent: true };
}

export type Confirmation =
  | { kind: 'confirmed' }
  | { kind: 'wrong_password' }
  | { kind: 'throttled'; retryAfterSeconds: number };

/** Asks a signed-in user again before a change that matters, so that an unattended browser isn't enough to make it. */
export async function confirmPassword(
  services: Recording & Metering & Pick<Services, 'passwords' | 'settings'>,
  user: User,
  password: string,
  requester: Requester,
): Promise<Confirmation> {
  const attempt = await startAttempt(services, 'confirmation', confirmationCounters(user.id));
  if (attempt.kind === 'throttled') return attempt;
  if (isTooLong(password)) return { kind: 'wrong_password' };
  const verified = await services.passwords.verify(password, user.passwordHash, placeOf(user)).catch(async (error) => {
    await attempt.takeBack();
    throw error;
  });
  if (!verified || !(await passwordSignsIn(services, user))) {
    noteRefusedSignIn(services, { userId: user.id }, 'wrong_password_in_account', requester);
    return { kind: 'wrong_password' };
  }
  await attempt.takeBack();
  return { kind: 'confirmed' };
}

export type PasswordChangeOutcome =
  | { kind: 'invalid_password'; problem: PasswordProblem }
  /** The password was changed at the same moment, or the user disabled. */
  | { kind: 'not_possible' }
  /** The session goes on under a new secret: a copy of the old one is worth nothing. */
  | { kind: 'changed'; sessionSecret: string };

export async function changePassword(
  services: Recording & Linking & Mailing & PasswordRules & Pick<Services, 'passwords'>,
  signedIn: SignedIn,
  input: { newPassword: string; marks: readonly string[] },
  requester: Requester,
): Promise<PasswordChangeOutcome> {
  const { storage, clock, passwords, random, journal, emailQueue, emailsFor, issuer } = services;
  const { user, session } = signedIn;
  const problem = await newPasswordProblem(services, input.newPassword, ownerOf(user));
  if (problem !== undefined) return { kind: 'invalid_password', problem };
  const sessionSecret = newSecret('lks_', random);
  const keptDevice = await storage.findKnownDevice(user.id, input.marks.map(digestOf));
  const change = {
    passwordHash: await passwords.hash(input.newPassword, placeOf(user)),
    proof: { kind: 'session', sessionGeneration: user.sessionGeneration, session: session.digest },
    session: { ...session, digest: digestOf(sessionSecret) },
    keptDevice,
  } as const;
  const event = journal.event({ kind: 'password_changed', userId: user.id }, requester);
  if (!(await storage.changePassword(user.id, change, clock.now(), event))) return { kind: 'not_possible' };
  await emailQueue.notify(emailsFor(user.locale).passwordChanged({ to: user.email, url: `${issuer}/reset-password` }));
  return { kind: 'changed', sessionSecret };
}

/** Only while there's another way to sign in, and one to get back in. */
export async function removePassword(
  services: Recording & Linking & Mailing,
  { user, session }: SignedIn,
  marks: readonly string[],
  requester: Requester,
): Promise<Extract<PasswordChangeOutcome, { kind: 'not_possible' | 'changed' }>> {
  const { storage, clock, random, journal, emailQueue, emailsFor, issuer } = services;
  if (!hasPassword(user)) return { kind: 'not_possible' };
  const sessionSecret = newSecret('lks_', random);
  const change = {
    passwordHash: noPassword,
    proof: { kind: 'session', sessionGeneration: user.sessionGeneration, session: session.digest },
    session: { ...session, digest: digestOf(sessionSecret) },
    keptDevice: await storage.findKnownDevice(user.id, marks.map(digestOf)),
    instead: { kind: 'own_passkeys' },
  } as const;
  const event = journal.event({ kind: 'password_removed', userId: user.id }, requester);
  if (!(await storage.changePassword(user.id, change, clock.now(), event))) return { kind: 'not_possible' };
  await emailQueue.notify(emailsFor(user.locale).passwordRemoved({ to: user.email, url: `${issuer}/reset-password` }));
  return { kind: 'changed', sessionSecret };
}

/**
 * The hash that takes the place of one that another service has made, in the write that starts the session. It's of what was
 * typed, all of it, though the other service may have ignored a part. Undefined when none is needed.
 */
export async function replacementFor(
  { passwords }: Pick<Services, 'passwords'>,
  user: User,
  password: string,
  place: Place,
): Promise<string | undefined> {
  return isForeignHash(user.passwordHash) ? passwords.hash(password, place) : undefined;
}

/** For its way through the browser, where a second step lies between the password and the session. */
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

function purpose(userId: string): SealPurpose {
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
  if (!(await storage.noteBreach(user.id, user.sessionGeneration, clock.now(), event))) return;
  await emailQueue.notify(emailsFor(user.locale).passwordBreached({ to: user.email }));
}
