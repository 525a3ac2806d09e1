// An administrator creates people, sets passwords, and stops a person at once.

import { emailKey, isEmail } from '../protocol/email.ts';
import type { EventKind, Origin } from '../protocol/event.ts';
import { newId } from '../protocol/identifiers.ts';
import { nameProblem } from '../protocol/name.ts';
import { type PasswordFault, passwordFault, passwordLength } from '../protocol/password.ts';
import { StorageConflict, type User } from '../storage/storage.ts';
import { type Managed, rejected } from './managed.ts';
import type { Services } from './services.ts';

export interface UserInput {
  readonly email: string;
  readonly name: string;
  readonly givenName: string | undefined;
  readonly familyName: string | undefined;
  readonly password: string;
  readonly admin: boolean;
  /** Somebody has made sure that the address is this person's: clients may act on that. */
  readonly emailVerified: boolean;
}

const passwordFaults: Record<PasswordFault, string> = {
  too_short: `must have at least ${passwordLength.least} characters`,
  too_long: `must have at most ${passwordLength.most} characters`,
  not_text: 'has characters that are not allowed',
  common: 'is one of the first that are guessed',
  personal: "is the person's own name or address",
};

export async function createUser(
  services: Services,
  input: UserInput,
  origin: Origin,
): Promise<Managed<{ user: User }>> {
  const { storage, clock, random, journal, passwords } = services;
  const email = input.email.trim();
  if (!isEmail(email)) return rejected(`"${input.email}" is not an e-mail address`);
  for (const name of [input.name, input.givenName, input.familyName]) {
    const problem = name === undefined ? undefined : nameProblem(name);
    if (problem !== undefined) return rejected(`the name ${problem}`);
  }
  const { isCommonPassword } = services;
  const personal = [email, input.name, input.givenName, input.familyName];
  const fault = passwordFault(input.password, { isCommon: isCommonPassword, personal });
  if (fault !== undefined) return rejected(`the password ${passwordFaults[fault]}`);

  const now = clock.now();
  const user: User = {
    id: newId(random),
    email,
    emailVerifiedAt: input.emailVerified ? now : null,
    name: input.name,
    givenName: input.givenName ?? null,
    familyName: input.familyName ?? null,
    preferredUsername: null,
    picture: null,
    locale: null,
    passwordHash: await passwords.hash(input.password),
    adminSince: input.admin ? now : null,
    disabledAt: null,
    generation: 0,
    createdAt: now,
    updatedAt: now,
  };
  const detail = { admin: input.admin ? 'yes' : 'no' };
  const event = journal.event({ kind: 'user_created', userId: user.id, detail }, origin);
  try {
    await storage.createUser(user, event);
  } catch (error) {
    if (!(error instanceof StorageConflict)) throw error;
    return rejected(`there is a person with the address ${emailKey(email)} already`);
  }
  return { kind: 'done', user };
}

/** A person is named by e-mail address or id. */
export async function findPerson(services: Services, name: string): Promise<Managed<{ user: User }>> {
  const { storage } = services;
  const user = name.includes('@') ? await storage.findUserByEmail(name) : await storage.findUser(name);
  return user === undefined ? rejected(`there is no person "${name}"`) : { kind: 'done', user };
}

export async function setPassword(
  services: Services,
  name: string,
  password: string,
  origin: Origin,
): Promise<Managed<{ user: User }>> {
  const { storage, clock, passwords } = services;
  const fault = passwordFault(password, { isCommon: services.isCommonPassword, personal: [] });
  if (fault !== undefined) return rejected(`the password ${passwordFaults[fault]}`);
  const hash = await passwords.hash(password);
  return changePerson(services, name, 'user_password_set', origin, (user, event) =>
    storage.setPasswordHash(user.id, hash, clock.now(), event),
  );
}

export async function disableUser(services: Services, name: string, origin: Origin): Promise<Managed<{ user: User }>> {
  const { storage, clock } = services;
  return changePerson(services, name, 'user_disabled', origin, (user, event) =>
    storage.disableUser(user.id, clock.now(), event),
  );
}

export async function enableUser(services: Services, name: string, origin: Origin): Promise<Managed<{ user: User }>> {
  const { storage, clock } = services;
  return changePerson(services, name, 'user_enabled', origin, (user, event) =>
    storage.enableUser(user.id, clock.now(), event),
  );
}

export async function deleteUser(services: Services, name: string, origin: Origin): Promise<Managed<{ user: User }>> {
  const { storage } = services;
  return changePerson(services, name, 'user_deleted', origin, (user, event) => storage.deleteUser(user.id, event));
}

/** The way back for somebody who has lost their devices and their recovery codes. */
export async function removeSecondFactors(
  services: Services,
  name: string,
  origin: Origin,
): Promise<Managed<{ user: User }>> {
  const { storage, mails, letters } = services;
  const outcome = await changePerson(services, name, 'second_factors_removed', origin, (user, event) =>
    storage.removeSecondFactors(user.id, event),
  );
  if (outcome.kind === 'done') {
    await mails.tell(letters.secondFactorChanged({ to: outcome.user.email, change: 'second_factors_removed' }));
  }
  return outcome;
}

const unchanged: Partial<Record<EventKind, string>> = {
  user_disabled: 'is disabled already',
  user_enabled: 'is not disabled',
  second_factors_removed: 'has no second factor',
};

/** Changes a person and tells of them as they are afterwards (or were, when they are gone). */
async function changePerson(
  services: Services,
  name: string,
  kind: EventKind,
  origin: Origin,
  apply: (user: User, event: ReturnType<Services['journal']['event']>) => Promise<boolean>,
): Promise<Managed<{ user: User }>> {
  const found = await findPerson(services, name);
  if (found.kind === 'rejected') return found;
  const { user } = found;
  const done = await apply(user, services.journal.event({ kind, userId: user.id }, origin));
  if (!done) return rejected(`${user.email} ${unchanged[kind] ?? 'could not be changed'}`);
  return { kind: 'done', user: (await services.storage.findUser(user.id)) ?? user };
}
