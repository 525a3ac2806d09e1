// Sessions that get a second factor, at their start or later.

import assert from 'node:assert/strict';
import type { NewSession, RaisedSession, Session, Storage, User } from '../../../src/storage/storage.ts';
import {
  aDigest,
  anAuthenticator,
  anEvent,
  aPasskey,
  aSession,
  atOnce,
  hasEvent,
  later,
  type Rule,
  someDigests,
  start,
  storedSession,
  storedUser,
  winners,
} from '../records.ts';

const withFactor = { kind: 'second_factor' } as const;

const newSession = (user: User): NewSession => ({
  session: aSession(user),
  replacedDigest: undefined,
  deviceDigest: aDigest(),
});

const raisedFrom = (session: Session): RaisedSession => ({
  session: { ...session, digest: aDigest(), amr: ['pwd', 'otp', 'mfa'] },
  replacedDigest: session.digest,
});

function setUp(storage: Storage, user: User, session: NewSession | RaisedSession, codes = someDigests()) {
  return storage.setUpAuthenticator(anAuthenticator(), codes, user.sessionGeneration, session, anEvent());
}

const sessionsOf = async (storage: Storage, user: User) => (await storage.listSessions(user.id, 0)).length;
const hasApp = async (storage: Storage, user: User) =>
  (await storage.findSignInFacts(user.id, undefined)).authenticator !== undefined;

export function assuranceRules(rule: Rule): void {
  rule('an authenticator and the session it starts are one write', async (storage) => {
    const user = await storedUser(storage);
    const given = newSession(user);
    const [authenticator, codes, event] = [anAuthenticator(), someDigests(), anEvent({ kind: 'authenticator_added' })];
    assert.equal(await storage.setUpAuthenticator(authenticator, codes, user.sessionGeneration, given, event), true);
    const facts = await storage.findSignInFacts(user.id, [given.deviceDigest ?? '']);
    assert.deepEqual([facts.authenticator, facts.recoveryCodes], [authenticator, 10]);
    assert.equal(facts.knownDevice, given.deviceDigest);
    assert.deepEqual((await storage.findSession(given.session.digest, start))?.session, given.session);
    assert.ok(await hasEvent(storage, event));
  });

  rule(
    'a passkey and the session it starts or raises are one write, for a user without a second factor',
    async (storage) => {
      const user = await storedUser(storage);
      const given = newSession(user);
      const add = (session: NewSession | RaisedSession, by = user) =>
        storage.setUpPasskey(
          { passkey: aPasskey(by), codeDigests: someDigests() },
          by.sessionGeneration,
          session,
          anEvent(),
        );
      assert.equal(await add(given, { ...user, sessionGeneration: 5 }), false);
      assert.equal(await winners(() => add(newSession(user))), 1);
      const facts = await storage.findSignInFacts(user.id, undefined);
      assert.deepEqual([facts.passkeys.length, facts.recoveryCodes], [1, 10]);
      assert.equal(await sessionsOf(storage, user), 1);
      assert.equal(await add(given), false, 'there is a second factor');

      // Nor do an app and a passkey get past each other.
      const both = await storedUser(storage);
      const added = await Promise.all([
        setUp(storage, both, newSession(both)),
        storage.setUpPasskey(
          { passkey: aPasskey(both), codeDigests: someDigests() },
          both.sessionGeneration,
          newSession(both),
          anEvent(),
        ),
      ]);
      assert.equal(added.filter(Boolean).length, 1);

      const other = await storedUser(storage);
      const session = await storedSession(storage, other, { amr: ['pwd'] });
      const raised = raisedFrom(session);
      const passkey = { passkey: aPasskey(other), codeDigests: someDigests() };
      const event = anEvent({ kind: 'passkey_added' });
      assert.equal(await storage.setUpPasskey(passkey, other.sessionGeneration, raised, event), true);
      assert.ok(await hasEvent(storage, event));
      assert.equal(await storage.findSession(session.digest, start), undefined);
      assert.ok(await storage.findSession(raised.session.digest, start));
    },
  );

  rule('of racing set-ups exactly one succeeds', async (storage) => {
    const user = await storedUser(storage);
    assert.equal(await winners(() => setUp(storage, user, newSession(user))), 1);
    assert.equal(await sessionsOf(storage, user), 1);
    assert.ok(atOnce > 1);
  });

  rule('nothing is set up for a user with a second factor, a changed password, or who is disabled', async (storage) => {
    const refused = async (user: User, given: User = user) => {
      assert.equal(await setUp(storage, given, newSession(given)), false);
      assert.equal(await sessionsOf(storage, user), 0);
    };
    const withPasskey = await storedUser(storage);
    await storage.addPasskey(aPasskey(withPasskey), someDigests(), anEvent());
    await refused(withPasskey);
    assert.equal(await hasApp(storage, withPasskey), false);
    const withApp = await storedUser(storage);
    await storage.enableAuthenticator(withApp.id, anAuthenticator(), someDigests(), start, anEvent());
    await refused(withApp);
    const user = await storedUser(storage);
    await refused(user, { ...user, sessionGeneration: 5 });
    await storage.disableUser(user.id, later, anEvent());
    await refused(user);
    assert.equal(await hasApp(storage, user), false);
  });

  rule('a suspended authenticator is replaced, with its recovery codes', async (storage) => {
    const user = await storedUser(storage);
    const old = someDigests();
    await storage.enableAuthenticator(user.id, anAuthenticator(), old, start, anEvent());
    await storage.setPasswordHash(user.id, 'new hash', later, anEvent());
    const changed = { ...user, sessionGeneration: 1 };
    assert.equal(await setUp(storage, changed, newSession(changed)), true);
    const facts = await storage.findSignInFacts(user.id, undefined);
    assert.deepEqual([facts.authenticator !== undefined, facts.suspended, facts.recoveryCodes], [true, [], 10]);
    assert.equal(await storage.hasRecoveryCode(user.id, old[0] ?? ''), false);
  });

  rule('raising a session changes its digest and amr, and nothing else', async (storage) => {
    const user = await storedUser(storage);
    const session = await storedSession(storage, user, { trusted: true, amr: ['pwd'], answered: 'sign-in x' });
    const raised = raisedFrom(session);
    assert.equal(await storage.raiseSession(raised, user.sessionGeneration), false, 'there is no second factor');
    assert.equal(await setUp(storage, user, raised), true);
    assert.equal(await storage.findSession(session.digest, start), undefined);
    const found = await storage.findSession(raised.session.digest, start);
    assert.deepEqual(found?.session, { ...raised.session, trusted: false });

    const again = raisedFrom(raised.session);
    assert.equal(await storage.raiseSession(again, 5), false);
    assert.equal(await storage.raiseSession(again, user.sessionGeneration), true);
    assert.equal(await storage.raiseSession(again, user.sessionGeneration), false, 'it has ended under this digest');
    assert.equal(await sessionsOf(storage, user), 1);
  });

  rule("someone else's session isn't raised, and an ended one sets nothing up", async (storage) => {
    const [user, other] = [await storedUser(storage), await storedUser(storage)];
    const session = await storedSession(storage, other);
    const raised = raisedFrom({ ...session, userId: user.id });
    assert.equal(await setUp(storage, user, raised), false);
    assert.equal(await hasApp(storage, user), false);
    assert.ok(await storage.findSession(session.digest, start));
  });

  rule('raising consumes the recovery code, and rolls back without it', async (storage) => {
    const user = await storedUser(storage);
    const [code = ''] = someDigests(1);
    await storage.enableAuthenticator(user.id, anAuthenticator(), [code], start, anEvent());
    const sessions = await Promise.all(Array.from({ length: 3 }, () => storedSession(storage, user)));
    const raise = (index: number) => {
      const session = sessions[index];
      assert.ok(session);
      return storage.raiseSession(raisedFrom(session), user.sessionGeneration, code);
    };
    const outcomes = await Promise.all([raise(0), raise(1), raise(2)]);
    assert.equal(outcomes.filter(Boolean).length, 1);
    assert.equal(await storage.hasRecoveryCode(user.id, code), false);
  });

  rule('a session started by a second factor needs the factor to still exist', async (storage) => {
    const user = await storedUser(storage);
    const begin = () =>
      storage.startSession({
        session: aSession(user),
        sessionGeneration: user.sessionGeneration,
        condition: withFactor,
      });
    assert.equal(await begin(), false);
    await storage.addPasskey(aPasskey(user), someDigests(), anEvent());
    assert.equal(await begin(), true);
    await storage.removeSecondFactors(user.id, anEvent());
    assert.equal(await begin(), false);
  });
}
