// What the pages of a sign-in allow forms to redirect to. Anyone can make a link that says where a sign-in continues, so only a
// redirect URI that is registered gets into the content security policy, and no text can break the page.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setPassword } from '../../../src/operations/users/user-recovery.ts';
import { setPolicy } from '../../harness/email-codes.ts';
import { HostileUpstream } from '../../harness/hostile-upstream.ts';
import { type Form, formIn, Person } from '../../harness/person.ts';
import { authorizePath, newVerifier } from '../../harness/relying-party.ts';
import { codeOf, newOwner, type Owner, reachSecondStep, tryCode } from '../../harness/second-factors.ts';
import { requester, type TestClient } from '../../harness/service.ts';
import { linkFor } from '../../harness/store.ts';
import { serviceOfSuite } from '../../harness/suite.ts';
import { addUpstream, allowLoopbackUpstreams, respond, start } from '../../harness/upstreams.ts';

const service = serviceOfSuite({ ...allowLoopbackUpstreams, LATCHKEY_SIGN_UP: 'open' });
let provider: HostileUpstream;
let client: TestClient;
let revoked: TestClient;
let owner: Owner;

before(async () => {
  provider = await HostileUpstream.start(() => service.clock.now());
  await addUpstream(service, provider, { createsAccounts: true });
  client = await service.newClient();
  revoked = await service.newClient();
  const { storage, journal } = service.running.services;
  const event = journal.event({ kind: 'client_revoked', clientId: revoked.id }, requester);
  await storage.revokeClient(revoked.id, service.clock.now(), event);
  owner = await newOwner(service);
});
after(() => provider.stop());

const formAction = (response: Response) =>
  /form-action ([^;]*)(;|$)/.exec(response.headers.get('content-security-policy') ?? '')?.[1];

/** With the last directive, so that nothing came in between. */
const wholePolicy =
  /^default-src 'none'; style-src 'self'; img-src 'self'; (script-src 'self'; connect-src 'self'; )?form-action ('self'|'self' http:\/\/localhost:9999); frame-ancestors 'none'; base-uri 'none'$/;

function destinations(): [name: string, path: string, allowed: boolean][] {
  const to = (id: string, uri: string) =>
    `/oauth-authorize?${new URLSearchParams({ client_id: id, redirect_uri: uri })}`;
  return [
    ['registered', authorizePath(client, newVerifier()), true],
    ['of an unknown application', to('x', 'notaurl'), false],
    ['no URL', to(client.id, 'notaurl'), false],
    ['with a semicolon', to(client.id, 'https://evil.example;sandbox/cb'), false],
    ['with an encoded semicolon', to(client.id, 'https://evil.example%3Bsandbox/cb'), false],
    ['with a comma', to(client.id, "https://evil.example,script-src 'unsafe-inline'/cb"), false],
    ['not registered', to(client.id, 'https://evil.example/cb'), false],
    ['of a revoked application', to(revoked.id, revoked.redirectUri), false],
  ];
}

function check(response: Response, allowed: boolean, name: string): void {
  const policy = response.headers.get('content-security-policy') ?? '';
  assert.match(policy, wholePolicy, name);
  assert.equal(formAction(response), allowed ? "'self' http://localhost:9999" : "'self'", name);
}

/** The sign-in page on the way to a destination. */
async function signInForm(person: Person, path: string): Promise<Form> {
  const page = await person.visit(`/sign-in?password&to=${encodeURIComponent(path)}`);
  assert.equal(page.status, 200);
  return formIn(page, '/sign-in');
}

test('the sign-in page', async () => {
  for (const [name, path, allowed] of destinations()) {
    check(await new Person(service).visit(`/sign-in?password&to=${encodeURIComponent(path)}`), allowed, name);
  }
});

test('the page that asks for a code by email', async () => {
  await setPolicy(service, { email_codes: 'everyone' });
  for (const [name, path, allowed] of destinations()) {
    const person = new Person(service);
    const { fields } = await signInForm(person, path);
    const form = { action: '/sign-in/code', fields, buttons: [] };
    const asked = await person.submit(form, { email: owner.user.email });
    check(asked, allowed, name);
    check(await person.submit(await formIn(asked, '/sign-in/code'), { code: 'wrong' }), allowed, name);
    service.clock.advance(16 * 60);
  }
});

test('the page after an error of the upstream', async () => {
  for (const [name, path, allowed] of destinations()) {
    const person = new Person(service);
    const { continue: ticket = '' } = (await signInForm(person, path)).fields;
    const form = { action: '/sign-in/with/company', fields: { continue: ticket }, buttons: [] };
    const back = provider.authorize(await start(person, form));
    back.searchParams.delete('code');
    back.searchParams.set('error', 'server_error');
    const response = await respond(person, back);
    assert.equal(response.status, 502, name);
    check(response, allowed, name);
  }
});

test('the second step, also after a wrong code', async () => {
  for (const [name, path, allowed] of destinations()) {
    const person = new Person(service);
    const { email, password } = owner.user;
    const page = await person.submit(await signInForm(person, path), { email, password });
    check(page, allowed, name);
    check(await person.submit(await formIn(page, '/sign-in/second-step'), { code: '' }), allowed, name);
  }
});

test('the pages of a new account', async () => {
  for (const [index, [name, path, allowed]] of destinations().entries()) {
    const person = new Person(service);
    const email = `newcomer-${index}@example.test`;
    await person.submit({ ...(await signInForm(person, path)), action: '/sign-up' }, { email });
    const finish = await person.visit(await linkFor(service, email));
    check(finish, allowed, name);
    check(await person.submit(await formIn(finish, '/sign-up/finish'), { name: '', password: 'x' }), allowed, name);
  }
});

test('the review after a password reset, and the proof that it asks for', async () => {
  const { user, secret } = await newOwner(service);
  const password = 'another phrase of mine';
  // The authenticator app stays in force if it was there a week before.
  service.clock.advance(8 * 24 * 3600);
  await setPassword(service.running.services, { id: user.id }, password, requester);
  const { person, form: step } = await reachSecondStep(service, { ...user, password });
  const form = await formIn(await tryCode({ person, form: step }, codeOf(service, { secret })), '/account/review');
  service.clock.advance(16 * 60);
  for (const [name, path, allowed] of destinations()) {
    check(await person.request(`/account/review?to=${encodeURIComponent(path)}`), allowed, name);
    const asked = await person.submit(form, { review: 'remove', to: path });
    assert.match(await asked.text(), /Confirm it&#39;s you/, name);
    check(asked, allowed, name);
  }
});

test('none of these is a fault of the service', () => {
  assert.equal(service.log().includes('a request failed'), false);
});
