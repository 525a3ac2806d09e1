// API keys in the console.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { createApiKey } from '../../../src/operations/admin/api-keys.ts';
import { noticeOn, send, textOf, visit } from '../../harness/console.ts';
import { Person } from '../../harness/person.ts';
import { origin, startTestService, type TestService, type TestUser } from '../../harness/service.ts';
import { everythingIn } from '../../harness/store.ts';

const HOUR = 60 * 60;

let service: TestService;
let administrator: TestUser;
let admin: Person;

before(async () => {
  service = await startTestService();
  administrator = await service.newUser({ admin: true, name: 'Margaret Hamilton' });
});
after(() => service.stop());
// Past the limits for emails and failures, within the lifetime of a session.
beforeEach(async () => {
  service.clock.advance(HOUR);
  admin = new Person(service);
  await admin.signIn(administrator);
});

describe('API keys', () => {
  test('one is created, shown once, stored as a digest, and ended', async () => {
    const { page } = await send(admin, '/admin/keys', '/admin/keys', {
      name: 'Report',
      permission: 'write',
      days: '30',
    });
    const secret = textOf(page, 'key');
    assert.match(secret, /^lk_api_[\w-]{43}$/);
    const listed = await visit(admin, '/admin/keys');
    assert.match(listed.page, /Report/);
    assert.equal(listed.page.includes(secret), false);
    assert.equal((await everythingIn(service)).join('\n').includes(secret.slice(7)), false);
    const [key] = await service.rows('api_keys');
    assert.equal(key?.created_by, administrator.id);
    const ended = await send(admin, '/admin/keys', '/admin/keys/end', { end: String(key?.id) });
    assert.equal(noticeOn(ended.page), 'The key does not work any more.');
    assert.deepEqual(await service.rows('api_keys'), []);
  });

  test('one is worth nothing when its maker is not an administrator any more', async () => {
    const maker = await service.newUser({ admin: true, name: 'Katherine Johnson' });
    const { services } = service.running;
    const input = { name: 'Theirs', permission: 'write', days: undefined };
    const made = await createApiKey(services, input, { ...origin, actor: { kind: 'administrator', id: maker.id } });
    assert.equal(made.kind, 'done');
    if (made.kind !== 'done') return;
    const status = async () =>
      (await fetch(`${service.url}/api/people`, { headers: { Authorization: `Bearer ${made.secret}` } })).status;
    assert.equal(await status(), 200);
    assert.match((await visit(admin, '/admin/keys')).page, /<dt>Made by<\/dt><dd>Katherine Johnson<\/dd>/);
    await send(admin, `/admin/people/${maker.id}`, `/admin/people/${maker.id}/disable`);
    assert.equal(await status(), 401);
    assert.match((await visit(admin, '/admin/keys')).page, /Over/);
    await send(admin, '/admin/keys', '/admin/keys/end', { end: made.key.id });
  });

  test('one that is over says so, and bad input makes none', async () => {
    for (const bad of [{ name: '' }, { permission: 'all' }, { days: '0' }, { days: '1.5' }, { days: 'x' }]) {
      const answer = await send(admin, '/admin/keys', '/admin/keys', {
        name: 'Key',
        permission: 'read',
        days: '',
        ...bad,
      });
      assert.equal(answer.status, 400, JSON.stringify(bad));
    }
    assert.deepEqual(await service.rows('api_keys'), []);
    const input = { name: 'Short', permission: 'read', days: 1 };
    await createApiKey(service.running.services, input, origin);
    service.clock.advance(24 * HOUR);
    await admin.signIn(administrator);
    assert.match((await visit(admin, '/admin/keys')).page, /Over/);
  });
});
