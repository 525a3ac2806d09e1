// The consent page approves what it showed, and nothing else.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { updateClient } from '../../../src/operations/clients/clients.ts';
import { digestOf } from '../../../src/protocol/digest.ts';
import type { Scope } from '../../../src/protocol/oauth/scope.ts';
import { answerOf, formIn, Person } from '../../harness/person.ts';
import { authorizePath, exchangeParameters, newVerifier, postForm } from '../../harness/relying-party.ts';
import { requester, type TestClient, type TestUser } from '../../harness/service.ts';
import { serviceOfSuite } from '../../harness/suite.ts';

const decision = '/oauth-authorize/decision';

const service = serviceOfSuite();
let user: TestUser;

before(async () => {
  user = await service.newUser();
});

async function signedIn(): Promise<Person> {
  const person = new Person(service);
  await person.signIn(user);
  return person;
}

async function register(app: TestClient, scopes: readonly Scope[]): Promise<void> {
  const outcome = await updateClient(service.running.services, app.id, { scopes }, requester);
  assert.equal(outcome.kind, 'done');
}

async function grantedScope(app: TestClient, verifier: string, answer: URL): Promise<string> {
  const code = answer.searchParams.get('code') ?? '';
  return (await postForm(service, '/oauth/token', exchangeParameters(app, code, verifier))).body.scope;
}

const changes: [string, readonly Scope[], readonly Scope[]][] = [
  ['grew', ['openid'], ['openid', 'profile', 'email']],
  ['shrank', ['openid', 'profile', 'email'], ['openid']],
  ['moved', ['openid', 'email'], ['openid', 'profile']],
];

for (const [how, before, after] of changes) {
  test(`if the registered scopes ${how} before approval, the page is shown again and grants what it then lists`, async () => {
    const app = await service.newClient({ scopes: before });
    const person = await signedIn();
    const verifier = newVerifier();
    const form = await formIn(await person.visit(authorizePath(app, verifier, { scope: undefined })), decision);
    await register(app, after);

    const again = await person.submit(form, { decision: 'approve' });
    assert.equal(again.status, 200);
    const page = await again.text();
    assert.match(page, /has changed/);
    assert.equal((await service.rows('consents')).filter((row) => row.client_id === app.id).length, 0);
    assert.equal((await service.rows('grants')).filter((row) => row.client_id === app.id).length, 0);

    const answer = answerOf(await person.submit(await formIn(new Response(page), decision), { decision: 'approve' }));
    assert.equal(await grantedScope(app, verifier, answer), after.join(' '));
    const [consent] = (await service.rows('consents')).filter((row) => row.client_id === app.id);
    assert.equal(consent?.scopes, after.join(' '));
  });
}

test("a request with explicit scopes isn't affected by newly registered ones", async () => {
  const app = await service.newClient({ scopes: ['openid', 'email'] });
  const person = await signedIn();
  const verifier = newVerifier();
  const form = await formIn(await person.visit(authorizePath(app, verifier, { scope: 'openid' })), decision);
  await register(app, ['openid', 'profile', 'email']);
  const answer = answerOf(await person.submit(form, { decision: 'approve' }));
  assert.equal(await grantedScope(app, verifier, answer), 'openid');
});

test('consent is asked for again when the registered scopes grow', async () => {
  const app = await service.newClient({ scopes: ['openid'] });
  const person = await signedIn();
  const path = authorizePath(app, newVerifier(), { scope: undefined });
  await person.authorize(path, user);
  assert.equal((await person.visit(path)).status, 302, 'remembered');
  await register(app, ['openid', 'email']);
  assert.ok((await formIn(await person.visit(path), decision)).fields.request);
});

test('a form from before an update is shown again, and can still be canceled', async () => {
  const app = await service.newClient();
  const person = await signedIn();
  const path = authorizePath(app, newVerifier());
  const form = await formIn(await person.visit(path), decision);
  const query = path.slice('/oauth-authorize?'.length);
  const stamp = service.running.services.keys.stamp(
    'decision',
    digestOf(person.cookies.get('latchkey_session') ?? ''),
    query,
  );
  const old = { ...form, fields: { request: `${Buffer.from(query, 'latin1').toString('base64url')}.${stamp}` } };

  const again = await person.submit(old, { decision: 'approve' });
  assert.equal(again.status, 200);
  const page = await again.text();
  assert.doesNotMatch(page, /has changed/);
  const cancelled = answerOf(await person.submit(old, { decision: 'cancel' }));
  assert.equal(cancelled.searchParams.get('error'), 'access_denied');
  const answer = answerOf(await person.submit(await formIn(new Response(page), decision), { decision: 'approve' }));
  assert.ok(answer.searchParams.get('code'));
});
