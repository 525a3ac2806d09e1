// Somebody who signs in with a code by email.

import assert from 'node:assert/strict';
import { changeSettings } from '../../src/operations/settings/change-settings.ts';
import type { EmailCodePolicy, SecondFactorPolicy } from '../../src/protocol/resources/settings.ts';
import { type Form, formIn, Person, readForm } from './person.ts';
import { requester, type TestService, type TestUser } from './service.ts';
import { mailsTo } from './store.ts';

export interface CodeAsked {
  readonly person: Person;
  readonly page: string;
  /** The form that takes the code. */
  readonly form: Form;
}

const codeForm = /^([2-9A-HJKMNP-TV-Z]{4}-[2-9A-HJKMNP-TV-Z]{4})\n/;

export async function setPolicy(
  service: TestService,
  settings: { email_codes?: EmailCodePolicy; second_factor?: SecondFactorPolicy },
): Promise<void> {
  const outcome = await changeSettings(service.running.services, settings, requester);
  assert.equal(outcome.kind, 'done');
}

/** Somebody who has neither a password nor anything else to sign in with. */
export async function newMailboxOwner(service: TestService, { emailVerified = true } = {}): Promise<TestUser> {
  return { ...(await service.newUser({ emailVerified, password: null })), password: '' };
}

/** Presses "Email me a code" on the sign-in page. */
export async function sendForm(
  service: TestService,
  email: string,
  person = new Person(service),
  { path = '/sign-in', ...boxes }: { path?: string; keep?: string } = {},
  headers: Record<string, string> = {},
): Promise<Response> {
  // Gives the email a later time than those before, so that it is the newest.
  service.clock.advance(1);
  const { fields } = await formIn(await person.visit(path), '/sign-in');
  const response = await person.submit({ action: '/sign-in/code', fields, buttons: [] }, { email, ...boxes }, headers);
  await service.running.services.emailQueue.answerRequests();
  return response;
}

export async function askForCode(...given: Parameters<typeof sendForm>): Promise<CodeAsked> {
  const [service, , person = new Person(service), options, headers] = given;
  const response = await sendForm(service, given[1], person, options, headers);
  assert.equal(response.status, 200);
  const page = await response.text();
  const form = readForm(page, '/sign-in/code');
  assert.ok(form?.fields.asked, page);
  return { person, page, form };
}

/** The codes in the emails to an address, newest first. */
export async function codesTo(service: TestService, email: string): Promise<string[]> {
  return (await mailsTo(service, email)).flatMap(({ text }) => codeForm.exec(text)?.[1] ?? []);
}

export async function newestCode(service: TestService, email: string): Promise<string> {
  const [code] = await codesTo(service, email);
  assert.ok(code, `no code for ${email}`);
  return code;
}

export function enter({ person, form }: Pick<CodeAsked, 'person' | 'form'>, code: string): Promise<Response> {
  return person.submit(form, { code });
}

/** From the sign-in page to wherever the code leads. */
export async function signInWithCode(
  service: TestService,
  email: string,
  person = new Person(service),
  options: { path?: string; keep?: string } = {},
): Promise<{ person: Person; response: Response }> {
  const asked = await askForCode(service, email, person, options);
  return { person, response: await enter(asked, await newestCode(service, email)) };
}

/** A code of the right form that isn't this one. */
export function otherCode(code: string, number = 0): string {
  const letters = '23456789ABCDEFGH';
  const last = letters[(letters.indexOf(code.at(-1) ?? '') + 1 + number) % letters.length];
  return `${code.slice(0, -1)}${last}`;
}
