// When the service's keys were used and retired, and what they have sealed.

import assert from 'node:assert/strict';
import { anEvent, type Rule, storedUser } from '../records.ts';

export function serviceKeyRules(rule: Rule): void {
  rule('the earliest use of a key is kept', async (storage) => {
    assert.deepEqual(await storage.listServiceKeys(), []);
    await Promise.all([storage.noteServiceKeyUse('key2', 250), storage.noteServiceKeyUse('key1', 100)]);
    await storage.noteServiceKeyUse('key1', 300);
    await storage.noteServiceKeyUse('key2', 200);
    assert.deepEqual(await storage.listServiceKeys(), [
      { id: 'key1', firstUsedAt: 100, retiredAt: null },
      { id: 'key2', firstUsedAt: 200, retiredAt: null },
    ]);
  });

  rule('keys, known or not, are retired permanently with the event', async (storage) => {
    await storage.noteServiceKeyUse('key1', 100);
    const event = anEvent({ kind: 'service_keys_retired' });
    await storage.retireServiceKeys(['key1', 'key2'], 500, event);
    await storage.retireServiceKeys(['key1'], 900, anEvent());
    await storage.noteServiceKeyUse('key2', 950);
    assert.deepEqual(await storage.listServiceKeys(), [
      { id: 'key1', firstUsedAt: 100, retiredAt: 500 },
      { id: 'key2', firstUsedAt: 500, retiredAt: 500 },
    ]);
    assert.ok((await storage.findEvents({}, 10, 'oldest')).some(({ id }) => id === event.id));
  });

  rule('sealed texts are listed by ID, in pages', async (storage) => {
    const ids = ['m3', 'm1', 'm2'];
    for (const id of ids) await storage.queueEmail({ id, sealed: `sealed ${id}`, createdAt: 1 });
    const [first, second] = await storage.listSealed('email', '', 2);
    assert.deepEqual(
      [first, second],
      [
        { id: 'm1', sealed: 'sealed m1' },
        { id: 'm2', sealed: 'sealed m2' },
      ],
    );
    assert.deepEqual(await storage.listSealed('email', 'm2', 2), [{ id: 'm3', sealed: 'sealed m3' }]);
    assert.deepEqual(await storage.listSealed('authenticator', '', 2), []);
  });

  rule("a sealed text is replaced only if it's unchanged", async (storage) => {
    const user = await storedUser(storage);
    await storage.enableAuthenticator(user.id, { sealedSecret: 'old', lastStep: 3 }, undefined, 1, anEvent());
    const change = { id: user.id, sealed: 'old', resealed: 'new' };
    assert.equal(await storage.reseal('authenticator', [{ ...change, sealed: 'other' }, change]), 1);
    assert.equal(await storage.reseal('authenticator', [change]), 0);
    const { authenticator } = await storage.findSignInFacts(user.id, undefined);
    assert.deepEqual(authenticator, { sealedSecret: 'new', lastStep: 3 });
  });
}
