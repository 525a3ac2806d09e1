// How long a session at the gate lasts: whoever loses access is out with the next check, and nobody else is.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, beforeEach, describe, test } from 'node:test';
import { updateClient } from '../../src/operations/clients/clients.ts';
import { disableUser } from '../../src/operations/users/disable-user.ts';
import { newGroup } from '../harness/claim-subjects.ts';
import { allGroups, claimOf, setClaims } from '../harness/claims.ts';
import { GateVisitor, startTestGate, type TestGate } from '../harness/gate.ts';
import { formIn } from '../harness/person.ts';
import { requester, type TestService, type TestUser } from '../harness/service.ts';
import { until } from '../harness/until.ts';
import { type InBetween, startInBetween } from './in-between.ts';

describe('a session at the gate', () => {
  let service: TestService;
  let between: InBetween;
  let gate: TestGate;
  let user: TestUser;
  let visitor: GateVisitor;

  before(async () => {
    between = await startInBetween();
    service = between.service;
    gate = await startTestGate(service);
    await setClaims(service, gate.client.id, [claimOf('groups', allGroups)]);
  });
  after(async () => {
    await gate?.stop();
    await between?.stop();
  });
  beforeEach(async () => {
    between.reset();
    user = await service.newUser();
    visitor = new GateVisitor(gate, service);
    await visitor.signIn(user);
    between.asked.length = 0;
  });

  const status = async (at = visitor) => (await at.check('/')).status;

  test('is checked at most once in recheck_seconds, for all requests together', async () => {
    service.clock.advance(29);
    assert.equal(await status(), 200);
    assert.deepEqual(between.asked, []);
    service.clock.advance(1);
    const answers = await Promise.all(Array.from({ length: 50 }, () => status()));
    assert.deepEqual(new Set(answers), new Set([200]));
    assert.deepEqual(between.asked, ['/oauth/userinfo']);
    service.clock.advance(29);
    assert.equal(await status(), 200);
    assert.equal(between.asked.length, 1);
  });

  test('is checked once for all processes', async () => {
    const second = await startTestGate(service, { beside: gate });
    try {
      const there = new GateVisitor(second, service);
      for (const [name, value] of visitor.cookies) there.cookies.set(name, value);
      assert.equal(await status(there), 200);
      service.clock.advance(30);
      assert.equal(await status(), 200);
      assert.equal(await status(there), 200);
      assert.deepEqual(between.asked, ['/oauth/userinfo']);
    } finally {
      await second.stop();
    }
  });

  test('gets a new access token when the old one expires', async () => {
    service.clock.advance(3600);
    assert.equal(await status(), 200);
    assert.deepEqual(between.asked, ['/oauth/token', '/oauth/userinfo']);
    service.clock.advance(30);
    assert.equal(await status(), 200);
    assert.deepEqual(between.asked.slice(2), ['/oauth/userinfo']);
  });

  test('shows what has changed about the person after recheck_seconds', async () => {
    const group = `Board ${user.id}`;
    await newGroup(service, group, user);
    assert.equal((await visitor.check('/')).headers['remote-groups'], '');
    service.clock.advance(30);
    assert.equal((await visitor.check('/')).headers['remote-groups'], group);
  });

  const ends: Readonly<Record<string, () => Promise<unknown>>> = {
    'is disabled': () => disableUser(service.running.services, { id: user.id }, requester),
    'is taken off the access list': () =>
      updateClient(service.running.services, gate.client.id, { access: 'listed' }, requester),
    'has removed the application under Connected apps': async () => {
      const form = await formIn(await visitor.person.visit('/account/apps'), '/account/apps');
      return visitor.person.submit(form, { remove: gate.client.id });
    },
  };
  for (const [name, end] of Object.entries(ends)) {
    test(`is over with the next check once its person ${name}, for good`, async () => {
      await end();
      assert.equal(await status(), 200);
      service.clock.advance(30);
      assert.equal(await status(), 302);
      const logged = gate.lines.filter(({ text }) => text === 'access ended').at(-1);
      assert.equal(logged && 'sub' in logged.facts && logged.facts.sub, user.id);
      // It doesn't come back with the access.
      await updateClient(service.running.services, gate.client.id, { access: 'everyone' }, requester);
      service.clock.advance(30);
      assert.equal(await status(), 302);
    });
  }

  const unanswered: Readonly<Record<string, InBetween['answer']>> = {
    'no connection': (_, response) => response.destroy(),
    'no response': () => {},
    'status 503': (_, response) => response.writeHead(503).end(),
    'somebody else': (_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>Wi-Fi</h1>'),
  };
  for (const [name, answer] of Object.entries(unanswered)) {
    test(`passes for grace_seconds if Latchkey doesn't answer (${name}), and still exists afterwards`, async () => {
      // Only here does anything wait for an answer that never comes; elsewhere, a busy machine may be slower than this.
      const impatient = await startTestGate(service, { beside: gate, deadline: 500 });
      try {
        const there = new GateVisitor(impatient, service);
        for (const [name, value] of visitor.cookies) there.cookies.set(name, value);
        between.answer = answer;
        service.clock.advance(59);
        assert.equal(await status(there), 200);
        assert.ok(impatient.lines.some(({ level, text }) => level === 'warn' && text.startsWith('Latchkey')));
        service.clock.advance(1);
        const late = await there.check('/');
        assert.deepEqual([late.status, late.headers['retry-after']], [503, '5']);
        assert.deepEqual((await there.check('/', { headers: { 'Sec-Fetch-Mode': 'cors' } })).body, '');
        const stranger = new GateVisitor(impatient, service);
        assert.equal(await status(stranger), 302);
        between.reset();
        await until(async () => (await status(there)) === 200, 'the session passes again');
      } finally {
        await impatient.stop();
      }
    });
  }

  test('is over after session_hours, and the next sign-in revokes its tokens', async () => {
    service.clock.advance(12 * 3600 - 1);
    assert.equal(await status(), 200);
    service.clock.advance(1);
    assert.equal(await status(), 302);
    const revoked = (await service.events('token_revoked')).length;
    await visitor.signIn(user);
    await until(async () => (await service.events('token_revoked')).length > revoked, 'the tokens are revoked');
  });

  test('survives a restart of the gate', async () => {
    const first = await startTestGate(service, { beside: gate });
    const there = new GateVisitor(first, service);
    await there.signIn(user);
    await first.stop();
    const second = await startTestGate(service, { beside: gate });
    try {
      const again = new GateVisitor(second, service);
      for (const [name, value] of there.cookies) again.cookies.set(name, value);
      assert.equal(await status(again), 200);
    } finally {
      await second.stop();
    }
  });

  test('is a row in a file that only its owner can read, with nothing in it that opens it', async () => {
    const { dataDir, keyFile } = gate.config;
    for (const file of [keyFile, ...readdirSync(dataDir).map((name) => join(dataDir, name))]) {
      assert.equal(statSync(file).mode & 0o777, 0o600, file);
    }
    const { session = '' } = visitor;
    const database = new DatabaseSync(join(dataDir, 'sessions.db'), { readOnly: true, timeout: 10_000 });
    const digest = createHash('sha256')
      .update(visitor.session ?? '')
      .digest('base64url');
    const row = database.prepare('SELECT * FROM sessions WHERE digest = ?').get(digest);
    database.close();
    assert.ok(row);
    const files = readdirSync(dataDir).map((name) => readFileSync(join(dataDir, name), 'latin1'));
    for (const secret of [session, user.id, user.email, gate.client.secret, 'eyJhbGciOi']) {
      assert.equal(files.join('').includes(secret), false, secret);
    }
  });

  test('its cookie is 256 random bits, for this host and https alone', async () => {
    const callback = await visitor.callbackFor(user).catch(() => undefined);
    assert.equal(callback, undefined, 'someone who is signed in is not sent to sign in');
    const other = new GateVisitor(gate, service);
    const answer = await other.open((await other.callbackFor(user)).href);
    const set = /^__Host-latchkey_gate=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/;
    assert.match(answer.headers['set-cookie']?.join('\n') ?? '', set);
  });
});
