// Sessions: one is found only while its person is as they were when it began.

import assert from 'node:assert/strict';
import { StorageConflict } from '../../src/storage/storage.ts';
import { aDigest, anEvent, aSession, aUser, type Rule, start, storedSession, storedUser } from './records.ts';

export function sessionRules(rule: Rule): void {
  rule('a session is found as it was started, with its person', async (storage) => {
    const user = await storedUser(storage, { generation: 3 });
    const session = aSession(user, {
      createdAt: start + 1,
      lastSeenAt: start + 2,
      authTime: start - 3,
      amr: ['pwd', 'otp', 'mfa'],
      answered: 'sign-in 2Äx',
    });
    assert.equal(await storage.startSession(session, user.passwordHash, undefined), true);
    assert.deepEqual(await storage.findSession(session.digest), { session, user });
  });

  rule('no session is found under an unknown digest', async (storage) => {
    await storedSession(storage, await storedUser(storage));
    assert.equal(await storage.findSession(aDigest()), undefined);
    assert.equal(await storage.findSession(''), undefined);
  });

  rule('no session starts for a person who is disabled, has been disabled since, or is unknown', async (storage) => {
    const disabled = await storedUser(storage);
    await storage.disableUser(disabled.id, start, anEvent());
    const disabledNow = await storage.findUser(disabled.id);
    const enabledAgain = await storedUser(storage);
    await storage.disableUser(enabledAgain.id, start, anEvent());
    await storage.enableUser(enabledAgain.id, start, anEvent());
    assert.ok(disabledNow);

    for (const person of [disabled, disabledNow, enabledAgain, aUser()]) {
      const session = aSession(person);
      assert.equal(await storage.startSession(session, person.passwordHash, undefined), false);
      assert.equal(await storage.findSession(session.digest), undefined);
    }
  });

  rule('no session starts with a password that has been changed since it was checked', async (storage) => {
    const user = await storedUser(storage);
    await storage.setPasswordHash(user.id, 'new hash', start, anEvent());
    const session = aSession(user);
    assert.equal(await storage.startSession(session, user.passwordHash, undefined), false);
    assert.equal(await storage.findSession(session.digest), undefined);
  });

  rule('sessions that start while the password changes do not outlive the change', async (storage) => {
    for (let round = 0; round < 15; round++) {
      const user = await storedUser(storage);
      const sessions = Array.from({ length: 6 }, () => aSession(user));
      const starts = sessions.map((session) => storage.startSession(session, user.passwordHash, undefined));
      await Promise.all([...starts, storage.setPasswordHash(user.id, 'new hash', start, anEvent())]);
      for (const session of sessions) assert.equal(await storage.findSession(session.digest), undefined);
    }
  });

  rule('a session takes the place of the one that it replaces and of no other', async (storage) => {
    const user = await storedUser(storage);
    const replaced = await storedSession(storage, user);
    const elsewhere = await storedSession(storage, user);
    const session = aSession(user);

    assert.equal(await storage.startSession(session, user.passwordHash, replaced.digest), true);
    assert.equal(await storage.findSession(replaced.digest), undefined);
    assert.ok(await storage.findSession(elsewhere.digest));
    assert.ok(await storage.findSession(session.digest));
  });

  rule('a session may replace one that is no longer there', async (storage) => {
    const user = await storedUser(storage);
    const session = aSession(user);
    assert.equal(await storage.startSession(session, user.passwordHash, aDigest()), true);
    assert.ok(await storage.findSession(session.digest));
  });

  rule('a session that cannot start ends no other', async (storage) => {
    const stopped = await storedUser(storage);
    await storage.disableUser(stopped.id, start, anEvent());
    const existing = await storedSession(storage, await storedUser(storage));

    assert.equal(await storage.startSession(aSession(stopped), stopped.passwordHash, existing.digest), false);
    assert.ok(await storage.findSession(existing.digest));
  });

  rule('a digest belongs to one session', async (storage) => {
    const user = await storedUser(storage);
    const other = await storedUser(storage);
    const session = await storedSession(storage, user);
    const taken = aSession(other, { digest: session.digest });
    await assert.rejects(storage.startSession(taken, other.passwordHash, undefined), StorageConflict);
    assert.deepEqual(await storage.findSession(session.digest), { session, user });
  });

  rule('ending a session ends that one, and only once', async (storage) => {
    const user = await storedUser(storage);
    const session = await storedSession(storage, user);
    const elsewhere = await storedSession(storage, user);

    const calls = Array.from({ length: 10 }, () => storage.endSession(session.digest));
    assert.equal((await Promise.all(calls)).filter(Boolean).length, 1);
    assert.equal(await storage.endSession(session.digest), false);
    assert.equal(await storage.findSession(session.digest), undefined);
    assert.ok(await storage.findSession(elsewhere.digest));
  });

  rule('an answered request is noted in its session until it is settled', async (storage) => {
    const user = await storedUser(storage);
    const session = await storedSession(storage, user);
    const elsewhere = await storedSession(storage, user, { answered: 'account elsewhere' });
    const answered = async () => (await storage.findSession(session.digest))?.session.answered;

    assert.equal(await storage.answerRequest(session.digest, 'account 1'), true);
    assert.equal(await answered(), 'account 1');
    assert.equal(await storage.answerRequest(session.digest, 'account 2'), true);
    assert.equal(await answered(), 'account 2');
    assert.equal(await storage.answerRequest(session.digest, null), true);
    assert.equal(await answered(), null);
    assert.deepEqual(await storage.findSession(elsewhere.digest), { session: elsewhere, user });
    assert.equal(await storage.answerRequest(aDigest(), 'account 1'), false);
  });

  rule('sessions are noted as seen, those that are named only, and never back in time', async (storage) => {
    const user = await storedUser(storage);
    const older = await storedSession(storage, user);
    const newer = await storedSession(storage, user, { lastSeenAt: start + 500 });
    const unseen = await storedSession(storage, user);

    await storage.noteSessionsSeen([older.digest, newer.digest, aDigest()], start + 100);
    const lastSeen = async (digest: string) => (await storage.findSession(digest))?.session.lastSeenAt;
    assert.equal(await lastSeen(older.digest), start + 100);
    assert.equal(await lastSeen(newer.digest), start + 500);
    assert.equal(await lastSeen(unseen.digest), start);
  });

  rule('noting that no session was seen is allowed', async (storage) => {
    await storage.noteSessionsSeen([], start);
  });
}
