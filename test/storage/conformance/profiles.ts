// Profiles: names, pictures, usernames and email addresses.

import assert from 'node:assert/strict';
import { type Storage, StorageConflict, type User } from '../../../src/storage/storage.ts';
import {
  aLogo,
  anEvent,
  aProfile,
  aUser,
  hasEvent,
  later,
  longText,
  type Rule,
  start,
  storedLink,
  storedSession,
  storedUser,
  winners,
} from '../records.ts';

export function profileRules(rule: Rule): void {
  nameRules(rule);
  onceAMinuteRules(rule);
  usernameRules(rule);
  pictureRules(rule);
  emailRules(rule);
}

function nameRules(rule: Rule): void {
  const profile = aProfile({ name: longText, givenName: 'Ἀδάμ', locale: 'pt-BR', preferredUsername: 'Adam' });

  rule('a changed profile is read back, and nothing else changes', async (storage) => {
    const user = await storedUser(storage, { givenName: 'Old', familyName: 'Older', preferredUsername: 'old' });
    const other = await storedUser(storage);
    assert.equal(await storage.changeProfile(user.id, profile, later, anEvent()), true);
    assert.deepEqual(await storage.findUser(user.id), { ...user, ...profile, updatedAt: later });
    assert.deepEqual(await storage.findUser(other.id), other);
    assert.equal(await storage.changeProfile('nobody', profile, later, anEvent()), false);
  });
}

function onceAMinuteRules(rule: Rule): void {
  rule('changes within a minute are one event for each user, and all of them take place', async (storage) => {
    const [user, other] = [await storedUser(storage), await storedUser(storage)];
    const change = async (at: number, { id: userId }: User = user) => {
      const event = anEvent({ kind: 'profile_changed', at, userId });
      const profile = aProfile({ name: `at ${at}` });
      assert.equal(await storage.changeProfile(userId, profile, at, event), true);
      assert.equal((await storage.findUser(userId))?.name, profile.name);
      return hasEvent(storage, event);
    };
    assert.deepEqual(
      [await change(start), await change(start + 1), await change(start + 59_999), await change(start + 60_000)],
      [true, false, false, true],
    );
    assert.equal(await change(start + 60_001, other), true);
    const picture = anEvent({ kind: 'picture_changed', at: start + 60_002, userId: user.id });
    assert.equal(await storage.setPicture(user.id, undefined, later, picture), true);
    assert.equal(await hasEvent(storage, picture), true, 'another kind is another event');
  });
}

function pictureRules(rule: Rule): void {
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

  rule('an unknown user gets no picture', async (storage) => {
    const picture = { ...aLogo(), url: 'https://x.example/1' };
    assert.equal(await storage.setPicture('nobody', picture, later, anEvent()), false);
    assert.equal(await storage.findPicture('nobody', picture.version), undefined);
    assert.equal(await storage.setPicture('nobody', undefined, later, anEvent()), false);
  });
}

function emailRules(rule: Rule): void {
  const addressLink = (storage: Storage, user: User) =>
    storedLink(storage, { purpose: 'change_email', userId: user.id });

  rule('an address changes with a link, is verified by it, and is found in any case', async (storage) => {
    const user = await storedUser(storage);
    const session = await storedSession(storage, user);
    const link = await addressLink(storage, user);
    assert.equal(await storage.changeEmail(user, 'Nëw@A.example', link.digest, later, anEvent()), true);
    const changed = { ...user, email: 'Nëw@A.example', emailVerifiedAt: later, updatedAt: later };
    assert.deepEqual(await storage.findUserByEmail('nËW@a.EXAMPLE'), changed);
    assert.equal(await storage.findUserByEmail(user.email), undefined);
    assert.ok(await storage.findSession(session.digest, start), 'sessions go on');
    assert.equal(await storage.changeEmail(user, 'more@a.example', link.digest, later, anEvent()), false);
  });

  rule("the same address in another spelling isn't a conflict", async (storage) => {
    const user = await storedUser(storage, { email: 'ada@a.example' });
    const link = await addressLink(storage, user);
    assert.equal(await storage.changeEmail(user, 'Ada@A.example', link.digest, later, anEvent()), true);
    assert.equal((await storage.findUser(user.id))?.email, 'Ada@A.example');
  });

  rule("someone else's address is a conflict that changes nothing, and the link still works", async (storage) => {
    const user = await storedUser(storage);
    const other = await storedUser(storage, { email: 'taken@a.example' });
    const link = await addressLink(storage, user);
    const event = anEvent();
    const taken = storage.changeEmail(user, 'TAKEN@a.example', link.digest, later, event);
    await assert.rejects(taken, StorageConflict);
    assert.deepEqual(await storage.findUser(user.id), user);
    assert.deepEqual(await storage.findUser(other.id), other);
    assert.equal(await hasEvent(storage, event), false);
    assert.deepEqual(await storage.findLink(link.digest, 'change_email', start), link);
    assert.equal(await storage.changeEmail(user, 'free@a.example', link.digest, later, anEvent()), true);
  });

  rule('of many concurrent uses of one link exactly one changes the address', async (storage) => {
    const user = await storedUser(storage);
    const link = await addressLink(storage, user);
    const change = (index: number) => storage.changeEmail(user, `new${index}@a.example`, link.digest, later, anEvent());
    assert.equal(await winners(change), 1);
  });

  rule('of many users who change to one address concurrently exactly one gets it', async (storage) => {
    const people: User[] = [];
    for (let count = 0; count < 8; count++) people.push(await storedUser(storage));
    const links = await Promise.all(people.map((user) => addressLink(storage, user)));
    const outcomes = await Promise.allSettled(
      people.map((user, index) =>
        storage.changeEmail(user, 'wanted@a.example', links[index]?.digest ?? '', later, anEvent()),
      ),
    );
    assert.equal(outcomes.filter((outcome) => outcome.status === 'fulfilled' && outcome.value).length, 1);
    const addresses = (await storage.listUsers()).map(({ email }) => email);
    assert.equal(addresses.filter((email) => email === 'wanted@a.example').length, 1);
  });

  rule("an address change voids all the user's links", async (storage) => {
    const user = await storedUser(storage);
    const link = await addressLink(storage, user);
    const reset = await storedLink(storage, { purpose: 'reset_password', userId: user.id });
    const others = await addressLink(storage, await storedUser(storage));
    await storage.changeEmail(user, 'new@a.example', link.digest, later, anEvent());
    assert.equal(await storage.findLink(reset.digest, 'reset_password', start), undefined);
    assert.ok(await storage.findLink(others.digest, 'change_email', start));
  });

  rule("an expired link, one for another purpose, or a disabled user's changes no address", async (storage) => {
    const user = await storedUser(storage);
    const link = await addressLink(storage, user);
    const reset = await storedLink(storage, { purpose: 'reset_password', userId: user.id });
    const change = (digest: string, at: number) => storage.changeEmail(user, 'new@a.example', digest, at, anEvent());
    assert.equal(await change(link.digest, link.expiresAt), false);
    assert.equal(await change(reset.digest, later), false);
    assert.deepEqual(await storage.findUser(user.id), user);
    await storage.disableUser(user.id, start, anEvent());
    const afterwards = await addressLink(storage, user);
    assert.equal(await change(afterwards.digest, later), false);
    assert.equal((await storage.findUser(user.id))?.email, user.email);
    assert.ok(await storage.findLink(afterwards.digest, 'change_email', start));
  });
}

const choose = (storage: Storage, user: User, preferredUsername: string | null, event = anEvent()) =>
  storage.changeProfile(user.id, aProfile({ preferredUsername }), later, event);
const usernameOf = async (storage: Storage, user: User) => (await storage.findUser(user.id))?.preferredUsername;

function usernameRules(rule: Rule): void {
  rule('a username keeps its spelling and can be removed', async (storage) => {
    const user = await storedUser(storage);
    assert.equal(await choose(storage, user, 'Ada.L'), true);
    assert.equal(await usernameOf(storage, user), 'Ada.L');
    assert.equal(await choose(storage, user, null), true);
    assert.equal(await usernameOf(storage, user), null);
  });

  rule('a user is found by their current username in any case', async (storage) => {
    const user = await storedUser(storage, { preferredUsername: 'Ada.L' });
    for (const spelling of ['Ada.L', 'ada.l', 'ADA.L']) {
      assert.deepEqual(await storage.findUserByUsername(spelling), user);
    }
    assert.equal(await storage.findUserByUsername('ada_l'), undefined);
    await choose(storage, user, null);
    assert.equal(await storage.findUserByUsername('ada.l'), undefined);
  });

  rule('any number of users can be without a username', async (storage) => {
    for (let count = 0; count < 3; count++) assert.equal(await choose(storage, await storedUser(storage), null), true);
  });

  rule("another user's username, in any case, is a conflict that changes nothing", async (storage) => {
    const [owner, other] = [await storedUser(storage), await storedUser(storage, { preferredUsername: 'bob' })];
    await choose(storage, owner, 'Ada');
    for (const spelling of ['Ada', 'ada', 'ADA']) {
      const event = anEvent();
      await assert.rejects(choose(storage, other, spelling, event), StorageConflict);
      assert.deepEqual(await storage.findUser(other.id), other);
      assert.equal(await hasEvent(storage, event), false);
    }
  });

  rule('users can change the case of their own username', async (storage) => {
    const user = await storedUser(storage, { preferredUsername: 'ada' });
    for (const spelling of ['ada', 'ADA']) {
      assert.equal(await choose(storage, user, spelling), true);
      assert.equal(await usernameOf(storage, user), spelling);
    }
  });

  rule('a username that was removed, changed or deleted is free', async (storage) => {
    const [first, second, third] = [await storedUser(storage), await storedUser(storage), await storedUser(storage)];
    await choose(storage, first, 'ada');
    await choose(storage, first, null);
    assert.equal(await choose(storage, second, 'ada'), true);
    await choose(storage, second, 'countess');
    assert.equal(await choose(storage, first, 'ada'), true);
    await storage.deleteUser(first.id, anEvent());
    assert.equal(await choose(storage, third, 'ADA'), true);
  });

  rule('a user cannot be created with a username that is taken', async (storage) => {
    const owner = await storedUser(storage, { preferredUsername: 'ada' });
    const [user, event] = [aUser({ preferredUsername: 'Ada' }), anEvent()];
    await assert.rejects(storage.createUser(user, event), StorageConflict);
    assert.deepEqual(await storage.listUsers(), [owner]);
    assert.equal(await hasEvent(storage, event), false);
  });

  rule('of many users who choose one username concurrently exactly one gets it', async (storage) => {
    const users = await Promise.all(Array.from({ length: 20 }, () => storedUser(storage)));
    const outcomes = await Promise.allSettled(
      users.map((user, index) => choose(storage, user, index % 2 === 0 ? 'wanted' : 'WANTED')),
    );
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') assert.ok(outcome.reason instanceof StorageConflict);
    }
    const usernames = (await storage.listUsers()).map(({ preferredUsername }) => preferredUsername);
    assert.equal(usernames.filter((username) => username !== null).length, 1);
  });
}
