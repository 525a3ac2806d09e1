// API keys, and whether their maker still is an administrator.

import assert from 'node:assert/strict';
import { DAY } from '../../../src/protocol/durations.ts';
import type { EventRecord } from '../../../src/protocol/event.ts';
import { type ApiKey, type Storage, StorageConflict, type User } from '../../../src/storage/storage.ts';
import {
  aDigest,
  anApiKey,
  anEvent,
  atOnce,
  hasEvent,
  later,
  type Rule,
  restoredUser,
  setAdministrator,
  start,
  storedAdministrator,
  storedUser,
} from '../records.ts';

/** What takes an administrator's rights away, and what gives them back. */
const stops: Readonly<
  Record<
    string,
    {
      stop: (storage: Storage, user: User, keyEvents: readonly EventRecord[]) => Promise<boolean>;
      restore: (storage: Storage, user: User) => Promise<unknown>;
    }
  >
> = {
  disabling: {
    stop: (storage, { id }, keyEvents) => storage.disableUser(id, later, anEvent(), keyEvents),
    restore: (storage, { id }) => storage.enableUser(id, later, anEvent()),
  },
  demoting: {
    stop: (storage, { id }, keyEvents) => setAdministrator(storage, id, null, anEvent(), keyEvents),
    restore: (storage, { id }) => setAdministrator(storage, id, later, anEvent()),
  },
  deleting: {
    stop: (storage, { id }, keyEvents) => storage.deleteUser(id, anEvent(), keyEvents),
    restore: (storage, user) => restoredUser(storage, user),
  },
};

export function apiKeyRules(rule: Rule): void {
  rule('an API key is found by its digest, as it was created', async (storage) => {
    const { id: maker } = await storedAdministrator(storage);
    const keys: ApiKey[] = [
      anApiKey(),
      anApiKey({ permission: 'write', createdBy: maker, expiresAt: start + DAY, name: 'Übersicht „Ω" 🚀' }),
    ];
    for (const key of keys) {
      await storage.createApiKey(key, anEvent());
      assert.deepEqual(await storage.findApiKey(key.digest, start), key);
      assert.equal(await storage.findApiKey(key.id, start), undefined);
    }
    assert.equal(await storage.findApiKey(aDigest(), start), undefined);
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

  rule('API key IDs and digests are unique', async (storage) => {
    const key = anApiKey();
    await storage.createApiKey(key, anEvent());
    await assert.rejects(storage.createApiKey(anApiKey({ id: key.id }), anEvent()), StorageConflict);
    await assert.rejects(storage.createApiKey(anApiKey({ digest: key.digest }), anEvent()), StorageConflict);
    assert.deepEqual(await storage.listApiKeys(), [key]);
  });

  rule('an API key is revoked once, without affecting others', async (storage) => {
    const [key, other] = [anApiKey(), anApiKey()];
    for (const each of [key, other]) await storage.createApiKey(each, anEvent());
    const calls = Array.from({ length: atOnce }, () => storage.revokeApiKey(key.id, anEvent()));
    assert.equal((await Promise.all(calls)).filter(Boolean).length, 1);
    assert.equal(await storage.findApiKey(key.digest, start), undefined);
    assert.deepEqual(await storage.listApiKeys(), [other]);
    assert.equal(await storage.revokeApiKey('nobody', anEvent()), false);
  });

  rule('only an administrator who can sign in can create an API key', async (storage) => {
    await storedAdministrator(storage);
    const makers = [
      await storedUser(storage),
      await storedAdministrator(storage, { disabledAt: start }),
      { id: 'nobody' },
    ];
    for (const { id } of makers) {
      const event = anEvent();
      assert.equal(await storage.createApiKey(anApiKey({ createdBy: id }), event), false);
      assert.equal(await hasEvent(storage, event), false);
    }
    assert.deepEqual(await storage.listApiKeys(), []);
  });

  for (const [name, { stop, restore }] of Object.entries(stops)) {
    rule(`${name} an administrator permanently revokes the keys they created`, async (storage) => {
      const [maker, other] = [await storedAdministrator(storage), await storedAdministrator(storage)];
      const keys = [anApiKey({ createdBy: maker.id }), anApiKey({ createdBy: maker.id })];
      const others = [anApiKey(), anApiKey({ createdBy: other.id })];
      for (const key of [...keys, ...others]) assert.equal(await storage.createApiKey(key, anEvent()), true);
      assert.deepEqual(new Set(await storage.listApiKeysOf(maker.id)), new Set(keys));
      const keyEvents = keys.map(() => anEvent());
      assert.equal(await stop(storage, maker, keyEvents), true);
      for (const event of keyEvents) assert.ok(await hasEvent(storage, event));
      await restore(storage, maker);
      for (const { digest } of keys) assert.equal(await storage.findApiKey(digest, start), undefined);
      assert.deepEqual(new Set(await storage.listApiKeys()), new Set(others));
    });

    rule(`${name} an administrator who is creating keys leaves none that works later`, async (storage) => {
      const [maker] = [await storedAdministrator(storage), await storedAdministrator(storage)];
      const make = () => storage.createApiKey(anApiKey({ createdBy: maker.id }), anEvent());
      await Promise.all([make(), make(), stop(storage, maker, []), make(), make()]);
      await restore(storage, maker);
      assert.deepEqual(await storage.listApiKeys(), []);
    });
  }

  rule('administrators who can sign in are listed, oldest first', async (storage) => {
    const second = await storedAdministrator(storage, { createdAt: start + 2 });
    const first = await storedAdministrator(storage, { createdAt: start + 1 });
    await storedAdministrator(storage, { disabledAt: start });
    await storedUser(storage);
    assert.deepEqual(await storage.listAdministrators(), [first, second]);
  });

  rule('the last use of API keys is stored', async (storage) => {
    const [used, also, unused] = [anApiKey(), anApiKey(), anApiKey()];
    for (const each of [used, also, unused]) await storage.createApiKey(each, anEvent());
    await storage.noteApiKeyUses([], later);
    await storage.noteApiKeyUses([also.id, 'gone', used.id], later);
    assert.deepEqual(await storage.findApiKey(used.digest, start), { ...used, lastUsedAt: later });
    assert.deepEqual(await storage.findApiKey(also.digest, start), { ...also, lastUsedAt: later });
    assert.deepEqual(await storage.findApiKey(unused.digest, start), unused);
  });
}
