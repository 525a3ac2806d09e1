// People who wait for approval.

import { newAccount } from '../../src/protocol/account/standing.ts';
import type { User } from '../../src/storage/storage.ts';
import { formIn, Person } from './person.ts';
import { requester, type TestService } from './service.ts';
import { askToSignUp, name, newAddress, password } from './sign-up.ts';
import { linkFor } from './store.ts';

/** Signs up with an emailed link; the response to the last form. */
export async function signUp(service: TestService, email = newAddress(), person = new Person(service)) {
  await askToSignUp(service, email, person);
  const form = await formIn(await person.visit(await linkFor(service, email)), '/sign-up/finish');
  return { email, person, response: await person.submit(form, { name, password }) };
}

/** Somebody who waits, as a sign-up leaves them, with the password `password`. */
export async function newWaiting(service: TestService, changes: Partial<User> = {}): Promise<User> {
  const { storage, clock, random, passwords, journal } = service.running.services;
  const at = clock.now();
  const id = Buffer.from(random(12)).toString('hex');
  const user: User = {
    ...newAccount(at),
    id,
    email: `${id}@example.test`,
    emailVerifiedAt: at,
    name,
    passwordHash: changes.passwordHash ?? (await passwords.hash(password)),
    disabledAt: at,
    pendingSince: at,
    ...changes,
  };
  await storage.createUser(user, journal.event({ kind: 'signed_up', userId: user.id }, requester));
  return user;
}
