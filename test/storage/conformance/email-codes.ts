// Codes by email: used once, in the write that they're used for, and what the first one ends that verifies an address.

import assert from 'node:assert/strict';
import type { Claim, Storage, User } from '../../../src/storage/storage.ts';
import {
  aDigest,
  anApiKey,
  anAuthenticator,
  anEvent,
  aSession,
  later,
  type Rule,
  someDigests,
  start,
  storedLink,
  storedSession,
  storedUser,
  winners,
} from '../records.ts';

export function emailCodeRules(rule: Rule): void {
  signInRules(rule);
  firstCodeRules(rule);
  proofRules(rule);
}

const purpose = 'email_code';

async function storedCode(
  storage: Storage,
  user: User,
  of: 'email_code' | 'known_email_code' | 'proof_code' = purpose,
) {
  const { digest } = await storedLink(storage, { purpose: of, userId: user.id });
  return { digest, purpose: of };
}

const newSession = (user: User) => ({
  session: aSession(user),
  replacedDigest: undefined,
  deviceDigest: aDigest(),
  event: anEvent(),
});

function signInRules(rule: Rule): void {
  rule('a code starts one session, however many try', async (storage) => {
    const user = await storedUser(storage, { emailVerifiedAt: start });
    const code = await storedCode(storage, user);
    assert.equal(await winners(() => storage.useEmailCode(user, code, later, { start: newSession(user) })), 1);
    assert.equal((await storage.listSessions(user.id, 0)).length, 1);
    assert.equal(await storage.findLink(code.digest, purpose, start), undefined);
  });

  rule('a code is used up without a session, too', async (storage) => {
    const user = await storedUser(storage, { emailVerifiedAt: start });
    const code = await storedCode(storage, user);
    assert.equal(await winners(() => storage.useEmailCode(user, code, later)), 1);
    assert.deepEqual(await storage.listSessions(user.id, 0), []);
  });

  const refusals: Record<string, (storage: Storage, user: User) => Promise<Partial<User>>> = {
    'another session generation': async () => ({ sessionGeneration: 5 }),
    'another address': async () => ({ email: 'another@people.example' }),
    'another user': async (storage) => ({ id: (await storedUser(storage)).id }),
    'a user who is gone': async (storage, user) => {
      await storage.deleteUser(user.id, anEvent());
      return {};
    },
    'a user who is disabled': async (storage, user) => {
      await storage.disableUser(user.id, later, anEvent());
      return {};
    },
    'a second factor': async (storage, user) => {
      await storage.enableAuthenticator(user.id, anAuthenticator(), someDigests(), start, anEvent());
      return {};
    },
  };
  for (const [what, changed] of Object.entries(refusals)) {
    rule(`a code starts no session for ${what}`, async (storage) => {
      const user = await storedUser(storage, { emailVerifiedAt: start });
      const code = await storedCode(storage, user);
      const given = { ...user, ...(await changed(storage, user)) };
      assert.equal(await storage.useEmailCode(given, code, later, { start: newSession(given) }), false);
      assert.deepEqual(await storage.listSessions(given.id, 0), []);
    });
  }

  rule('a code that has expired, or was made for something else, does nothing', async (storage) => {
    const user = await storedUser(storage, { emailVerifiedAt: start });
    const code = await storedCode(storage, user);
    assert.equal(await storage.useEmailCode(user, code, start + 60_000), false);
    assert.equal(await storage.useEmailCode(user, { ...code, purpose: 'known_email_code' }, later), false);
    assert.equal(await storage.useEmailCode(user, { ...code, purpose: 'proof_code' }, later), false);
    assert.equal(await storage.useEmailCode(user, code, later), true);
  });

  rule('a new code ends the earlier one, but not that of a known browser', async (storage) => {
    const user = await storedUser(storage, { emailVerifiedAt: start });
    const known = await storedCode(storage, user, 'known_email_code');
    const first = await storedCode(storage, user);
    const second = await storedCode(storage, user);
    assert.equal(await storage.useEmailCode(user, first, later), false);
    assert.equal(await storage.useEmailCode(user, second, later), true);
    assert.equal(await storage.useEmailCode(user, known, later), true);
  });

  rule('a browser is known for an address if it is for its user', async (storage) => {
    const [user, other] = [await storedUser(storage), await storedUser(storage)];
    const device = aDigest();
    await storage.startSession({
      session: aSession(user),
      sessionGeneration: user.sessionGeneration,
      deviceDigest: device,
    });
    assert.equal(await storage.isKnownDevice(user.email.toUpperCase(), [aDigest(), device]), true);
    assert.equal(await storage.isKnownDevice(user.email, [aDigest()]), false);
    assert.equal(await storage.isKnownDevice(other.email, [device]), false);
    assert.equal(await storage.isKnownDevice('nobody@people.example', [device]), false);
  });
}

function firstCodeRules(rule: Rule): void {
  const first = (review = true): Claim => ({ events: [anEvent(), anEvent()], proof: 'email_code', review });
  const unverified = (storage: Storage, overrides: Partial<User> = {}) =>
    storedUser(storage, { emailVerifiedAt: null, ...overrides });

  rule('the first code ends what was set before, verifies the address and starts its own session', async (storage) => {
    const user = await unverified(storage, { adminSince: start, breachedSince: start });
    const bystander = await storedUser(storage);
    const device = aDigest();
    for (const each of [user, bystander]) {
      await storage.startSession({
        session: aSession(each),
        sessionGeneration: each.sessionGeneration,
        deviceDigest: device,
      });
      await storedLink(storage, { purpose: 'change_email', userId: each.id, data: { email: 'x@people.example' } });
    }
    await storage.createApiKey(anApiKey({ createdBy: user.id }), anEvent());
    const code = await storedCode(storage, user);
    const started = newSession({ ...user, generation: 1 });
    const given = first();
    assert.equal(await storage.useEmailCode(user, code, later, { start: started, claim: given }), true);
    const { passwordHash, emailVerifiedAt, reviewSince, breachedSince } = (await storage.findUser(user.id)) ?? user;
    assert.deepEqual([passwordHash, emailVerifiedAt, reviewSince, breachedSince], ['', later, later, null]);
    const sessions = await storage.listSessions(user.id, 0);
    assert.deepEqual(
      sessions.map(({ digest }) => digest),
      [started.session.digest],
    );
    assert.equal(await storage.findKnownDevice(user.id, [device]), undefined);
    assert.equal(await storage.findKnownDevice(user.id, [started.deviceDigest]), started.deviceDigest);
    assert.deepEqual(await storage.listApiKeysOf(user.id), []);
    const written = await storage.findEvents({}, 100);
    for (const { id } of given.events) assert.ok(written.some((event) => event.id === id));
    assert.equal((await storage.listSessions(bystander.id, 0)).length, 1);
    assert.equal(await storage.findKnownDevice(bystander.id, [device]), device);
    assert.equal((await storage.findUser(bystander.id))?.passwordHash, bystander.passwordHash);
  });

  rule(
    "after it, a password can't be set in a session from before, though the hash is as empty as it was",
    async (storage) => {
      const user = await unverified(storage, { passwordHash: '' });
      const session = await storedSession(storage, user);
      const code = await storedCode(storage, user);
      const started = newSession({ ...user, generation: 1 });
      assert.equal(await storage.useEmailCode(user, code, later, { start: started, claim: first() }), true);
      const proof = { kind: 'session', sessionGeneration: 0, session: session.digest } as const;
      const change = { passwordHash: 'theirs', proof, session: { ...session, digest: aDigest() } };
      assert.equal(await storage.changePassword(user.id, change, later, anEvent()), false);
      assert.equal((await storage.findUser(user.id))?.passwordHash, '');
      const left = await storage.listSessions(user.id, 0);
      assert.deepEqual(
        left.map(({ digest }) => digest),
        [started.session.digest],
      );
    },
  );

  rule('without anything to look through, no review is due', async (storage) => {
    const user = await unverified(storage, { passwordHash: '' });
    const code = await storedCode(storage, user);
    assert.equal(await storage.useEmailCode(user, code, later, { claim: first(false) }), true);
    const found = await storage.findUser(user.id);
    assert.deepEqual([found?.emailVerifiedAt, found?.reviewSince], [later, null]);
  });

  rule('with a second factor, or an address that is verified by now, it changes nothing', async (storage) => {
    for (const verified of [true, false]) {
      const user = await storedUser(storage, { emailVerifiedAt: verified ? start : null });
      await storedSession(storage, user);
      if (!verified) {
        await storage.enableAuthenticator(user.id, anAuthenticator(), someDigests(), start, anEvent());
      }
      const code = await storedCode(storage, user);
      const given = first();
      assert.equal(await storage.useEmailCode(user, code, later, { claim: given }), false);
      assert.deepEqual((await storage.findUser(user.id))?.passwordHash, user.passwordHash);
      assert.equal((await storage.listSessions(user.id, 0)).length, 1);
      assert.ok(await storage.findLink(code.digest, purpose, start));
      const written = await storage.findEvents({}, 100);
      assert.ok(!written.some(({ id }) => id === given.events[0].id));
    }
  });

  rule('of a first code and a password reset at the same moment, neither undoes the other', async (storage) => {
    const user = await unverified(storage);
    const reset = await storedLink(storage, { purpose: 'reset_password', userId: user.id });
    const code = await storedCode(storage, user);
    const proof = { kind: 'link', digest: reset.digest, purpose: 'reset_password' } as const;
    const outcomes = await Promise.all([
      storage.useEmailCode(user, code, later, { claim: first() }),
      storage.changePassword(user.id, { passwordHash: 'new', proof, claim: first() }, later, anEvent()),
    ]);
    assert.equal(outcomes.filter(Boolean).length, 1);
    const found = await storage.findUser(user.id);
    assert.equal(found?.passwordHash, outcomes[0] ? '' : 'new');
    assert.notEqual(found?.emailVerifiedAt, null);
  });
}

function proofRules(rule: Rule): void {
  rule('a code proves the session once', async (storage) => {
    const user = await storedUser(storage, { emailVerifiedAt: start, passwordHash: '' });
    const session = await storedSession(storage, user, { provenAt: 0 });
    const code = await storedCode(storage, user, 'proof_code');
    const condition = { kind: 'no_second_factor' } as const;
    const prove = () => storage.proveSessionWithCode(session, 0, later, code, condition);
    assert.equal(await storage.proveSessionWithCode(session, 5, later, code, condition), false);
    assert.equal(await storage.proveSessionWithCode(aSession(user), 0, later, code, condition), false);
    assert.equal(await winners(prove), 1);
    assert.equal((await storage.listSessions(user.id, 0))[0]?.provenAt, later);
    assert.equal(await prove(), false);
  });
}
