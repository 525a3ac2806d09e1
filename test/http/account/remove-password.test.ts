// Removing one's password under Security, and setting one again.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { digestOf } from '../../../src/protocol/digest.ts';
import { signedIn } from '../../harness/account.ts';
import { type Holder, newHolder, passkeysOf, register } from '../../harness/passkeys.ts';
import { newPasskeyPerson, setPasswords, signInWithPasskey, today } from '../../harness/passwordless.ts';
import { formIn, Person, readForm } from '../../harness/person.ts';
import { passkeyProof, proofAsked } from '../../harness/proof.ts';
import { eventsOf, isSignedIn, newOwner, post, securityPath } from '../../harness/second-factors.ts';
import { requester, type TestUser } from '../../harness/service.ts';
import { statusOfSignIn } from '../../harness/sign-up.ts';
import { SoftwareAuthenticator } from '../../harness/software-authenticator.ts';
import { mailsTo } from '../../harness/store.ts';
import { serviceOfSuite } from '../../harness/suite.ts';

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;
const removePath = '/account/password/remove';
const newPassword = 'another phrase of mine';

const service = serviceOfSuite({ LATCHKEY_SIGN_UP: 'open' });
beforeEach(() => service.clock.advance(60 * MINUTE));

const storage = () => service.running.services.storage;
const anEventOf = (userId: string) =>
  service.running.services.journal.event({ kind: 'recovery_codes_replaced', userId }, requester);
const dropCodes = (userId: string) =>
  storage().replaceRecoveryCodes(userId, [], service.clock.now(), anEventOf(userId));
const security = async (person: Person) => (await person.visit(securityPath)).text();
const hasPassword = async ({ id }: { id: string }) => (await storage().findUser(id))?.passwordHash !== '';

/** Sends the form even where the page doesn't have it. */
async function sendRemoval(person: Person): Promise<Response> {
  const { fields } = await formIn(await person.visit('/account/profile'), '/account/profile');
  return post(person, removePath, { form_token: fields.form_token ?? '' });
}

describe('the button', () => {
  test('isn’t there for somebody with a password alone, or with an authenticator app', async () => {
    const user = await service.newUser();
    const person = await signedIn(service, user);
    assert.equal(readForm(await security(person), removePath), undefined);
    assert.match((await sendRemoval(person)).headers.get('location') ?? '', /done=not-possible/);
    assert.ok(await hasPassword(user));
    const owner = await newOwner(service);
    assert.equal(readForm(await security(owner.person), removePath), undefined);
    await sendRemoval(owner.person);
    assert.ok(await hasPassword(owner.user));
  });

  test('takes a passkey and recovery codes, or two passkeys', async () => {
    const { user, person } = await newHolder(service);
    assert.ok(readForm(await security(person), removePath));
    await dropCodes(user.id);
    const page = await security(person);
    assert.equal(readForm(page, removePath), undefined);
    assert.match(page, /To remove your password, add a passkey first/);
    assert.match((await sendRemoval(person)).headers.get('location') ?? '', /done=not-possible/);
    assert.ok(await hasPassword(user));
    await register(person, new SoftwareAuthenticator(service.url));
    await dropCodes(user.id);
    assert.ok(readForm(await security(person), removePath));
    assert.match((await sendRemoval(person)).headers.get('location') ?? '', /done=password-removed/);
    assert.equal(await hasPassword(user), false);
  });
});

test('removing it ends other sessions, is recorded and told, and the password no longer works', async () => {
  const { user, person, device } = await newHolder(service);
  const other = (await signInWithPasskey(service, device)).person;
  const before = person.cookies.get('latchkey_session');
  assert.match((await sendRemoval(person)).headers.get('location') ?? '', /done=password-removed/);
  assert.ok(await isSignedIn(person));
  assert.notEqual(person.cookies.get('latchkey_session'), before);
  assert.equal(await isSignedIn(other), false);
  assert.equal(await statusOfSignIn(service, user.email, user.password), 400);
  assert.ok((await eventsOf(service, user)).some(({ kind }) => kind === 'password_removed'));
  const mails = await mailsTo(service, user.email);
  assert.ok(mails.some(({ subject }) => subject.startsWith('Your password was removed')));
  assert.ok(await isSignedIn((await signInWithPasskey(service, device)).person));
});

test('it takes recent proof, which a passkey gives', async () => {
  const holder: Holder = await newHolder(service);
  service.clock.advance(16 * MINUTE);
  const form = await proofAsked(await sendRemoval(holder.person));
  const done = await holder.person.submit(form, await passkeyProof(holder, form));
  assert.match(await done.text(), /Password removed/);
  assert.equal(await hasPassword(holder.user), false);
});

test('a password can be set again, with proof by the passkey', async () => {
  const holder = await newHolder(service);
  await sendRemoval(holder.person);
  service.clock.advance(16 * MINUTE);
  const form = await formIn(await holder.person.visit(securityPath), '/account/password');
  const asked = await proofAsked(await holder.person.submit(form, { new_password: newPassword }));
  // Nobody is asked for a password that there isn't.
  assert.deepEqual(Object.keys(asked.fields).includes('password'), false);
  await holder.person.submit(asked, await passkeyProof(holder, asked));
  assert.ok(await hasPassword(holder.user));
  const step = await new Person(service).signIn({ ...holder.user, password: newPassword });
  assert.ok(readForm(await step.text(), '/sign-in/second-step'));
});

describe('the last way in', () => {
  test('stays: the last passkey can’t be removed afterwards', async () => {
    const { user, person, device } = await newHolder(service);
    await sendRemoval(person);
    const page = await security(person);
    assert.equal(readForm(page, '/account/passkeys/remove'), undefined);
    assert.match(page, /This is your only way to sign in/);
    const { fields } = await formIn(await person.visit('/account/profile'), '/account/profile');
    const refused = await post(person, '/account/passkeys/remove', {
      form_token: fields.form_token ?? '',
      remove: device.id,
    });
    assert.equal(refused.status, 409);
    assert.equal((await passkeysOf(service, user)).length, 1);
  });

  test('stays, however the password and the last passkey are removed at once', async () => {
    for (let round = 0; round < 8; round++) {
      const { user, person, device } = await newHolder(service);
      const { fields } = await formIn(await person.visit('/account/profile'), '/account/profile');
      const form_token = fields.form_token ?? '';
      const removals = [
        () => post(person, removePath, { form_token }),
        () => post(person, '/account/passkeys/remove', { form_token, remove: device.id }),
      ];
      if (round % 2 === 1) removals.reverse();
      await Promise.all(removals.map((remove) => remove()));
      const left = [await hasPassword(user), (await passkeysOf(service, user)).length];
      assert.ok(left[0] === true || left[1] === 1, String(left));
    }
  });

  test('a password that no longer signs in is none: the passkey beside it stays', async () => {
    const { user, person, device } = await newHolder(service);
    await setPasswords(service, 'off', today(service));
    try {
      service.clock.advance(2 * DAY);
      const again = (await signInWithPasskey(service, device)).person;
      const page = await security(again);
      assert.equal(readForm(page, '/account/passkeys/remove'), undefined);
      const { fields } = await formIn(await again.visit('/account/profile'), '/account/profile');
      const refused = await post(again, '/account/passkeys/remove', {
        form_token: fields.form_token ?? '',
        remove: device.id,
      });
      assert.equal(refused.status, 409);
      assert.equal((await passkeysOf(service, user)).length, 1);
      assert.equal(await isSignedIn(person), false);
    } finally {
      await setPasswords(service, 'allowed');
    }
  });

  test('a passkey that a reset suspends signs nobody in, even at that very moment', async () => {
    const { user, device } = await newPasskeyPerson(service);
    const { services } = service.running;
    const found = await services.storage.findPasskey(device.id);
    assert.ok(found);
    // What a sign-in would write that was checked before the passkey was suspended.
    const now = service.clock.now();
    const session = {
      digest: digestOf('x'),
      userId: user.id,
      userGeneration: 0,
      createdAt: now,
      lastSeenAt: now,
      authTime: now,
      provenAt: now,
      amr: ['pop', 'user', 'mfa'],
      answered: null,
      device: null,
      address: '',
      kept: false,
      trusted: false,
      id: 'x',
    };
    const condition = { kind: 'passkey', id: device.id } as const;
    const start = { session, sessionGeneration: found.user.sessionGeneration, condition };
    await services.storage.removeSecondFactors(user.id, anEventOf(user.id));
    assert.equal(await services.storage.startSession(start), false);
    assert.equal(await services.storage.startSession({ ...start, condition: undefined }), true);
  });
});

describe('where passwords are off', () => {
  let user: TestUser;
  before(async () => {
    user = await service.newUser();
    await setPasswords(service, 'off');
  });
  after(() => setPasswords(service, 'allowed'));

  test('Security has no form for a password, and refuses one', async () => {
    const person = await signedIn(service, user);
    const page = await security(person);
    assert.equal(readForm(page, '/account/password'), undefined);
    const { fields } = await formIn(await person.visit('/account/profile'), '/account/profile');
    const refused = await post(person, '/account/password', {
      form_token: fields.form_token ?? '',
      new_password: newPassword,
    });
    assert.equal(refused.status, 400);
    assert.equal(await statusOfSignIn(service, user.email, user.password), 200);
  });

  test('somebody without a password isn’t offered one', async () => {
    const { person } = await newPasskeyPerson(service);
    assert.match(await security(person), /Passwords aren&#39;t used here/);
  });
});
