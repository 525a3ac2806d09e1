// An administrator creates people, sets passwords, and stops a person at once.

import { emailKey, isEmail } from '../protocol/email.ts';
import type { EventKind, Origin } from '../protocol/event.ts';
import { newId } from '../protocol/identifiers.ts';
import { nameProblem } from '../protocol/name.ts';
import { passwordProblem } from '../protocol/password.ts';
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

export async function createUser(
  services: Services,
  input: UserInput,
  origin: Origin,
): Promise<Managed<{ user: User }>> {
  const { storage, clock, random, journal, passwords } = services;
  const email = input.email.trim();
  const passwordFault = passwordProblem(input.password);
  if (!isEmail(email)) return rejected(`"${input.email}" is not an e-mail address`);
  for (const name of [input.name, input.givenName, input.familyName]) {
    const problem = name === undefined ? undefined : nameProblem(name);
    if (problem !== undefined) return rejected(`the name ${problem}`);
  }
  if (passwordFault !== undefined) return rejected(`the password ${passwordFault}`);

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
  const fault = passwordProblem(password);
  if (fault !== undefined) return rejected(`the password ${fault}`);
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

const unchanged: Partial<Record<EventKind, string>> = {
  user_disabled: 'is disabled already',
  user_enabled: 'is not disabled',
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
