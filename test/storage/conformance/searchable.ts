// Users and clients of 0.3.0, which had other words, become searchable, whatever happens to them meanwhile. No call of
// storage makes anything unsearchable, so these rules need the driver.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { searchedWords } from '../../../src/protocol/admin/search-words.ts';
import type { Driver } from '../../../src/storage/driver.ts';
import { sqlStorage } from '../../../src/storage/sql/sql-storage.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { markUnsearchable } from '../../../src/storage/transfer.ts';
import { anEvent, aProfile, start, storageOn, storedClient, storedUser } from '../records.ts';

interface Store {
  readonly storage: Storage;
  /** Deletes all words, as if everything were to be indexed again. */
  forgetWords(): Promise<void>;
  /** Indexes some, and runs `meanwhile` between reading them and writing their words. */
  makeSearchable(meanwhile: () => Promise<unknown>): Promise<number>;
  found(text: string): Promise<string[]>;
}

/** `openDriver` opens an empty, migrated store that nothing else uses. */
export function searchableConformance(
  engine: string,
  openDriver: () => Promise<{ driver: Driver; close(): Promise<void> }>,
): void {
  const rule = (name: string, body: (store: Store) => Promise<void>) =>
    test(name, async () => {
      const { driver, close } = await openDriver();
      try {
        await body(storeOn(driver));
      } finally {
        await close();
      }
    });

  describe(`storage on ${engine}: becoming searchable`, { concurrency: 4 }, () => {
    rule('users and clients become searchable in batches, by all their words', async (store) => {
      const { storage } = store;
      const user = await storedUser(storage, { name: 'Ada Lovelace', givenName: 'Augusta', email: 'ada@a.example' });
      const client = await storedClient(storage, { name: 'Photo Album', redirectUris: ['https://photos.example/cb'] });
      for (let count = 0; count < 3; count++) await storedUser(storage, { name: 'Somebody' });
      await store.forgetWords();
      const newcomer = await storedUser(storage, { name: 'Newcomer' });
      assert.deepEqual(await store.found('a'), []);

      const counts = [];
      while (counts.at(-1) !== 0) counts.push(await storage.makeSearchable(2));
      assert.deepEqual(counts, [2, 2, 1, 0]);
      for (const text of ['ada lo', 'lovelace', 'augusta', 'ada@'])
        assert.deepEqual(await store.found(text), [user.id]);
      for (const text of ['photo al', 'album', 'photos.', client.id]) {
        assert.deepEqual(await store.found(text), [client.id]);
      }
      assert.equal((await store.found('some')).length, 3);
      assert.deepEqual(await store.found('newcomer'), [newcomer.id]);
    });

    rule("deleted records aren't found and aren't waited for", async (store) => {
      const { storage } = store;
      const users = [await storedUser(storage, { name: 'Ada' }), await storedUser(storage, { name: 'Ada' })];
      const client = await storedClient(storage, { name: 'Ada' });
      await store.forgetWords();
      await storage.deleteUser(users[0]?.id ?? '', anEvent());
      await store.makeSearchable(async () => {
        await storage.deleteUser(users[1]?.id ?? '', anEvent());
        await storage.deleteClient(client.id, anEvent());
      });
      await storage.makeSearchable(10);
      assert.equal(await storage.makeSearchable(10), 0);
      assert.deepEqual(await store.found('ada'), []);
    });

    for (const [moment, at] of Object.entries({ 'a later moment': start + 1, 'the same millisecond': start })) {
      rule(`a record changed meanwhile, at ${moment}, is found by its new words`, async (store) => {
        const { storage } = store;
        const user = await storedUser(storage, { name: 'Old Name' });
        const client = await storedClient(storage, { name: 'Old App', redirectUris: ['https://oldhost.example/cb'] });
        await store.forgetWords();
        const profile = aProfile({ name: 'New Name', givenName: 'Newest' });
        await store.makeSearchable(async () => {
          await storage.changeProfile(user.id, profile, at, anEvent());
          const redirectUris = ['https://newhost.example/cb'];
          await storage.updateClient(client, { name: 'New App', redirectUris }, at, anEvent());
        });
        await storage.makeSearchable(10);
        assert.equal(await storage.makeSearchable(10), 0);
        assert.deepEqual(await store.found('old'), []);
        for (const text of ['new name', 'newest', user.email])
          assert.deepEqual(await store.found(text), [user.id], text);
        for (const text of ['new a', 'newhost', client.id])
          assert.deepEqual(await store.found(text), [client.id], text);
      });
    }

    rule('a record changed before is found by its new words', async (store) => {
      const { storage } = store;
      const user = await storedUser(storage, { name: 'Old Name' });
      await store.forgetWords();
      const profile = aProfile({ name: 'New Name' });
      await storage.changeProfile(user.id, profile, start + 1, anEvent());
      assert.deepEqual(await store.found('new'), [user.id], 'at once');
      assert.equal(await storage.makeSearchable(10), 1);
      for (const text of ['new', user.email]) assert.deepEqual(await store.found(text), [user.id]);
      assert.deepEqual(await store.found('old'), []);
    });

    rule('several processes can do it at the same time', async (store) => {
      const { storage } = store;
      for (let count = 0; count < 10; count++) await storedUser(storage, { name: 'Ada Lovelace' });
      await store.forgetWords();
      await Promise.all(Array.from({ length: 4 }, () => storage.makeSearchable(10)));
      assert.equal(await storage.makeSearchable(10), 0);
      assert.equal((await store.found('ada')).length, 10);
    });
  });
}

function storeOn(driver: Driver): Store {
  const storage = storageOn(driver);
  return {
    storage,
    async forgetWords() {
      await driver.write([{ sql: 'DELETE FROM search_words', params: [] }]);
      await markUnsearchable(driver, 2);
    },
    makeSearchable(meanwhile) {
      let happened: Promise<unknown> | undefined;
      const interrupted = sqlStorage({
        ...driver,
        async write(statements) {
          happened ??= meanwhile();
          await happened;
          return driver.write(statements);
        },
      });
      return interrupted.makeSearchable(10);
    },
    async found(text) {
      const query = { words: searchedWords(text), after: undefined, limit: 20 };
      const pages = [await storage.pageUsers(query), await storage.pageClients(query)];
      return pages.flatMap(({ items }) => items.map(({ id }) => id));
    },
  };
}
