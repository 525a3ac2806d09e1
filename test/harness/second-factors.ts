// A user with an authenticator app: sets it up, reads its codes, and goes through the second step of a sign-in.

import assert from 'node:assert/strict';
import { totpCode, totpStep } from '../../src/protocol/sign-in/totp.ts';
import { type Form, formIn, Person, readForm } from './person.ts';
import { authorizePath, decodeJwt, exchangeParameters, newVerifier, postForm } from './relying-party.ts';
import type { TestClient, TestService, TestUser } from './service.ts';

const MINUTE = 60;
const session = 'latchkey_session';
export const securityPath = '/account/security';

/** Moves the clock to the start of the next 30 seconds, which is how long a code is valid. */
export function alignToStep(service: TestService): void {
  service.clock.advance(30 - (Math.floor(service.clock.now() / 1000) % 30));
}

export interface App {
  readonly secret: Uint8Array;
  readonly recoveryCodes: readonly string[];
}

export interface Owner extends App {
  readonly user: TestUser;
  /** A browser that has been signed in since before the app was turned on. */
  readonly person: Person;
}

export function codeOf(service: TestService, { secret }: { secret: Uint8Array }, offset = 0): string {
  return totpCode(secret, totpStep(service.clock.now()) + offset);
}

/** A code that isn't valid now or in the minute around. */
export function wrongCode(service: TestService, app: { secret: Uint8Array }, number = 0): string {
  const near = [-2, -1, 0, 1, 2].map((offset) => codeOf(service, app, offset));
  const [code = ''] = Array.from({ length: 6 }, (_, index) => String(100_000 + 7 * number + index)).filter(
    (candidate) => !near.includes(candidate),
  );
  return code;
}

/** The key on the set-up page, and its secret. */
export function keyOn(page: string): { key: string; secret: Uint8Array } {
  const key = (/<code class="key"[^>]*>([^<]+)<\/code>/.exec(page)?.[1] ?? '').replaceAll(' ', '');
  assert.match(key, /^[A-Z2-7]{32}$/);
  return { key, secret: secretOf(key) };
}

/** The secret that an app reads from a key. */
export function secretOf(key: string): Uint8Array {
  const bits = [...key.replaceAll(' ', '')].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  );
  const bytes = bits.join('').match(/.{8}/g) ?? [];
  return Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 2));
}

export const recoveryCodesOn = (page: string) =>
  [...page.matchAll(/<li><code>([^<]+)<\/code>/g)].map(([, code]) => code ?? '');

export async function setUpPage(person: Person): Promise<{ form: Form; key: string; secret: Uint8Array }> {
  const page = await (await person.visit('/account/authenticator')).text();
  const form = readForm(page, '/account/authenticator');
  assert.ok(form, page);
  return { form, ...keyOn(page) };
}

export async function turnOn(service: TestService, person: Person): Promise<App> {
  const { form, secret } = await setUpPage(person);
  const response = await person.submit(form, { code: codeOf(service, { secret }) });
  assert.equal(response.status, 200);
  const recoveryCodes = recoveryCodesOn(await response.text());
  // The code that turned it on can't be used again.
  service.clock.advance(MINUTE);
  return { secret, recoveryCodes };
}

export async function newOwner(service: TestService): Promise<Owner> {
  const user = await service.newUser();
  const person = new Person(service);
  await person.signIn(user);
  return { user, person, ...(await turnOn(service, person)) };
}

/** The form of the second step, after the password. */
export async function reachSecondStep(
  service: TestService,
  user: TestUser,
  person = new Person(service),
): Promise<{ person: Person; form: Form }> {
  const response = await person.signIn(user);
  assert.equal(response.status, 200);
  return { person, form: await formIn(response, '/sign-in/second-step') };
}

export async function tryCode(step: { person: Person; form: Form }, code: string): Promise<Response> {
  return pastUsedCode(step.person, await step.person.submit(step.form, { code }));
}

/** Goes on from the page that says how many recovery codes are left. */
export async function pastUsedCode(person: Person, response: Response): Promise<Response> {
  const page = await response.clone().text();
  if (!page.includes('<h1>You used a recovery code</h1>')) return response;
  const [, href = ''] = /<a class="button primary" href="([^"]*)"/.exec(page) ?? [];
  return person.visit(href.replaceAll('&amp;', '&'));
}

export function post(person: Person, path: string, fields: Record<string, string>): Promise<Response> {
  return person.request(path, { method: 'POST', body: new URLSearchParams(fields) });
}

export async function isSignedIn(person: Person): Promise<boolean> {
  if (!person.cookies.has(session)) return false;
  const { status, headers } = await person.request('/account');
  return status === 200 || headers.get('location')?.startsWith('/account/review') === true;
}

export async function assertRefused(person: Person, response: Response, status: number): Promise<void> {
  assert.equal(response.status, status);
  assert.match(response.headers.get('content-type') ?? '', /^text\/html/);
  assert.match(await response.text(), /<h1>/);
  assert.equal(person.cookies.has(session), false);
}

export async function eventsOf(service: TestService, user: TestUser): Promise<Record<string, unknown>[]> {
  const own = (await service.events()).filter(({ userId }) => userId === user.id);
  return own.map(({ kind, detail }) => ({ kind, ...detail }));
}

export const lastEventOf = async (service: TestService, user: TestUser) => (await eventsOf(service, user)).at(-1);

/** Goes from an authorization request to an ID token; `prove` does the second step. */
export async function idTokenOf(
  service: TestService,
  client: TestClient,
  person: Person,
  user: TestUser,
  changes: Record<string, string>,
  prove: (step: { person: Person; form: Form }) => Promise<Response>,
): Promise<Record<string, unknown>> {
  const verifier = newVerifier();
  const signIn = await formIn(await person.visit(authorizePath(client, verifier, changes)), '/sign-in');
  let response = await person.submit(signIn, { email: user.email, password: user.password });
  const page = await response.clone().text();
  const form = readForm(page, '/sign-in/second-step');
  if (form !== undefined) response = await prove({ person, form });
  if (response.status === 200) {
    response = await person.submit(await formIn(response, '/oauth-authorize/decision'), { decision: 'approve' });
  }
  return exchangedIdToken(service, client, response, verifier);
}

/** Exchanges the code in a redirect for an ID token, and returns its claims. */
export async function exchangedIdToken(
  service: TestService,
  client: TestClient,
  response: Response,
  verifier: string,
): Promise<Record<string, unknown>> {
  const code = new URL(response.headers.get('location') ?? '').searchParams.get('code') ?? '';
  const { body } = await postForm(service, '/oauth/token', exchangeParameters(client, code, verifier));
  return decodeJwt(body.id_token);
}
