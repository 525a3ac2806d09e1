// A user with a passkey: registers it and signs in with it.

import assert from 'node:assert/strict';
import { type Form, formIn, Person } from './person.ts';
import { post, reachSecondStep, recoveryCodesOn, securityPath } from './second-factors.ts';
import type { TestService, TestUser } from './service.ts';
import { type Challenge, type Lies, SoftwareAuthenticator } from './software-authenticator.ts';

export async function challengeFor(person: Person, form: Form): Promise<Challenge> {
  const response = await post(person, `${form.action}/options`, form.fields);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('cache-control'), 'no-store');
  return (await response.json()) as Challenge;
}

export interface Holder {
  readonly user: TestUser;
  readonly person: Person;
  readonly device: SoftwareAuthenticator;
  readonly recoveryCodes: readonly string[];
}

/** The completed form for a new passkey. */
export async function passkeyForm(person: Person): Promise<Form> {
  const form = await formIn(await person.visit(securityPath), '/account/passkeys');
  return { ...form, fields: { ...form.fields, name: 'My phone' } };
}

export async function register(person: Person, device: SoftwareAuthenticator, lies: Lies = {}): Promise<Response> {
  const form = await passkeyForm(person);
  const challenge = await challengeFor(person, form);
  const fields = { answer: device.create(challenge, lies), challenge: challenge.challenge };
  return post(person, form.action, { ...form.fields, ...fields });
}

export async function newHolder(service: TestService): Promise<Holder> {
  const user = await service.newUser();
  const person = new Person(service);
  await person.signIn(user);
  const device = new SoftwareAuthenticator(service.url);
  const response = await register(person, device);
  assert.equal(response.status, 200);
  return { user, person, device, recoveryCodes: recoveryCodesOn(await response.text()) };
}

/** The passkey form of the sign-in page in a new browser, with a challenge. */
export async function offered(service: TestService, person = new Person(service), path = '/sign-in') {
  const form = await formIn(await person.visit(path), '/sign-in/passkey');
  return { person, form, challenge: await challengeFor(person, form) };
}

export type Offer = Awaited<ReturnType<typeof offered>>;

export function answer({ person, form, challenge }: Offer, text: string): Promise<Response> {
  return person.submit(form, { answer: text, challenge: challenge.challenge });
}

export async function secondStepOffered(service: TestService, user: TestUser): Promise<Offer> {
  const { person, form } = await reachSecondStep(service, user);
  return { person, form, challenge: await challengeFor(person, form) };
}

export const passkeysOf = async (service: TestService, user: TestUser) =>
  (await service.rows('passkeys')).filter((row) => row.user_id === user.id);
