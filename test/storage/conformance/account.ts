// A user with something in every table: deleting them takes all of it, and every change of theirs comes with its event.

import assert from 'node:assert/strict';
import type { EventRecord } from '../../../src/protocol/event.ts';
import { type Storage, StorageConflict } from '../../../src/storage/storage.ts';
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
  hasEvent,
  later,
  noFacts,
  type Rule,
  restoredUser,
  someDigests,
  spendCode,
  start,
  storedLink,
  storedUser,
} from '../records.ts';

export function accountRules(rule: Rule): void {
  deletionRules(rule);
  changeRules(rule);
}

/** Fills every table that belongs to users. */
export async function storedAccount(storage: Storage) {
  const user = await storedUser(storage);
  const device = aDigest();
  const session = aSession(user);
  await storage.startSession({ session, sessionGeneration: user.sessionGeneration, deviceDigest: device });
  const link = await storedLink(storage, { purpose: 'reset_password', userId: user.id });
  const address = await storedLink(storage, { purpose: 'change_email', userId: user.id });
  const codes = someDigests();
  await storage.enableAuthenticator(user.id, anAuthenticator(), codes, start, anEvent(), undefined, session.digest);
  const passkey = aPasskey(user);
  await storage.addPasskey(passkey, undefined, anEvent(), undefined, session.digest);
  const picture = { ...aLogo(), url: 'https://x.example/1' };
  await storage.setPicture(user.id, picture, start, anEvent());
  return { user, device, session, link, address, codes, passkey, picture };
}

type Account = Awaited<ReturnType<typeof storedAccount>>;

export async function everythingOf(
  storage: Storage,
  { user, device, session, link, address, passkey, picture }: Account,
) {
  return {
    user: await storage.findUser(user.id),
    facts: await storage.findSignInFacts(user.id, [device]),
    devices: await storage.listKnownDevices(user.id),
    session: (await storage.findSession(session.digest, start))?.session,
    link: await storage.findLink(link.digest, link.purpose, start),
    address: await storage.findLink(address.digest, address.purpose, start),
    passkey: (await storage.findPasskey(passkey.id))?.passkey,
    picture: (await storage.findPicture(user.id, picture.version))?.version,
    sessions: await storage.listSessions(user.id, 0),
  };
}

function deletionRules(rule: Rule): void {
  rule('deleting a user deletes everything of theirs; reusing the ID revives nothing', async (storage) => {
    const account = await storedAccount(storage);
    const bystander = await storedAccount(storage);
    const before = await everythingOf(storage, bystander);
    assert.equal(await storage.deleteUser(account.user.id, anEvent()), true);
    await restoredUser(storage, account.user);
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
    assert.equal(await spendCode(storage, account.user.id, account.codes[0] ?? ''), false);
    assert.equal(await storage.acceptAuthenticatorStep(account.user.id, 5000), false);
    assert.deepEqual(await everythingOf(storage, bystander), before);
  });
}

interface Change {
  readonly before?: (storage: Storage, account: Account) => Promise<unknown>;
  readonly make: (storage: Storage, account: Account, event: EventRecord) => Promise<unknown>;
  /** The same operation after the change, when there is nothing left to change. */
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
      storage.changeEmail(user, 'new@a.example', address.digest, later, event),
    makeNothing: (storage, { user, address }, event) =>
      storage.changeEmail(user, 'newer@a.example', address.digest, later, event),
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
  storeLink: {
    make: (storage, { user }, event) => storage.storeLink(handedOver(user.id), event),
    makeNothing: (storage, _, event) => storage.storeLink(handedOver('nobody'), event),
  },
  queueEmail: {
    make: (storage, { user }, event) =>
      storage.queueEmail({ id: 'mail', sealed: 'x', createdAt: start }, handedOver(user.id), event),
  },
  endSessions: { make: (storage, { user }, event) => storage.endSessions(user.id, event) },
  endOtherSessions: { make: (storage, { user }, event) => storage.endOtherSessions(user.id, aDigest(), event) },
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
    make: (storage, { user }, event) => storage.replaceRecoveryCodes(user.id, someDigests(3), start, event),
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

function changeRules(rule: Rule): void {
  for (const [operation, { before, make, makeNothing }] of Object.entries(changes)) {
    rule(`${operation} is atomic with its event`, async (storage) => {
      const account = await storedAccount(storage);
      await before?.(storage, account);
      const found = async (text: string) =>
        (await storage.pageUsers({ words: [text], after: undefined, limit: 10 })).items.map(({ id }) => id);
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

function resetBy(digest: string) {
  return { passwordHash: 'new hash', proof: { kind: 'link', digest, purpose: 'reset_password' } } as const;
}

function bySignUp(digest: string) {
  return { digest, purpose: 'sign_up' } as const;
}

function bySetUp(digest: string) {
  return { digest, purpose: 'set_up' } as const;
}
