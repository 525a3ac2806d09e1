// Proof of identity in a session that goes on.

import assert from 'node:assert/strict';
import type { Storage, User } from '../../../src/storage/storage.ts';
import {
  anAuthenticator,
  anEvent,
  aPasskey,
  aSession,
  later,
  type Rule,
  someDigests,
  start,
  storedSession,
  storedUser,
} from '../records.ts';

export function proofRules(rule: Rule): void {
  const provenAt = async (storage: Storage, { digest }: { digest: string }) =>
    (await storage.findSession(digest, start))?.session.provenAt;

  rule('proof is stored in its own session and changes nothing else', async (storage) => {
    const user = await storedUser(storage);
    const [session, other] = [await storedSession(storage, user), await storedSession(storage, user)];
    assert.equal(await storage.proveSession(session, user.sessionGeneration, later), true);
    assert.deepEqual((await storage.findSession(session.digest, start))?.session, { ...session, provenAt: later });
    assert.equal(await provenAt(storage, other), other.provenAt);
  });

  rule('no proof is stored in an ended session or for a changed password', async (storage) => {
    const user = await storedUser(storage);
    assert.equal(await storage.proveSession(aSession(user), user.sessionGeneration, later), false);
    const session = await storedSession(storage, user);
    assert.equal(await storage.proveSession(session, 5, later), false);
    await storage.disableUser(user.id, later, anEvent());
    await storage.enableUser(user.id, later, anEvent());
    assert.equal(await storage.proveSession(session, user.sessionGeneration, later), false);
  });

  rule('the password alone is proof only without a second factor', async (storage) => {
    const user = await storedUser(storage);
    const session = await storedSession(storage, user);
    const prove = () => storage.proveSession(session, user.sessionGeneration, later, { kind: 'no_second_factor' });
    assert.equal(await prove(), true);
    await storage.addPasskey(aPasskey(user), someDigests(), anEvent());
    assert.equal(await prove(), false);
  });

  /** Each way in which a user gets a second factor, in one of their sessions. */
  const additions: Record<string, (storage: Storage, user: User, session: string) => Promise<boolean>> = {
    'an authenticator app': (storage, user, session) =>
      storage.enableAuthenticator(user.id, anAuthenticator(), undefined, start, anEvent(), undefined, session),
    'a passkey': (storage, user, session) =>
      storage.addPasskey(aPasskey(user, { id: 'another' }), undefined, anEvent(), undefined, session),
    'a passkey that is kept': (storage, user, session) => {
      const { id, createdAt } = aPasskey(user, suspended);
      const factor = { kind: 'passkey', id, createdAt } as const;
      return storage.decideOnFactor(user.id, factor, 'keep', user.sessionGeneration + 1, anEvent(), session);
    },
  };
  const suspended = { id: 'suspended' };
  for (const [name, add] of Object.entries(additions)) {
    rule(`${name} voids the proof of the user's other sessions`, async (storage) => {
      const [user, stranger] = [await storedUser(storage), await storedUser(storage)];
      await storage.addPasskey(aPasskey(user, suspended), someDigests(), anEvent());
      await storage.setPasswordHash(user.id, user.passwordHash, start, anEvent());
      const [own, other] = [aSession(user), aSession(user)];
      for (const session of [own, other]) await storage.startSession({ session, sessionGeneration: 1 });
      const theirs = await storedSession(storage, stranger);
      assert.equal(await add(storage, user, own.digest), true);
      assert.equal(await provenAt(storage, own), start);
      assert.equal(await provenAt(storage, other), 0);
      assert.equal(await provenAt(storage, theirs), start);
    });
  }
}
