// What a sign-in carries through forms, links and the session. Forms are open and links are unread while a service is
// updated: their contents are those that earlier versions wrote and read.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { before, test } from 'node:test';
import { newLink } from '../../../src/operations/email-links/links.ts';
import { sealSecret } from '../../../src/operations/second-factors/authenticator-secret.ts';
import { digestOf } from '../../../src/protocol/digest.ts';
import type { StampPurpose } from '../../../src/protocol/purposes.ts';
import { totpCode, totpStep } from '../../../src/protocol/sign-in/totp.ts';
import { type Form, formIn, Person } from '../../harness/person.ts';
import { authorizePath, newVerifier } from '../../harness/relying-party.ts';
import { requester, type TestClient, type TestUser } from '../../harness/service.ts';
import { linkFor } from '../../harness/store.ts';
import { serviceOfSuite } from '../../harness/suite.ts';

const browser = 'latchkey_browser';

const service = serviceOfSuite({ LATCHKEY_SIGN_UP: 'open' });
let client: TestClient;
let user: TestUser;
/** Has an authenticator app with the secret below. */
let twoStepUser: TestUser;
const secret = randomBytes(20);

before(async () => {
  client = await service.newClient({ name: 'Calendar' });
  user = await service.newUser();
  twoStepUser = await service.newUser();
  const { services } = service.running;
  const event = services.journal.event({ kind: 'authenticator_added', userId: twoStepUser.id }, requester);
  const authenticator = { sealedSecret: sealSecret(services, twoStepUser.id, secret), lastStep: 1 };
  await services.storage.enableAuthenticator(twoStepUser.id, authenticator, [], services.clock.now(), event);
});

const textOf = (ticket = '') => Buffer.from(ticket.split('.')[0] ?? '', 'base64url').toString('latin1');

/** A ticket for this browser, as any version of the service stamps it. */
function ticketFor(person: Person, purpose: StampPurpose, text: string): string {
  const { keys } = service.running.services;
  const stamp = keys.stamp(purpose, digestOf(person.cookies.get(browser) ?? ''), text);
  return `${Buffer.from(text, 'latin1').toString('base64url')}.${stamp}`;
}

function formWith(action: string, fields: Record<string, string>): Form {
  return { action, fields, buttons: [] };
}

async function personWithBrowserMark(): Promise<Person> {
  const person = new Person(service);
  await person.visit('/sign-in');
  return person;
}

test('the sign-in form carries the destination path', async () => {
  const path = authorizePath(client, newVerifier());
  const person = new Person(service);
  assert.equal(textOf((await formIn(await person.visit(path), '/sign-in')).fields.continue), path);
  const own = await formIn(await person.visit('/sign-in?to=/account/apps'), '/sign-in');
  assert.equal(textOf(own.fields.continue), '/account/apps');
});

test('a form from before an update still continues to the application', async () => {
  const path = authorizePath(client, newVerifier());
  const person = await personWithBrowserMark();
  const form = formWith('/sign-in', { continue: ticketFor(person, 'sign-in', path) });
  const consent = await person.submit(form, { email: user.email, password: user.password });
  assert.ok((await formIn(consent, '/oauth-authorize/decision')).fields.request);
  const [row] = (await service.rows('sessions')).filter((each) => each.user_id === user.id);
  assert.equal(row?.answered, `sign-in ${digestOf(path.slice('/oauth-authorize?'.length))}`);
});

test("a stamped URL that isn't a valid destination is an expired form, not a redirect", async () => {
  const person = await personWithBrowserMark();
  for (const text of ['https://evil.example/', '//evil.example', '/oauth-authorize?client_id=x', '']) {
    const form = formWith('/sign-in', { continue: ticketFor(person, 'sign-in', text) });
    const response = await person.submit(form, { email: user.email, password: user.password });
    assert.equal(response.status, 403, text);
  }
});

test("the second step's form carries the person, the time of the password, and the path", async () => {
  const path = authorizePath(client, newVerifier());
  const person = new Person(service);
  const signIn = await formIn(await person.visit(path), '/sign-in');
  const { email, password } = twoStepUser;
  const form = await formIn(await person.submit(signIn, { email, password }), '/sign-in/second-step');
  const { sessionGeneration } = twoStepUser.record;
  const carried = JSON.parse(textOf(form.fields.pending));
  assert.deepEqual(Object.keys(carried.pending), ['userId', 'sessionGeneration', 'at']);
  assert.equal(carried.pending.sessionGeneration, sessionGeneration);
  assert.deepEqual(carried, { pending: { ...carried.pending, userId: twoStepUser.id }, target: path });
});

test('a second step from before an update still signs in', async () => {
  const person = await personWithBrowserMark();
  const { now } = service.clock;
  const pending = { userId: twoStepUser.id, sessionGeneration: twoStepUser.record.sessionGeneration, at: now() };
  const text = JSON.stringify({ pending, target: '/account/apps' });
  const form = formWith('/sign-in/second-step', { pending: ticketFor(person, 'second-step', text) });
  const response = await person.submit(form, { code: totpCode(secret, totpStep(now())) });
  assert.equal(response.status, 200);
  assert.match(response.url, /\/account\/apps$/);
});

test('a second step from before an update still signs in with text in Latin-1', async () => {
  const person = await personWithBrowserMark();
  service.clock.advance(60);
  const { now } = service.clock;
  const pending = { userId: twoStepUser.id, sessionGeneration: twoStepUser.record.sessionGeneration, at: now() };
  const text = JSON.stringify({ pending, target: '/account/apps', unused: 'müller' });
  const form = formWith('/sign-in/second-step', { pending: ticketFor(person, 'second-step', text) });
  const response = await person.submit(form, { code: totpCode(secret, totpStep(now())) });
  assert.match(response.url, /\/account\/apps$/);
});

test('a passkey challenge carries its text and its time', async () => {
  const person = await personWithBrowserMark();
  const response = await person.request('/sign-in/passkey/options', { method: 'POST', body: new URLSearchParams() });
  const { challenge, options } = (await response.json()) as { challenge: string; options: { challenge: string } };
  const carried = JSON.parse(textOf(challenge));
  assert.deepEqual(Object.keys(carried), ['text', 'at']);
  assert.equal(carried.text, options.challenge);
  assert.ok(Math.abs(carried.at - service.clock.now()) < 60_000);
});

test('links keep the destination path', async () => {
  const path = authorizePath(client, newVerifier());
  const person = new Person(service);
  const signIn = await formIn(await person.visit(path), '/sign-in');
  const email = 'newcomer@example.test';
  await person.submit({ ...signIn, action: '/sign-up' }, { email });
  await person.submit({ ...signIn, action: '/reset-password' }, { email: user.email });
  const links = await service.rows('links');
  const detailOf = (purpose: string) => links.find((link) => link.purpose === purpose)?.detail;
  assert.equal(detailOf('sign_up'), JSON.stringify({ email, target: path }));
  assert.equal(detailOf('reset_password'), JSON.stringify({ email: user.email, target: path }));

  const finish = await formIn(await person.visit(await linkFor(service, email)), '/sign-up/finish');
  const consent = await person.submit(finish, { name: 'Ada', password: 'a phrase of my own' });
  assert.ok((await formIn(consent, '/oauth-authorize/decision')).fields.request);
});

test('a link without a valid destination leads to the account', async () => {
  const { services } = service.running;
  for (const [index, target] of [{}, { target: 'https://evil.example/' }].entries()) {
    const email = `someone${index}@example.test`;
    const { link, url } = newLink(services, 'sign_up', null, { email, ...target });
    await services.emailQueue.queue(services.emailsFor('en').finishSignUp({ to: email, url }), link);
    const person = new Person(service);
    const finish = await formIn(await person.visit(url.slice(service.url.length)), '/sign-up/finish');
    const response = await person.submit(finish, { name: 'Ada', password: 'a phrase of my own' });
    assert.match(response.url, /\/account\?done=welcome$/);
  }
});
