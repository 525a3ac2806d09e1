// Users: who they are, that an email address is one user's, and that disabling a user stops everything of theirs.

import assert from 'node:assert/strict';
import { StorageConflict, UnusableText } from '../../../src/storage/storage.ts';
import {
  activeGrant,
  aDigest,
  aGrant,
  anEvent,
  aPasskey,
  aSession,
  aUser,
  connectedClientIds,
  exchangeOf,
  hasEvent,
  issuedGrant,
  later,
  longText,
  partiesAreActive,
  type Rule,
  restoredUser,
  start,
  storedClient,
  storedSession,
  storedUser,
  storedWorld,
  tokenLives,
} from '../records.ts';

export function userRules(rule: Rule): void {
  rule('a user is read back as they were created', async (storage) => {
    const user = aUser({
      email: 'Grace.Hopper@Navy.Example',
      emailVerifiedAt: start - 1,
      name: 'Grace Hopper',
      givenName: 'Grace',
      familyName: 'Hopper',
      preferredUsername: 'grace',
      picture: 'https://pictures.example/grace.png',
      locale: 'en-US',
      adminSince: start - 2,
      disabledAt: start - 3,
      generation: 4,
      createdAt: start - 5,
      updatedAt: start - 6,
    });
    await storage.createUser(user, anEvent());
    assert.deepEqual(await storage.findUser(user.id), user);
  });

  rule('text with a zero byte is neither looked for nor stored, alone or next to others', async (storage) => {
    const user = await storedUser(storage);
    const unusable = (work: Promise<unknown>) => assert.rejects(work, UnusableText);
    await Promise.all([
      unusable(storage.findUserByEmail('a\0b@example.test')),
      unusable(storage.findUser('\0')),
      unusable(storage.createUser(aUser({ name: 'a\0b' }), anEvent())),
      storage.findUser(user.id).then((found) => assert.deepEqual(found, user)),
    ]);
  });

  rule('optional fields stay empty', async (storage) => {
    const user = await storedUser(storage);
    assert.deepEqual(await storage.findUser(user.id), user);
  });

  rule('Unicode and 8 KB of text survive in a user', async (storage) => {
    const user = await storedUser(storage, {
      name: longText,
      givenName: 'Ἀδάμ 🧪',
      familyName: 'O\'Brien; -- \\ " %_',
    });
    assert.deepEqual(await storage.findUser(user.id), user);
  });

  rule('a user is found by email address whatever its case', async (storage) => {
    const user = await storedUser(storage, { email: 'Jörg.Ärmel@Example.com' });
    for (const spelling of ['Jörg.Ärmel@Example.com', 'jörg.ärmel@example.com', 'JÖRG.ÄRMEL@EXAMPLE.COM']) {
      assert.deepEqual(await storage.findUserByEmail(spelling), user);
    }
  });

  rule('nobody is found under an unknown id or email address', async (storage) => {
    await storedUser(storage);
    assert.equal(await storage.findUser('nobody'), undefined);
    assert.equal(await storage.findUserByEmail('nobody@people.example'), undefined);
    assert.equal(await storage.findUserByEmail('%@people.example'), undefined);
  });

  rule('email addresses are unique in any case, and a duplicate leaves no trace', async (storage) => {
    const first = await storedUser(storage, { email: 'Zoë@Example.com' });
    for (const email of ['Zoë@Example.com', 'zoë@example.com', 'ZOË@EXAMPLE.COM']) {
      const second = aUser({ email });
      const event = anEvent();
      await assert.rejects(storage.createUser(second, event), StorageConflict);
      assert.equal(await storage.findUser(second.id), undefined);
      assert.equal(await hasEvent(storage, event), false);
    }
    assert.deepEqual(await storage.listUsers(), [first]);
  });

  rule('user IDs are unique', async (storage) => {
    const first = await storedUser(storage);
    await assert.rejects(storage.createUser(aUser({ id: first.id }), anEvent()), StorageConflict);
    assert.deepEqual(await storage.listUsers(), [first]);
  });

  rule('of many users who claim one email address concurrently exactly one gets it', async (storage) => {
    const claims = Array.from({ length: 20 }, (_, index) =>
      storage.createUser(aUser({ email: index % 2 === 0 ? 'one@example.com' : 'ONE@example.com' }), anEvent()),
    );
    const outcomes = await Promise.allSettled(claims);
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') assert.ok(outcome.reason instanceof StorageConflict);
    }
    assert.equal((await storage.listUsers()).length, 1);
  });

  rule('users are listed in order of creation', async (storage) => {
    const third = await storedUser(storage, { createdAt: start + 3 });
    const first = await storedUser(storage, { createdAt: start + 1 });
    const second = await storedUser(storage, { createdAt: start + 2 });
    assert.deepEqual(await storage.listUsers(), [first, second, third]);
  });

  rule("a new password ends that user's sessions only", async (storage) => {
    const user = await storedUser(storage);
    const other = await storedUser(storage);
    const sessions = [await storedSession(storage, user), await storedSession(storage, user)];
    const othersSession = await storedSession(storage, other);

    assert.equal(await storage.setPasswordHash(user.id, 'new hash', start + 1, anEvent()), true);
    for (const { digest } of sessions) assert.equal(await storage.findSession(digest, start), undefined);
    assert.ok(await storage.findSession(othersSession.digest, start));
    assert.deepEqual(await storage.findUser(other.id), other);
    const changed = await storage.findUser(user.id);
    assert.equal(changed?.passwordHash, 'new hash');
    assert.equal(changed?.updatedAt, start + 1);
  });

  rule('a session can start after a new password', async (storage) => {
    const { id } = await storedUser(storage);
    await storage.setPasswordHash(id, 'new hash', start + 1, anEvent());
    const user = await storage.findUser(id);
    assert.ok(user);
    const session = aSession(user);
    assert.equal(await storage.startSession({ session, sessionGeneration: 1 }), true);
    assert.ok(await storage.findSession(session.digest, start));
  });

  rule('disabling a user ends their sessions, tokens and codes at once', async (storage) => {
    const { user, client, session, issued, active } = await storedWorld(storage);
    assert.equal(await tokenLives(storage, active), true);
    assert.equal(await partiesAreActive(storage, issued), true);

    assert.equal(await storage.disableUser(user.id, start + 2000, anEvent()), true);
    assert.equal((await storage.findUser(user.id))?.disabledAt, start + 2000);
    assert.equal(await storage.findSession(session.digest, start), undefined);
    assert.equal((await storage.findAuthorizationContext(client.id, session.digest, start))?.signedIn, undefined);
    assert.equal(await tokenLives(storage, active), false);
    assert.equal(await partiesAreActive(storage, active), false);
    assert.equal(await partiesAreActive(storage, issued), false);
    assert.equal(await storage.consumeCode(exchangeOf(issued)), false);
  });

  rule("disabling a user doesn't affect others", async (storage) => {
    const { user, client } = await storedWorld(storage);
    const other = await storedUser(storage);
    const session = await storedSession(storage, other);
    const active = await activeGrant(storage, other, client);
    const issued = await issuedGrant(storage, other, client);

    await storage.disableUser(user.id, start, anEvent());
    assert.deepEqual(await storage.findUser(other.id), other);
    assert.ok(await storage.findSession(session.digest, start));
    assert.equal(await tokenLives(storage, active), true);
    assert.equal(await storage.consumeCode(exchangeOf(issued)), true);
  });

  rule('a user is disabled once, also concurrently', async (storage) => {
    const user = await storedUser(storage);
    const calls = Array.from({ length: 20 }, (_, index) => storage.disableUser(user.id, start + index, anEvent()));
    assert.equal((await Promise.all(calls)).filter(Boolean).length, 1);
  });

  rule('disabling again returns false and keeps the first time', async (storage) => {
    const user = await storedUser(storage);
    await storage.disableUser(user.id, start + 1, anEvent());
    assert.equal(await storage.disableUser(user.id, start + 2, anEvent()), false);
    assert.equal((await storage.findUser(user.id))?.disabledAt, start + 1);
    assert.equal(await storage.disableUser('nobody', start, anEvent()), false);
  });

  rule('enabling a user revives no session, token or code', async (storage) => {
    const { user, client, session, issued, active } = await storedWorld(storage);
    await storage.disableUser(user.id, start + 1, anEvent());
    assert.equal(await storage.enableUser(user.id, start + 2, anEvent()), true);

    assert.equal((await storage.findUser(user.id))?.disabledAt, null);
    assert.equal(await storage.findSession(session.digest, start), undefined);
    assert.equal((await storage.findAuthorizationContext(client.id, session.digest, start))?.signedIn, undefined);
    assert.equal(await tokenLives(storage, active), false);
    assert.equal(await partiesAreActive(storage, active), false);
    assert.equal(await partiesAreActive(storage, issued), false);
    assert.equal(await storage.consumeCode(exchangeOf(issued)), false);
  });

  rule('an enabled user can sign in and use clients again', async (storage) => {
    const { user, client } = await storedWorld(storage);
    await storage.disableUser(user.id, start + 1, anEvent());
    await storage.enableUser(user.id, start + 2, anEvent());
    const enabled = await storage.findUser(user.id);
    assert.ok(enabled);

    const session = await storedSession(storage, enabled);
    assert.ok(await storage.findSession(session.digest, start));
    const grant = aGrant(enabled, client);
    assert.equal(await storage.approve(grant, grant.scopes, start, anEvent()), true);
    assert.equal(await storage.consumeCode(exchangeOf(grant)), true);
    assert.equal(await tokenLives(storage, grant), true);
  });

  rule("enabling returns false if the user isn't disabled or is unknown", async (storage) => {
    const user = await storedUser(storage);
    assert.equal(await storage.enableUser(user.id, start + 1, anEvent()), false);
    assert.equal(await storage.enableUser('nobody', start + 1, anEvent()), false);
    assert.deepEqual(await storage.findUser(user.id), user);
  });

  rule('deleting a user deletes their sessions, grants and consents', async (storage) => {
    const { user, client, session, issued, active } = await storedWorld(storage);
    assert.equal(await storage.deleteUser(user.id, anEvent()), true);

    assert.equal(await storage.findUser(user.id), undefined);
    assert.equal(await storage.findUserByEmail(user.email), undefined);
    assert.deepEqual(await storage.listUsers(), []);
    assert.equal(await storage.findSession(session.digest, start), undefined);
    assert.equal(await tokenLives(storage, active), false);
    assert.equal(await storage.consumeCode(exchangeOf(issued)), false);
    assert.notEqual(await partiesAreActive(storage, issued), true);
    assert.deepEqual(await storage.listConnectedApps(user.id), []);
    assert.equal(await storage.issueCode(aGrant(user, client), start), false);
    assert.equal(await storage.deleteUser(user.id, anEvent()), false);
  });

  rule("a deleted user's ID and email address can be reused, and revive nothing", async (storage) => {
    const { user, session, issued, active } = await storedWorld(storage);
    await storage.deleteUser(user.id, anEvent());
    await restoredUser(storage, user);

    assert.equal(await storage.findSession(session.digest, start), undefined);
    assert.equal(await tokenLives(storage, active), false);
    assert.equal(await storage.consumeCode(exchangeOf(issued)), false);
    assert.deepEqual(await storage.listConnectedApps(user.id), []);
  });

  rule("deleting a user doesn't affect others", async (storage) => {
    const { user } = await storedWorld(storage);
    const other = await storedUser(storage);
    const client = await storedClient(storage);
    const session = await storedSession(storage, other);
    const grant = await activeGrant(storage, other, client);

    await storage.deleteUser(user.id, anEvent());
    assert.deepEqual(await storage.listUsers(), [other]);
    assert.ok(await storage.findSession(session.digest, start));
    assert.equal(await tokenLives(storage, grant), true);
    assert.deepEqual(await connectedClientIds(storage, other), [client.id]);
  });

  rule('users who signed in or used a client since a given time count as active', async (storage) => {
    const active = async (since: number) => {
      const { all, active } = await storage.countUsers(since);
      return [all, active];
    };
    assert.deepEqual(await active(0), [0, 0]);
    const client = await storedClient(storage);
    const [ada, bob, carol] = [await storedUser(storage), await storedUser(storage), await storedUser(storage)];
    assert.deepEqual(await active(0), [3, 0]);

    await storedSession(storage, ada, { createdAt: start, lastSeenAt: start });
    assert.deepEqual(await active(start), [3, 1]);
    assert.deepEqual(await active(start + 1), [3, 0]);
    const grant = await activeGrant(storage, bob, client);
    assert.equal((await storage.countUsers(start)).active, 1, 'letting an application in is not yet a use');
    const use = (at: number) => storage.noteGrantUses([{ grantId: grant.id, userId: bob.id, clientId: client.id, at }]);
    await use(start + 10);
    await use(start + 5);
    assert.deepEqual(await active(start), [3, 2]);
    assert.deepEqual(await active(start + 10), [3, 1]);
    assert.deepEqual(await active(start + 11), [3, 0]);

    assert.equal(
      await storage.startSession({
        session: { ...(await storedSession(storage, ada)), digest: aDigest() },
        sessionGeneration: 5,
      }),
      false,
    );
    await storedSession(storage, carol, { lastSeenAt: later });
    await storage.disableUser(carol.id, later, anEvent());
    assert.deepEqual(await active(later), [3, 1]);
    await storage.deleteUser(carol.id, anEvent());
    assert.deepEqual(await active(start), [2, 2]);
    assert.deepEqual(await storage.findUser(ada.id), ada, 'nothing else of a person changes');
  });

  rule('who never signed in and who has no second factor is counted, at once and a few at a time', async (storage) => {
    const [administrator, owner, ada] = [
      aUser({ adminSince: start }),
      await storedUser(storage),
      await storedUser(storage),
    ];
    await storage.createUser(administrator, anEvent());
    const client = await storedClient(storage);
    const added = [{ kind: 'person', id: owner.id, event: anEvent({ userId: owner.id }) }] as const;
    await storage.changeOwners(client.id, { added, removed: [] }, later);
    await storedSession(storage, ada, { createdAt: start, lastSeenAt: start });
    const count = { all: 3, active: 1, neverSignedIn: 2, withoutFactor: 3 };
    assert.deepEqual(await storage.countUsers(start), count);
    assert.deepEqual(await storage.countUsersWithRole(), { all: 2, withoutFactor: 2 });
    for (const user of [ada, owner]) await storage.addPasskey(aPasskey(user), undefined, anEvent());
    assert.deepEqual(await storage.countUsers(start), { ...count, withoutFactor: 1 });
    assert.deepEqual(await storage.countUsersWithRole(), { all: 2, withoutFactor: 1 });
    const { last, ...next } = await storage.countNextUsers('', start, 4);
    assert.deepEqual([next, last], [{ ...count, withoutFactor: 1 }, undefined]);
  });
}
