// Users who come by a link: sign-up, invitation and set-up.

import assert from 'node:assert/strict';
import { type LinkPurpose, type Storage, StorageConflict, type User } from '../../../src/storage/storage.ts';
import {
  aDigest,
  anEvent,
  aSession,
  atOnce,
  aUser,
  longText,
  type Rule,
  start,
  storedAdministrator,
  storedLink,
  storedSession,
  storedUser,
  winners,
} from '../records.ts';

export function signUpRules(rule: Rule): void {
  signUpLinkRules(rule);
  anyLinkRules(rule);
}

function signUpLinkRules(rule: Rule): void {
  rule('a sign-up link creates one user and is consumed', async (storage) => {
    const link = await storedLink(storage);
    const user = aUser({ emailVerifiedAt: start, name: longText });
    assert.equal(await storage.signUp(user, bySignUp(link.digest), start, anEvent()), true);
    assert.deepEqual(await storage.findUser(user.id), user);
    assert.equal(await storage.findLink(link.digest, 'sign_up', start), undefined);
    assert.equal(await storage.signUp(aUser(), bySignUp(link.digest), start, anEvent()), false);
    assert.deepEqual(await storage.listUsers(), [user]);
  });

  rule('a sign-up, its session and its known browser are atomic', async (storage) => {
    const link = await storedLink(storage);
    const stranger = await storedUser(storage);
    const replaced = await storedSession(storage, stranger);
    const [user, deviceDigest] = [aUser(), aDigest()];
    const session = aSession(user);
    const newSession = { session, replacedDigest: replaced.digest, deviceDigest };
    const signUp = (digest: string) => storage.signUp(user, bySignUp(digest), start, anEvent(), newSession);
    assert.equal(await signUp(aDigest()), false);
    assert.equal(await storage.findSession(session.digest, start), undefined);
    assert.ok(await storage.findSession(replaced.digest, start));
    assert.equal(await signUp(link.digest), true);
    assert.deepEqual((await storage.findSession(session.digest, start))?.user, user);
    assert.equal((await storage.findSignInFacts(user.id, [deviceDigest])).knownDevice, deviceDigest);
    assert.equal(await storage.findSession(replaced.digest, start), undefined);
    assert.equal((await storage.countUsers(start)).active, 2, 'they are active');
  });

  rule('of many concurrent uses of one sign-up link exactly one creates a user', async (storage) => {
    const link = await storedLink(storage);
    assert.equal(await winners(() => storage.signUp(aUser(), bySignUp(link.digest), start, anEvent())), 1);
    assert.equal((await storage.listUsers()).length, 1);
  });

  rule('links for one address used concurrently create one user', async (storage) => {
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

  rule('an expired sign-up link, or one for another purpose, creates nobody', async (storage) => {
    const expired = await storedLink(storage);
    const reset = await storedLink(storage, { purpose: 'reset_password' });
    assert.equal(await storage.signUp(aUser(), bySignUp(expired.digest), expired.expiresAt, anEvent()), false);
    assert.equal(await storage.signUp(aUser(), bySignUp(reset.digest), start, anEvent()), false);
    assert.equal(await storage.signUp(aUser(), bySignUp(aDigest()), start, anEvent()), false);
    assert.deepEqual(await storage.listUsers(), []);
    assert.ok(await storage.findLink(reset.digest, 'reset_password', start), 'what did not fit is not used up');
  });

  rule('a sign-up for a taken address is a conflict, and keeps the link', async (storage) => {
    const other = await storedUser(storage, { email: 'taken@a.example' });
    const link = await storedLink(storage);
    const signUp = (email: string) => storage.signUp(aUser({ email }), bySignUp(link.digest), start, anEvent());
    await assert.rejects(signUp('TAKEN@a.example'), StorageConflict);
    assert.deepEqual(await storage.listUsers(), [other]);
    assert.deepEqual(await storage.findLink(link.digest, 'sign_up', start), link);
    assert.equal(await signUp('free@a.example'), true);
  });
}

function anyLinkRules(rule: Rule): void {
  const purposes = ['sign_up', 'invite', 'set_up'] as const;
  const signUp = (storage: Storage, digest: string, purpose: (typeof purposes)[number], user = aUser(), now = start) =>
    storage.signUp(user, { digest, purpose }, now, anEvent());
  const founder = (overrides: Partial<User> = {}) => aUser({ adminSince: start, ...overrides });

  rule('a link only creates a user for its purpose', async (storage) => {
    const all: LinkPurpose[] = [...purposes, 'reset_password', 'recover', 'change_email'];
    for (const made of all) {
      const { digest } = await storedLink(storage, { purpose: made });
      for (const used of purposes.filter((purpose) => purpose !== made)) {
        assert.equal(await signUp(storage, digest, used), false, `${made} as ${used}`);
      }
      assert.ok(await storage.findLink(digest, made, start), 'what did not fit is not used up');
    }
    assert.deepEqual(await storage.listUsers(), []);
  });

  for (const purpose of ['invite', 'set_up'] as const) {
    rule(`a link to ${purpose} creates one user, until it expires`, async (storage) => {
      const [expired, link] = [await storedLink(storage, { purpose }), await storedLink(storage, { purpose })];
      const user = purpose === 'set_up' ? founder() : aUser();
      assert.equal(await signUp(storage, expired.digest, purpose, user, expired.expiresAt), false);
      assert.equal(await signUp(storage, aDigest(), purpose, user), false);
      assert.equal(await signUp(storage, link.digest, purpose, user), true);
      assert.deepEqual(await storage.listUsers(), [user]);
      assert.equal(await storage.findLink(link.digest, purpose, start), undefined);
      assert.equal(await signUp(storage, link.digest, purpose), false);
    });

    rule(`a link to ${purpose} for a taken address is a conflict, and still works`, async (storage) => {
      const other = await storedUser(storage, { email: 'taken@a.example' });
      const link = await storedLink(storage, { purpose });
      await assert.rejects(
        signUp(storage, link.digest, purpose, founder({ email: 'Taken@a.example' })),
        StorageConflict,
      );
      assert.deepEqual(await storage.listUsers(), [other]);
      assert.equal(await signUp(storage, link.digest, purpose, founder()), true);
    });
  }

  rule('a set-up link works only while there is no administrator who can sign in', async (storage) => {
    const first = await storedLink(storage, { purpose: 'set_up' });
    await storedUser(storage);
    await storedAdministrator(storage, { disabledAt: start });
    const user = founder();
    assert.equal(await signUp(storage, first.digest, 'set_up', user), true);
    const second = await storedLink(storage, { purpose: 'set_up' });
    assert.equal(await signUp(storage, second.digest, 'set_up', founder()), false);
    assert.equal(await storage.countAdministrators(), 1);
    assert.ok(await storage.findLink(second.digest, 'set_up', start));
    const invitation = await storedLink(storage, { purpose: 'invite' });
    assert.equal(await signUp(storage, invitation.digest, 'invite'), true, 'others go on coming');
  });

  rule('of set-up links used concurrently exactly one creates an administrator', async (storage) => {
    const links = await Promise.all(Array.from({ length: atOnce }, () => storedLink(storage, { purpose: 'set_up' })));
    // Two callers for each link.
    const calls = [...links, ...links].map(({ digest }) => signUp(storage, digest, 'set_up', founder()));
    assert.equal((await Promise.all(calls)).filter(Boolean).length, 1);
    assert.equal((await storage.listUsers()).length, 1);
  });

  rule('of many concurrent uses of one invitation exactly one creates a user', async (storage) => {
    const { digest } = await storedLink(storage, { purpose: 'invite' });
    const calls = Array.from({ length: atOnce }, () => signUp(storage, digest, 'invite'));
    assert.equal((await Promise.all(calls)).filter(Boolean).length, 1);
    assert.equal((await storage.listUsers()).length, 1);
  });
}

function bySignUp(digest: string) {
  return { digest, purpose: 'sign_up' } as const;
}
