// Administrators: who is one, and that the last one who can sign in stays.

import assert from 'node:assert/strict';
import type { EventRecord } from '../../../src/protocol/event.ts';
import type { Storage, User } from '../../../src/storage/storage.ts';
import {
  anEvent,
  hasEvent,
  later,
  type Rule,
  setAdministrator,
  start,
  storedAdministrator,
  storedLink,
  storedSession,
  storedUser,
} from '../records.ts';

/** Every way to lose an administrator. */
const removals: Readonly<Record<string, (storage: Storage, user: User, event?: EventRecord) => Promise<boolean>>> = {
  'taking it away': (storage, { id }, event = anEvent()) => setAdministrator(storage, id, null, event),
  disabling: (storage, { id }, event = anEvent()) => storage.disableUser(id, later, event),
  deleting: (storage, { id }, event = anEvent()) => storage.deleteUser(id, event),
};

export function administratorRules(rule: Rule): void {
  rule('only administrators who can sign in are counted', async (storage) => {
    assert.equal(await storage.countAdministrators(), 0);
    await storedUser(storage);
    await storedAdministrator(storage, { disabledAt: start });
    assert.equal(await storage.countAdministrators(), 0);
    await storedAdministrator(storage);
    await storedAdministrator(storage);
    assert.equal(await storage.countAdministrators(), 2);
  });

  rule('admin access is given and removed once each', async (storage) => {
    await storedAdministrator(storage);
    const user = await storedUser(storage);
    const session = await storedSession(storage, user);
    assert.equal(await setAdministrator(storage, user.id, null, anEvent()), false);
    assert.equal(await setAdministrator(storage, user.id, later, anEvent()), true);
    assert.deepEqual(await storage.findUser(user.id), { ...user, adminSince: later });
    assert.equal(await setAdministrator(storage, user.id, later + 1, anEvent()), false);
    assert.equal((await storage.findUser(user.id))?.adminSince, later);
    assert.equal(await setAdministrator(storage, user.id, null, anEvent()), true);
    assert.deepEqual(await storage.findUser(user.id), user);
    assert.equal(await setAdministrator(storage, user.id, null, anEvent()), false);
    assert.deepEqual(await storage.findSession(session.digest, start), { session, user });
  });

  rule("an unknown user can't be made an administrator or stop being one", async (storage) => {
    const event = anEvent();
    assert.equal(await setAdministrator(storage, 'nobody', later, event), false);
    assert.equal(await setAdministrator(storage, 'nobody', null, event), false);
    assert.equal(await storage.disableUser('nobody', later, event), false);
    assert.equal(await storage.deleteUser('nobody', event), false);
    assert.equal(await hasEvent(storage, event), false);
  });

  for (const [way, remove] of Object.entries(removals)) {
    rule(`${way} changes nothing for the last administrator who can sign in`, async (storage) => {
      const last = await storedAdministrator(storage);
      await storedUser(storage);
      await storedAdministrator(storage, { disabledAt: start });
      const session = await storedSession(storage, last);
      const link = await storedLink(storage, { purpose: 'reset_password', userId: last.id });
      const event = anEvent();
      assert.equal(await remove(storage, last, event), false);
      assert.equal(await hasEvent(storage, event), false);
      assert.deepEqual(await storage.findSession(session.digest, start), { session, user: last });
      assert.ok(await storage.findLink(link.digest, 'reset_password', start));

      await storedAdministrator(storage);
      assert.equal(await remove(storage, last, event), true, 'there is another now');
      assert.equal(await storage.countAdministrators(), 1);
    });

    rule(
      `${way} works for non-administrators and disabled administrators, even without another administrator`,
      async (storage) => {
        const user = await storedUser(storage);
        const disabled = await storedAdministrator(storage, { disabledAt: start });
        assert.equal(await remove(storage, user), way !== 'taking it away');
        assert.equal(await remove(storage, disabled), way !== 'disabling');
        assert.equal(await storage.countAdministrators(), 0);
      },
    );
  }

  rule('of two administrators who remove each other concurrently exactly one remains', async (storage) => {
    const ways = Object.values(removals);
    let survivor = await storedAdministrator(storage);
    for (let round = 0; round < 20; round++) {
      const newcomer = await storedAdministrator(storage);
      const [one, other] = [ways[round % 3], ways[Math.floor(round / 3) % 3]];
      assert.ok(one && other);
      const answers = await Promise.all([one(storage, survivor), other(storage, newcomer)]);
      assert.equal(answers.filter(Boolean).length, 1, `round ${round}`);
      assert.equal(await storage.countAdministrators(), 1, `round ${round}`);
      survivor = answers[0] ? newcomer : survivor;
      const { adminSince, disabledAt } = (await storage.findUser(survivor.id)) ?? {};
      assert.deepEqual([adminSince, disabledAt], [start, null]);
    }
  });

  rule('of ten administrators removed concurrently exactly one remains', async (storage) => {
    const all: User[] = [];
    for (let count = 0; count < 10; count++) all.push(await storedAdministrator(storage));
    const ways = Object.values(removals);
    const answers = await Promise.all(all.map((user, index) => ways[index % 3]?.(storage, user)));
    assert.equal(answers.filter(Boolean).length, 9);
    assert.equal(await storage.countAdministrators(), 1);
  });
}
