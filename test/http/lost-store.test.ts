// The store is lost in the middle of a request: if something was changed before, nobody is told that nothing was.

import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { StorageUnavailable } from '../../src/storage/storage.ts';
import { newKey } from '../harness/api.ts';
import { startTestService, type TestService } from '../harness/service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

/** A request to the API that finds the person `finds` times before the store is lost. */
async function lose(t: TestContext, method: string, path: string, finds: number, body?: object) {
  const { storage } = service.running.services;
  const { headers } = await newKey(service);
  const find = storage.findUser.bind(storage);
  let found = 0;
  t.mock.method(storage, 'findUser', async (id: string) => {
    if (found++ >= finds) throw new StorageUnavailable('gone');
    return find(id);
  });
  const sent = { method, headers: headers(method), ...(body && { body: JSON.stringify(body) }) };
  const response = await fetch(service.url + path, sent);
  t.mock.restoreAll();
  const { message } = (await response.json()) as { message: string };
  return { status: response.status, retryAfter: response.headers.get('retry-after'), message };
}

test('before a change, nothing was changed', async (t) => {
  const { id } = await service.newUser();
  const lost = await lose(t, 'POST', `/api/people/${id}/disable`, 0);
  assert.deepEqual([lost.status, lost.retryAfter], [503, '2']);
  assert.doesNotMatch(lost.message, /may have taken effect/);
  assert.equal((await service.running.services.storage.findUser(id))?.disabledAt, null);
});

test('after a change, it may have taken effect', async (t) => {
  const { id } = await service.newUser();
  const lost = await lose(t, 'POST', `/api/people/${id}/disable`, 1);
  assert.deepEqual([lost.status, lost.retryAfter], [503, '2']);
  assert.match(lost.message, /may have taken effect; check before repeating it/);
  assert.notEqual((await service.running.services.storage.findUser(id))?.disabledAt, null);
});
