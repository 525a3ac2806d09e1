// API keys, and whether their maker still is an administrator.

import assert from 'node:assert/strict';
import { type ApiKey, StorageConflict } from '../../../src/storage/storage.ts';
import { aDigest, anApiKey, anEvent, atOnce, DAY, later, type Rule, start, storedAdministrator } from '../records.ts';

export function apiKeyRules(rule: Rule): void {
  rule('an API key is found by its digest, as it was made', async (storage) => {
    const { id: maker } = await storedAdministrator(storage);
    const keys: ApiKey[] = [
      anApiKey(),
      anApiKey({ permission: 'write', createdBy: maker, expiresAt: start + DAY, name: 'Übersicht „Ω" 🚀' }),
      anApiKey({ createdBy: 'somebody', makerIsAdmin: false }),
    ];
    for (const key of keys) {
      await storage.createApiKey(key, anEvent());
      assert.deepEqual(await storage.findApiKey(key.digest), key);
      assert.equal(await storage.findApiKey(key.id), undefined);
    }
    assert.equal(await storage.findApiKey(aDigest()), undefined);
  });

  rule('API keys are listed newest first', async (storage) => {
    assert.deepEqual(await storage.listApiKeys(), []);
    const keys = [
      anApiKey({ createdAt: start + 1 }),
      anApiKey({ createdAt: start + 3 }),
      anApiKey({ createdAt: start + 2 }),
    ];
    for (const key of keys) await storage.createApiKey(key, anEvent());
    assert.deepEqual(await storage.listApiKeys(), [keys[1], keys[2], keys[0]]);
  });

  rule('an id, and a digest, belong to one API key', async (storage) => {
    const key = anApiKey();
    await storage.createApiKey(key, anEvent());
    await assert.rejects(storage.createApiKey(anApiKey({ id: key.id }), anEvent()), StorageConflict);
    await assert.rejects(storage.createApiKey(anApiKey({ digest: key.digest }), anEvent()), StorageConflict);
    assert.deepEqual(await storage.listApiKeys(), [key]);
  });

  rule('an API key is ended once, and no other with it', async (storage) => {
    const [key, other] = [anApiKey(), anApiKey()];
    for (const each of [key, other]) await storage.createApiKey(each, anEvent());
    const calls = Array.from({ length: atOnce }, () => storage.revokeApiKey(key.id, anEvent()));
    assert.equal((await Promise.all(calls)).filter(Boolean).length, 1);
    assert.equal(await storage.findApiKey(key.digest), undefined);
    assert.deepEqual(await storage.listApiKeys(), [other]);
    assert.equal(await storage.revokeApiKey('nobody', anEvent()), false);
  });

  rule('the use of API keys is noted', async (storage) => {
    const [used, also, unused] = [anApiKey(), anApiKey(), anApiKey()];
    for (const each of [used, also, unused]) await storage.createApiKey(each, anEvent());
    await storage.noteApiKeyUses([], later);
    await storage.noteApiKeyUses([also.id, 'gone', used.id], later);
    assert.deepEqual(await storage.findApiKey(used.digest), { ...used, lastUsedAt: later });
    assert.deepEqual(await storage.findApiKey(also.digest), { ...also, lastUsedAt: later });
    assert.deepEqual(await storage.findApiKey(unused.digest), unused);
  });
}
