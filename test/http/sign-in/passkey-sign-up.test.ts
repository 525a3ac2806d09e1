// Creating an account with a passkey instead of a password.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { inviteUser } from '../../../src/operations/users/invitations.ts';
import { makeSetUpLink } from '../../../src/operations/users/set-up-link.ts';
import { newHolder, passkeyForm } from '../../harness/passkeys.ts';
import {
  askForChallenge,
  challengeOf,
  createPasskey,
  formOfLink,
  newPasskeyPerson,
  resetForm,
  sendPasskey,
  setPasswords,
  signInWithPasskey,
  signUpForm,
} from '../../harness/passwordless.ts';
import { formIn, Person, readForm } from '../../harness/person.ts';
import { authorizePath, newVerifier } from '../../harness/relying-party.ts';
import { eventsOf, exchangedIdToken, isSignedIn, post, recoveryCodesOn } from '../../harness/second-factors.ts';
import { requester, startTestService, type TestUser } from '../../harness/service.ts';
import { askToSignUp, name, newAddress, password, statusOfSignIn, usersWith } from '../../harness/sign-up.ts';
import { type Challenge, flag, type Lies, SoftwareAuthenticator } from '../../harness/software-authenticator.ts';
import { linkFor } from '../../harness/store.ts';
import { serviceOfSuite } from '../../harness/suite.ts';

const MINUTE = 60;

const service = serviceOfSuite({ LATCHKEY_SIGN_UP: 'open' });
beforeEach(() => service.clock.advance(16 * MINUTE));

const newDevice = () => new SoftwareAuthenticator(service.url);

test('the page offers a passkey first, and a password second', async () => {
  const email = newAddress();
  await askToSignUp(service, email);
  const page = await (await new Person(service).visit(await linkFor(service, email))).text();
  const [passkey, typed] = [page.indexOf('data-create-passkey'), page.indexOf('type="password"')];
  assert.ok(passkey > 0 && passkey < typed, page);
  // The script reveals it: without one, a password is chosen.
  assert.match(page, /<div class="passkey-choice" hidden>/);
});

test('an account made with a passkey has no password, recovery codes, and a session with two factors', async () => {
  const { user, page, person, device } = await newPasskeyPerson(service);
  assert.equal(user.passwordHash, '');
  assert.notEqual(user.emailVerifiedAt, null);
  const codes = recoveryCodesOn(page);
  assert.equal(codes.length, 10);
  assert.ok(await isSignedIn(person));
  const [session] = await service.running.services.storage.listSessions(user.id, 0);
  assert.deepEqual(session?.amr, ['pop', 'user', 'mfa']);
  const facts = await service.running.services.storage.findSignInFacts(user.id, undefined);
  assert.deepEqual([facts.passkeys.length, facts.recoveryCodes], [1, 10]);
  const kinds = (await eventsOf(service, user as unknown as TestUser)).map(({ kind }) => kind);
  assert.deepEqual(kinds.toSorted(), ['passkey_added', 'signed_in', 'signed_up']);
  const again = await signInWithPasskey(service, device);
  assert.ok(await isSignedIn(again.person));
  assert.equal(await statusOfSignIn(service, user.email, ''), 400);
});

test('the passkey keeps the ID of the account', async () => {
  const opened = await signUpForm(service);
  const challenge = await challengeOf(opened);
  const device = newDevice();
  assert.equal((await sendPasskey(opened, device.create(challenge), challenge)).status, 200);
  const [row] = await usersWith(service, opened.email);
  assert.deepEqual(challenge.options.user, {
    id: Buffer.from(String(row?.id)).toString('base64url'),
    name: opened.email,
    displayName: name,
  });
});

test('on the way to an application, it gets what a passkey says', async () => {
  const client = await service.newClient();
  const email = newAddress();
  const person = new Person(service);
  const verifier = newVerifier();
  const page = await (await person.visit(authorizePath(client, verifier, {}))).text();
  const start = readForm(page, '/sign-in');
  assert.ok(start);
  const asked = await formIn(await person.submit({ ...start, action: '/sign-up/start' }, {}), '/sign-up');
  await person.submit(asked, { email });
  await service.running.services.emailQueue.answerRequests();
  const opened = await formOfLink(service, email, await linkFor(service, email));
  const saved = await (await createPasskey(opened, newDevice())).text();
  const onward = /<a class="button primary" href="([^"]+)"/.exec(saved)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const consent = await formIn(await opened.person.visit(onward), '/oauth-authorize/decision');
  const response = await opened.person.submit(consent, { decision: 'approve' });
  const claims = await exchangedIdToken(service, client, response, verifier);
  assert.deepEqual([claims.amr, claims.acr], [['pop', 'user', 'mfa'], '2']);
});

test('an invitation and the set-up link offer it, too', async () => {
  const { services } = service.running;
  const email = newAddress();
  await inviteUser(services, { email, name: 'Ada' }, requester);
  const invited = await formOfLink(service, email, await linkFor(service, email));
  assert.equal(invited.form.action, '/invitation');
  assert.equal((await createPasskey(invited, newDevice())).status, 200);
  const own = await startTestService();
  try {
    const made = await makeSetUpLink(own.running.services, requester);
    assert.ok(made.kind === 'done');
    const first = await formOfLink(own, 'first@example.test', made.url.replace(own.url, ''));
    const values = { email: 'first@example.test' };
    assert.equal((await createPasskey(first, new SoftwareAuthenticator(own.url), values)).status, 200);
    const user = await own.running.services.storage.findUserByEmail(values.email);
    assert.deepEqual([user?.passwordHash, user?.adminSince !== null], ['', true]);
  } finally {
    await own.stop();
  }
});

describe('what is refused', () => {
  const lies: Record<string, Lies> = {
    'of another site': { origin: 'https://evil.example' },
    'to another challenge': { challenge: 'AAAA' },
    'without verification of the person': { flags: flag.present | flag.attested },
  };
  for (const [what, lie] of Object.entries(lies)) {
    test(`an answer ${what} creates no account, and the link still works`, async () => {
      const opened = await signUpForm(service);
      const response = await createPasskey(opened, newDevice(), {}, lie);
      assert.equal(response.status, 400);
      assert.match(await response.text(), /Couldn&#39;t create the passkey/);
      assert.deepEqual(await usersWith(service, opened.email), []);
      assert.equal((await createPasskey(opened, newDevice())).status, 200);
    });
  }

  test('a name that isn’t one is said before there is a passkey', async () => {
    const response = await askForChallenge(await signUpForm(service), { name: ' ' });
    assert.equal(response.status, 400);
    assert.deepEqual(await response.json(), { problem: 'Enter a name of 1 to 100 characters.' });
  });

  test('a link that doesn’t work gets no challenge', async () => {
    const opened = await signUpForm(service);
    const other = { ...opened, form: { ...opened.form, fields: { link: 'x' } } };
    assert.equal((await askForChallenge(other)).status, 400);
    // Nor does one of another kind.
    const recovering = await resetForm(service, (await service.newUser()).email);
    const swapped = { ...opened, form: { ...opened.form, fields: recovering.form.fields } };
    assert.equal((await askForChallenge(swapped)).status, 400);
  });

  test('a challenge is for its browser, its link and its purpose, and is answered once', async () => {
    const opened = await signUpForm(service);
    const device = newDevice();
    const challenge = await challengeOf(opened);
    const answer = device.create(challenge);
    // Another browser with the same link.
    const elsewhere = { ...opened, person: new Person(service) };
    assert.equal((await sendPasskey(elsewhere, answer, challenge)).status, 400);
    // The same browser with another link.
    const other = await signUpForm(service);
    assert.equal((await sendPasskey({ ...other, person: opened.person }, answer, challenge)).status, 400);
    assert.deepEqual(await usersWith(service, other.email), []);
    // A reset in the same browser.
    const recovering = await resetForm(service, (await service.newUser()).email);
    assert.equal((await sendPasskey({ ...recovering, person: opened.person }, answer, challenge)).status, 400);
    assert.equal((await sendPasskey(opened, answer, challenge)).status, 200);
    const next = await signUpForm(service);
    assert.equal((await sendPasskey({ ...next, person: opened.person }, answer, challenge)).status, 400);
  });

  test('a challenge of a session registers nothing here, and the other way round', async () => {
    const holder = await newHolder(service);
    const form = await passkeyForm(holder.person);
    const inSession = (await (await post(holder.person, '/account/passkeys/options', form.fields)).json()) as Challenge;
    const opened = { ...(await signUpForm(service)), person: holder.person };
    assert.equal((await sendPasskey(opened, newDevice().create(inSession), inSession)).status, 400);
    const challenge = await challengeOf(opened);
    const fields = { answer: newDevice().create(challenge), challenge: challenge.challenge };
    await post(holder.person, form.action, { ...form.fields, ...fields });
    const facts = await service.running.services.storage.findSignInFacts(holder.user.id, undefined);
    assert.equal(facts.passkeys.length, 1);
  });

  test('a passkey of somebody else creates no account, and the link still works', async () => {
    const { device, user } = await newHolder(service);
    const opened = await signUpForm(service);
    assert.equal((await createPasskey(opened, device)).status, 400);
    assert.deepEqual(await usersWith(service, opened.email), []);
    const again = await signInWithPasskey(service, device);
    assert.match(await (await again.person.visit('/account/profile')).text(), new RegExp(user.email));
    assert.equal((await createPasskey(opened, newDevice())).status, 200);
  });

  test('of a password and a passkey that are sent at once with one link, one makes the account', async () => {
    for (let round = 0; round < 5; round++) {
      const opened = await signUpForm(service);
      const challenge = await challengeOf(opened);
      const device = newDevice();
      const statuses = await Promise.all([
        sendPasskey(opened, device.create(challenge), challenge).then(({ status }) => status),
        new Person(service).submit(opened.form, { name, password }).then(({ status }) => status),
      ]);
      assert.deepEqual(statuses.filter((status) => status === 200).length, 1, String(statuses));
      const [row, ...more] = await usersWith(service, opened.email);
      assert.deepEqual(more, []);
      const facts = await service.running.services.storage.findSignInFacts(String(row?.id), undefined);
      assert.equal(facts.passkeys.length, row?.password_hash === '' ? 1 : 0);
      service.clock.advance(16 * MINUTE);
    }
  });
});

describe('where passwords are off', () => {
  before(() => setPasswords(service, 'off'));
  after(() => setPasswords(service, 'allowed'));

  test('the form has no password, and refuses one', async () => {
    const opened = await signUpForm(service);
    const page = await (await opened.person.visit(`${opened.form.action}?link=${opened.form.fields.link}`)).text();
    assert.doesNotMatch(page, /type="password"/);
    assert.match(page, /<noscript>.*Passkeys need JavaScript/s);
    const response = await opened.person.submit(opened.form, { name, password });
    assert.equal(response.status, 400);
    assert.match(await response.text(), /Passwords can&#39;t be used here/);
    assert.deepEqual(await usersWith(service, opened.email), []);
    assert.equal((await createPasskey(opened, newDevice())).status, 200);
  });

  test('a form from before is refused as well', async () => {
    await setPasswords(service, 'allowed');
    const opened = await signUpForm(service);
    await setPasswords(service, 'off');
    assert.equal((await opened.person.submit(opened.form, { name, password })).status, 400);
    assert.deepEqual(await usersWith(service, opened.email), []);
  });

  test('not_for_administrators is about the set-up link alone', async () => {
    const own = await startTestService({ LATCHKEY_SIGN_UP: 'open' });
    try {
      await setPasswords(own, 'not_for_administrators');
      const signingUp = await signUpForm(own);
      assert.equal((await signingUp.person.submit(signingUp.form, { name, password })).status, 200);
      const made = await makeSetUpLink(own.running.services, requester);
      assert.ok(made.kind === 'done');
      const first = await formOfLink(own, '', made.url.replace(own.url, ''));
      const refused = await first.person.submit(first.form, { email: 'first@example.test', name, password });
      assert.equal(refused.status, 400);
      const values = { email: 'first@example.test' };
      assert.equal((await createPasskey(first, new SoftwareAuthenticator(own.url), values)).status, 200);
    } finally {
      await own.stop();
    }
  });
});
