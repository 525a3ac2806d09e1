// People who came from another service.

import assert from 'node:assert/strict';
import { type Storage, StorageConflict, type User } from '../../../src/storage/storage.ts';
import { anAuthenticator, anEvent, aUser, hasEvent, type Rule, start, storedLink, storedUser } from '../records.ts';
import { anUpstream } from './upstreams.ts';

const importOf = (storage: Storage, users: readonly User[], event = anEvent()) =>
  storage.importUsers(
    'keycloak',
    users.map((user) => ({ oldId: `old ${user.id}`, user })),
    start,
    event,
  );

const keysOf = (user: User) => ({
  oldId: `old ${user.id}`,
  id: user.id,
  email: user.email,
  username: user.preferredUsername,
});

const none = new Set();
const nobody = {
  oldIds: none,
  ids: none,
  emailKeys: none,
  usernameKeys: none,
  invitedKeys: none,
  identityKeys: none,
  deletedIds: none,
  mayLackDeleted: false,
};

export function importRules(rule: Rule): void {
  rule('imported people are found by ID, email address and every word', async (storage) => {
    const people = Array.from({ length: 300 }, (_, index) =>
      aUser({ id: `auth0|${index}`, email: `Person.${index}@example.test`, name: `Ada L${index}`, locale: 'de' }),
    );
    const event = anEvent({ kind: 'people_imported', detail: { source: 'keycloak', people: 300 } });
    await importOf(storage, people, event);
    assert.ok(await hasEvent(storage, event));
    for (const user of [people[0], people[299]]) {
      assert.ok(user);
      assert.deepEqual(await storage.findUser(user.id), user);
      assert.deepEqual(await storage.findUserByEmail(user.email.toUpperCase()), user);
      assert.deepEqual(await storage.findImportOrigin(user.id), {
        source: 'keycloak',
        oldId: `old ${user.id}`,
        importedAt: start,
      });
    }
    const { items } = await storage.pageUsers({ words: ['l299'], after: undefined, limit: 5 });
    assert.deepEqual(
      items.map(({ id }) => id),
      ['auth0|299'],
    );
  });

  rule('conflicts are found, and people already imported from the same source', async (storage) => {
    const user = aUser({ preferredUsername: 'Ada' });
    assert.deepEqual(await storage.findTaken('keycloak', [keysOf(user)], start), nobody);
    await importOf(storage, [user]);
    const strangers = Array.from({ length: 600 }, () => keysOf(aUser()));
    const again = { ...keysOf(user), email: user.email.toUpperCase(), username: 'ADA' };
    const all = {
      oldIds: new Set([`old ${user.id}`]),
      ids: new Set([user.id]),
      emailKeys: new Set([user.email]),
      usernameKeys: new Set(['ada']),
      invitedKeys: none,
      identityKeys: none,
      deletedIds: none,
      mayLackDeleted: false,
    };
    assert.deepEqual(await storage.findTaken('keycloak', [...strangers, again], start), all);
    assert.deepEqual(await storage.findTaken('auth0', [again], start), { ...all, oldIds: new Set() });
    assert.deepEqual(await storage.findTaken('keycloak', strangers, start), nobody);
    assert.deepEqual(await storage.findTaken('keycloak', [], start), nobody);
  });

  rule("one record that can't be stored rolls back the whole batch", async (storage) => {
    const there = await storedUser(storage, { preferredUsername: 'Grace' });
    await importOf(storage, [aUser({ id: 'imported' })]);
    const other = aUser();
    const impossible = [
      aUser({ email: there.email.toUpperCase() }),
      aUser({ id: there.id }),
      aUser({ preferredUsername: 'grace' }),
      aUser({ id: 'imported' }),
    ];
    for (const user of impossible) {
      const event = anEvent();
      await assert.rejects(importOf(storage, [other, user], event), StorageConflict);
      assert.equal(await storage.findUser(other.id), undefined);
      assert.equal(await hasEvent(storage, event), false);
    }
  });

  rule('an import voids links that would create a second account for an address', async (storage) => {
    const user = aUser();
    const data = { email: user.email, name: '' };
    await storedLink(storage, { purpose: 'invite', userId: null, data, expiresAt: start + 10 });
    assert.ok(await storage.findInvitation(user.email, start));
    await importOf(storage, [user]);
    assert.equal(await storage.findInvitation(user.email, start), undefined);
  });

  rule('a person comes with their app, and one who has lost theirs is marked until they have one', async (storage) => {
    const [owner, lost] = [aUser(), aUser({ lostFactorAt: start })];
    const people = [
      { oldId: '1', user: owner, authenticator: { sealedSecret: 'sealed', createdAt: start - 1 } },
      { oldId: '2', user: lost },
    ];
    await storage.importUsers('keycloak', people, start, anEvent());
    const facts = await storage.findSignInFacts(owner.id, undefined);
    assert.deepEqual(facts.authenticator, { sealedSecret: 'sealed', lastStep: 0 });
    assert.equal((await storage.findListedUser(owner.id))?.hasSecondFactor, true);
    assert.equal((await storage.findUser(lost.id))?.lostFactorAt, start);
    assert.equal(await storage.enableAuthenticator(lost.id, anAuthenticator(), [], start, anEvent()), true);
    assert.equal((await storage.findUser(lost.id))?.lostFactorAt, null);
    assert.equal(await storage.removeAuthenticator(lost.id, anEvent()), true);
    assert.equal((await storage.findUser(lost.id))?.lostFactorAt, null);
  });

  rule('a group that decides something by now, or is gone, undoes the batch', async (storage) => {
    const later = { createdAt: start, updatedAt: start };
    const plain = await storage.createGroup({ id: 'plain', name: 'Plain', ...later }, anEvent());
    const guarded = { id: 'guarded', name: 'Guarded', ...later, protectedSince: start };
    assert.ok(plain && (await storage.createGroup(guarded, anEvent())));
    const done = async (id: string, evenIfItDecides = false) => {
      const user = aUser();
      const groups = ['plain', id].map((each) => ({ id: each, userIds: [user.id], evenIfItDecides }));
      const further = { checkedBy: [], restoresIds: false, groups, since: start };
      const stored = await storage.importUsers('keycloak', [{ oldId: user.id, user }], start, anEvent(), further);
      assert.equal((await storage.findUser(user.id)) !== undefined, stored, id);
      return stored;
    };
    assert.deepEqual(
      [await done('guarded'), await done('nowhere'), await storage.countMembers('plain')],
      [false, false, 0],
    );
    assert.deepEqual([await done('guarded', true), await storage.countMembers('guarded')], [true, 1]);
  });

  rule("an identity that is somebody's, or at a provider that is gone, undoes the batch", async (storage) => {
    const upstream = anUpstream();
    assert.ok(await storage.createUpstream(upstream, undefined, 100, anEvent()));
    const importing = (user: User, issuer: string) => {
      const authenticator = { sealedSecret: 'sealed', createdAt: start };
      const groups = [
        {
          id: `of ${user.id}`,
          created: {
            group: { id: `of ${user.id}`, name: `Of ${user.id}`, createdAt: start, updatedAt: start },
            event: anEvent(),
          },
          userIds: [user.id],
          evenIfItDecides: false,
        },
      ];
      const person = { oldId: user.id, user, authenticator, identities: [{ issuer, subject: '1' }] };
      return storage.importUsers('keycloak', [person], start, anEvent(), { groups });
    };
    const [owner, other, late] = [aUser(), aUser(), aUser()];
    assert.equal(await importing(owner, upstream.issuer), true);
    await assert.rejects(importing(other, upstream.issuer), StorageConflict);
    assert.equal(await importing(late, 'https://gone.example'), false);
    for (const { id } of [other, late]) {
      assert.equal(await storage.findUser(id), undefined);
      assert.equal(await storage.findGroupByName(`Of ${id}`), undefined);
    }
    assert.equal((await storage.findIdentity({ issuer: upstream.issuer, subject: '1' }))?.user.id, owner.id);
  });

  rule('deleting a person deletes their import record', async (storage) => {
    const user = aUser();
    await importOf(storage, [user]);
    assert.equal(await storage.deleteUser(user.id, anEvent()), true);
    assert.equal(await storage.findImportOrigin(user.id), undefined);
    const deleted = { ...nobody, deletedIds: new Set([user.id]) };
    assert.deepEqual(await storage.findTaken('keycloak', [keysOf(user)], start), deleted);
  });
}
