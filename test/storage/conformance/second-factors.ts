// Second factors: authenticator apps, recovery codes and passkeys.

import assert from 'node:assert/strict';
import type { Storage, User } from '../../../src/storage/storage.ts';
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
  type Rule,
  restoredUser,
  someDigests,
  spendCode,
  start,
  storedSession,
  storedUser,
  winners,
} from '../records.ts';

export function secondFactorRules(rule: Rule): void {
  authenticatorRules(rule);
  recoveryCodeRules(rule);
  passkeyRules(rule);
  togetherRules(rule);
}

function authenticatorRules(rule: Rule): void {
  rule('an authenticator is set up with its recovery codes, for its user only', async (storage) => {
    const user = await storedUser(storage);
    const other = await storedUser(storage);
    const authenticator = anAuthenticator();
    const codes = someDigests();
    assert.equal(await storage.enableAuthenticator(user.id, authenticator, codes, start, anEvent()), true);
    assert.deepEqual(await factsOf(storage, user), { ...noFacts, authenticator, recoveryCodes: 10 });
    assert.deepEqual(await factsOf(storage, other), noFacts);
    assert.equal(await spendCode(storage, other.id, codes[0] ?? ''), false);
  });

  rule('of many authenticators set up concurrently one is stored, with its own codes', async (storage) => {
    const user = await storedUser(storage);
    const tries = Array.from({ length: atOnce }, () => ({ authenticator: anAuthenticator(), codes: someDigests(2) }));
    const answers = await Promise.all(
      tries.map(({ authenticator, codes }) =>
        storage.enableAuthenticator(user.id, authenticator, codes, start, anEvent()),
      ),
    );
    assert.equal(answers.filter(Boolean).length, 1);
    const won = tries[answers.indexOf(true)];
    const { authenticator, recoveryCodes } = await factsOf(storage, user);
    assert.deepEqual(authenticator, won?.authenticator);
    assert.equal(recoveryCodes, 2);
    for (const code of won?.codes ?? []) assert.equal(await spendCode(storage, user.id, code), true);
  });

  rule("a second authenticator is refused and doesn't affect the first", async (storage) => {
    const user = await storedUser(storage);
    const authenticator = anAuthenticator();
    const [code = '', ...codes] = someDigests();
    await storage.enableAuthenticator(user.id, authenticator, [code, ...codes], start, anEvent());
    const second = storage.enableAuthenticator(user.id, anAuthenticator(), someDigests(), start, anEvent());
    assert.equal(await second, false);
    assert.deepEqual(await factsOf(storage, user), { ...noFacts, authenticator, recoveryCodes: 10 });
    assert.equal(await spendCode(storage, user.id, code), true);
  });

  rule('an unknown user gets no authenticator', async (storage) => {
    const added = storage.enableAuthenticator('nobody', anAuthenticator(), someDigests(), start, anEvent());
    assert.equal(await added, false);
    assert.equal(await storage.acceptAuthenticatorStep('nobody', 2000), false);
  });

  rule('a time step is accepted once, also concurrently, and never an earlier one', async (storage) => {
    const user = await storedUser(storage);
    await storage.enableAuthenticator(user.id, anAuthenticator({ lastStep: 1000 }), [], start, anEvent());
    const accept = (step: number) => storage.acceptAuthenticatorStep(user.id, step);
    assert.equal(await accept(1000), false, 'the code that turned it on');
    assert.equal(await accept(999), false);
    assert.equal(await winners(() => accept(1001)), 1);
    assert.equal(await accept(1001), false);
    assert.equal(await accept(1000), false);
    assert.equal(await accept(1003), true);
    assert.equal(await accept(1002), false);
    assert.equal((await factsOf(storage, user)).authenticator?.lastStep, 1003);
  });

  rule('of concurrent neighboring steps none is accepted after a later one', async (storage) => {
    const user = await storedUser(storage);
    await storage.enableAuthenticator(user.id, anAuthenticator({ lastStep: 1000 }), [], start, anEvent());
    await winners((index) => storage.acceptAuthenticatorStep(user.id, 1001 + (index % 5)));
    assert.equal((await factsOf(storage, user)).authenticator?.lastStep, 1005);
    assert.equal(await storage.acceptAuthenticatorStep(user.id, 1005), false);
  });

  rule('an authenticator only works for its own user', async (storage) => {
    const user = await storedUser(storage);
    const other = await storedUser(storage);
    await storage.enableAuthenticator(user.id, anAuthenticator(), [], start, anEvent());
    await storage.enableAuthenticator(other.id, anAuthenticator(), [], start, anEvent());
    assert.equal(await storage.acceptAuthenticatorStep(other.id, 1001), true);
    assert.equal(await storage.acceptAuthenticatorStep(user.id, 1001), true);
  });

  rule('removing the only second factor removes the recovery codes', async (storage) => {
    const user = await storedUser(storage);
    const other = await storedUser(storage);
    for (const each of [user, other]) {
      await storage.enableAuthenticator(each.id, anAuthenticator(), someDigests(), start, anEvent());
    }
    assert.equal(await storage.removeAuthenticator(user.id, anEvent()), true);
    assert.deepEqual(await factsOf(storage, user), noFacts);
    assert.equal(await storage.removeAuthenticator(user.id, anEvent()), false);
    assert.equal(await storage.acceptAuthenticatorStep(user.id, 2000), false);
    assert.equal(await codesLeft(storage, other), 10);
    assert.equal(
      await storage.enableAuthenticator(user.id, anAuthenticator(), someDigests(), start, anEvent()),
      true,
      'and another can be turned on',
    );
  });
}

function recoveryCodeRules(rule: Rule): void {
  rule('of many concurrent uses of one recovery code exactly one succeeds', async (storage) => {
    const user = await storedUser(storage);
    const [code = '', ...codes] = someDigests();
    await storage.enableAuthenticator(user.id, anAuthenticator(), [code, ...codes], start, anEvent());
    assert.equal(await winners(() => spendCode(storage, user.id, code)), 1);
    assert.equal(await spendCode(storage, user.id, code), false);
    assert.equal(await spendCode(storage, user.id, aDigest()), false);
    assert.equal(await codesLeft(storage, user), 9);
    for (const each of codes) assert.equal(await spendCode(storage, user.id, each), true);
    assert.equal(await codesLeft(storage, user), 0);
  });

  rule('using a recovery code is one write with its session or proof', async (storage) => {
    const user = await storedUser(storage);
    const session = aSession(user);
    await storage.startSession({ session, sessionGeneration: user.sessionGeneration });
    const [code = '', ...codes] = someDigests();
    await storage.enableAuthenticator(user.id, anAuthenticator(), [code, ...codes], start, anEvent());
    const uses = (digest: string) => [
      () =>
        storage.startSession({
          session: aSession(user),
          sessionGeneration: user.sessionGeneration,
          condition: usedUp(digest),
        }),
      () => storage.proveSession(session, user.sessionGeneration, start, usedUp(digest)),
    ];
    const usedUp = (digest: string) => ({ kind: 'recovery_code', digest }) as const;
    for (const use of uses(aDigest())) assert.equal(await use(), false);
    assert.equal(await storage.proveSession(aSession(user), user.sessionGeneration, start, usedUp(code)), false);
    assert.equal(await storage.hasRecoveryCode(user.id, code), true, 'without the proof, the code stays');
    assert.equal(await winners(() => storage.proveSession(session, user.sessionGeneration, start, usedUp(code))), 1);
    for (const use of uses(code)) assert.equal(await use(), false);
    assert.equal(await codesLeft(storage, user), 9);
  });

  rule("new recovery codes only replace that user's old ones", async (storage) => {
    const user = await storedUser(storage);
    const other = await storedUser(storage);
    const [old, others, fresh] = [someDigests(), someDigests(), someDigests(3)];
    await storage.enableAuthenticator(user.id, anAuthenticator(), old, start, anEvent());
    await storage.enableAuthenticator(other.id, anAuthenticator(), others, start, anEvent());
    await storage.replaceRecoveryCodes(user.id, fresh, start, anEvent());
    assert.equal(await codesLeft(storage, user), 3);
    assert.equal(await codesLeft(storage, other), 10);
    for (const code of [...old, ...others]) assert.equal(await spendCode(storage, user.id, code), false);
    for (const code of fresh) assert.equal(await spendCode(storage, user.id, code), true);
  });

  rule('two users can have the same code, and each uses their own', async (storage) => {
    const [user, other] = [await storedUser(storage), await storedUser(storage)];
    const code = aDigest();
    for (const each of [user, other]) await storage.replaceRecoveryCodes(each.id, [code], start, anEvent());
    assert.equal(await spendCode(storage, user.id, code), true);
    assert.equal(await spendCode(storage, other.id, code), true);
  });
}

function passkeyRules(rule: Rule): void {
  rule('somebody has at most 20, suspended ones included, also when they are added concurrently', async (storage) => {
    const user = await storedUser(storage);
    const other = await storedUser(storage);
    for (let number = 1; number <= 15; number++) await storage.addPasskey(aPasskey(user), undefined, anEvent());
    assert.equal(await winners(() => storage.addPasskey(aPasskey(user), undefined, anEvent())), 5);
    assert.equal((await factsOf(storage, user)).passkeys.length, 20);
    assert.equal(await storage.addPasskey(aPasskey(other), undefined, anEvent()), true);
  });

  rule('a browser is known by one of its marks', async (storage) => {
    const [user, other] = [await storedUser(storage), await storedUser(storage)];
    const session = aSession(user);
    const mark = aDigest();
    await storage.startSession({ session, sessionGeneration: user.sessionGeneration, deviceDigest: mark });
    assert.equal(await storage.findKnownDevice(user.id, [aDigest(), mark]), mark);
    assert.equal(await storage.findKnownDevice(user.id, [aDigest()]), undefined);
    assert.equal(await storage.findKnownDevice(user.id, []), undefined);
    assert.equal(await storage.findKnownDevice(other.id, [mark]), undefined);
  });

  rule('a passkey is found as it was added, with its user, and among their second factors', async (storage) => {
    const user = await storedUser(storage);
    const later = aPasskey(user, { createdAt: start + 1, transports: [], counter: 2 ** 32 - 1, name: 'Zoë’s 📱' });
    const first = aPasskey(user);
    assert.equal(await storage.addPasskey(later, someDigests(), anEvent()), true);
    assert.equal(await storage.addPasskey(first, undefined, anEvent()), true);
    assert.deepEqual(await storage.findPasskey(later.id), { passkey: later, user });
    assert.deepEqual(await factsOf(storage, user), { ...noFacts, passkeys: [first, later], recoveryCodes: 10 });
    assert.equal(await storage.findPasskey(aDigest()), undefined);
  });

  rule('a passkey is registered once, also concurrently and by different users', async (storage) => {
    const [user, other] = [await storedUser(storage), await storedUser(storage)];
    const passkey = aPasskey(user);
    const add = (index: number) =>
      storage.addPasskey(aPasskey(index % 2 ? user : other, { id: passkey.id }), undefined, anEvent());
    assert.equal(await winners(add), 1);
    const owner = (await storage.findPasskey(passkey.id))?.user;
    const codes = someDigests();
    assert.equal(await storage.addPasskey(passkey, codes, anEvent()), false);
    assert.equal((await storage.findPasskey(passkey.id))?.user.id, owner?.id);
    assert.equal(await codesLeft(storage, user), 0, 'and a refused one brings no codes');
    assert.equal(await storage.addPasskey(aPasskey(aUser()), codes, anEvent()), false, 'nor an unknown person');
  });

  rule('removing the last second factor also removes the recovery codes', async (storage) => {
    const removals: Record<string, (storage: Storage, user: User, passkeyId: string) => Promise<boolean>> = {
      app: (storage, user) => storage.removeAuthenticator(user.id, anEvent()),
      passkey: (storage, user, id) => storage.removePasskey(user.id, id, anEvent()),
    };
    for (const order of [
      ['app', 'passkey'],
      ['passkey', 'app'],
    ]) {
      const user = await storedUser(storage);
      const passkey = aPasskey(user);
      await storage.enableAuthenticator(user.id, anAuthenticator(), someDigests(), start, anEvent());
      await storage.addPasskey(passkey, undefined, anEvent());
      assert.equal(await codesLeft(storage, user), 10, 'a further second factor leaves the codes');
      const left: number[] = [];
      for (const name of order) {
        assert.equal(await removals[name]?.(storage, user, passkey.id), true);
        left.push(await codesLeft(storage, user));
      }
      assert.deepEqual(left, [10, 0], order.join(', then '));
    }
  });

  rule('removing one of two passkeys keeps the other and the recovery codes', async (storage) => {
    const user = await storedUser(storage);
    const [first, second] = [aPasskey(user), aPasskey(user, { createdAt: later })];
    await storage.addPasskey(first, someDigests(), anEvent());
    await storage.addPasskey(second, undefined, anEvent());
    assert.equal(await storage.removePasskey(user.id, first.id, anEvent()), true);
    assert.equal(await storage.removePasskey(user.id, first.id, anEvent()), false);
    assert.deepEqual(await factsOf(storage, user), { ...noFacts, passkeys: [second], recoveryCodes: 10 });
    assert.equal(await storage.removePasskey(user.id, second.id, anEvent()), true);
    assert.deepEqual(await factsOf(storage, user), noFacts);
  });

  rule('all second factors of a user are removed together, with the recovery codes', async (storage) => {
    const user = await storedUser(storage);
    const other = await storedUser(storage);
    for (const each of [user, other]) {
      await storage.enableAuthenticator(each.id, anAuthenticator(), someDigests(), start, anEvent());
      for (let count = 0; count < 2; count++) await storage.addPasskey(aPasskey(each), undefined, anEvent());
    }
    const session = await storedSession(storage, user);
    const before = await factsOf(storage, other);
    assert.equal(await storage.removeSecondFactors(user.id, anEvent()), true);
    assert.deepEqual(await factsOf(storage, user), noFacts);
    assert.deepEqual(await factsOf(storage, other), before);
    assert.ok(await storage.findSession(session.digest, start));
    assert.equal(await storage.removeSecondFactors(user.id, anEvent()), false);
    assert.equal(await storage.removeSecondFactors('nobody', anEvent()), false);

    await storage.addPasskey(aPasskey(user), undefined, anEvent());
    assert.equal(await storage.removeSecondFactors(user.id, anEvent()), true, 'a passkey alone is one too');
  });

  rule("a user cannot remove another's passkey", async (storage) => {
    const [user, other] = [await storedUser(storage), await storedUser(storage)];
    const passkey = aPasskey(user);
    await storage.addPasskey(passkey, someDigests(), anEvent());
    assert.equal(await storage.removePasskey(other.id, passkey.id, anEvent()), false);
    assert.deepEqual(await factsOf(storage, user), { ...noFacts, passkeys: [passkey], recoveryCodes: 10 });
  });

  rule('a use is stored if the counter grew, and refused otherwise', async (storage) => {
    const user = await storedUser(storage);
    const passkey = aPasskey(user, { counter: 5 });
    await storage.addPasskey(passkey, undefined, anEvent());
    const use = (counter: number, at: number) => storage.notePasskeyUse(passkey.id, counter, at);
    for (const counter of [5, 4, 0]) assert.equal(await use(counter, later), false, `${counter}`);
    assert.deepEqual((await storage.findPasskey(passkey.id))?.passkey, passkey);
    assert.equal(await use(6, later), true);
    const noted = { ...passkey, counter: 6, lastUsedAt: later };
    assert.deepEqual((await storage.findPasskey(passkey.id))?.passkey, noted);
    assert.equal(await winners(() => use(7, later)), 1);
    assert.equal(await storage.notePasskeyUse(aDigest(), 1, later), false);
  });

  rule("a passkey that doesn't count is always accepted, until it counts for the first time", async (storage) => {
    const passkey = aPasskey(await storedUser(storage));
    await storage.addPasskey(passkey, undefined, anEvent());
    const use = (counter: number, at: number) => storage.notePasskeyUse(passkey.id, counter, at);
    assert.equal(await use(0, later), true);
    assert.equal(await use(0, later + 1), true);
    assert.equal((await storage.findPasskey(passkey.id))?.passkey.lastUsedAt, later + 1);
    assert.equal(await use(1, later), true);
    assert.equal(await use(0, later), false);
  });
}

/** Changes to one account at the same time happen one after the other. */
function togetherRules(rule: Rule): void {
  rule('concurrently replaced recovery codes are ten in the end', async (storage) => {
    const user = await storedUser(storage);
    await Promise.all(
      Array.from({ length: atOnce }, () => storage.replaceRecoveryCodes(user.id, someDigests(), start, anEvent())),
    );
    assert.equal(await codesLeft(storage, user), 10);
  });

  rule('removing the last two factors concurrently leaves no recovery codes', async (storage) => {
    for (let round = 0; round < 5; round++) {
      const user = await storedUser(storage);
      const passkey = aPasskey(user);
      await storage.enableAuthenticator(user.id, anAuthenticator(), someDigests(), start, anEvent());
      await storage.addPasskey(passkey, undefined, anEvent());
      await Promise.all([
        storage.removeAuthenticator(user.id, anEvent()),
        storage.removePasskey(user.id, passkey.id, anEvent()),
      ]);
      assert.equal(await codesLeft(storage, user), 0);
    }
  });

  rule('deleting a user while factors are added leaves none', async (storage) => {
    for (let round = 0; round < 5; round++) {
      const user = await storedUser(storage);
      await Promise.all([
        storage.addPasskey(aPasskey(user), someDigests(), anEvent()),
        storage.enableAuthenticator(user.id, anAuthenticator(), someDigests(), start, anEvent()),
        storage.deleteUser(user.id, anEvent()),
        storage.replaceRecoveryCodes(user.id, someDigests(), start, anEvent()),
      ]);
      await restoredUser(storage, user);
      assert.deepEqual(await factsOf(storage, user), noFacts);
    }
  });

  rule('second factors are removed once, also concurrently', async (storage) => {
    const user = await storedUser(storage);
    await storage.enableAuthenticator(user.id, anAuthenticator(), someDigests(), start, anEvent());
    assert.equal(await winners(() => storage.removeSecondFactors(user.id, anEvent())), 1);
  });
}

const factsOf = (storage: Storage, user: User) => storage.findSignInFacts(user.id, undefined);
const codesLeft = async (storage: Storage, user: User) => (await factsOf(storage, user)).recoveryCodes;
