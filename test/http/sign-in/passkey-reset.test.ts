// A passkey in place of a password, with a link from the reset page or from an administrator.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { makeRecoveryLink } from '../../../src/operations/users/user-recovery.ts';
import { digestOf } from '../../../src/protocol/digest.ts';
import { signedIn } from '../../harness/account.ts';
import { newHolder, passkeysOf } from '../../harness/passkeys.ts';
import {
  askForChallenge,
  challengeOf,
  createPasskey,
  formOfLink,
  type LinkForm,
  newPasskeyPerson,
  resetForm,
  sendPasskey,
  setPasswords,
  signInWithPasskey,
  signUpForm,
} from '../../harness/passwordless.ts';
import { formIn, Person, readForm } from '../../harness/person.ts';
import { obtainTokens, postForm, refreshParameters } from '../../harness/relying-party.ts';
import {
  alignToStep,
  codeOf,
  eventsOf,
  isSignedIn,
  newOwner,
  recoveryCodesOn,
  turnOn,
} from '../../harness/second-factors.ts';
import { requester, type TestUser } from '../../harness/service.ts';
import { statusOfSignIn } from '../../harness/sign-up.ts';
import { SoftwareAuthenticator } from '../../harness/software-authenticator.ts';
import { mailsTo } from '../../harness/store.ts';
import { serviceOfSuite } from '../../harness/suite.ts';
import { anUpstream } from '../../storage/conformance/upstreams.ts';
import { anEvent } from '../../storage/records.ts';

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;
const newPassword = 'another phrase of mine';

const service = serviceOfSuite({ LATCHKEY_SIGN_UP: 'open' });
beforeEach(() => {
  service.clock.advance(16 * MINUTE);
  alignToStep(service);
});

const newDevice = () => new SoftwareAuthenticator(service.url);
const storage = () => service.running.services.storage;

async function recoveryForm({ email }: { email: string }): Promise<LinkForm> {
  const made = await makeRecoveryLink(service.running.services, { email }, requester);
  assert.ok(made.kind === 'done');
  return formOfLink(service, email, made.url.replace(service.url, ''));
}

const ways: Record<string, (user: { email: string }) => Promise<LinkForm>> = {
  'the reset page': ({ email }) => resetForm(service, email),
  'an administrator': recoveryForm,
};

for (const [from, open] of Object.entries(ways)) {
  describe(`with a link from ${from}`, () => {
    test('a passkey replaces the password, ends what a reset ends, and starts no session', async () => {
      const user = await service.newUser();
      const client = await service.newClient();
      const { person: inside, tokens } = await obtainTokens(service, client, user);
      const opened = await open(user);
      const device = newDevice();
      const response = await createPasskey(opened, device);
      const page = await response.text();
      assert.equal(response.status, 200, page);
      assert.match(page, /<h1>Passkey created<\/h1>/);
      assert.equal(recoveryCodesOn(page).length, 10);
      assert.equal(await isSignedIn(opened.person), false);
      assert.equal(await isSignedIn(inside), false);
      assert.equal((await storage().findUser(user.id))?.passwordHash, '');
      assert.deepEqual(await storage().listKnownDevices(user.id), []);
      assert.equal(await statusOfSignIn(service, user.email, user.password), 400);
      // Applications keep their access until the review.
      assert.equal(
        (await postForm(service, '/oauth/token', refreshParameters(client, tokens.refresh_token))).status,
        200,
      );
      const again = await signInWithPasskey(service, device);
      const review = await again.response.text();
      assert.match(review, /<h1>Review your account<\/h1>/);
      assert.match(review, /You created a passkey to get back in/);
      // The link was used up.
      assert.equal((await askForChallenge(opened)).status, 400);
    });

    test('whoever has a second factor in force chooses a password', async () => {
      const { user } = await newOwner(service);
      const opened = await open(user);
      assert.equal((await askForChallenge(opened)).status, 400);
      const page = await (await opened.person.visit(`${opened.form.action}?link=${opened.form.fields.link}`)).text();
      assert.doesNotMatch(page, /data-create-passkey/);
      assert.equal((await opened.person.submit(opened.form, { password: newPassword })).status, 200);
    });

    test('somebody who gets a second factor between the page and the form doesn’t get a passkey', async () => {
      const user = await service.newUser();
      const inside = await signedIn(service, user);
      const opened = await open(user);
      const challenge = await challengeOf(opened);
      await turnOn(service, inside);
      const device = newDevice();
      const response = await sendPasskey(opened, device.create(challenge), challenge);
      assert.equal(response.status, 403);
      assert.match(await response.text(), /two-step verification/);
      assert.deepEqual(await passkeysOf(service, user), []);
      // They choose a password with the same link.
      assert.equal((await opened.person.submit(opened.form, { password: newPassword })).status, 200);
    });
  });
}

test('a second factor that is added at the very moment keeps the passkey out', async () => {
  const user = await service.newUser();
  const opened = await resetForm(service, user.email);
  const challenge = await challengeOf(opened);
  const { services } = service.running;
  const facts = services.storage.findSignInFacts;
  // Read before the factor was added, as in a request that is slow.
  const before = await services.storage.findSignInFacts(user.id, undefined);
  await turnOn(service, await signedIn(service, user));
  services.storage.findSignInFacts = async (id, digests) => (id === user.id ? before : facts(id, digests));
  try {
    const response = await sendPasskey(opened, newDevice().create(challenge), challenge);
    assert.equal(response.status, 400);
  } finally {
    services.storage.findSignInFacts = facts;
  }
  assert.deepEqual(await passkeysOf(service, user), []);
  assert.notEqual((await storage().findUser(user.id))?.passwordHash, '');
});

test('a recent factor that is suspended doesn’t count, and the new passkey isn’t suspended', async () => {
  const { user, device: old } = await newHolder(service);
  // A password suspends the passkey of the last days; then comes another reset.
  const first = await resetForm(service, user.email);
  await first.person.submit(first.form, { password: newPassword });
  service.clock.advance(16 * MINUTE);
  const opened = await resetForm(service, user.email);
  const device = newDevice();
  assert.equal((await createPasskey(opened, device)).status, 200);
  const facts = await storage().findSignInFacts(user.id, undefined);
  assert.deepEqual(
    facts.passkeys.map(({ id }) => id),
    [device.id],
  );
  assert.ok(facts.suspended.some((each) => each.kind === 'passkey' && each.id === old.id));
  assert.equal((await signInWithPasskey(service, old)).response.status, 400);
  assert.ok(await isSignedIn((await signInWithPasskey(service, device)).person));
});

test('the person is told of it: that the password is gone, and how to undo the passkey', async () => {
  const user = await service.newUser();
  const opened = await resetForm(service, user.email);
  const device = newDevice();
  await createPasskey(opened, device);
  const mails = await mailsTo(service, user.email);
  const removed = mails.find(({ subject }) => subject.startsWith('Your password was removed'));
  assert.ok(removed);
  const undo = mails.map(({ text }) => /https?:\/\/\S+\/not-me\?link=\S+/.exec(text)?.[0]).find(Boolean) ?? '';
  const person = new Person(service);
  const form = await formIn(await person.visit(undo.replace(service.url, '')), '/not-me');
  assert.equal((await person.submit(form, {})).status, 200);
  assert.equal((await signInWithPasskey(service, device)).response.status, 400);
  const kinds = (await eventsOf(service, user)).map(({ kind, to }) => (to === undefined ? kind : `${kind} to ${to}`));
  assert.ok(kinds.includes('password_reset to passkey') && kinds.includes('passkey_added'), String(kinds));
});

test('what somebody who knew the old mailbox could do: an identity of the last days is unlinked', async () => {
  const user = await service.newUser();
  service.clock.advance(DAY);
  const { services } = service.running;
  const person = await signedIn(service, user);
  const found = await services.storage.findSession(
    digestOf(person.cookies.get('latchkey_session') ?? ''),
    service.clock.now(),
  );
  assert.ok(found);
  const upstream = anUpstream();
  await services.storage.createUpstream(upstream, undefined, 100, anEvent());
  const key = { issuer: upstream.issuer, subject: 'x' };
  const identity = { ...key, userId: user.id, email: null, linkedAt: service.clock.now(), lastUsedAt: null };
  assert.ok(await services.storage.linkIdentity(identity, found.session, found.user.sessionGeneration, 20, anEvent()));
  assert.equal((await createPasskey(await resetForm(service, user.email), newDevice())).status, 200);
  assert.equal(await services.storage.findIdentity(key), undefined);
});

describe('what is refused', () => {
  test('a challenge of one reset isn’t answered in another, nor at sign-up', async () => {
    const [one, other] = [await service.newUser(), await service.newUser()];
    const opened = await resetForm(service, one.email);
    const challenge = await challengeOf(opened);
    const answer = newDevice().create(challenge);
    const foreign = await resetForm(service, other.email);
    assert.equal((await sendPasskey({ ...foreign, person: opened.person }, answer, challenge)).status, 400);
    const signingUp = await signUpForm(service);
    assert.equal((await sendPasskey({ ...signingUp, person: opened.person }, answer, challenge)).status, 400);
    const elsewhere = { ...opened, person: new Person(service) };
    assert.equal((await sendPasskey(elsewhere, answer, challenge)).status, 400);
    assert.deepEqual([await passkeysOf(service, one), await passkeysOf(service, other)], [[], []]);
    assert.equal((await sendPasskey(opened, answer, challenge)).status, 200);
  });

  test('a passkey of somebody else', async () => {
    const { device } = await newHolder(service);
    const user = await service.newUser();
    const opened = await resetForm(service, user.email);
    assert.equal((await createPasskey(opened, device)).status, 400);
    assert.equal(await statusOfSignIn(service, user.email, user.password), 200);
  });

  test('of a password and a passkey that are sent at once with one link, one is set', async () => {
    for (let round = 0; round < 5; round++) {
      const user = await service.newUser();
      const opened = await resetForm(service, user.email);
      const challenge = await challengeOf(opened);
      const device = newDevice();
      const statuses = await Promise.all([
        sendPasskey(opened, device.create(challenge), challenge).then(({ status }) => status),
        new Person(service).submit(opened.form, { password: newPassword }).then(({ status }) => status),
      ]);
      assert.equal(statuses.filter((status) => status === 200).length, 1, String(statuses));
      const hash = (await storage().findUser(user.id))?.passwordHash;
      assert.equal((await passkeysOf(service, user)).length, hash === '' ? 1 : 0);
      service.clock.advance(16 * MINUTE);
    }
  });

  test('after a reset, nothing that was checked before it adds a factor, though the password was and is none', async () => {
    const { user, email, person: inside, device: own } = await newPasskeyPerson(service);
    // The owner has no second factor in force any more: an administrator has removed it.
    await service.running.services.storage.removeSecondFactors(
      user.id,
      service.running.services.journal.event({ kind: 'second_factors_removed', userId: user.id }, requester),
    );
    const found = await storage().findSession(
      digestOf(inside.cookies.get('latchkey_session') ?? ''),
      service.clock.now(),
    );
    assert.ok(found);
    const device = newDevice();
    assert.equal((await createPasskey(await resetForm(service, email), device)).status, 200);
    // What the request of that session would have written.
    const passkey = { id: own.id, userId: user.id, publicKey: 'x', counter: 0, transports: [], name: 'Old' };
    const stored = await storage().addPasskey(
      { ...passkey, createdAt: service.clock.now(), lastUsedAt: null },
      undefined,
      service.running.services.journal.event({ kind: 'passkey_added', userId: user.id }, requester),
      found.user.sessionGeneration,
      found.session.digest,
    );
    assert.equal(stored, false);
  });
});

describe('the review after it', () => {
  test('removing all other access keeps the new passkey, and nothing else', async () => {
    const { user, device: old } = await newHolder(service);
    service.clock.advance(8 * DAY);
    await service.running.services.storage.removeSecondFactors(
      user.id,
      service.running.services.journal.event({ kind: 'second_factors_removed', userId: user.id }, requester),
    );
    const device = newDevice();
    await createPasskey(await resetForm(service, user.email), device);
    const { person, response } = await signInWithPasskey(service, device);
    const form = readForm(await response.text(), '/account/review');
    assert.ok(form);
    assert.equal((await person.submit({ ...form, fields: { ...form.fields, review: 'remove' } }, {})).status, 200);
    const ids = (await storage().findSignInFacts(user.id, undefined)).passkeys.map(({ id }) => id);
    assert.ok(ids.includes(device.id) && !ids.includes(old.id), String(ids));
    assert.equal((await storage().findUser(user.id))?.reviewSince, null);
    assert.ok(await isSignedIn((await signInWithPasskey(service, device)).person));
  });
});

describe('where passwords are off', () => {
  before(() => setPasswords(service, 'off'));
  after(() => setPasswords(service, 'allowed'));

  async function ownerFromBefore() {
    await setPasswords(service, 'allowed');
    const owner = await newOwner(service);
    await setPasswords(service, 'off');
    return owner;
  }

  test('somebody without a second factor creates a passkey, and sets no password', async () => {
    await setPasswords(service, 'allowed');
    const user = await service.newUser();
    await setPasswords(service, 'off');
    const opened = await resetForm(service, user.email);
    const [mail] = await mailsTo(service, user.email);
    assert.match(mail?.subject ?? '', /^Create a passkey/);
    assert.equal((await opened.person.submit(opened.form, { password: newPassword })).status, 400);
    assert.equal((await createPasskey(opened, newDevice())).status, 200);
  });

  test('somebody with a second factor proves it together with the new passkey', async () => {
    const owner = await ownerFromBefore();
    service.clock.advance(8 * DAY);
    alignToStep(service);
    const opened = await resetForm(service, owner.user.email);
    const device = newDevice();
    // A mailbox alone isn't worth two factors.
    for (const code of ['', '000000']) {
      assert.equal((await createPasskey(opened, device, { code })).status, 400);
    }
    assert.deepEqual(await passkeysOf(service, owner.user), []);
    assert.equal((await opened.person.submit(opened.form, { password: newPassword })).status, 400);
    const done = await createPasskey(opened, device, { code: codeOf(service, owner) });
    assert.equal(done.status, 200, await done.text());
    assert.ok(await isSignedIn((await signInWithPasskey(service, device)).person));
    const facts = await storage().findSignInFacts(owner.user.id, undefined);
    assert.deepEqual([facts.recoveryCodes, facts.authenticator !== undefined], [10, true]);
  });

  test('somebody who has lost their passkey does so with a recovery code, which is used up', async () => {
    const { user, email, page } = await newPasskeyPerson(service);
    const [code = ''] = recoveryCodesOn(page);
    service.clock.advance(8 * DAY);
    const opened = await resetForm(service, email);
    const device = newDevice();
    assert.equal((await createPasskey(opened, device, { code })).status, 200);
    const facts = await storage().findSignInFacts(user.id, undefined);
    assert.deepEqual([facts.passkeys.length, facts.recoveryCodes], [2, 9]);
    const kinds = (await eventsOf(service, user as unknown as TestUser)).map(({ kind }) => kind);
    assert.ok(kinds.includes('recovery_code_used'));
  });

  test('wrong codes are counted as at a sign-in', async () => {
    const owner = await ownerFromBefore();
    const opened = await resetForm(service, owner.user.email);
    let status = 0;
    for (let attempt = 0; attempt < 12 && status !== 429; attempt++) {
      status = (await createPasskey(opened, newDevice(), { code: '000000' })).status;
    }
    assert.equal(status, 429);
    assert.equal((await createPasskey(opened, newDevice(), { code: codeOf(service, owner) })).status, 429);
  });

  test('somebody with a passkey and no codes is told to use it', async () => {
    const { user, email } = await newPasskeyPerson(service);
    await storage().replaceRecoveryCodes(
      user.id,
      [],
      service.clock.now(),
      service.running.services.journal.event({ kind: 'recovery_codes_replaced', userId: user.id }, requester),
    );
    const made = await makeRecoveryLink(service.running.services, { email }, requester);
    assert.ok(made.kind === 'done');
    const page = await (await new Person(service).visit(made.url.replace(service.url, ''))).text();
    assert.match(page, /a link by email isn&#39;t enough/);
    assert.equal(readForm(page, '/recover'), undefined);
  });
});
