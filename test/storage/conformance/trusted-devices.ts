// Browsers in which a user is spared the second step.

import assert from 'node:assert/strict';
import type { Storage, User } from '../../../src/storage/storage.ts';
import {
  aDigest,
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

const until = start + 30 * 24 * 60 * 60 * 1000;

export function trustedDeviceRules(rule: Rule): void {
  const trust = async (storage: Storage, user: User, digest = aDigest()) => {
    const session = aSession(user, { device: 'Firefox on Linux' });
    assert.ok(
      await storage.startSession({
        session,
        sessionGeneration: user.sessionGeneration,
        deviceDigest: digest,
        trustedUntil: until,
      }),
    );
    return digest;
  };
  const signIn = (storage: Storage, user: User, digest: string, at = start) =>
    storage.startSession({
      session: aSession(user, { trusted: true }),
      sessionGeneration: user.sessionGeneration,
      deviceDigest: digest,
      condition: {
        kind: 'trusted_device',
        digest,
        at,
      },
    });

  rule('a browser is trusted, and listed by name, for its user until it expires', async (storage) => {
    const [user, other] = [await storedUser(storage), await storedUser(storage)];
    const digest = await trust(storage, user);
    const device = { digest, device: 'Firefox on Linux', lastSeenAt: start, trustedUntil: until };
    assert.deepEqual(await storage.listTrustedDevices(user.id, until - 1), [device]);
    assert.deepEqual(await storage.listTrustedDevices(user.id, until), []);
    assert.deepEqual(await storage.listTrustedDevices(other.id, start), []);
    const facts = await storage.findSignInFacts(user.id, [aDigest(), digest]);
    assert.deepEqual([facts.knownDevice, facts.trustedUntil], [digest, until]);
    assert.equal((await storage.findSignInFacts(other.id, [digest])).trustedUntil, undefined);
    assert.equal(await signIn(storage, user, digest, until - 1), true);
    assert.equal(await signIn(storage, user, digest, until), false);
    assert.equal(await signIn(storage, other, digest), false);
    assert.equal(await signIn(storage, user, aDigest()), false);
  });

  rule("a later sign-in in the browser doesn't extend the trust", async (storage) => {
    const user = await storedUser(storage);
    const digest = await trust(storage, user);
    const session = aSession(user, { device: 'Another name', createdAt: later });
    await storage.startSession({ session, sessionGeneration: user.sessionGeneration, deviceDigest: digest });
    const device = { digest, device: 'Firefox on Linux', lastSeenAt: later, trustedUntil: until };
    assert.deepEqual(await storage.listTrustedDevices(user.id, later), [device]);
  });

  rule("ending one browser's trust works once and affects no other; it stays known", async (storage) => {
    const [user, other] = [await storedUser(storage), await storedUser(storage)];
    const [digest, kept] = [await trust(storage, user), await trust(storage, user)];
    assert.equal(await storage.endTrust(other.id, digest, later, anEvent()), false);
    assert.equal(await storage.endTrust(user.id, digest, later, anEvent()), true);
    assert.equal(await storage.endTrust(user.id, digest, later, anEvent()), false);
    assert.equal(await signIn(storage, user, digest), false);
    assert.equal(await signIn(storage, user, kept), true);
    assert.equal((await storage.findSignInFacts(user.id, [digest])).knownDevice, digest);
  });

  const endings: Record<string, (storage: Storage, user: User, passkey: string, device: string) => Promise<unknown>> = {
    'a changed password, in this browser too': (storage, user, _passkey, device) => {
      const proof = { kind: 'session', sessionGeneration: user.sessionGeneration } as const;
      // The hash stays the same, so that the sign-in below fails for no other reason.
      const change = { passwordHash: user.passwordHash, proof, keptDevice: device };
      return storage.changePassword(user.id, change, later, anEvent());
    },
    'a password that was set': (storage, user) => storage.setPasswordHash(user.id, user.passwordHash, later, anEvent()),
    'a removed app': (storage, user) => storage.removeAuthenticator(user.id, anEvent()),
    'a removed passkey': (storage, user, passkey) => storage.removePasskey(user.id, passkey, anEvent()),
    'removed factors': (storage, user) => storage.removeSecondFactors(user.id, anEvent()),
    'removing all other access': (storage, user, _passkey, device) =>
      storage.removeOtherAccess(user, { device, factors: false }, later, anEvent()),
  };
  for (const [name, end] of Object.entries(endings)) {
    rule(`${name} ends the trust of all that user's browsers`, async (storage) => {
      const [user, other] = [await storedUser(storage), await storedUser(storage)];
      const passkey = aPasskey(user);
      await storage.addPasskey(passkey, someDigests(), anEvent());
      await storage.enableAuthenticator(user.id, anAuthenticator(), undefined, start, anEvent());
      const [here, elsewhere] = [await trust(storage, user), await trust(storage, user)];
      const theirs = await trust(storage, other);
      assert.notEqual(await end(storage, user, passkey.id, here), false);
      assert.deepEqual(await storage.listTrustedDevices(user.id, start), []);
      for (const digest of [here, elsewhere]) assert.equal(await signIn(storage, user, digest), false);
      assert.equal(await signIn(storage, other, theirs), true);
    });
  }

  rule('after a user is disabled and enabled, no browser is trusted', async (storage) => {
    const user = await storedUser(storage);
    const digest = await trust(storage, user);
    await storage.disableUser(user.id, later, anEvent());
    await storage.enableUser(user.id, later, anEvent());
    const enabled = await storage.findUser(user.id);
    assert.ok(enabled);
    assert.equal(await signIn(storage, enabled, digest), false);
  });

  rule("sign-ins that race with the end of the trust don't keep it", async (storage) => {
    for (let round = 0; round < 15; round++) {
      const user = await storedUser(storage);
      const digest = await trust(storage, user);
      const some = () => Array.from({ length: 6 }, () => signIn(storage, user, digest));
      const [before, ended, after] = [some(), storage.endTrust(user.id, digest, start, anEvent()), some()];
      assert.equal(await ended, true);
      assert.equal(await signIn(storage, user, digest), false, 'from here on');
      await Promise.all([...before, ...after]);
      assert.deepEqual(await storage.listTrustedDevices(user.id, start), []);
    }
  });

  rule('a password change during trusted sign-ins leaves none of their sessions', async (storage) => {
    for (let round = 0; round < 15; round++) {
      const user = await storedUser(storage);
      const digest = await trust(storage, user);
      const sessions = Array.from({ length: 6 }, () => aSession(user, { trusted: true }));
      const condition = { kind: 'trusted_device', digest, at: start } as const;
      const starts = sessions.map((session) =>
        storage.startSession({ session, sessionGeneration: user.sessionGeneration, deviceDigest: digest, condition }),
      );
      await Promise.all([...starts, storage.setPasswordHash(user.id, user.passwordHash, later, anEvent())]);
      for (const session of sessions) assert.equal(await storage.findSession(session.digest, start), undefined);
    }
  });

  rule('a session from a trusted browser is stored as such', async (storage) => {
    const user = await storedUser(storage);
    const session = await storedSession(storage, user, { trusted: true, provenAt: 0, kept: false });
    assert.deepEqual((await storage.findSession(session.digest, start))?.session, session);
  });
}
