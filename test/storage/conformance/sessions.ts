// Sessions, which are found only while their user is as they were at the start, and the browsers that are known.

import assert from 'node:assert/strict';
import { DAY } from '../../../src/protocol/durations.ts';
import { type Session, StorageConflict, type User } from '../../../src/storage/storage.ts';
import {
  aDigest,
  anAuthenticator,
  anEvent,
  aPasskey,
  aSession,
  atOnce,
  aUser,
  later,
  noFacts,
  nothingIsOver,
  type Rule,
  someDigests,
  start,
  storedLink,
  storedSession,
  storedUser,
  winners,
  withoutFactor,
} from '../records.ts';

export function sessionRules(rule: Rule): void {
  startAndEndRules(rule);
  listRules(rule);
  deviceRules(rule);
}

function startAndEndRules(rule: Rule): void {
  rule('a session is found as it was started, with its user', async (storage) => {
    const user = await storedUser(storage, { generation: 3 });
    const session = aSession(user, {
      createdAt: start + 1,
      lastSeenAt: start + 2,
      authTime: start - 3,
      amr: ['pwd', 'otp', 'mfa'],
      answered: 'sign-in 2Äx',
    });
    assert.equal(await storage.startSession({ session, sessionGeneration: user.sessionGeneration }), true);
    assert.deepEqual(await storage.findSession(session.digest, start), { session, user });
  });

  rule('starting a session replaces an imported hash, and no other', async (storage) => {
    const [imported, own] = [await storedUser(storage, { passwordHash: 'foreign:old' }), await storedUser(storage)];
    assert.equal(await storage.hasForeignHashes(), true);
    assert.equal(await storage.countForeignHashes(), 1);
    for (const user of [imported, own]) {
      const session = aSession(user);
      const replace = storage.startSession({
        session,
        sessionGeneration: user.sessionGeneration,
        replacementHash: 'new hash',
      });
      assert.equal(await replace, true);
      const passwordHash = user === imported ? 'new hash' : user.passwordHash;
      assert.deepEqual(await storage.findSession(session.digest, start), { session, user: { ...user, passwordHash } });
    }
    assert.equal(await storage.hasForeignHashes(), false);
    assert.equal(await storage.countForeignHashes(), 0);
  });

  rule('a session that cannot start replaces no hash', async (storage) => {
    const user = await storedUser(storage, { passwordHash: 'foreign:new' });
    const taken = await storedSession(storage, await storedUser(storage));
    const replace = (session: Session, sessionGeneration: number) =>
      storage.startSession({ session, sessionGeneration, replacementHash: 'new hash' });
    assert.equal(await replace(aSession(user), user.sessionGeneration + 1), false);
    await assert.rejects(replace(aSession(user, { digest: taken.digest }), user.sessionGeneration), StorageConflict);
    assert.deepEqual(await storage.findUser(user.id), user);
  });

  rule('of sessions that start concurrently one replaces the hash', async (storage) => {
    const user = await storedUser(storage, { passwordHash: 'foreign:old' });
    const sessions = [aSession(user), aSession(user), aSession(user)];
    const started = await Promise.all(
      sessions.map((session, index) =>
        storage.startSession({ session, sessionGeneration: 0, replacementHash: `new ${index}` }),
      ),
    );
    assert.deepEqual(started, [true, true, true]);
    assert.match((await storage.findUser(user.id))?.passwordHash ?? '', /^new \d$/);
  });

  rule('no session is found under an unknown digest', async (storage) => {
    await storedSession(storage, await storedUser(storage));
    assert.equal(await storage.findSession(aDigest(), start), undefined);
    assert.equal(await storage.findSession('', start), undefined);
  });

  rule('no session starts for a user who is disabled, was disabled since, or is unknown', async (storage) => {
    const disabled = await storedUser(storage);
    await storage.disableUser(disabled.id, start, anEvent());
    const disabledNow = await storage.findUser(disabled.id);
    const enabledAgain = await storedUser(storage);
    await storage.disableUser(enabledAgain.id, start, anEvent());
    await storage.enableUser(enabledAgain.id, start, anEvent());
    assert.ok(disabledNow);

    for (const person of [disabled, disabledNow, enabledAgain, aUser()]) {
      const session = aSession(person);
      assert.equal(await storage.startSession({ session, sessionGeneration: person.sessionGeneration }), false);
      assert.equal(await storage.findSession(session.digest, start), undefined);
    }
  });

  rule('no session starts if the password changed after it was checked', async (storage) => {
    const user = await storedUser(storage);
    await storage.setPasswordHash(user.id, 'new hash', start, anEvent());
    const session = aSession(user);
    assert.equal(await storage.startSession({ session, sessionGeneration: user.sessionGeneration }), false);
    assert.equal(await storage.findSession(session.digest, start), undefined);
  });

  rule("sessions that start while the password changes don't outlive it", async (storage) => {
    for (let round = 0; round < 15; round++) {
      const user = await storedUser(storage);
      const sessions = Array.from({ length: 6 }, () => aSession(user));
      const starts = sessions.map((session) =>
        storage.startSession({ session, sessionGeneration: user.sessionGeneration }),
      );
      await Promise.all([...starts, storage.setPasswordHash(user.id, 'new hash', start, anEvent())]);
      for (const session of sessions) assert.equal(await storage.findSession(session.digest, start), undefined);
    }
  });

  rule('a session only replaces the given one', async (storage) => {
    const user = await storedUser(storage);
    const replaced = await storedSession(storage, user);
    const elsewhere = await storedSession(storage, user);
    const session = aSession(user);

    assert.equal(
      await storage.startSession({
        session,
        sessionGeneration: user.sessionGeneration,
        replacedDigest: replaced.digest,
      }),
      true,
    );
    assert.equal(await storage.findSession(replaced.digest, start), undefined);
    assert.ok(await storage.findSession(elsewhere.digest, start));
    assert.ok(await storage.findSession(session.digest, start));
  });

  rule('a session can replace one that no longer exists', async (storage) => {
    const user = await storedUser(storage);
    const session = aSession(user);
    assert.equal(
      await storage.startSession({ session, sessionGeneration: user.sessionGeneration, replacedDigest: aDigest() }),
      true,
    );
    assert.ok(await storage.findSession(session.digest, start));
  });

  rule('a session that cannot start ends no other', async (storage) => {
    const stopped = await storedUser(storage);
    await storage.disableUser(stopped.id, start, anEvent());
    const existing = await storedSession(storage, await storedUser(storage));

    assert.equal(
      await storage.startSession({
        session: aSession(stopped),
        sessionGeneration: stopped.sessionGeneration,
        replacedDigest: existing.digest,
      }),
      false,
    );
    assert.ok(await storage.findSession(existing.digest, start));
  });

  rule('session digests are unique', async (storage) => {
    const user = await storedUser(storage);
    const other = await storedUser(storage);
    const session = await storedSession(storage, user);
    const taken = aSession(other, { digest: session.digest });
    await assert.rejects(
      storage.startSession({ session: taken, sessionGeneration: other.sessionGeneration }),
      StorageConflict,
    );
    assert.deepEqual(await storage.findSession(session.digest, start), { session, user });
  });

  rule('ending a session ends only that one, once', async (storage) => {
    const user = await storedUser(storage);
    const session = await storedSession(storage, user);
    const elsewhere = await storedSession(storage, user);

    const calls = Array.from({ length: 10 }, () => storage.endSession(session.digest, anEvent()));
    assert.equal((await Promise.all(calls)).filter(Boolean).length, 1);
    assert.equal(await storage.endSession(session.digest, anEvent()), false);
    assert.equal(await storage.findSession(session.digest, start), undefined);
    assert.ok(await storage.findSession(elsewhere.digest, start));
  });

  rule("an answered request is stored in its session until it's cleared", async (storage) => {
    const user = await storedUser(storage);
    const session = await storedSession(storage, user);
    const elsewhere = await storedSession(storage, user, { answered: 'account elsewhere' });
    const answered = async () => (await storage.findSession(session.digest, start))?.session.answered;

    assert.equal(await storage.answerRequest(session.digest, 'account 1'), true);
    assert.equal(await answered(), 'account 1');
    assert.equal(await storage.answerRequest(session.digest, 'account 2'), true);
    assert.equal(await answered(), 'account 2');
    assert.equal(await storage.answerRequest(session.digest, null), true);
    assert.equal(await answered(), null);
    assert.deepEqual(await storage.findSession(elsewhere.digest, start), { session: elsewhere, user });
    assert.equal(await storage.answerRequest(aDigest(), 'account 1'), false);
  });

  rule('"last seen" is stored for the given sessions only, and never goes back', async (storage) => {
    const user = await storedUser(storage);
    const older = await storedSession(storage, user);
    const newer = await storedSession(storage, user, { lastSeenAt: start + 500 });
    const unseen = await storedSession(storage, user);

    await storage.noteSessionsSeen([older.digest, newer.digest, aDigest()], start + 100);
    const lastSeen = async (digest: string) => (await storage.findSession(digest, start))?.session.lastSeenAt;
    assert.equal(await lastSeen(older.digest), start + 100);
    assert.equal(await lastSeen(newer.digest), start + 500);
    assert.equal(await lastSeen(unseen.digest), start);
  });

  rule('storing no "last seen" is allowed', async (storage) => {
    await storage.noteSessionsSeen([], start);
  });
}

function listRules(rule: Rule): void {
  rule("a user's sessions are listed with browser and IP address, last seen first", async (storage) => {
    const user = await storedUser(storage);
    const facts = { device: 'Firefox on Linux', address: '2001:db8::7', amr: ['pwd', 'otp', 'mfa'] };
    const seen = (lastSeenAt: number) => storedSession(storage, user, { ...facts, lastSeenAt });
    const second = await seen(start + 2);
    const third = await seen(start + 1);
    const first = await seen(start + 3);
    await storedSession(storage, await storedUser(storage), { lastSeenAt: start + 4 });
    assert.deepEqual(await storage.listSessions(user.id, start), [first, second, third]);
    assert.deepEqual(await storage.listSessions(user.id, start + 1), [first, second]);
    assert.deepEqual(await storage.listSessions(user.id, start + 3), []);
    assert.deepEqual(await storage.listSessions('nobody', 0), []);
  });

  rule('at most two hundred sessions are listed, the newest', async (storage) => {
    const user = await storedUser(storage);
    const starts = Array.from({ length: 205 }, (_, index) =>
      storage.startSession({
        session: aSession(user, { lastSeenAt: start + index }),
        sessionGeneration: user.sessionGeneration,
      }),
    );
    await Promise.all(starts);
    const listed = await storage.listSessions(user.id, 0);
    assert.deepEqual(
      listed.map(({ lastSeenAt }) => lastSeenAt - start),
      Array.from({ length: 200 }, (_, index) => 204 - index),
    );
  });

  rule('sessions from before a user was disabled are not listed', async (storage) => {
    const user = await storedUser(storage);
    await storedSession(storage, user);
    await storage.disableUser(user.id, start, anEvent());
    assert.deepEqual(await storage.listSessions(user.id, 0), []);
    await storage.enableUser(user.id, start, anEvent());
    assert.deepEqual(await storage.listSessions(user.id, 0), []);
  });

  rule("ending the other sessions keeps this one and other users', and returns the count", async (storage) => {
    const user = await storedUser(storage);
    const kept = await storedSession(storage, user);
    for (let count = 0; count < 3; count++) await storedSession(storage, user);
    const other = await storedUser(storage);
    const stranger = await storedSession(storage, other);
    const reset = (person: User) => storedLink(storage, { purpose: 'reset_password', userId: person.id });
    const [link, others] = [await reset(user), await reset(other)];
    assert.equal(await storage.endOtherSessions(user.id, kept.digest, anEvent()), 3);
    assert.equal(await storage.findLink(link.digest, 'reset_password', start), undefined, 'links are void too');
    assert.ok(await storage.findLink(others.digest, 'reset_password', start));
    assert.deepEqual(await storage.listSessions(user.id, 0), [kept]);
    assert.ok(await storage.findSession(stranger.digest, start));
    assert.equal(await storage.endOtherSessions(user.id, kept.digest, anEvent()), 0);
  });

  rule("ending all of a user's sessions also ends their links, and nobody else's", async (storage) => {
    const [user, other] = [await storedUser(storage), await storedUser(storage)];
    for (const owner of [user, user, other]) await storedSession(storage, owner);
    const reset = ({ id }: User) => storedLink(storage, { purpose: 'reset_password', userId: id });
    const [link, others] = [await reset(user), await reset(other)];
    assert.equal(await storage.endSessions(user.id, anEvent()), true);
    assert.deepEqual(await storage.listSessions(user.id, 0), []);
    assert.equal(await storage.findLink(link.digest, 'reset_password', start), undefined);
    assert.equal((await storage.listSessions(other.id, 0)).length, 1);
    assert.ok(await storage.findLink(others.digest, 'reset_password', start));
  });
}

function deviceRules(rule: Rule): void {
  rule('a sign-in remembers the browser for its user only', async (storage) => {
    const user = await storedUser(storage);
    const other = await storedUser(storage);
    const device = aDigest();
    const facts = (person: User, ...digests: string[]) => storage.findSignInFacts(person.id, digests);
    assert.deepEqual(await facts(user, device), noFacts);

    assert.equal(
      await storage.startSession({
        session: aSession(user),
        sessionGeneration: user.sessionGeneration,
        deviceDigest: device,
      }),
      true,
    );
    assert.deepEqual(await facts(user, device), { ...noFacts, knownDevice: device });
    assert.equal(
      (await facts(user, aDigest(), aDigest(), aDigest(), aDigest(), device)).knownDevice,
      device,
      'or the fifth',
    );
    assert.deepEqual(await facts(user, aDigest()), noFacts);
    assert.deepEqual(await facts(user), noFacts);
    assert.deepEqual(await facts(other, device), noFacts);
    assert.equal(
      await storage.startSession({
        session: aSession(other),
        sessionGeneration: other.sessionGeneration,
        deviceDigest: device,
      }),
      true,
    );
    assert.equal((await facts(other, device)).knownDevice, device);
  });

  rule('a sign-in without a browser mark, or a failed one, remembers none', async (storage) => {
    const user = await storedUser(storage);
    const device = aDigest();
    await storage.startSession({ session: aSession(user), sessionGeneration: user.sessionGeneration });
    assert.equal(
      await storage.startSession({ session: aSession(user), sessionGeneration: 1, deviceDigest: device }),
      false,
    );
    assert.deepEqual(await storage.findSignInFacts(user.id, [device]), noFacts);
    assert.deepEqual(await storage.findSignInFacts('nobody', [device]), noFacts);
  });

  rule('concurrent sign-ins in one browser all succeed and remember it once', async (storage) => {
    const user = await storedUser(storage);
    const device = aDigest();
    assert.equal(
      await winners(() =>
        storage.startSession({
          session: aSession(user),
          sessionGeneration: user.sessionGeneration,
          deviceDigest: device,
        }),
      ),
      atOnce,
    );
    const over = nothingIsOver({ devicesSeenBefore: start + 1 });
    assert.equal(await storage.sweep(over, 100), 1);
  });

  rule('a browser has the time of its last sign-in', async (storage) => {
    const user = await storedUser(storage);
    const device = aDigest();
    for (const createdAt of [start, start + DAY]) {
      await storage.startSession({
        session: aSession(user, { createdAt }),
        sessionGeneration: user.sessionGeneration,
        deviceDigest: device,
      });
    }
    assert.deepEqual(await storage.listKnownDevices(user.id), [start + DAY]);
    assert.equal(await storage.sweep(nothingIsOver({ devicesSeenBefore: start + DAY }), 100), 0);
    assert.equal(await storage.sweep(nothingIsOver({ devicesSeenBefore: start + DAY + 1 }), 100), 1);
    assert.deepEqual(await storage.findSignInFacts(user.id, [device]), noFacts);
  });

  rule("a user's browsers are listed by last sign-in, newest first", async (storage) => {
    const [user, other] = [await storedUser(storage), await storedUser(storage)];
    const signIn = (person: User, createdAt: number) =>
      storage.startSession({
        session: aSession(person, { createdAt }),
        sessionGeneration: person.sessionGeneration,
        deviceDigest: aDigest(),
      });
    for (const at of [start + 2, start + 3, start + 1]) await signIn(user, at);
    await signIn(other, start + 4);
    assert.deepEqual(await storage.listKnownDevices(user.id), [start + 3, start + 2, start + 1]);
    assert.deepEqual(await storage.listKnownDevices('nobody'), []);
  });

  rule('a session by password alone starts only without a second factor', async (storage) => {
    const factors: Record<string, (user: User) => Promise<boolean>> = {
      app: (user) => storage.enableAuthenticator(user.id, anAuthenticator(), someDigests(), start, anEvent()),
      passkey: (user) => storage.addPasskey(aPasskey(user), someDigests(), anEvent()),
    };
    for (const [name, turnOn] of Object.entries(factors)) {
      const user = await storedUser(storage);
      const replaced = await storedSession(storage, user);
      const device = aDigest();
      const begin = (passwordAlone: boolean, replacedDigest?: string) =>
        storage.startSession({
          session: aSession(user),
          sessionGeneration: user.sessionGeneration,
          replacedDigest,
          deviceDigest: device,
          condition: passwordAlone ? withoutFactor : undefined,
        });
      assert.equal(await begin(true), true, name);
      await turnOn(user);
      await storage.sweep(nothingIsOver({ devicesSeenBefore: later }), 100);
      assert.equal(await begin(true, replaced.digest), false, name);
      assert.ok(await storage.findSession(replaced.digest, start), 'and ends no other');
      assert.equal(
        (await storage.findSignInFacts(user.id, [device])).knownDevice,
        undefined,
        'nor remembers the browser',
      );
      assert.equal(await begin(false), true, name);
      await storage.removeSecondFactors(user.id, anEvent());
      assert.equal(await begin(true), true, name);
    }
  });
}
