// API keys in the console.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createApiKey } from '../../../src/operations/api-keys/api-keys.ts';
import { disableUser } from '../../../src/operations/users/disable-user.ts';
import { noticeOn, send, textOf, visit } from '../../harness/console.ts';
import { requester, type TestUser } from '../../harness/service.ts';
import { everythingIn, mailsTo } from '../../harness/store.ts';
import { consoleOfSuite } from '../../harness/suite.ts';

const HOUR = 60 * 60;

const { service, administrator, admin } = consoleOfSuite();

describe('API keys', () => {
  test('one is created, shown once, stored as a digest and revoked', async () => {
    const { page } = await send(admin, '/admin/keys', '/admin/keys', {
      name: 'Report',
      permission: 'administrator',
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
    assert.equal(key.permission, 'administrator');
    const ended = await send(admin, '/admin/keys', '/admin/keys/end', { end: String(key?.id) });
    assert.equal(noticeOn(ended.page), 'API key revoked.');
    assert.deepEqual(await service.rows('api_keys'), []);
  });

  for (const [stop, restore] of [
    ['disable', 'enable'],
    ['remove-administrator', 'make-administrator'],
  ]) {
    test(`one is revoked when its creator is stopped by ${stop}, and ${restore} doesn't bring it back`, async () => {
      const maker = await service.newUser({ admin: true, name: 'Katherine Johnson' });
      const { services } = service.running;
      const input = { name: 'Theirs', permission: 'write', days: undefined };
      const made = await createApiKey(services, input, {
        ...requester,
        actor: { kind: 'administrator', id: maker.id },
      });
      assert.equal(made.kind, 'done');
      if (made.kind !== 'done') return;
      const status = async () =>
        (await fetch(`${service.url}/api/people`, { headers: { Authorization: `Bearer ${made.secret}` } })).status;
      assert.equal(await status(), 200);
      assert.match((await visit(admin, '/admin/keys')).page, /data-label="Created by">Katherine Johnson</);
      const person = `/admin/people/${maker.id}`;
      await send(admin, person, `${person}/${stop}`);
      assert.equal(await status(), 401);
      assert.deepEqual(await service.rows('api_keys'), []);
      const [ended] = (await service.events('api_key_ended')).filter(({ detail }) => detail?.key === made.key.id);
      assert.deepEqual([ended?.userId, ended?.actor?.id], [maker.id, administrator.id]);
      await send(admin, person, `${person}/${restore}`);
      assert.equal(await status(), 401);
    });
  }

  test('a new one is announced by email to its creator, or to all administrators', async () => {
    const other = await service.newUser({ admin: true });
    const stopped = await service.newUser({ admin: true });
    await disableUser(service.running.services, stopped.id, requester);
    const toldOf = async (name: string, { email }: TestUser) =>
      (await mailsTo(service, email)).filter(({ text }) => text.includes(`“${name}”`)).length;
    const fields = { name: 'From the console', permission: 'write', days: '' };
    const { page } = await send(admin, '/admin/keys', '/admin/keys', fields);
    await createApiKey(service.running.services, { name: 'By command', permission: 'read', days: 1 }, requester);
    assert.deepEqual(
      await Promise.all([administrator, other, stopped].map((user) => toldOf('From the console', user))),
      [1, 0, 0],
    );
    assert.deepEqual(
      await Promise.all([administrator, other, stopped].map((user) => toldOf('By command', user))),
      [1, 1, 0],
    );
    const secret = textOf(page, 'key');
    for (const { text } of await mailsTo(service, administrator.email)) assert.equal(text.includes(secret), false);
    for (const { id } of await service.rows('api_keys')) {
      await send(admin, '/admin/keys', '/admin/keys/end', { end: String(id) });
    }
  });

  test('an expired one is shown as such, and invalid input creates none', async () => {
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
    await createApiKey(service.running.services, input, requester);
    service.clock.advance(24 * HOUR);
    await admin.signIn(administrator);
    assert.match((await visit(admin, '/admin/keys')).page, /Expired/);
  });
});
