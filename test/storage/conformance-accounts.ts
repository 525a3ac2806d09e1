// A person's own account: profile, picture, devices, links that work once, mails, second factors and passkeys.

import assert from 'node:assert/strict';
import type { EventRecord } from '../../src/protocol/event.ts';
import { type Session, type Storage, StorageConflict, type User } from '../../src/storage/storage.ts';
import {
  aDigest,
  aLink,
  aLogo,
  anAuthenticator,
  anEvent,
  aPasskey,
  aProfile,
  aSession,
  aUser,
  DAY,
  hasEvent,
  longText,
  noFacts,
  nothingIsOver,
  type Rule,
  someDigests,
  start,
  storedLink,
  storedSession,
  storedUser,
} from './records.ts';

export function accountRules(rule: Rule): void {
  profileRules(rule);
  linkRules(rule);
  passwordRules(rule);
  addressRules(rule);
  deviceRules(rule);
  mailRules(rule);
  authenticatorRules(rule);
  recoveryCodeRules(rule);
  passkeyRules(rule);
  wholeAccountRules(rule);
  togetherRules(rule);
  eventRules(rule);
}

/** What happens to one account at the same time happens one after the other. */
function togetherRules(rule: Rule): void {
  rule('recovery codes that are replaced many times at once are ten in the end', async (storage) => {
    const user = await storedUser(storage);
    await Promise.all(
      Array.from({ length: atOnce }, () => storage.replaceRecoveryCodes(user.id, someDigests(), anEvent())),
    );
    assert.equal(await codesLeft(storage, user), 10);
  });

  rule('the last two factors that are removed at once leave no recovery codes', async (storage) => {
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

  rule('a person who is deleted while factors are added leaves none of them', async (storage) => {
    for (let round = 0; round < 5; round++) {
      const user = await storedUser(storage);
      await Promise.all([
        storage.addPasskey(aPasskey(user), someDigests(), anEvent()),
        storage.enableAuthenticator(user.id, anAuthenticator(), someDigests(), start, anEvent()),
        storage.deleteUser(user.id, anEvent()),
        storage.replaceRecoveryCodes(user.id, someDigests(), anEvent()),
      ]);
      await storage.createUser(user, anEvent());
      assert.deepEqual(await factsOf(storage, user), noFacts);
    }
  });

  rule('second factors are removed once, however many ask', async (storage) => {
    const user = await storedUser(storage);
    await storage.enableAuthenticator(user.id, anAuthenticator(), someDigests(), start, anEvent());
    assert.equal(await winners(() => storage.removeSecondFactors(user.id, anEvent())), 1);
  });
}

const later = start + 1000;
const atOnce = 20;

/** How many of the calls that are made at the same time are answered true. */
async function winners(call: (index: number) => Promise<boolean>): Promise<number> {
  const answers = await Promise.all(Array.from({ length: atOnce }, (_, index) => call(index)));
  return answers.filter(Boolean).length;
}

const factsOf = (storage: Storage, user: User) => storage.findSignInFacts(user.id, undefined);
const codesLeft = async (storage: Storage, user: User) => (await factsOf(storage, user)).recoveryCodes;

function profileRules(rule: Rule): void {
  const profile = aProfile({ name: longText, givenName: 'Ἀδάμ', locale: 'pt-BR', preferredUsername: 'Adam' });

  rule('a changed profile is read back, and nothing else of the person changes', async (storage) => {
    const user = await storedUser(storage, { givenName: 'Old', familyName: 'Older', preferredUsername: 'old' });
    const other = await storedUser(storage);
    assert.equal(await storage.changeProfile(user.id, profile, later, anEvent()), true);
    assert.deepEqual(await storage.findUser(user.id), { ...user, ...profile, updatedAt: later });
    assert.deepEqual(await storage.findUser(other.id), other);
    assert.equal(await storage.changeProfile('nobody', profile, later, anEvent()), false);
  });

  rule('a picture is found under its version, replaced, and removed', async (storage) => {
    const user = await storedUser(storage);
    const other = await storedUser(storage);
    const [first, second] = [
      { ...aLogo(), url: 'https://x.example/1' },
      { ...aLogo(), url: 'https://x.example/2' },
    ];
    const find = ({ version }: { version: string }, person = user) => storage.findPicture(person.id, version);
    const stored = ({ url: _, ...picture }: typeof first) => ({ ...picture, bytes: new Uint8Array(picture.bytes) });
    const found = async (picture: typeof first) => {
      const answer = await find(picture);
      return answer && { ...answer, bytes: new Uint8Array(answer.bytes) };
    };

    assert.equal(await storage.setPicture(user.id, first, later, anEvent()), true);
    assert.deepEqual(await found(first), stored(first));
    assert.equal((await storage.findUser(user.id))?.picture, first.url);
    assert.equal((await storage.findUser(user.id))?.updatedAt, later);
    assert.equal(await find(second), undefined);
    assert.equal(await find(first, other), undefined);

    assert.equal(await storage.setPicture(user.id, second, later, anEvent()), true);
    assert.equal(await find(first), undefined);
    assert.deepEqual(await found(second), stored(second));

    assert.equal(await storage.setPicture(user.id, undefined, later, anEvent()), true);
    assert.equal(await find(second), undefined);
    assert.equal((await storage.findUser(user.id))?.picture, null);
    assert.deepEqual(await storage.findUser(other.id), other);
  });

  rule('an unknown person gets no picture', async (storage) => {
    const picture = { ...aLogo(), url: 'https://x.example/1' };
    assert.equal(await storage.setPicture('nobody', picture, later, anEvent()), false);
    assert.equal(await storage.findPicture('nobody', picture.version), undefined);
    assert.equal(await storage.setPicture('nobody', undefined, later, anEvent()), false);
  });
}

function linkRules(rule: Rule): void {
  rule('a link is found as it was made, for its purpose, until it expires', async (storage) => {
    const user = await storedUser(storage);
    const link = await storedLink(storage, {
      purpose: 'change_email',
      userId: user.id,
      data: { email: 'Zoë@example.org', name: 'Zoë', target: '/account', mailed: 'yes' },
    });
    assert.deepEqual(await storage.findLink(link.digest, 'change_email', start), link);
    assert.deepEqual(await storage.findLink(link.digest, 'change_email', link.expiresAt - 1), link);
    assert.equal(await storage.findLink(link.digest, 'change_email', link.expiresAt), undefined);
    assert.equal(await storage.findLink(link.digest, 'reset_password', start), undefined);
    assert.equal(await storage.findLink(link.digest, 'sign_up', start), undefined);
    assert.equal(await storage.findLink(aDigest(), 'change_email', start), undefined);
    const forNobody = await storedLink(storage);
    assert.deepEqual(await storage.findLink(forNobody.digest, 'sign_up', start), forNobody);
  });

  rule('looking at a link does not use it', async (storage) => {
    const link = await storedLink(storage);
    for (let look = 0; look < 3; look++) assert.ok(await storage.findLink(link.digest, 'sign_up', start));
  });

  rule('a mail and the link in it are kept together, or neither is', async (storage) => {
    const taken = await storedLink(storage);
    const [mail, link] = [{ id: 'mail', sealed: 'sealed', createdAt: start }, aLink()];
    await assert.rejects(
      storage.queueEmail(mail, aLink({ digest: taken.digest, data: { target: '/x' } })),
      StorageConflict,
    );
    assert.deepEqual(await storage.listEmails(10), []);
    assert.deepEqual(await storage.findLink(taken.digest, 'sign_up', start), taken);

    await storage.queueEmail(mail);
    await assert.rejects(storage.queueEmail(mail, link), StorageConflict);
    assert.equal(await storage.findLink(link.digest, 'sign_up', start), undefined);
    await storage.queueEmail({ ...mail, id: 'another' }, link);
    assert.deepEqual(await storage.findLink(link.digest, 'sign_up', start), link);
    assert.equal((await storage.listEmails(10)).length, 2);
  });

  rule('a new link voids the earlier ones of its person for the same purpose, and no others', async (storage) => {
    const [user, other] = [await storedUser(storage), await storedUser(storage)];
    const reset = (person: User) => storedLink(storage, { purpose: 'reset_password', userId: person.id });
    const [earlier, others, signUp] = [await reset(user), await reset(other), await storedLink(storage)];
    const address = await storedLink(storage, { purpose: 'change_email', userId: user.id });
    const newer = await reset(user);
    await storedLink(storage);
    assert.equal(await storage.findLink(earlier.digest, 'reset_password', start), undefined);
    for (const link of [others, signUp, address, newer]) {
      assert.deepEqual(await storage.findLink(link.digest, link.purpose, start), link);
    }
  });

  rule('a sign-up link makes one person, as they are given, and is used up', async (storage) => {
    const link = await storedLink(storage);
    const user = aUser({ emailVerifiedAt: start, name: longText });
    assert.equal(await storage.signUp(user, bySignUp(link.digest), start, anEvent()), true);
    assert.deepEqual(await storage.findUser(user.id), user);
    assert.equal(await storage.findLink(link.digest, 'sign_up', start), undefined);
    assert.equal(await storage.signUp(aUser(), bySignUp(link.digest), start, anEvent()), false);
    assert.deepEqual(await storage.listUsers(), [user]);
  });

  rule('of many who use one sign-up link at the same time exactly one becomes a person', async (storage) => {
    const link = await storedLink(storage);
    assert.equal(await winners(() => storage.signUp(aUser(), bySignUp(link.digest), start, anEvent())), 1);
    assert.equal((await storage.listUsers()).length, 1);
  });

  rule('links for one address that are used at the same time make one person', async (storage) => {
    const links = [];
    for (let count = 0; count < atOnce; count++) links.push(await storedLink(storage));
    const outcomes = await Promise.allSettled(
      links.map(({ digest }, index) =>
        storage.signUp(
          aUser({ email: index % 2 ? 'one@a.example' : 'ONE@a.example' }),
          bySignUp(digest),
          start,
          anEvent(),
        ),
      ),
    );
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') assert.ok(outcome.reason instanceof StorageConflict);
    }
    assert.equal((await storage.listUsers()).length, 1);
  });

  rule('a sign-up link that has expired, or is for something else, makes nobody', async (storage) => {
    const expired = await storedLink(storage);
    const reset = await storedLink(storage, { purpose: 'reset_password' });
    assert.equal(await storage.signUp(aUser(), bySignUp(expired.digest), expired.expiresAt, anEvent()), false);
    assert.equal(await storage.signUp(aUser(), bySignUp(reset.digest), start, anEvent()), false);
    assert.equal(await storage.signUp(aUser(), bySignUp(aDigest()), start, anEvent()), false);
    assert.deepEqual(await storage.listUsers(), []);
    assert.ok(await storage.findLink(reset.digest, 'reset_password', start), 'what did not fit is not used up');
  });

  rule("a sign-up for another's address is a conflict, and the link is still there", async (storage) => {
    const other = await storedUser(storage, { email: 'taken@a.example' });
    const link = await storedLink(storage);
    const signUp = (email: string) => storage.signUp(aUser({ email }), bySignUp(link.digest), start, anEvent());
    await assert.rejects(signUp('TAKEN@a.example'), StorageConflict);
    assert.deepEqual(await storage.listUsers(), [other]);
    assert.deepEqual(await storage.findLink(link.digest, 'sign_up', start), link);
    assert.equal(await signUp('free@a.example'), true);
  });

  rule('of many who spend one ticket at the same time exactly one is answered true', async (storage) => {
    const ticket = aDigest();
    assert.equal(await winners((index) => storage.spendTicket(ticket, later + index)), 1);
    assert.equal(await storage.spendTicket(ticket, later), false);
    assert.equal(await storage.spendTicket(aDigest(), later), true);
  });
}

function passwordRules(rule: Rule): void {
  const byPassword = (user: User) => {
    return { passwordHash: 'new hash', proof: { kind: 'password', currentHash: user.passwordHash } } as const;
  };
  const byLink = (digest: string) => {
    return resetBy(digest);
  };
  const resetLink = (storage: Storage, user: User) =>
    storedLink(storage, { purpose: 'reset_password', userId: user.id });

  rule('a change by the current password ends every session of the person', async (storage) => {
    const user = await storedUser(storage);
    const ended = [await storedSession(storage, user), await storedSession(storage, user)];
    const stranger = await storedSession(storage, await storedUser(storage));

    assert.equal(await storage.changePassword(user.id, byPassword(user), later, anEvent()), true);
    assert.deepEqual(await storage.findUser(user.id), { ...user, passwordHash: 'new hash', updatedAt: later });
    for (const { digest } of ended) assert.equal(await storage.findSession(digest), undefined);
    assert.ok(await storage.findSession(stranger.digest));
  });

  rule('a change of password starts the session that comes with it, in the place of all others', async (storage) => {
    const user = await storedUser(storage);
    const before = await storedSession(storage, user);
    const session = aSession(user, { amr: ['pwd', 'otp'], device: 'Firefox on Linux', address: '192.0.2.8' });
    const change = { ...byPassword(user), session };
    assert.equal(await storage.changePassword(user.id, change, later, anEvent()), true);
    assert.equal(await storage.findSession(before.digest), undefined);
    const changed = { ...user, passwordHash: 'new hash', updatedAt: later };
    assert.deepEqual(await storage.findSession(session.digest), { session, user: changed });
    assert.deepEqual(await storage.listSessions(user.id, 0), [session]);
  });

  rule('when the session that comes with it cannot start, the password does not change', async (storage) => {
    const user = await storedUser(storage);
    const before = await storedSession(storage, user);
    const link = await resetLink(storage, user);
    const taken = await storedSession(storage, await storedUser(storage));
    const event = anEvent();
    const change = (session: Session) =>
      storage.changePassword(user.id, { ...byPassword(user), session }, later, event);
    await assert.rejects(change(aSession(user, { digest: taken.digest })), StorageConflict);
    assert.equal(await change(aSession({ ...user, generation: user.generation + 1 })), false, 'stopped meanwhile');
    assert.deepEqual(await storage.findSession(before.digest), { session: before, user });
    assert.ok(await storage.findLink(link.digest, 'reset_password', start));
    assert.equal(await hasEvent(storage, event), false);
  });

  rule('a change of password forgets every browser of the person but the one it is made in', async (storage) => {
    for (const way of ['password', 'link'] as const) {
      const [user, other] = [await storedUser(storage), await storedUser(storage)];
      const [here, elsewhere] = [aDigest(), aDigest()];
      for (const device of [here, elsewhere]) {
        for (const each of [user, other]) {
          await storage.startSession(aSession(each), each.passwordHash, undefined, device);
        }
      }
      const link = await resetLink(storage, user);
      const change = way === 'link' ? byLink(link.digest) : { ...byPassword(user), keptDevice: here };
      assert.equal(await storage.changePassword(user.id, change, later, anEvent()), true);
      const known = async (person: User, device: string) =>
        (await storage.findSignInFacts(person.id, device)).knownDevice;
      assert.equal(await known(user, here), way === 'password', way);
      assert.equal(await known(user, elsewhere), false, way);
      assert.equal(await known(other, elsewhere), true, way);
    }
  });

  rule('a password that an administrator sets voids the links that the person was sent', async (storage) => {
    const user = await storedUser(storage);
    const link = await resetLink(storage, user);
    const others = await resetLink(storage, await storedUser(storage));
    await storage.setPasswordHash(user.id, 'new hash', later, anEvent());
    assert.equal(await storage.findLink(link.digest, 'reset_password', start), undefined);
    assert.ok(await storage.findLink(others.digest, 'reset_password', start));
  });

  rule('a change by a password that is no longer the current one changes nothing', async (storage) => {
    const user = await storedUser(storage);
    const session = await storedSession(storage, user);
    const link = await resetLink(storage, user);
    const change = { ...byPassword(user), proof: { kind: 'password', currentHash: 'another hash' } } as const;
    assert.equal(await storage.changePassword(user.id, change, later, anEvent()), false);
    assert.deepEqual(await storage.findSession(session.digest), { session, user });
    assert.ok(await storage.findLink(link.digest, 'reset_password', start));
    assert.equal(await storage.changePassword('nobody', byPassword(user), later, anEvent()), false);
  });

  rule('a change by a link needs no password, ends every session and proves the address', async (storage) => {
    const user = await storedUser(storage);
    const session = await storedSession(storage, user);
    const link = await resetLink(storage, user);
    assert.equal(await storage.changePassword(user.id, byLink(link.digest), later, anEvent()), true);
    const expected = { ...user, passwordHash: 'new hash', emailVerifiedAt: later, updatedAt: later };
    assert.deepEqual(await storage.findUser(user.id), expected);
    assert.equal(await storage.findSession(session.digest), undefined);
    assert.equal(await storage.changePassword(user.id, byLink(link.digest), later, anEvent()), false);
  });

  rule('an address that was proved earlier keeps its time when a link is used', async (storage) => {
    const user = await storedUser(storage, { emailVerifiedAt: start - DAY });
    const link = await resetLink(storage, user);
    assert.equal(await storage.changePassword(user.id, byLink(link.digest), later, anEvent()), true);
    assert.equal((await storage.findUser(user.id))?.emailVerifiedAt, start - DAY);
  });

  rule('a change of password proves no address by itself', async (storage) => {
    const user = await storedUser(storage);
    await storage.changePassword(user.id, byPassword(user), later, anEvent());
    assert.equal((await storage.findUser(user.id))?.emailVerifiedAt, null);
  });

  rule('every way to change a password voids the links that the person was sent, and no others', async (storage) => {
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

  rule('of many who use one link at the same time exactly one sets the password', async (storage) => {
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

  rule('of many changes by the same current password at the same time exactly one takes place', async (storage) => {
    const user = await storedUser(storage);
    assert.equal(
      await winners((index) =>
        storage.changePassword(user.id, { ...byPassword(user), passwordHash: `hash ${index}` }, later, anEvent()),
      ),
      1,
    );
  });

  rule('a link that has expired, or is for something else, sets no password and is not used up', async (storage) => {
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

  rule('disabling a person voids their links, and a disabled person gets no new password', async (storage) => {
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

  rule('sessions that start while a person changes the password do not outlive the change', async (storage) => {
    for (let round = 0; round < 10; round++) {
      const user = await storedUser(storage);
      const sessions = Array.from({ length: 6 }, () => aSession(user));
      const starts = sessions.map((session) => storage.startSession(session, user.passwordHash, undefined));
      await Promise.all([...starts, storage.changePassword(user.id, byPassword(user), later, anEvent())]);
      for (const session of sessions) assert.equal(await storage.findSession(session.digest), undefined);
    }
  });
}

function addressRules(rule: Rule): void {
  const addressLink = (storage: Storage, user: User) =>
    storedLink(storage, { purpose: 'change_email', userId: user.id });

  rule('an address changes by a link, is proved by it, and is found in any case', async (storage) => {
    const user = await storedUser(storage);
    const session = await storedSession(storage, user);
    const link = await addressLink(storage, user);
    assert.equal(await storage.changeEmail(user.id, 'Nëw@A.example', link.digest, later, anEvent()), true);
    const changed = { ...user, email: 'Nëw@A.example', emailVerifiedAt: later, updatedAt: later };
    assert.deepEqual(await storage.findUserByEmail('nËW@a.EXAMPLE'), changed);
    assert.equal(await storage.findUserByEmail(user.email), undefined);
    assert.ok(await storage.findSession(session.digest), 'sessions go on');
    assert.equal(await storage.changeEmail(user.id, 'more@a.example', link.digest, later, anEvent()), false);
  });

  rule('the same address in another spelling is no conflict', async (storage) => {
    const user = await storedUser(storage, { email: 'ada@a.example' });
    const link = await addressLink(storage, user);
    assert.equal(await storage.changeEmail(user.id, 'Ada@A.example', link.digest, later, anEvent()), true);
    assert.equal((await storage.findUser(user.id))?.email, 'Ada@A.example');
  });

  rule("another's address is a conflict that changes nothing, and the link still works", async (storage) => {
    const user = await storedUser(storage);
    const other = await storedUser(storage, { email: 'taken@a.example' });
    const link = await addressLink(storage, user);
    const event = anEvent();
    const taken = storage.changeEmail(user.id, 'TAKEN@a.example', link.digest, later, event);
    await assert.rejects(taken, StorageConflict);
    assert.deepEqual(await storage.findUser(user.id), user);
    assert.deepEqual(await storage.findUser(other.id), other);
    assert.equal(await hasEvent(storage, event), false);
    assert.deepEqual(await storage.findLink(link.digest, 'change_email', start), link);
    assert.equal(await storage.changeEmail(user.id, 'free@a.example', link.digest, later, anEvent()), true);
  });

  rule('of many who use one link at the same time exactly one changes the address', async (storage) => {
    const user = await storedUser(storage);
    const link = await addressLink(storage, user);
    const change = (index: number) =>
      storage.changeEmail(user.id, `new${index}@a.example`, link.digest, later, anEvent());
    assert.equal(await winners(change), 1);
  });

  rule('of many people who change to one address at the same time exactly one gets it', async (storage) => {
    const people: User[] = [];
    for (let count = 0; count < 8; count++) people.push(await storedUser(storage));
    const links = await Promise.all(people.map((user) => addressLink(storage, user)));
    const outcomes = await Promise.allSettled(
      people.map((user, index) =>
        storage.changeEmail(user.id, 'wanted@a.example', links[index]?.digest ?? '', later, anEvent()),
      ),
    );
    assert.equal(outcomes.filter((outcome) => outcome.status === 'fulfilled' && outcome.value).length, 1);
    const addresses = (await storage.listUsers()).map(({ email }) => email);
    assert.equal(addresses.filter((email) => email === 'wanted@a.example').length, 1);
  });

  rule('a change of address voids every link that the person was sent', async (storage) => {
    const user = await storedUser(storage);
    const link = await addressLink(storage, user);
    const reset = await storedLink(storage, { purpose: 'reset_password', userId: user.id });
    const others = await addressLink(storage, await storedUser(storage));
    await storage.changeEmail(user.id, 'new@a.example', link.digest, later, anEvent());
    assert.equal(await storage.findLink(reset.digest, 'reset_password', start), undefined);
    assert.ok(await storage.findLink(others.digest, 'change_email', start));
  });

  rule(
    'a link that has expired, is for something else, or whose person is stopped changes no address',
    async (storage) => {
      const user = await storedUser(storage);
      const link = await addressLink(storage, user);
      const reset = await storedLink(storage, { purpose: 'reset_password', userId: user.id });
      const change = (digest: string, at: number) =>
        storage.changeEmail(user.id, 'new@a.example', digest, at, anEvent());
      assert.equal(await change(link.digest, link.expiresAt), false);
      assert.equal(await change(reset.digest, later), false);
      assert.deepEqual(await storage.findUser(user.id), user);
      await storage.disableUser(user.id, start, anEvent());
      const afterwards = await addressLink(storage, user);
      assert.equal(await change(afterwards.digest, later), false);
      assert.equal((await storage.findUser(user.id))?.email, user.email);
      assert.ok(await storage.findLink(afterwards.digest, 'change_email', start));
    },
  );
}

function deviceRules(rule: Rule): void {
  rule('a sign-in remembers the browser for its person, and for nobody else', async (storage) => {
    const user = await storedUser(storage);
    const other = await storedUser(storage);
    const device = aDigest();
    const facts = (person: User, digest?: string) => storage.findSignInFacts(person.id, digest);
    assert.deepEqual(await facts(user, device), noFacts);

    assert.equal(await storage.startSession(aSession(user), user.passwordHash, undefined, device), true);
    assert.deepEqual(await facts(user, device), { ...noFacts, knownDevice: true });
    assert.deepEqual(await facts(user, aDigest()), noFacts);
    assert.deepEqual(await facts(user), noFacts);
    assert.deepEqual(await facts(other, device), noFacts);
    assert.equal(await storage.startSession(aSession(other), other.passwordHash, undefined, device), true);
    assert.equal((await facts(other, device)).knownDevice, true);
  });

  rule('a sign-in without a browser, or one that fails, remembers none', async (storage) => {
    const user = await storedUser(storage);
    const device = aDigest();
    await storage.startSession(aSession(user), user.passwordHash, undefined);
    assert.equal(await storage.startSession(aSession(user), 'wrong hash', undefined, device), false);
    assert.deepEqual(await storage.findSignInFacts(user.id, device), noFacts);
    assert.deepEqual(await storage.findSignInFacts('nobody', device), noFacts);
  });

  rule('many sign-ins in one browser at the same time all succeed and remember it once', async (storage) => {
    const user = await storedUser(storage);
    const device = aDigest();
    assert.equal(
      await winners(() => storage.startSession(aSession(user), user.passwordHash, undefined, device)),
      atOnce,
    );
    const over = nothingIsOver({ devicesSeenBefore: start + 1 });
    assert.equal(await storage.sweep(over, 100), 1);
  });

  rule('a browser is remembered since the last sign-in in it', async (storage) => {
    const user = await storedUser(storage);
    const device = aDigest();
    for (const createdAt of [start, start + DAY]) {
      await storage.startSession(aSession(user, { createdAt }), user.passwordHash, undefined, device);
    }
    assert.deepEqual(await storage.listKnownDevices(user.id), [start + DAY]);
    assert.equal(await storage.sweep(nothingIsOver({ devicesSeenBefore: start + DAY }), 100), 0);
    assert.equal(await storage.sweep(nothingIsOver({ devicesSeenBefore: start + DAY + 1 }), 100), 1);
    assert.deepEqual(await storage.findSignInFacts(user.id, device), noFacts);
  });

  rule('browsers are listed by their last sign-in, the newest first, without those of others', async (storage) => {
    const [user, other] = [await storedUser(storage), await storedUser(storage)];
    const signIn = (person: User, createdAt: number) =>
      storage.startSession(aSession(person, { createdAt }), person.passwordHash, undefined, aDigest());
    for (const at of [start + 2, start + 3, start + 1]) await signIn(user, at);
    await signIn(other, start + 4);
    assert.deepEqual(await storage.listKnownDevices(user.id), [start + 3, start + 2, start + 1]);
    assert.deepEqual(await storage.listKnownDevices('nobody'), []);
  });

  rule('a session by password alone starts only while the person has no second factor', async (storage) => {
    const factors: Record<string, (user: User) => Promise<boolean>> = {
      app: (user) => storage.enableAuthenticator(user.id, anAuthenticator(), someDigests(), start, anEvent()),
      passkey: (user) => storage.addPasskey(aPasskey(user), someDigests(), anEvent()),
    };
    for (const [name, turnOn] of Object.entries(factors)) {
      const user = await storedUser(storage);
      const replaced = await storedSession(storage, user);
      const device = aDigest();
      const begin = (passwordAlone: boolean, replacedDigest?: string) =>
        storage.startSession(aSession(user), user.passwordHash, replacedDigest, device, passwordAlone);
      assert.equal(await begin(true), true, name);
      await turnOn(user);
      await storage.sweep(nothingIsOver({ devicesSeenBefore: later }), 100);
      assert.equal(await begin(true, replaced.digest), false, name);
      assert.ok(await storage.findSession(replaced.digest), 'and ends no other');
      assert.equal((await storage.findSignInFacts(user.id, device)).knownDevice, false, 'nor remembers the browser');
      assert.equal(await begin(false), true, name);
      await storage.removeSecondFactors(user.id, anEvent());
      assert.equal(await begin(true), true, name);
    }
  });

  rule('sessions are listed with browser and place, the last seen first, without those of others', async (storage) => {
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

  rule('at most two hundred sessions are listed, the newest of them', async (storage) => {
    const user = await storedUser(storage);
    const starts = Array.from({ length: 205 }, (_, index) =>
      storage.startSession(aSession(user, { lastSeenAt: start + index }), user.passwordHash, undefined),
    );
    await Promise.all(starts);
    const listed = await storage.listSessions(user.id, 0);
    assert.deepEqual(
      listed.map(({ lastSeenAt }) => lastSeenAt - start),
      Array.from({ length: 200 }, (_, index) => 204 - index),
    );
  });

  rule('sessions from before a person was disabled are not listed', async (storage) => {
    const user = await storedUser(storage);
    await storedSession(storage, user);
    await storage.disableUser(user.id, start, anEvent());
    assert.deepEqual(await storage.listSessions(user.id, 0), []);
    await storage.enableUser(user.id, start, anEvent());
    assert.deepEqual(await storage.listSessions(user.id, 0), []);
  });

  rule("ending the other sessions keeps this one and everybody else's, and tells how many went", async (storage) => {
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
    assert.ok(await storage.findSession(stranger.digest));
    assert.equal(await storage.endOtherSessions(user.id, kept.digest, anEvent()), 0);
  });

  rule("a person's events are listed newest first, a page at a time, without those of others", async (storage) => {
    const user = await storedUser(storage);
    const other = await storedUser(storage);
    const own = Array.from({ length: 5 }, (_, index) =>
      anEvent({ at: start + DAY + index, kind: 'signed_in', userId: user.id, detail: { method: 'password' } }),
    );
    await storage.appendEvents([...own, anEvent({ at: start + 2 * DAY, userId: other.id }), anEvent()]);
    const newestFirst = own.toReversed();
    assert.deepEqual(await storage.findEvents({ userId: user.id }, 100), newestFirst);
    assert.deepEqual(await storage.findEvents({ userId: user.id }, 2), newestFirst.slice(0, 2));
    assert.deepEqual(
      await storage.findEvents({ userId: user.id, beforeId: newestFirst[1]?.id }, 2),
      newestFirst.slice(2, 4),
    );
    assert.deepEqual(await storage.findEvents({ userId: user.id, beforeId: '' }, 100), []);
    assert.deepEqual(await storage.findEvents({ userId: 'nobody' }, 100), []);
  });
}

function mailRules(rule: Rule): void {
  const mail = (number: number) => ({
    id: `mail ${number}`,
    sealed: `${number} ${longText}`,
    createdAt: start + number,
  });
  const queue = async (storage: Storage, count: number) => {
    for (let number = 0; number < count; number++) await storage.queueEmail(mail(number));
  };
  const ids = (mails: readonly { id: string }[]) => mails.map(({ id }) => id).sort();

  rule('a mail is due when it is queued, and claiming it counts as an attempt', async (storage) => {
    await queue(storage, 1);
    assert.deepEqual(await storage.listEmails(10), [{ ...mail(0), attempts: 0 }]);
    assert.deepEqual(await storage.claimEmails(start - 1, later, 10), []);
    assert.deepEqual(await storage.claimEmails(start, later, 10), [{ ...mail(0), attempts: 1 }]);
    assert.deepEqual(await storage.claimEmails(later - 1, later, 10), [], 'it is claimed');
    assert.deepEqual(await storage.claimEmails(later, later + 1, 10), [{ ...mail(0), attempts: 2 }]);
  });

  rule('mails that have waited longest are claimed first, at most as many as asked for', async (storage) => {
    await queue(storage, 5);
    assert.deepEqual(ids(await storage.claimEmails(later, later + 1, 2)), ['mail 0', 'mail 1']);
    assert.deepEqual(ids(await storage.claimEmails(later, later + 1, 2)), ['mail 2', 'mail 3']);
    assert.deepEqual(ids(await storage.claimEmails(later, later + 1, 2)), ['mail 4']);
  });

  rule('of many who claim at the same time each mail goes to one', async (storage) => {
    await queue(storage, 30);
    const claimed: string[] = [];
    for (let round = 0; round < 30 && claimed.length < 30; round++) {
      const claims = Array.from({ length: atOnce }, () => storage.claimEmails(later, later + DAY, 3));
      claimed.push(...(await Promise.all(claims)).flatMap(ids));
    }
    assert.equal(claimed.length, 30);
    assert.equal(new Set(claimed).size, 30);
  });

  rule('a postponed mail is due again at its time, and a forgotten one never', async (storage) => {
    await queue(storage, 2);
    await storage.claimEmails(later, later + 1, 10);
    await storage.postponeEmail('mail 0', later + 500);
    await storage.deleteEmail('mail 1');
    await storage.deleteEmail('mail 1');
    assert.deepEqual(await storage.claimEmails(later + 499, later + DAY, 10), []);
    assert.deepEqual(await storage.claimEmails(later + 500, later + DAY, 10), [{ ...mail(0), attempts: 2 }]);
    await storage.postponeEmail('no such mail', later);
    assert.deepEqual(ids(await storage.listEmails(10)), ['mail 0']);
  });

  rule('mails are listed newest first, at most as many as asked for', async (storage) => {
    await queue(storage, 3);
    assert.deepEqual(
      (await storage.listEmails(2)).map(({ id }) => id),
      ['mail 2', 'mail 1'],
    );
    await assert.rejects(storage.queueEmail(mail(1)), StorageConflict);
  });
}

function authenticatorRules(rule: Rule): void {
  rule('an authenticator is turned on with its recovery codes, for its person alone', async (storage) => {
    const user = await storedUser(storage);
    const other = await storedUser(storage);
    const authenticator = anAuthenticator();
    const codes = someDigests();
    assert.equal(await storage.enableAuthenticator(user.id, authenticator, codes, start, anEvent()), true);
    assert.deepEqual(await factsOf(storage, user), { ...noFacts, authenticator, recoveryCodes: 10 });
    assert.deepEqual(await factsOf(storage, other), noFacts);
    assert.equal(await storage.useRecoveryCode(other.id, codes[0] ?? ''), false);
  });

  rule('of many authenticators that are turned on at the same time one is, with its own codes', async (storage) => {
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
    for (const code of won?.codes ?? []) assert.equal(await storage.useRecoveryCode(user.id, code), true);
  });

  rule('a second authenticator is refused and leaves the first and its codes', async (storage) => {
    const user = await storedUser(storage);
    const authenticator = anAuthenticator();
    const [code = '', ...codes] = someDigests();
    await storage.enableAuthenticator(user.id, authenticator, [code, ...codes], start, anEvent());
    const second = storage.enableAuthenticator(user.id, anAuthenticator(), someDigests(), start, anEvent());
    assert.equal(await second, false);
    assert.deepEqual(await factsOf(storage, user), { ...noFacts, authenticator, recoveryCodes: 10 });
    assert.equal(await storage.useRecoveryCode(user.id, code), true);
  });

  rule('an unknown person gets no authenticator', async (storage) => {
    const added = storage.enableAuthenticator('nobody', anAuthenticator(), someDigests(), start, anEvent());
    assert.equal(await added, false);
    assert.equal(await storage.acceptAuthenticatorStep('nobody', 2000), false);
  });

  rule('a step is accepted once, by one of many at the same time, and never backwards', async (storage) => {
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

  rule('of neighbouring steps at the same time none is accepted after a later one', async (storage) => {
    const user = await storedUser(storage);
    await storage.enableAuthenticator(user.id, anAuthenticator({ lastStep: 1000 }), [], start, anEvent());
    await winners((index) => storage.acceptAuthenticatorStep(user.id, 1001 + (index % 5)));
    assert.equal((await factsOf(storage, user)).authenticator?.lastStep, 1005);
    assert.equal(await storage.acceptAuthenticatorStep(user.id, 1005), false);
  });

  rule('an authenticator counts for its own person', async (storage) => {
    const user = await storedUser(storage);
    const other = await storedUser(storage);
    await storage.enableAuthenticator(user.id, anAuthenticator(), [], start, anEvent());
    await storage.enableAuthenticator(other.id, anAuthenticator(), [], start, anEvent());
    assert.equal(await storage.acceptAuthenticatorStep(other.id, 1001), true);
    assert.equal(await storage.acceptAuthenticatorStep(user.id, 1001), true);
  });

  rule('removing the only second factor takes the recovery codes along', async (storage) => {
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
  rule('of many who use one recovery code at the same time exactly one is answered true', async (storage) => {
    const user = await storedUser(storage);
    const [code = '', ...codes] = someDigests();
    await storage.enableAuthenticator(user.id, anAuthenticator(), [code, ...codes], start, anEvent());
    assert.equal(await winners(() => storage.useRecoveryCode(user.id, code)), 1);
    assert.equal(await storage.useRecoveryCode(user.id, code), false);
    assert.equal(await storage.useRecoveryCode(user.id, aDigest()), false);
    assert.equal(await codesLeft(storage, user), 9);
    for (const each of codes) assert.equal(await storage.useRecoveryCode(user.id, each), true);
    assert.equal(await codesLeft(storage, user), 0);
  });

  rule('new recovery codes void the old ones of their person, and of nobody else', async (storage) => {
    const user = await storedUser(storage);
    const other = await storedUser(storage);
    const [old, others, fresh] = [someDigests(), someDigests(), someDigests(3)];
    await storage.enableAuthenticator(user.id, anAuthenticator(), old, start, anEvent());
    await storage.enableAuthenticator(other.id, anAuthenticator(), others, start, anEvent());
    await storage.replaceRecoveryCodes(user.id, fresh, anEvent());
    assert.equal(await codesLeft(storage, user), 3);
    assert.equal(await codesLeft(storage, other), 10);
    for (const code of [...old, ...others]) assert.equal(await storage.useRecoveryCode(user.id, code), false);
    for (const code of fresh) assert.equal(await storage.useRecoveryCode(user.id, code), true);
  });

  rule('one code may belong to two people, and each uses their own', async (storage) => {
    const [user, other] = [await storedUser(storage), await storedUser(storage)];
    const code = aDigest();
    for (const each of [user, other]) await storage.replaceRecoveryCodes(each.id, [code], anEvent());
    assert.equal(await storage.useRecoveryCode(user.id, code), true);
    assert.equal(await storage.useRecoveryCode(other.id, code), true);
  });
}

function passkeyRules(rule: Rule): void {
  rule('a passkey is found as it was added, with its person, and among their second factors', async (storage) => {
    const user = await storedUser(storage);
    const later = aPasskey(user, { createdAt: start + 1, transports: [], counter: 2 ** 32 - 1, name: 'Zoë’s 📱' });
    const first = aPasskey(user);
    assert.equal(await storage.addPasskey(later, someDigests(), anEvent()), true);
    assert.equal(await storage.addPasskey(first, undefined, anEvent()), true);
    assert.deepEqual(await storage.findPasskey(later.id), { passkey: later, user });
    assert.deepEqual(await factsOf(storage, user), { ...noFacts, passkeys: [first, later], recoveryCodes: 10 });
    assert.equal(await storage.findPasskey(aDigest()), undefined);
  });

  rule('a passkey is registered once, by one of many at the same time, whoever they are', async (storage) => {
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

  rule('removing one of two second factors keeps the recovery codes, removing the last takes them', async (storage) => {
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

  rule('all second factors of a person are removed together, with the recovery codes', async (storage) => {
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
    assert.ok(await storage.findSession(session.digest));
    assert.equal(await storage.removeSecondFactors(user.id, anEvent()), false);
    assert.equal(await storage.removeSecondFactors('nobody', anEvent()), false);

    await storage.addPasskey(aPasskey(user), undefined, anEvent());
    assert.equal(await storage.removeSecondFactors(user.id, anEvent()), true, 'a passkey alone is one too');
  });

  rule("a person cannot remove another's passkey", async (storage) => {
    const [user, other] = [await storedUser(storage), await storedUser(storage)];
    const passkey = aPasskey(user);
    await storage.addPasskey(passkey, someDigests(), anEvent());
    assert.equal(await storage.removePasskey(other.id, passkey.id, anEvent()), false);
    assert.deepEqual(await factsOf(storage, user), { ...noFacts, passkeys: [passkey], recoveryCodes: 10 });
  });

  rule('a use is noted when the counter has grown, and refused when it stood still or went back', async (storage) => {
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

  rule('a passkey that never counts is noted each time, until it counts for the first time', async (storage) => {
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

/** A person with something in every table of their own. */
async function storedAccount(storage: Storage) {
  const user = await storedUser(storage);
  const device = aDigest();
  const session = aSession(user);
  await storage.startSession(session, user.passwordHash, undefined, device);
  const link = await storedLink(storage, { purpose: 'reset_password', userId: user.id });
  const address = await storedLink(storage, { purpose: 'change_email', userId: user.id });
  const codes = someDigests();
  await storage.enableAuthenticator(user.id, anAuthenticator(), codes, start, anEvent());
  const passkey = aPasskey(user);
  await storage.addPasskey(passkey, undefined, anEvent());
  const picture = { ...aLogo(), url: 'https://x.example/1' };
  await storage.setPicture(user.id, picture, start, anEvent());
  return { user, device, session, link, address, codes, passkey, picture };
}

type Account = Awaited<ReturnType<typeof storedAccount>>;

async function everythingOf(storage: Storage, { user, device, session, link, address, passkey, picture }: Account) {
  return {
    user: await storage.findUser(user.id),
    facts: await storage.findSignInFacts(user.id, device),
    devices: await storage.listKnownDevices(user.id),
    session: (await storage.findSession(session.digest))?.session,
    link: await storage.findLink(link.digest, link.purpose, start),
    address: await storage.findLink(address.digest, address.purpose, start),
    passkey: (await storage.findPasskey(passkey.id))?.passkey,
    picture: (await storage.findPicture(user.id, picture.version))?.version,
    sessions: await storage.listSessions(user.id, 0),
  };
}

function wholeAccountRules(rule: Rule): void {
  rule('deleting a person takes everything of theirs, so that not even their id brings it back', async (storage) => {
    const account = await storedAccount(storage);
    const bystander = await storedAccount(storage);
    const before = await everythingOf(storage, bystander);
    assert.equal(await storage.deleteUser(account.user.id, anEvent()), true);
    await storage.createUser(account.user, anEvent());
    assert.deepEqual(await everythingOf(storage, account), {
      user: account.user,
      facts: noFacts,
      devices: [],
      session: undefined,
      link: undefined,
      address: undefined,
      passkey: undefined,
      picture: undefined,
      sessions: [],
    });
    assert.equal(await storage.useRecoveryCode(account.user.id, account.codes[0] ?? ''), false);
    assert.equal(await storage.acceptAuthenticatorStep(account.user.id, 5000), false);
    assert.deepEqual(await everythingOf(storage, bystander), before);
  });

  rule(
    'the sweep leaves a person’s devices, links, tickets and mails while their time is not over',
    async (storage) => {
      const account = await storedAccount(storage);
      const before = await everythingOf(storage, account);
      const ticket = aDigest();
      await storage.spendTicket(ticket, later);
      await storage.queueEmail({ id: 'mail', sealed: 'x', createdAt: start });
      const limits = { now: account.link.expiresAt, devicesSeenBefore: start, mailsBefore: start };
      assert.equal(await storage.sweep(nothingIsOver({ ...limits, now: later }), 100), 0);
      assert.equal(await storage.sweep(nothingIsOver(limits), 100), 1, 'the ticket');
      assert.deepEqual(await everythingOf(storage, account), before);
      assert.equal((await storage.listEmails(10)).length, 1);
    },
  );

  rule(
    'the sweep removes expired links, spent tickets, old mails and old devices, and nothing else',
    async (storage) => {
      const account = await storedAccount(storage);
      const before = await everythingOf(storage, account);
      const fresh = { link: aLink({ expiresAt: start + DAY }), ticket: aDigest(), device: aDigest() };
      const old = { ticket: aDigest() };
      await storage.queueEmail({ id: 'new', sealed: 'x', createdAt: start }, fresh.link);
      await storage.spendTicket(fresh.ticket, start + DAY);
      await storage.spendTicket(old.ticket, later);
      await storage.queueEmail({ id: 'old', sealed: 'x', createdAt: start - 1 });
      const known = aSession(account.user, { createdAt: later });
      await storage.startSession(known, account.user.passwordHash, undefined, fresh.device);

      const limits = { now: account.link.expiresAt + 1, devicesSeenBefore: later, mailsBefore: start };
      assert.equal(await storage.sweep(nothingIsOver(limits), 100), 5, 'two links, a ticket, a mail and a device');
      const facts = { ...before.facts, knownDevice: false };
      const devices = [later];
      const sessions = [known, account.session].sort((a, b) => (a.digest < b.digest ? -1 : 1));
      const after = await everythingOf(storage, account);
      assert.deepEqual(after, { ...before, link: undefined, address: undefined, facts, devices, sessions });
      assert.ok(await storage.findLink(fresh.link.digest, 'sign_up', start));
      assert.equal(await storage.spendTicket(fresh.ticket, start + DAY), false);
      assert.equal(await storage.spendTicket(old.ticket, later), true, 'its ticket has expired');
      assert.deepEqual(
        (await storage.listEmails(10)).map(({ id }) => id),
        ['new'],
      );
      assert.equal((await storage.findSignInFacts(account.user.id, fresh.device)).knownDevice, true);
    },
  );

  rule('links, tickets, mails and devices are swept in batches of at most the limit', async (storage) => {
    const user = await storedUser(storage);
    for (let count = 0; count < 5; count++) {
      await storedLink(storage);
      await storage.spendTicket(aDigest(), later);
      await storage.queueEmail({ id: `mail ${count}`, sealed: 'x', createdAt: start });
      await storage.startSession(aSession(user), user.passwordHash, undefined, aDigest());
    }
    const limits = nothingIsOver({ now: start + DAY, devicesSeenBefore: start + 1, mailsBefore: start + 1 });
    const counts: number[] = [];
    while (counts.at(-1) !== 0) counts.push(await storage.sweep(limits, 2));
    assert.deepEqual(counts, [8, 8, 4, 0]);
  });
}

interface Change {
  readonly before?: (storage: Storage, account: Account) => Promise<unknown>;
  readonly make: (storage: Storage, account: Account, event: EventRecord) => Promise<unknown>;
  /** The same operation when there is nothing to change, after the change has been made. */
  readonly makeNothing?: (storage: Storage, account: Account, event: EventRecord) => Promise<boolean>;
}

const profile = aProfile();
const newcomer = aUser();
const founder = aUser({ adminSince: start });
const handedOver = (userId: string) => aLink({ digest: 'handed over', purpose: 'recover', userId });

const changes: Readonly<Record<string, Change>> = {
  changeProfile: {
    make: (storage, { user }, event) => storage.changeProfile(user.id, profile, later, event),
    makeNothing: (storage, _, event) => storage.changeProfile('nobody', profile, later, event),
  },
  setPicture: {
    make: (storage, { user }, event) => storage.setPicture(user.id, undefined, later, event),
    makeNothing: (storage, _, event) => storage.setPicture('nobody', undefined, later, event),
  },
  changeEmail: {
    make: (storage, { user, address }, event) =>
      storage.changeEmail(user.id, 'new@a.example', address.digest, later, event),
    makeNothing: (storage, { user, address }, event) =>
      storage.changeEmail(user.id, 'newer@a.example', address.digest, later, event),
  },
  changePassword: {
    make: (storage, { user, link }, event) => storage.changePassword(user.id, resetBy(link.digest), later, event),
    makeNothing: (storage, { user, link }, event) =>
      storage.changePassword(user.id, resetBy(link.digest), later, event),
  },
  signUp: {
    before: (storage) => storedLink(storage, { digest: 'sign-up' }),
    make: (storage, _, event) => storage.signUp(newcomer, bySignUp('sign-up'), start, event),
    makeNothing: (storage, _, event) => storage.signUp(aUser(), bySignUp('sign-up'), start, event),
  },
  'signUp by a set-up link': {
    before: (storage) => storedLink(storage, { digest: 'set-up', purpose: 'set_up' }),
    make: (storage, _, event) => storage.signUp(founder, bySetUp('set-up'), start, event),
    makeNothing: (storage, _, event) => storage.signUp(aUser(), bySetUp('set-up'), start, event),
  },
  keepLink: {
    make: (storage, { user }, event) => storage.keepLink(handedOver(user.id), event),
    makeNothing: (storage, _, event) => storage.keepLink(handedOver('nobody'), event),
  },
  queueEmail: {
    make: (storage, { user }, event) =>
      storage.queueEmail({ id: 'mail', sealed: 'x', createdAt: start }, handedOver(user.id), event),
  },
  endOtherSessions: { make: (storage, { user }, event) => storage.endOtherSessions(user.id, '', event) },
  enableAuthenticator: {
    before: (storage, { user }) => storage.removeAuthenticator(user.id, anEvent()),
    make: (storage, { user }, event) =>
      storage.enableAuthenticator(user.id, anAuthenticator(), someDigests(3), later, event),
    makeNothing: (storage, { user }, event) =>
      storage.enableAuthenticator(user.id, anAuthenticator(), someDigests(4), later, event),
  },
  removeAuthenticator: {
    make: (storage, { user }, event) => storage.removeAuthenticator(user.id, event),
    makeNothing: (storage, { user }, event) => storage.removeAuthenticator(user.id, event),
  },
  removeSecondFactors: {
    make: (storage, { user }, event) => storage.removeSecondFactors(user.id, event),
    makeNothing: (storage, { user }, event) => storage.removeSecondFactors(user.id, event),
  },
  replaceRecoveryCodes: {
    make: (storage, { user }, event) => storage.replaceRecoveryCodes(user.id, someDigests(3), event),
  },
  addPasskey: {
    make: (storage, { user }, event) => storage.addPasskey(aPasskey(user), someDigests(3), event),
    makeNothing: (storage, { passkey }, event) => storage.addPasskey(passkey, someDigests(4), event),
  },
  removePasskey: {
    make: (storage, { user, passkey }, event) => storage.removePasskey(user.id, passkey.id, event),
    makeNothing: (storage, { user, passkey }, event) => storage.removePasskey(user.id, passkey.id, event),
  },
};

function resetBy(digest: string) {
  return { passwordHash: 'new hash', proof: { kind: 'link', digest, purpose: 'reset_password' } } as const;
}

function eventRules(rule: Rule): void {
  for (const [operation, { before, make, makeNothing }] of Object.entries(changes)) {
    rule(`${operation} happens together with its event, or not at all`, async (storage) => {
      const account = await storedAccount(storage);
      await before?.(storage, account);
      const found = async (prefix: string) =>
        (await storage.pageUsers({ prefix, after: undefined, limit: 10 })).items.map(({ id }) => id);
      const look = async () => ({
        ...(await everythingOf(storage, account)),
        people: await storage.listUsers(),
        handedOver: await storage.findLink('handed over', 'recover', start),
        mails: await storage.listEmails(10),
        words: [await found('person'), await found('new'), await found(account.user.email)],
      });
      const untouched = await look();

      const taken = anEvent();
      await storage.appendEvents([taken]);
      await assert.rejects(make(storage, account, { ...anEvent(), id: taken.id }), StorageConflict);
      assert.deepEqual(await look(), untouched);

      const event = anEvent();
      assert.notEqual(await make(storage, account, event), false);
      assert.ok(await hasEvent(storage, event));
      const changed = await look();
      assert.notDeepEqual(changed, untouched);

      if (makeNothing === undefined) return;
      const needless = anEvent();
      assert.equal(await makeNothing(storage, account, needless), false);
      assert.equal(await hasEvent(storage, needless), false);
      assert.deepEqual(await look(), changed);
    });
  }
}

function bySetUp(digest: string) {
  return { digest, purpose: 'set_up' } as const;
}

function bySignUp(digest: string) {
  return { digest, purpose: 'sign_up' } as const;
}
