// Client secrets: their rotation, retirement and last use.

import assert from 'node:assert/strict';
import type { Client, Storage } from '../../../src/storage/storage.ts';
import { aClient, aDigest, anEvent, aSecret, later, type Rule, start, storedClient } from '../records.ts';

export function secretRules(rule: Rule): void {
  const secretsOf = async (storage: Storage, { id }: Client) => (await storage.findClient(id))?.secrets;
  const [oldest, newest] = [
    { digest: aDigest(), createdAt: start - 1, usedAt: null, sealedStates: null, lastFour: null },
    { digest: aDigest(), createdAt: start, usedAt: null, sealedStates: null, lastFour: 'n3w_' },
  ];

  rule("each secret's last use is stored separately", async (storage) => {
    const client = await storedClient(storage, { secrets: [newest, oldest] });
    const other = await storedClient(storage);
    const use = (digest: string, at: number) => storage.noteSecretUses([{ clientId: client.id, digest, at }]);
    await use(oldest.digest, later);
    assert.deepEqual(await secretsOf(storage, client), [newest, { ...oldest, usedAt: later }]);
    await use(newest.digest, later + 5);
    await use(newest.digest, later + 3);
    assert.deepEqual(await secretsOf(storage, client), [
      { ...newest, usedAt: later + 5 },
      { ...oldest, usedAt: later },
    ]);
    await use(aDigest(), later + 9);
    await storage.noteSecretUses([]);
    assert.deepEqual((await secretsOf(storage, client))?.[0]?.usedAt, later + 5);
    assert.deepEqual(await storage.findClient(other.id), other);
  });

  rule('uses of many secrets are stored together, in any order', async (storage) => {
    const clients: Client[] = [];
    for (let count = 0; count < 8; count++) clients.push(await storedClient(storage, { secrets: [newest, oldest] }));
    const uses = clients.flatMap(({ id }) => [
      { clientId: id, digest: newest.digest, at: later + 1 },
      { clientId: id, digest: oldest.digest, at: later },
      { clientId: 'gone', digest: oldest.digest, at: later },
    ]);
    await Promise.all([uses, uses.toReversed(), uses].map((each) => storage.noteSecretUses(each)));
    for (const client of clients) {
      const expected = [
        { ...newest, usedAt: later + 1 },
        { ...oldest, usedAt: later },
      ];
      assert.deepEqual(await secretsOf(storage, client), expected);
    }
  });

  rule("a secret's last use moves along when it becomes the previous one", async (storage) => {
    const client = await storedClient(storage, { secrets: [newest] });
    await storage.noteSecretUses([{ clientId: client.id, digest: newest.digest, at: later }]);
    const made = aSecret();
    await storage.rotateClientSecret(client.id, made, later + 1, anEvent());
    const fresh = { ...made, createdAt: later + 1, usedAt: null, sealedStates: null };
    assert.deepEqual(await secretsOf(storage, client), [fresh, { ...newest, usedAt: later }]);
    await storage.noteSecretUses([{ clientId: client.id, digest: newest.digest, at: later + 2 }]);
    assert.deepEqual(await secretsOf(storage, client), [fresh, { ...newest, usedAt: later + 2 }]);
    const last = aSecret();
    await storage.rotateClientSecret(client.id, last, later + 3, anEvent());
    assert.deepEqual(await secretsOf(storage, client), [
      { ...last, createdAt: later + 3, usedAt: null, sealedStates: null },
      fresh,
    ]);
  });

  rule('only the older of two secrets can be retired', async (storage) => {
    const client = await storedClient(storage, { secrets: [newest, oldest] });
    const isPublic = await storedClient(storage, { isPublic: true, secrets: [] });
    await storage.noteSecretUses([
      { clientId: client.id, digest: newest.digest, at: later },
      { clientId: client.id, digest: oldest.digest, at: later },
    ]);
    assert.equal(await storage.retireOldSecret(client.id, later, anEvent()), true);
    const retired = await storage.findClient(client.id);
    assert.deepEqual(retired, { ...client, secrets: [{ ...newest, usedAt: later }], updatedAt: later });
    assert.equal(await storage.retireOldSecret(client.id, later + 1, anEvent()), false);
    assert.equal(await storage.retireOldSecret(isPublic.id, later, anEvent()), false);
    assert.equal(await storage.retireOldSecret('nobody', later, anEvent()), false);
    assert.deepEqual(await storage.findClient(client.id), retired);

    await storage.rotateClientSecret(client.id, oldest, later + 2, anEvent());
    assert.equal((await secretsOf(storage, client))?.[0]?.usedAt, null, 'a use does not outlive its secret');
  });

  rule(
    'a client loses its secrets when it becomes public, and gets the given one when it becomes confidential',
    async (storage) => {
      const client = await storedClient(storage, { secrets: [newest, oldest] });
      const other = await storedClient(storage);
      const uses = [newest, oldest].map(({ digest }) => ({ clientId: client.id, digest, at: later }));
      await storage.noteSecretUses(uses);
      const update = async (change: Parameters<Storage['updateClient']>[1], at: number) =>
        storage.updateClient((await storage.findClient(client.id)) ?? client, change, at, anEvent());

      assert.equal(await update({ isPublic: true }, later), true);
      assert.deepEqual(await storage.findClient(client.id), {
        ...client,
        isPublic: true,
        secrets: [],
        updatedAt: later,
      });
      assert.equal(await storage.rotateClientSecret(client.id, aSecret(), later, anEvent()), false);
      await storage.noteSecretUses(uses);
      assert.deepEqual(await secretsOf(storage, client), []);

      const newSecret = aSecret();
      const name = 'New name';
      assert.equal(await update({ name, isPublic: false, newSecret }, later + 1), true);
      const secrets = [{ ...newSecret, createdAt: later + 1, usedAt: null, sealedStates: null }];
      assert.deepEqual(await storage.findClient(client.id), { ...client, name, secrets, updatedAt: later + 1 });
      assert.deepEqual(await storage.findClient(other.id), other);
      assert.equal(await storage.updateClient(aClient(), { isPublic: true }, later, anEvent()), false);
    },
  );
}
