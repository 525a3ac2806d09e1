// Taking an account back: what a password reset suspends, deciding about it, undoing a factor, and removing other access.

import assert from 'node:assert/strict';
import { DAY } from '../../../src/protocol/durations.ts';
import type { FactorRef, PasswordChange, Storage, User } from '../../../src/storage/storage.ts';
import {
  activeGrant,
  aDigest,
  anApiKey,
  anAuthenticator,
  anEvent,
  aPasskey,
  aSession,
  connectedClientIds,
  later,
  noFacts,
  type Rule,
  someDigests,
  spendCode,
  start,
  storedAdministrator,
  storedClient,
  storedLink,
  storedSession,
  storedUser,
  tokenLives,
  winners,
  withoutFactor,
} from '../records.ts';

const reset = start + 30 * DAY;
const recent = reset - 7 * DAY;

export function recoveryRules(rule: Rule): void {
  suspensionRules(rule);
  decisionRules(rule);
  undoRules(rule);
  removalRules(rule);
}

function suspensionRules(rule: Rule): void {
  for (const [name, setPassword] of Object.entries(resets)) {
    rule(`${name} suspends factors added in the 7 days before, and nothing older`, async (storage) => {
      const user = await storedUser(storage);
      const bystander = await storedUser(storage);
      const old = aPasskey(user, { createdAt: recent - 1 });
      const fresh = aPasskey(user, { createdAt: recent });
      const others = aPasskey(bystander, { createdAt: recent });
      const codes = someDigests();
      await storage.addPasskey(old, codes, anEvent());
      await storage.addPasskey(fresh, undefined, anEvent());
      await storage.addPasskey(others, undefined, anEvent());
      const authenticator = anAuthenticator({ lastStep: 1000 });
      await storage.enableAuthenticator(user.id, authenticator, undefined, reset, anEvent());
      await setPassword(storage, user);

      const suspended = [
        { kind: 'authenticator', createdAt: reset },
        { kind: 'passkey', id: fresh.id, createdAt: recent, name: fresh.name },
      ];
      assert.deepEqual(await factsOf(storage, user), { ...noFacts, passkeys: [old], recoveryCodes: 10, suspended });
      assert.deepEqual((await factsOf(storage, bystander)).passkeys, [others]);
      assert.equal(await storage.acceptAuthenticatorStep(user.id, 2000), false);
      assert.equal(await storage.findPasskey(fresh.id), undefined);
      assert.equal(await storage.notePasskeyUse(fresh.id, 1, reset), false);
      assert.equal((await storage.findPasskey(old.id))?.passkey.id, old.id);
      assert.equal(await spendCode(storage, user.id, codes[0] ?? ''), true);
      assert.equal((await storage.findUser(user.id))?.reviewSince, reset);
      assert.equal((await storage.findUser(bystander.id))?.reviewSince, null);
    });
  }

  rule('what the account was created with through an emailed link is not suspended', async (storage) => {
    const cases = [
      ['created with it', { createdAt: recent, emailVerifiedAt: recent }, recent, true],
      ['added later', { createdAt: recent, emailVerifiedAt: recent }, recent + 1, false],
      ['the address was never verified', { createdAt: recent, emailVerifiedAt: null }, recent, false],
      ['the address was verified later', { createdAt: recent, emailVerifiedAt: recent + 1 }, recent, false],
    ] as const;
    for (const [way, setPassword] of Object.entries(resets)) {
      for (const [name, times, createdAt, isKept] of cases) {
        // For an address that isn't verified, no link does anything beside a factor.
        if (way !== 'a password that is set' && times.emailVerifiedAt === null) continue;
        const user = await storedUser(storage, times);
        const passkey = aPasskey(user, { createdAt });
        await storage.addPasskey(passkey, someDigests(), anEvent({ at: createdAt }));
        await setPassword(storage, user);
        const { passkeys, recoveryCodes } = await factsOf(storage, user);
        assert.deepEqual([passkeys, recoveryCodes], isKept ? [[passkey], 10] : [[], 0], name);
      }
    }
  });

  rule(
    'a user with only suspended factors signs in with the password alone, without recovery codes',
    async (storage) => {
      const { user, codes } = await suspendedPasskey(storage);
      const current = await storage.findUser(user.id);
      assert.ok(current);
      assert.equal(await spendCode(storage, user.id, codes[0] ?? ''), false);
      const session = aSession(current);
      assert.equal(
        await storage.startSession({ session, sessionGeneration: current.sessionGeneration, condition: withoutFactor }),
        true,
      );
    },
  );

  rule('changing the password with the old one suspends nothing', async (storage) => {
    const user = await storedUser(storage);
    await storage.addPasskey(aPasskey(user, { createdAt: reset }), someDigests(), anEvent());
    const facts = await factsOf(storage, user);
    const proof = { kind: 'session', sessionGeneration: user.sessionGeneration } as const;
    await storage.changePassword(user.id, { passwordHash: 'new hash', proof }, reset, anEvent());
    assert.deepEqual(await factsOf(storage, user), facts);
    assert.equal((await storage.findUser(user.id))?.reviewSince, null);
  });

  rule("a factor isn't added if the password changed after it was checked", async (storage) => {
    const user = await storedUser(storage);
    await storage.setPasswordHash(user.id, 'new hash', reset, anEvent());
    const event = anEvent();
    const old = user.sessionGeneration;
    const passkey = aPasskey(user);
    assert.equal(await storage.addPasskey(passkey, someDigests(), event, old), false);
    assert.equal(
      await storage.enableAuthenticator(user.id, anAuthenticator(), someDigests(), reset, event, old),
      false,
    );
    assert.equal(await storage.replaceRecoveryCodes(user.id, someDigests(), reset, event, old), false);
    assert.deepEqual(await factsOf(storage, user), noFacts);
    assert.equal(await storage.addPasskey(passkey, someDigests(), event, 1), true);
  });
}

function decisionRules(rule: Rule): void {
  rule('keeping a suspended factor keeps its recovery codes, once', async (storage) => {
    const { user, passkey, factor, codes } = await suspendedPasskey(storage);
    const keep = (generation: number) => storage.decideOnFactor(user.id, factor, 'keep', generation, anEvent());
    assert.equal(await keep(0), false, 'not after another password change');
    assert.equal(await winners(() => keep(1)), 1);
    assert.deepEqual(await factsOf(storage, user), { ...noFacts, passkeys: [passkey], recoveryCodes: 10 });
    assert.equal(await spendCode(storage, user.id, codes[0] ?? ''), true);
    assert.equal(await storage.decideOnFactor(user.id, factor, 'remove', 1, anEvent()), false);
  });

  rule('only the owner can remove a suspended factor, which removes its recovery codes', async (storage) => {
    const { user, factor } = await suspendedPasskey(storage);
    const other = await storedUser(storage);
    assert.equal(await storage.decideOnFactor(other.id, factor, 'remove', other.sessionGeneration, anEvent()), false);
    assert.equal((await factsOf(storage, user)).suspended.length, 2);
    assert.equal(await storage.decideOnFactor(user.id, factor, 'remove', 1, anEvent()), true);
    assert.deepEqual(await factsOf(storage, user), noFacts);
  });

  rule('suspended recovery codes can be kept on their own', async (storage) => {
    const { user } = await suspendedPasskey(storage);
    const codes: FactorRef = { kind: 'recovery_codes', createdAt: recent };
    assert.equal(await storage.decideOnFactor(user.id, codes, 'keep', 1, anEvent()), true);
    const facts = await factsOf(storage, user);
    assert.deepEqual([facts.recoveryCodes, facts.suspended.length], [10, 1]);
  });
}

function undoRules(rule: Rule): void {
  rule('a link undoes its factor once, and ends sessions, known browsers and other links', async (storage) => {
    const user = await storedUser(storage);
    const device = aDigest();
    const session = aSession(user);
    await storage.startSession({ session, sessionGeneration: user.sessionGeneration, deviceDigest: device });
    const passkey = aPasskey(user);
    await storage.addPasskey(passkey, someDigests(), anEvent());
    const link = await storedLink(storage, { purpose: 'undo_factor', userId: user.id });
    const address = await storedLink(storage, { purpose: 'change_email', userId: user.id });
    const factor = { kind: 'passkey', id: passkey.id, createdAt: passkey.createdAt } as const;
    const undo = (digest: string) => storage.undoFactor(user.id, factor, digest, later, anEvent());
    for (const wrong of [aDigest(), address.digest]) assert.equal(await undo(wrong), false);
    assert.equal(await winners(() => undo(link.digest)), 1);
    assert.deepEqual(await storage.findSignInFacts(user.id, [device]), noFacts);
    assert.equal(await storage.findSession(session.digest, start), undefined);
    assert.equal(await storage.findLink(address.digest, 'change_email', start), undefined);
  });

  rule('a link undoes even the last way to sign in', async (storage) => {
    const user = await storedUser(storage, { passwordHash: '' });
    const passkey = aPasskey(user);
    await storage.addPasskey(passkey, someDigests(), anEvent());
    const { digest } = await storedLink(storage, { purpose: 'undo_factor', userId: user.id });
    const factor = { kind: 'passkey', id: passkey.id, createdAt: passkey.createdAt } as const;
    assert.equal(await storage.undoFactor(user.id, factor, digest, later, anEvent()), true);
    assert.equal(await storage.findPasskey(passkey.id), undefined);
  });

  rule("an authenticator set up later isn't undone", async (storage) => {
    const user = await storedUser(storage);
    const authenticator = anAuthenticator();
    await storage.enableAuthenticator(user.id, authenticator, someDigests(), later, anEvent());
    const link = await storedLink(storage, { purpose: 'undo_factor', userId: user.id });
    const earlier = { kind: 'authenticator', createdAt: start } as const;
    assert.equal(await storage.undoFactor(user.id, earlier, link.digest, later, anEvent()), true);
    assert.deepEqual(await factsOf(storage, user), { ...noFacts, authenticator, recoveryCodes: 10 });
  });

  rule('undo links coexist, and no account change voids them', async (storage) => {
    const user = await storedUser(storage);
    const own = { purpose: 'undo_factor', userId: user.id } as const;
    const links = [await storedLink(storage, own), await storedLink(storage, own)];
    await storage.setPasswordHash(user.id, 'new hash', start, anEvent());
    await storage.endSessions(user.id, anEvent());
    for (const { digest } of links) assert.ok(await storage.findLink(digest, 'undo_factor', start));
    await storage.deleteUser(user.id, anEvent());
    for (const { digest } of links) assert.equal(await storage.findLink(digest, 'undo_factor', start), undefined);
  });
}

function removalRules(rule: Rule): void {
  rule('all other access is removed in one write, for this user only', async (storage) => {
    const client = await storedClient(storage);
    const sides = [];
    for (let count = 0; count < 2; count++) {
      const { user } = await suspendedPasskey(storage, await storedAdministrator(storage));
      const grant = await activeGrant(storage, user, client);
      const key = anApiKey({ createdBy: user.id });
      await storage.createApiKey(key, anEvent());
      const [kept, other] = [aSession(user), aSession(user)];
      const devices = [aDigest(), aDigest()] as const;
      await storage.startSession({ session: kept, sessionGeneration: 1, deviceDigest: devices[0] });
      await storage.startSession({ session: other, sessionGeneration: 1, deviceDigest: devices[1] });
      sides.push({ user, grant, key, kept, other, devices });
    }
    const [own, others] = sides;
    assert.ok(own && others);
    const events = [anEvent(), anEvent()] as const;
    const kept = { session: own.kept.digest, device: own.devices[0], factors: true };
    assert.equal(
      await storage.removeOtherAccess({ ...own.user, sessionGeneration: 1 }, kept, later, events[0], [events[1]]),
      true,
    );
    for (const [side, left] of [
      [own, false],
      [others, true],
    ] as const) {
      assert.ok(await storage.findSession(side.kept.digest, start));
      assert.equal((await storage.findSession(side.other.digest, start)) !== undefined, left);
      assert.equal((await storage.listKnownDevices(side.user.id)).length, left ? 2 : 1);
      assert.equal((await storage.findSignInFacts(side.user.id, [side.devices[0]])).knownDevice, side.devices[0]);
      assert.equal((await factsOf(storage, side.user)).suspended.length, left ? 2 : 0);
      assert.equal(await tokenLives(storage, side.grant), left);
      assert.deepEqual(await connectedClientIds(storage, side.user), left ? [client.id] : []);
      assert.deepEqual(await storage.listApiKeysOf(side.user.id), left ? [side.key] : []);
      assert.equal((await storage.findUser(side.user.id))?.reviewSince === null, !left);
    }
    const ids = (await storage.findEvents({}, 1000, 'oldest')).map(({ id }) => id);
    for (const { id } of events) assert.ok(ids.includes(id));
    assert.equal(
      await storage.removeOtherAccess({ id: 'nobody', sessionGeneration: 1 }, kept, later, anEvent()),
      false,
    );
  });

  rule('active factors are removed with all other access if requested', async (storage) => {
    for (const factors of [true, false]) {
      const { user } = await suspendedPasskey(storage);
      await storage.enableAuthenticator(user.id, anAuthenticator(), someDigests(), reset, anEvent());
      const session = await storedSession(storage, { ...user, sessionGeneration: 1 });
      const kept = { session: session.digest, device: undefined, factors };
      assert.equal(await storage.removeOtherAccess({ ...user, sessionGeneration: 1 }, kept, later, anEvent()), true);
      const { authenticator, recoveryCodes, suspended } = await factsOf(storage, user);
      assert.deepEqual([authenticator !== undefined, recoveryCodes, suspended], [factors, factors ? 10 : 0, []]);
    }
  });

  rule('a request from before a reset ends no review, and removes nothing', async (storage) => {
    const { user, passkey } = await suspendedPasskey(storage);
    const session = await storedSession(storage, { ...user, sessionGeneration: 1 });
    const { digest } = session;
    await storage.setPasswordHash(user.id, 'another hash', reset + 1, anEvent());
    assert.equal(await storage.finishReview({ ...user, reviewSince: reset }, [anEvent()]), false);
    const before = { ...user, sessionGeneration: 1 };
    assert.equal(await storage.removeOtherAccess(before, { factors: true }, later, anEvent()), false);
    const current = { ...user, sessionGeneration: 2 };
    const inEnded = { session: digest, factors: true };
    assert.equal(await storage.removeOtherAccess(current, inEnded, later, anEvent()), false, 'the session has ended');
    assert.equal(await storage.removePasskey(user.id, passkey.id, anEvent(), true, 1), false);
    assert.equal(await storage.removePasskey(user.id, passkey.id, anEvent(), true, 2, digest), false);
    assert.equal((await storage.findUser(user.id))?.reviewSince, reset + 1);
    assert.equal((await factsOf(storage, user)).suspended.length, 2);
    assert.equal(await storage.removePasskey(user.id, passkey.id, anEvent(), true, 2), true);
  });

  rule('a review is completed once, and only if due', async (storage) => {
    const { user } = await suspendedPasskey(storage);
    assert.equal(await winners(() => storage.finishReview({ ...user, reviewSince: reset }, [anEvent()])), 1);
    assert.equal((await storage.findUser(user.id))?.reviewSince, null);
    assert.equal((await factsOf(storage, user)).suspended.length, 2, 'what is suspended stays so');
    assert.equal(await storage.finishReview(await storedUser(storage), []), false);
  });
}

/** Each of the ways to set a password without the old one. */
const resets: Readonly<Record<string, (storage: Storage, user: User) => Promise<unknown>>> = {
  'a reset by email': (storage, user) => resetBy(storage, user, 'reset_password'),
  'a recovery link': (storage, user) => resetBy(storage, user, 'recover'),
  'a password that is set': (storage, user) => storage.setPasswordHash(user.id, 'new hash', reset, anEvent()),
};

async function resetBy(storage: Storage, user: User, purpose: 'reset_password' | 'recover'): Promise<void> {
  const { digest } = await storedLink(storage, { purpose, userId: user.id, expiresAt: reset + 1 });
  const change: PasswordChange = { passwordHash: 'new hash', proof: { kind: 'link', digest, purpose } };
  assert.equal(await storage.changePassword(user.id, change, reset, anEvent()), true);
}

/** A user whose one passkey, with its recovery codes, was added shortly before the password was reset. */
async function suspendedPasskey(storage: Storage, owner?: User) {
  const user = owner ?? (await storedUser(storage));
  const passkey = aPasskey(user, { createdAt: recent });
  const codes = someDigests();
  await storage.addPasskey(passkey, codes, anEvent());
  await storage.setPasswordHash(user.id, 'new hash', reset, anEvent());
  const factor: FactorRef = { kind: 'passkey', id: passkey.id, createdAt: recent };
  return { user, passkey, factor, codes };
}

const factsOf = (storage: Storage, user: User) => storage.findSignInFacts(user.id, undefined);
