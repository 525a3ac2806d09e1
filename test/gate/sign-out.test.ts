// Signing out at the gate, and being signed out by Latchkey.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { updateClient } from '../../src/operations/clients/clients.ts';
import { disableUser } from '../../src/operations/users/disable-user.ts';
import { GateVisitor, startTestGate, type TestGate } from '../harness/gate.ts';
import { formIn } from '../harness/person.ts';
import { requester, startTestService, type TestService, type TestUser } from '../harness/service.ts';
import { until } from '../harness/until.ts';

describe('signing out at the gate', () => {
  let service: TestService;
  let gate: TestGate;
  let user: TestUser;
  let second: TestGate;

  before(async () => {
    service = await startTestService({ LATCHKEY_WEBHOOK_NETWORKS: '127.0.0.0/8' });
    gate = await startTestGate(service);
    second = await startTestGate(service, { beside: gate });
    user = await service.newUser();
    const backchannelLogoutUri = `${gate.url}/gate/backchannel-logout`;
    const updated = await updateClient(service.running.services, gate.client.id, { backchannelLogoutUri }, requester);
    assert.equal(updated.kind, 'done');
  });
  after(async () => {
    await second?.stop();
    await gate?.stop();
    await service?.stop();
  });

  const signedIn = async (at = gate) => {
    const visitor = new GateVisitor(at, service);
    await visitor.signIn(user);
    assert.equal((await visitor.check('/')).status, 200);
    return visitor;
  };
  /** The same browser, at the other process. */
  const elsewhere = (visitor: GateVisitor) => {
    const there = new GateVisitor(second, service);
    for (const [name, value] of visitor.cookies) there.cookies.set(name, value);
    return there;
  };

  test('asks first, ends the session for all processes, revokes its tokens and goes on to Latchkey', async () => {
    const visitor = await signedIn();
    const there = elsewhere(visitor);
    assert.equal((await there.check('/')).status, 200);
    const page = await visitor.open('/gate/sign-out');
    assert.equal(page.status, 200);
    assert.ok(page.body.includes(user.email));
    assert.match(
      page.body,
      /<form[^>]* method="post"[^>]* action="\/gate\/sign-out"|action="\/gate\/sign-out"[^>]*method="post"/,
    );
    assert.equal((await visitor.check('/')).status, 200, 'the page alone changes nothing');

    const revoked = (await service.events('token_revoked')).length;
    const answer = await visitor.signOut();
    assert.equal(answer.status, 303);
    assert.equal(visitor.session, undefined);
    assert.equal((await service.events('token_revoked')).length, revoked + 1);
    assert.equal((await there.check('/')).status, 302);
    const url = new URL(answer.headers.location ?? '');
    assert.equal(url.origin + url.pathname, `${service.url}/oauth/logout`);
    // With the ID token, Latchkey doesn't ask again.
    const end = await visitor.person.request(url.pathname + url.search);
    assert.ok([200, 302, 303].includes(end.status));
    assert.equal((await visitor.person.request('/account')).status, 302);
  });

  for (const [name, headers] of [
    ['from another site', { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' }],
    ['from a subdomain', { 'Sec-Fetch-Site': 'same-site', Origin: 'https://evil.wiki.example' }],
    ['from another origin, by an old browser', { Origin: 'https://evil.example' }],
    ['from nowhere', {}],
  ] as const) {
    test(`a form ${name} is asked about, not carried out`, async () => {
      const visitor = await signedIn();
      const answer = await visitor.open('/gate/sign-out', { method: 'POST', headers });
      assert.equal(answer.status, 200);
      assert.match(answer.body, /action="\/gate\/sign-out"/);
      assert.equal((await visitor.check('/')).status, 200);
    });
  }

  test('an old browser that only says where the form was is signed out', async () => {
    const visitor = await signedIn();
    const answer = await visitor.open('/gate/sign-out', {
      method: 'POST',
      headers: { Origin: 'https://wiki.example' },
    });
    assert.equal(answer.status, 303);
  });

  test('without a session there is a page that says so', async () => {
    const visitor = new GateVisitor(gate, service);
    assert.equal((await visitor.open('/gate/sign-out')).status, 200);
    const answer = await visitor.signOut();
    assert.deepEqual([answer.status, answer.headers.location], [200, undefined]);
  });

  test('a logout at Latchkey ends the session at once, for all processes', async () => {
    const visitor = await signedIn();
    const there = elsewhere(visitor);
    const other = await signedIn();
    assert.equal((await there.check('/')).status, 200);
    const form = await formIn(await visitor.person.visit('/account'), '/sign-out');
    await visitor.person.submit(form, {});
    await until(async () => (await there.check('/')).status === 302, 'the session is over');
    assert.equal((await visitor.check('/')).status, 302);
    assert.equal((await other.check('/')).status, 200, "another browser's session stays");
    assert.ok(gate.lines.some(({ text }) => text === 'signed out by Latchkey'));
  });

  test('so does an administrator who disables the person', async () => {
    const leaving = await service.newUser();
    const visitor = new GateVisitor(second, service);
    await visitor.signIn(leaving);
    await disableUser(service.running.services, { id: leaving.id }, requester);
    await until(async () => (await visitor.check('/')).status === 302, 'the session is over');
  });
});
