// People who have a passkey instead of a password, and services that let nobody have one.

import assert from 'node:assert/strict';
import { changeSettings } from '../../src/operations/settings/change-settings.ts';
import type { SettingsInput } from '../../src/protocol/resources/settings.ts';
import { offered } from './passkeys.ts';
import { type Form, formIn, Person } from './person.ts';
import { post } from './second-factors.ts';
import { requester, type TestService } from './service.ts';
import { askToReset, askToSignUp, name, newAddress } from './sign-up.ts';
import { type Challenge, type Lies, SoftwareAuthenticator } from './software-authenticator.ts';
import { linkFor } from './store.ts';

export async function setPasswords(
  service: TestService,
  passwords: 'allowed' | 'not_for_administrators' | 'off',
  until = '',
): Promise<void> {
  await changeSettings(service.running.services, { passwords, passwords_until: until } as SettingsInput, requester);
}

/** The day that it is, as the settings take it. */
export function today(service: TestService): string {
  return new Date(service.clock.now()).toISOString().slice(0, 10);
}

/** A form that a link has opened, in the browser that has opened it. */
export interface LinkForm {
  readonly person: Person;
  readonly form: Form;
  readonly email: string;
}

export async function signUpForm(service: TestService, email = newAddress()): Promise<LinkForm> {
  await askToSignUp(service, email);
  return formOfLink(service, email, await linkFor(service, email));
}

export async function resetForm(service: TestService, email: string): Promise<LinkForm> {
  await askToReset(service, email);
  return formOfLink(service, email, await linkFor(service, email));
}

export async function formOfLink(service: TestService, email: string, path: string): Promise<LinkForm> {
  const person = new Person(service);
  return { person, form: await formIn(await person.visit(path)), email };
}

/** What the script asks for; the status says whether it's offered. */
export function askForChallenge({ person, form }: LinkForm, values: Record<string, string> = {}): Promise<Response> {
  return post(person, `${form.action}/options`, { ...form.fields, ...values });
}

export async function challengeOf(opened: LinkForm, values: Record<string, string> = {}): Promise<Challenge> {
  const response = await askForChallenge(opened, { name, ...values });
  assert.equal(response.status, 200, await response.clone().text());
  return (await response.json()) as Challenge;
}

/** Creates the passkey that the form asks for, and sends it. */
export async function createPasskey(
  opened: LinkForm,
  device: SoftwareAuthenticator,
  values: Record<string, string> = {},
  lies: Lies = {},
): Promise<Response> {
  const challenge = await challengeOf(opened, values);
  return sendPasskey(opened, device.create(challenge, lies), challenge, values);
}

export function sendPasskey(
  { person, form }: LinkForm,
  answer: string,
  { challenge }: Challenge,
  values: Record<string, string> = {},
): Promise<Response> {
  return person.submit(form, { name, ...values, answer, challenge });
}

export async function signInWithPasskey(service: TestService, device: SoftwareAuthenticator, path?: string) {
  const { person, form, challenge } = await offered(service, new Person(service), path);
  const fields = { answer: device.get(challenge), challenge: challenge.challenge };
  return { person, response: await person.submit(form, fields) };
}

/** Somebody who has signed up with a passkey. */
export async function newPasskeyPerson(service: TestService) {
  const opened = await signUpForm(service);
  const device = new SoftwareAuthenticator(service.url);
  const response = await createPasskey(opened, device);
  const page = await response.text();
  assert.equal(response.status, 200, page);
  const user = await service.running.services.storage.findUserByEmail(opened.email);
  assert.ok(user);
  return { ...opened, device, user, page };
}
