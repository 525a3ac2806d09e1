// Usernames: optional, and each one is one user's whatever its case.

import assert from 'node:assert/strict';
import { type Storage, StorageConflict, type User } from '../../src/storage/storage.ts';
import { anEvent, aProfile, aUser, hasEvent, type Rule, start, storedUser } from './records.ts';

const later = start + 1000;

const choose = (storage: Storage, user: User, preferredUsername: string | null, event = anEvent()) =>
  storage.changeProfile(user.id, aProfile({ preferredUsername }), later, event);
const usernameOf = async (storage: Storage, user: User) => (await storage.findUser(user.id))?.preferredUsername;

export function usernameRules(rule: Rule): void {
  rule('a username is kept as it was written, and can be given up', async (storage) => {
    const user = await storedUser(storage);
    assert.equal(await choose(storage, user, 'Ada.L'), true);
    assert.equal(await usernameOf(storage, user), 'Ada.L');
    assert.equal(await choose(storage, user, null), true);
    assert.equal(await usernameOf(storage, user), null);
  });

  rule('any number of users have no username', async (storage) => {
    for (let count = 0; count < 3; count++) assert.equal(await choose(storage, await storedUser(storage), null), true);
  });

  rule("another user's username is a conflict whatever its case, and changes nothing", async (storage) => {
    const [owner, other] = [await storedUser(storage), await storedUser(storage, { preferredUsername: 'bob' })];
    await choose(storage, owner, 'Ada');
    for (const spelling of ['Ada', 'ada', 'ADA']) {
      const event = anEvent();
      await assert.rejects(choose(storage, other, spelling, event), StorageConflict);
      assert.deepEqual(await storage.findUser(other.id), other);
      assert.equal(await hasEvent(storage, event), false);
    }
  });

  rule('users keep their own username, and may write it in another case', async (storage) => {
    const user = await storedUser(storage, { preferredUsername: 'ada' });
    for (const spelling of ['ada', 'ADA']) {
      assert.equal(await choose(storage, user, spelling), true);
      assert.equal(await usernameOf(storage, user), spelling);
    }
  });

  rule('a username that was given up, changed or deleted is free for others', async (storage) => {
    const [first, second, third] = [await storedUser(storage), await storedUser(storage), await storedUser(storage)];
    await choose(storage, first, 'ada');
    await choose(storage, first, null);
    assert.equal(await choose(storage, second, 'ada'), true);
    await choose(storage, second, 'countess');
    assert.equal(await choose(storage, first, 'ada'), true);
    await storage.deleteUser(first.id, anEvent());
    assert.equal(await choose(storage, third, 'ADA'), true);
  });

  rule('a user cannot be created with a username that is taken', async (storage) => {
    const owner = await storedUser(storage, { preferredUsername: 'ada' });
    const [user, event] = [aUser({ preferredUsername: 'Ada' }), anEvent()];
    await assert.rejects(storage.createUser(user, event), StorageConflict);
    assert.deepEqual(await storage.listUsers(), [owner]);
    assert.equal(await hasEvent(storage, event), false);
  });

  rule('of many users who choose one username at the same time exactly one gets it', async (storage) => {
    const users = await Promise.all(Array.from({ length: 20 }, () => storedUser(storage)));
    const outcomes = await Promise.allSettled(
      users.map((user, index) => choose(storage, user, index % 2 === 0 ? 'wanted' : 'WANTED')),
    );
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') assert.ok(outcome.reason instanceof StorageConflict);
    }
    const usernames = (await storage.listUsers()).map(({ preferredUsername }) => preferredUsername);
    assert.equal(usernames.filter((username) => username !== null).length, 1);
  });
}
