// A text names one person, or one group, and the ID of somebody who was deleted names nobody else.

import assert from 'node:assert/strict';
import { emailKey } from '../../../src/protocol/account/email-address.ts';
import { newId } from '../../../src/protocol/identifiers.ts';
import { type Storage, StorageConflict, type User } from '../../../src/storage/storage.ts';
import { aLink, anEvent, aProfile, aUser, type Rule, start, storedLink, storedUser } from '../records.ts';

const imported = async (storage: Storage, changes: Partial<User>, restores = false) => {
  const user = aUser(changes);
  await storage.importUsers('csv', [{ oldId: user.id, user }], start, anEvent(), { restoresIds: restores });
  return user;
};

/** Each way in which a person gets a name, with the person. */
type Change = (storage: Storage, user: User, name: string) => Promise<unknown>;
const identityOf = ({ name, givenName, familyName, email }: User) => ({ name, givenName, familyName, email });
const directory = 'directory';
const scim = (storage: Storage, user: User, change: Partial<User>) => {
  const basis = { ...user, managedBy: directory };
  const write = { source: directory, person: { ...basis, ...change }, attributes: undefined, standing: undefined };
  return storage.changeScimUser(basis, { ...write, emailVerifiedAt: null }, start, [anEvent()]);
};
const ways: Readonly<Record<'email' | 'username', Readonly<Record<string, Change>>>> = {
  email: {
    creating: (storage, _, email) => storage.createUser(aUser({ email }), anEvent()),
    importing: (storage, _, email) => imported(storage, { email }),
    editing: (storage, user, email) =>
      storage.editUser(user.id, identityOf(user), { ...identityOf(user), email }, start, anEvent()),
    'changing their own': async (storage, user, email) => {
      const { digest } = await storedLink(storage, aLink({ purpose: 'change_email', userId: user.id }));
      return storage.changeEmail(user, email, digest, start, anEvent());
    },
    'a directory': (storage, user, email) => scim(storage, user, { email }),
  },
  username: {
    creating: (storage, _, preferredUsername) => storage.createUser(aUser({ preferredUsername }), anEvent()),
    importing: (storage, _, preferredUsername) => imported(storage, { preferredUsername }),
    'changing their own': (storage, user, preferredUsername) =>
      storage.changeProfile(user.id, aProfile({ preferredUsername }), start, anEvent()),
    'a directory': (storage, user, preferredUsername) => scim(storage, user, { preferredUsername }),
  },
};

export function nameRules(rule: Rule): void {
  for (const [kind, id, written] of [
    ['email', 'ada@example.test', 'Ada@Example.test'],
    ['username', 'ada', 'Ada'],
  ] as const) {
    for (const [way, change] of Object.entries(ways[kind])) {
      rule(`an ${kind} that is somebody else's ID is refused: ${way}`, async (storage) => {
        const other = await storedUser(storage, { managedBy: way === 'a directory' ? directory : null });
        await imported(storage, { id });
        for (const name of [id, written]) await assert.rejects(change(storage, other, name), StorageConflict);
        assert.deepEqual(await storage.findUser(other.id), other);
        // Whoever has the ID may be called so.
        const [owner] = (await storage.listUsers()).filter((user) => user.id === id);
        assert.ok(owner);
        if (way === 'editing') assert.equal(await change(storage, owner, written), true);
      });
    }
  }

  rule("what a person is called already may stay, if it's somebody else's ID from before", async (storage, driver) => {
    for (const id of ['Ada@Example.test', 'Ada', 'grace@example.test', 'grace']) {
      const called = id.includes('@') ? { email: id } : { preferredUsername: id };
      const user = await storedUser(storage, called);
      const { id: own } = await storedUser(storage);
      await driver.write([{ sql: 'UPDATE users SET id = $1 WHERE id = $2', params: [id, own] }]);
      const identity = identityOf(user);
      assert.equal(await storage.editUser(user.id, identity, { ...identity, name: 'N' }, start, anEvent()), true);
      const { preferredUsername } = user;
      assert.equal(await storage.changeProfile(user.id, aProfile({ preferredUsername }), start, anEvent()), true);
    }
  });

  rule("an ID that is somebody else's email address or username is refused", async (storage) => {
    const ada = await storedUser(storage, { email: 'Ada@example.test', preferredUsername: 'Ada' });
    for (const id of ['ada@example.test', 'Ada@Example.test', 'ada', 'ADA']) {
      await assert.rejects(imported(storage, { id }), StorageConflict);
      await assert.rejects(storage.createUser(aUser({ id }), anEvent()), StorageConflict);
    }
    // Their own may be alike.
    const grace = await imported(storage, { id: 'grace@example.test', email: 'Grace@example.test' });
    assert.deepEqual((await storage.listUsers()).map(({ id }) => id).toSorted(), [ada.id, grace.id].toSorted());
  });

  rule('of an ID and an email address that come at the same moment, one is stored', async (storage) => {
    for (let attempt = 0; attempt < 8; attempt++) {
      const text = `person-${attempt}@example.test`;
      const writes = [imported(storage, { id: text }), storage.createUser(aUser({ email: text }), anEvent())];
      const settled = await Promise.allSettled(attempt % 2 === 0 ? writes : writes.reverse());
      assert.equal(settled.filter(({ status }) => status === 'fulfilled').length, 1);
      const both = [await storage.findUser(text), await storage.findUserByEmail(emailKey(text))];
      assert.equal(both.filter((user) => user !== undefined).length, 1);
    }
  });

  rule("a name that is another group's ID is refused", async (storage) => {
    const group = { createdAt: start, updatedAt: start, protectedSince: null };
    const aGroup = (name: string) => ({
      ...group,
      id: newId((size) => crypto.getRandomValues(new Uint8Array(size))),
      name,
    });
    const first = (await storage.createGroup(aGroup('First'), anEvent())) ?? assert.fail();
    const second = (await storage.createGroup(aGroup('Second'), anEvent())) ?? assert.fail();
    const scimGroup = { ...aGroup('Of the directory'), managedBy: directory, externalId: null };
    assert.equal(await storage.createScimGroup(scimGroup, [], [anEvent()], start), true);
    for (const name of [first.id, first.id.toUpperCase()]) {
      await assert.rejects(storage.createGroup(aGroup(name), anEvent()), StorageConflict);
      await assert.rejects(storage.renameGroup(second, name, start, anEvent()), StorageConflict);
      const own = { ...aGroup(name), managedBy: directory, externalId: null };
      await assert.rejects(storage.createScimGroup(own, [], [anEvent()], start), StorageConflict);
      const change = { name, externalId: null };
      const nobody = { add: [], remove: [] };
      await assert.rejects(storage.changeScimGroup(scimGroup, change, nobody, [anEvent()], start), StorageConflict);
    }
    assert.deepEqual(await storage.findGroup(first.id), first);
    assert.deepEqual(await storage.findGroupByName('second'), second);
    assert.equal(await storage.findGroupByName(second.id), undefined);
  });

  rule("a deleted person's ID is given to nobody else", async (storage) => {
    const deletions: readonly [Partial<User>, (user: User) => Promise<boolean>][] = [
      [{}, ({ id }) => storage.deleteUser(id, anEvent())],
      [{ disabledAt: start, pendingSince: start }, ({ id }) => storage.declineUser(id, anEvent())],
      [{ managedBy: directory }, ({ id }) => storage.deleteScimUser(id, directory, anEvent())],
    ];
    for (const [index, [changes, remove]] of deletions.entries()) {
      const id = `old-${index}`;
      const user = await imported(storage, { ...changes, id });
      assert.equal(
        (await storage.findTaken('csv', [{ oldId: 'x', id, email: 'x@y.test', username: null }], start)).deletedIds
          .size,
        0,
      );
      assert.equal(await remove(user), true);
      const taken = await storage.findTaken('csv', [{ oldId: 'x', id, email: 'x@y.test', username: null }], start);
      assert.deepEqual([...taken.deletedIds], [id]);
      await assert.rejects(imported(storage, { id }), StorageConflict);
      await assert.rejects(storage.createUser(aUser({ id }), anEvent()), StorageConflict);
      // The old one comes back only if that is said, and can go again.
      await imported(storage, { ...changes, id }, true);
      assert.equal(await remove(user), true);
      await assert.rejects(imported(storage, { id }), StorageConflict);
    }
  });

  rule('nothing is remembered of somebody who was not deleted', async (storage) => {
    const user = await imported(storage, { id: 'stays' });
    assert.equal(await storage.declineUser(user.id, anEvent()), false);
    assert.equal(await storage.deleteScimUser(user.id, directory, anEvent()), false);
    const taken = await storage.findTaken(
      'csv',
      [{ oldId: 'x', id: 'stays', email: 'x@y.test', username: null }],
      start,
    );
    assert.deepEqual([...taken.deletedIds], []);
  });

  rule('an ID that is deleted and imported at the same moment belongs to one person', async (storage) => {
    for (let attempt = 0; attempt < 8; attempt++) {
      const user = await imported(storage, { id: `moment-${attempt}` });
      const [deleted, again] = await Promise.allSettled([
        storage.deleteUser(user.id, anEvent()),
        imported(storage, { id: user.id }),
      ]);
      assert.equal(deleted.status, 'fulfilled');
      assert.equal(again.status, 'rejected');
    }
  });
}
