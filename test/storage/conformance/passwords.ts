// Passwords: by which proof one is changed, and what ends with the old one.

import assert from 'node:assert/strict';
import { DAY } from '../../../src/protocol/durations.ts';
import { type Session, type Storage, StorageConflict, type User } from '../../../src/storage/storage.ts';
import {
  aDigest,
  anEvent,
  aSession,
  atOnce,
  hasEvent,
  later,
  type Rule,
  start,
  storedLink,
  storedSession,
  storedUser,
  winners,
} from '../records.ts';

export function passwordRules(rule: Rule): void {
  const byPassword = (user: User) => {
    return { passwordHash: 'new hash', proof: { kind: 'session', sessionGeneration: user.sessionGeneration } } as const;
  };
  const byLink = (digest: string) => {
    return { passwordHash: 'new hash', proof: { kind: 'link', digest, purpose: 'reset_password' } } as const;
  };
  const resetLink = (storage: Storage, user: User) =>
    storedLink(storage, { purpose: 'reset_password', userId: user.id });

  rule("changing the password with the current one ends all of the user's sessions", async (storage) => {
    const user = await storedUser(storage);
    const ended = [await storedSession(storage, user), await storedSession(storage, user)];
    const stranger = await storedSession(storage, await storedUser(storage));

    assert.equal(await storage.changePassword(user.id, byPassword(user), later, anEvent()), true);
    assert.deepEqual(await storage.findUser(user.id), {
      ...user,
      passwordHash: 'new hash',
      sessionGeneration: 1,
      updatedAt: later,
    });
    for (const { digest } of ended) assert.equal(await storage.findSession(digest, start), undefined);
    assert.ok(await storage.findSession(stranger.digest, start));
  });

  rule('a password change starts its new session and ends all others', async (storage) => {
    const user = await storedUser(storage);
    const before = await storedSession(storage, user);
    const session = aSession(user, { amr: ['pwd', 'otp'], device: 'Firefox on Linux', address: '192.0.2.8' });
    const change = { ...byPassword(user), session };
    assert.equal(await storage.changePassword(user.id, change, later, anEvent()), true);
    assert.equal(await storage.findSession(before.digest, start), undefined);
    const changed = { ...user, passwordHash: 'new hash', sessionGeneration: 1, updatedAt: later };
    assert.deepEqual(await storage.findSession(session.digest, start), { session, user: changed });
    assert.deepEqual(await storage.listSessions(user.id, 0), [session]);
  });

  rule("if the new session can't start, the password doesn't change", async (storage) => {
    const user = await storedUser(storage);
    const before = await storedSession(storage, user);
    const link = await resetLink(storage, user);
    const taken = await storedSession(storage, await storedUser(storage));
    const event = anEvent();
    const change = (session: Session) =>
      storage.changePassword(user.id, { ...byPassword(user), session }, later, event);
    await assert.rejects(change(aSession(user, { digest: taken.digest })), StorageConflict);
    assert.deepEqual(await storage.findSession(before.digest, start), { session: before, user });
    assert.ok(await storage.findLink(link.digest, 'reset_password', start));
    assert.equal(await hasEvent(storage, event), false);
  });

  rule("a password change forgets all the user's browsers except the current one", async (storage) => {
    for (const way of ['password', 'link'] as const) {
      const [user, other] = [await storedUser(storage), await storedUser(storage)];
      const [here, elsewhere] = [aDigest(), aDigest()];
      for (const device of [here, elsewhere]) {
        for (const each of [user, other]) {
          await storage.startSession({
            session: aSession(each),
            sessionGeneration: each.sessionGeneration,
            deviceDigest: device,
          });
        }
      }
      const link = await resetLink(storage, user);
      const change = way === 'link' ? byLink(link.digest) : { ...byPassword(user), keptDevice: here };
      assert.equal(await storage.changePassword(user.id, change, later, anEvent()), true);
      const known = async (person: User, device: string) =>
        (await storage.findSignInFacts(person.id, [device])).knownDevice !== undefined;
      assert.equal(await known(user, here), way === 'password', way);
      assert.equal(await known(user, elsewhere), false, way);
      assert.equal(await known(other, elsewhere), true, way);
    }
  });

  rule('a breached password is marked once, and any new password clears the mark', async (storage) => {
    const [user, other] = [await storedUser(storage), await storedUser(storage)];
    const since = async ({ id }: User) => (await storage.findUser(id))?.breachedSince;
    const note = (generation: number) => storage.noteBreach(user.id, generation, start, anEvent());
    assert.equal(await note(5), false);
    assert.deepEqual((await Promise.all([1, 2, 3].map(() => note(0)))).toSorted(), [false, false, true]);
    assert.deepEqual([await since(user), await since(other)], [start, null]);
    assert.equal(await storage.changePassword(user.id, byPassword(user), later, anEvent()), true);
    assert.equal(await since(user), null);
    assert.equal(await note(1), true);
    await storage.setPasswordHash(user.id, 'new hash', later, anEvent());
    assert.equal(await since(user), null);
    assert.equal(await note(2), true);
    const link = await resetLink(storage, user);
    assert.equal(await storage.changePassword(user.id, byLink(link.digest), later, anEvent()), true);
    assert.equal(await since(user), null);
  });

  rule("a password set by an administrator voids the user's links", async (storage) => {
    const user = await storedUser(storage);
    const link = await resetLink(storage, user);
    const others = await resetLink(storage, await storedUser(storage));
    await storage.setPasswordHash(user.id, 'new hash', later, anEvent());
    assert.equal(await storage.findLink(link.digest, 'reset_password', start), undefined);
    assert.ok(await storage.findLink(others.digest, 'reset_password', start));
  });

  rule('a change with an outdated password changes nothing', async (storage) => {
    const user = await storedUser(storage);
    const session = await storedSession(storage, user);
    const link = await resetLink(storage, user);
    const change = { ...byPassword(user), proof: { kind: 'session', sessionGeneration: 5 } } as const;
    assert.equal(await storage.changePassword(user.id, change, later, anEvent()), false);
    assert.deepEqual(await storage.findSession(session.digest, start), { session, user });
    assert.ok(await storage.findLink(link.digest, 'reset_password', start));
    assert.equal(await storage.changePassword('nobody', byPassword(user), later, anEvent()), false);
  });

  rule('a change with a link to a verified address needs no password, and ends all sessions', async (storage) => {
    const user = await storedUser(storage);
    const session = await storedSession(storage, user);
    const link = await resetLink(storage, user);
    assert.equal(await storage.changePassword(user.id, byLink(link.digest), later, anEvent()), true);
    const expected = {
      ...user,
      passwordHash: 'new hash',
      sessionGeneration: 1,
      updatedAt: later,
      reviewSince: later,
    };
    assert.deepEqual(await storage.findUser(user.id), expected);
    assert.equal(await storage.findSession(session.digest, start), undefined);
    assert.equal(await storage.changePassword(user.id, byLink(link.digest), later, anEvent()), false);
  });

  rule('a link proves the mailbox that it was sent to, and no other', async (storage) => {
    const user = await storedUser(storage);
    const sentTo = (email: string) =>
      storedLink(storage, { purpose: 'reset_password', userId: user.id, data: { email } });
    const other = await sentTo('earlier@people.example');
    assert.equal(await storage.changePassword(user.id, byLink(other.digest), later, anEvent()), false);
    const own = await sentTo(user.email.toUpperCase());
    assert.equal(await storage.changePassword(user.id, byLink(own.digest), later, anEvent()), true);
  });

  rule('an address verified earlier keeps its time when a link is used', async (storage) => {
    const user = await storedUser(storage, { emailVerifiedAt: start - DAY });
    const link = await resetLink(storage, user);
    assert.equal(await storage.changePassword(user.id, byLink(link.digest), later, anEvent()), true);
    assert.equal((await storage.findUser(user.id))?.emailVerifiedAt, start - DAY);
  });

  rule("a password change alone doesn't verify the address", async (storage) => {
    const user = await storedUser(storage, { emailVerifiedAt: null });
    await storage.changePassword(user.id, byPassword(user), later, anEvent());
    assert.equal((await storage.findUser(user.id))?.emailVerifiedAt, null);
  });

  rule("every way to change a password voids that user's links, and no others", async (storage) => {
    for (const way of ['password', 'link'] as const) {
      const user = await storedUser(storage);
      const used = await resetLink(storage, user);
      const address = await storedLink(storage, { purpose: 'change_email', userId: user.id });
      const others = await resetLink(storage, await storedUser(storage));
      const signUp = await storedLink(storage);
      const change = way === 'link' ? byLink(used.digest) : byPassword(user);
      assert.equal(await storage.changePassword(user.id, change, later, anEvent()), true);
      for (const { digest, purpose } of [used, address]) {
        assert.equal(await storage.findLink(digest, purpose, start), undefined, way);
      }
      assert.equal(await storage.changePassword(user.id, byLink(used.digest), later, anEvent()), false);
      for (const { digest, purpose } of [others, signUp])
        assert.ok(await storage.findLink(digest, purpose, start), way);
    }
  });

  rule('of many concurrent uses of one link exactly one sets the password', async (storage) => {
    const user = await storedUser(storage);
    const link = await resetLink(storage, user);
    const hashes = Array.from({ length: atOnce }, (_, index) => `hash ${index}`);
    const calls = hashes.map((passwordHash) =>
      storage.changePassword(user.id, { ...byLink(link.digest), passwordHash }, later, anEvent()),
    );
    const answers = await Promise.all(calls);
    assert.equal(answers.filter(Boolean).length, 1);
    assert.equal((await storage.findUser(user.id))?.passwordHash, hashes[answers.indexOf(true)]);
  });

  rule('of many concurrent changes with the same password exactly one succeeds', async (storage) => {
    const user = await storedUser(storage);
    assert.equal(
      await winners((index) =>
        storage.changePassword(user.id, { ...byPassword(user), passwordHash: `hash ${index}` }, later, anEvent()),
      ),
      1,
    );
  });

  rule("an expired link, or one for another purpose, sets no password and isn't consumed", async (storage) => {
    const user = await storedUser(storage);
    const link = await resetLink(storage, user);
    const address = await storedLink(storage, { purpose: 'change_email', userId: user.id });
    assert.equal(await storage.changePassword(user.id, byLink(link.digest), link.expiresAt, anEvent()), false);
    assert.equal(await storage.changePassword(user.id, byLink(address.digest), later, anEvent()), false);
    assert.equal(await storage.changePassword(user.id, byLink(aDigest()), later, anEvent()), false);
    assert.deepEqual(await storage.findUser(user.id), user);
    assert.ok(await storage.findLink(link.digest, 'reset_password', start));
    assert.ok(await storage.findLink(address.digest, 'change_email', start));
  });

  rule('disabling a user voids their links, and a disabled user gets no new password', async (storage) => {
    const user = await storedUser(storage);
    const [before, others] = [await resetLink(storage, user), await resetLink(storage, await storedUser(storage))];
    await storage.disableUser(user.id, start, anEvent());
    assert.equal(await storage.findLink(before.digest, 'reset_password', start), undefined);
    assert.ok(await storage.findLink(others.digest, 'reset_password', start));
    const link = await resetLink(storage, user);
    assert.equal(await storage.changePassword(user.id, byPassword(user), later, anEvent()), false);
    assert.equal(await storage.changePassword(user.id, byLink(link.digest), later, anEvent()), false);
    assert.equal((await storage.findUser(user.id))?.passwordHash, user.passwordHash);
    assert.ok(await storage.findLink(link.digest, 'reset_password', start));
  });

  rule('once access has ended, no proof changes the password or the email address', async (storage) => {
    const user = await storedUser(storage, { expiresAt: later });
    const link = await resetLink(storage, user);
    const address = await storedLink(storage, { purpose: 'change_email', userId: user.id });
    const changes = [
      (now: number) => storage.changePassword(user.id, byPassword(user), now, anEvent()),
      (now: number) => storage.changePassword(user.id, byLink(link.digest), now, anEvent()),
      (now: number) => storage.changeEmail(user, 'new@ended.example', address.digest, now, anEvent()),
    ];
    for (const change of changes) assert.equal(await change(later), false);
    assert.deepEqual(await storage.findUser(user.id), user);
    assert.ok(await storage.findLink(link.digest, 'reset_password', start));
    assert.equal(await storage.changePassword(user.id, byLink(link.digest), later - 1, anEvent()), true);
  });

  rule("sessions that start during a password change don't outlive it", async (storage) => {
    for (let round = 0; round < 10; round++) {
      const user = await storedUser(storage);
      const sessions = Array.from({ length: 6 }, () => aSession(user));
      const starts = sessions.map((session) =>
        storage.startSession({ session, sessionGeneration: user.sessionGeneration }),
      );
      await Promise.all([...starts, storage.changePassword(user.id, byPassword(user), later, anEvent())]);
      for (const session of sessions) assert.equal(await storage.findSession(session.digest, start), undefined);
    }
  });

  rule("a claim with a recovery link doesn't verify the address, with an emailed one it does", async (storage) => {
    for (const purpose of ['recover', 'reset_password'] as const) {
      const user = await storedUser(storage, { emailVerifiedAt: null });
      const session = await storedSession(storage, user);
      const { digest } = await storedLink(storage, { purpose, userId: user.id });
      const reset = await storedLink(storage, { purpose: 'change_email', userId: user.id });
      const proof = purpose === 'recover' ? 'recovery_link' : 'reset_link';
      const claim = { events: [anEvent()], proof, review: false } as const;
      const change = (used: 'recover' | 'reset_password', claimed = true) => {
        const fresh = { passwordHash: 'new hash', proof: { kind: 'link', digest, purpose: used } } as const;
        return storage.changePassword(user.id, claimed ? { ...fresh, claim } : fresh, later, anEvent());
      };
      assert.equal(await change(purpose === 'recover' ? 'reset_password' : 'recover'), false);
      assert.equal(await change(purpose, false), false);
      assert.deepEqual(await storage.findUser(user.id), user);
      assert.equal(await change(purpose), true);
      const emailVerifiedAt = purpose === 'recover' ? null : later;
      const raised = { generation: 1, sessionGeneration: 1 };
      const changed = { ...user, passwordHash: 'new hash', emailVerifiedAt, updatedAt: later, ...raised };
      assert.deepEqual(await storage.findUser(user.id), changed);
      assert.equal(await storage.findSession(session.digest, start), undefined);
      assert.equal(await storage.findLink(reset.digest, 'change_email', start), undefined);
      assert.equal(await change(purpose), false);
    }
  });
}
