// What the gate answers a proxy, and how people get past it.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { GateVisitor, startTestGate, type TestGate } from '../harness/gate.ts';
import { startTestService, type TestService, type TestUser } from '../harness/service.ts';

describe('a check', () => {
  let service: TestService;
  let gate: TestGate;
  let user: TestUser;

  before(async () => {
    service = await startTestService();
    gate = await startTestGate(service, { application: { open: ['/healthz', '/assets/*'], programs: ['/api/*'] } });
    user = await service.newUser({ name: 'Grace Hopper' });
  });
  after(async () => {
    await gate?.stop();
    await service?.stop();
  });

  test('a browser is sent to sign in, comes back to where it wanted to go, and passes with its identity', async () => {
    const visitor = new GateVisitor(gate, service);
    const first = await visitor.check('/page?a=b&c=d');
    assert.equal(first.status, 302);
    assert.equal(first.headers.location, 'https://wiki.example/gate/sign-in?to=%2Fpage%3Fa%3Db%26c%3Dd');
    assert.equal(first.headers['set-cookie'], undefined);
    assert.equal(await visitor.signIn(user, '/page?a=b&c=d'), 'https://wiki.example/page?a=b&c=d');
    const passed = await visitor.check('/page?a=b&c=d');
    assert.equal(passed.status, 200);
    assert.equal(passed.body, '');
    assert.equal(passed.headers['set-cookie'], undefined);
    const { 'remote-user': sub, 'remote-email': email, 'remote-name': name, 'remote-groups': groups } = passed.headers;
    assert.deepEqual([sub, email, name, groups], [user.id, user.email, 'Grace Hopper', '']);
  });
});
