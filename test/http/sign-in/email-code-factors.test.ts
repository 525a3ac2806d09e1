// A code by email is one factor: what applications learn of it, what comes after it, and what it doesn't prove.

import assert from 'node:assert/strict';
import { before, beforeEach, describe, test } from 'node:test';
import { changeSettings } from '../../../src/operations/settings/change-settings.ts';
import { setPassword } from '../../../src/operations/users/user-recovery.ts';
import {
  askForCode,
  codesTo,
  enter,
  newestCode,
  newMailboxOwner,
  setPolicy,
  signInWithCode,
} from '../../harness/email-codes.ts';
import { challengeFor, newHolder } from '../../harness/passkeys.ts';
import { type Form, formIn, Person, readForm } from '../../harness/person.ts';
import { proofAsked } from '../../harness/proof.ts';
import { authorizePath, newVerifier } from '../../harness/relying-party.ts';
import {
  alignToStep,
  codeOf,
  exchangedIdToken,
  isSignedIn,
  keyOn,
  lastEventOf,
  newOwner,
  type Owner,
  tryCode,
  turnOn,
} from '../../harness/second-factors.ts';
import { requester, type TestUser } from '../../harness/service.ts';
import { withoutAddress } from '../../harness/sign-up.ts';
import { linkFor, mailsTo } from '../../harness/store.ts';
import { serviceOfSuite } from '../../harness/suite.ts';

const MINUTE = 60;
const service = serviceOfSuite();
before(async () => {
  alignToStep(service);
});
beforeEach(async () => {
  service.clock.advance(30 * MINUTE);
  await setPolicy(service, { email_codes: 'everyone', second_factor: 'optional' });
});

/** The claims after a sign-in for an application; `prove` does the second step, if there is one. */
async function idToken(
  { email }: TestUser,
  prove: (step: { person: Person; form: Form }) => Promise<Response> = () => assert.fail('a second step'),
  changes: Record<string, string> = {},
  person = new Person(service),
): Promise<Record<string, unknown>> {
  const client = await service.newClient();
  const verifier = newVerifier();
  const path = authorizePath(client, verifier, changes);
  let { response } = await signInWithCode(service, email, person, { path });
  const form = readForm(await response.clone().text(), '/sign-in/second-step');
  if (form !== undefined) response = await prove({ person, form });
  if (response.status === 200) {
    response = await person.submit(await formIn(response, '/oauth-authorize/decision'), { decision: 'approve' });
  }
  return exchangedIdToken(service, client, response, verifier);
}

const byCode = (owner: Owner) => async (step: { person: Person; form: Form }) =>
  step.person.submit(step.form, { code: codeOf(service, owner) });

describe('applications learn', () => {
  test('otp and acr 1 of a code alone', async () => {
    const { amr, acr, auth_time } = await idToken(await service.newUser());
    assert.deepEqual([amr, acr], [['otp'], '1']);
    assert.equal(auth_time, Math.floor(service.clock.now() / 1000));
  });

  test('otp mfa and acr 2 with an authenticator app or a recovery code', async () => {
    const owner = await newOwner(service);
    const { amr, acr } = await idToken(owner.user, byCode(owner));
    assert.deepEqual([amr, acr], [['otp', 'mfa'], '2']);
    assert.equal((await lastSignIn(owner.user))?.method, 'email_code_and_code');
    const byRecovery = await idToken(owner.user, (step) => tryCode(step, owner.recoveryCodes[0] ?? ''));
    assert.deepEqual([byRecovery.amr, byRecovery.acr], [['otp', 'mfa'], '2']);
    assert.equal((await lastSignIn(owner.user))?.method, 'email_code_and_recovery_code');
  });

  test('otp pop mfa and acr 2 with a passkey', async () => {
    const { user, device } = await newHolder(service);
    const { amr, acr } = await idToken(user, async ({ person, form }) => {
      const challenge = await challengeFor(person, form);
      return person.submit(form, { answer: device.get(challenge), challenge: challenge.challenge });
    });
    assert.deepEqual([amr, acr], [['otp', 'pop', 'mfa'], '2']);
    assert.equal((await lastSignIn(user))?.method, 'email_code_and_passkey');
  });

  for (const changes of [{ prompt: 'login' }, { max_age: '0' }]) {
    test(`of a fresh sign-in, where they ask for one: ${JSON.stringify(changes)}`, async () => {
      const user = await service.newUser();
      const { person } = await signInWithCode(service, user.email);
      service.clock.advance(20 * MINUTE);
      const { auth_time } = await idToken(user, undefined, changes, person);
      assert.equal(auth_time, Math.floor(service.clock.now() / 1000));
    });
  }

  async function lastSignIn({ id }: TestUser) {
    return (await service.events('signed_in')).filter(({ userId }) => userId === id).at(-1)?.detail;
  }
});

describe('with a second factor', () => {
  test('everyone gets a code and is asked for the factor next; the code is used up', async () => {
    const owner = await newOwner(service);
    const asked = await askForCode(service, owner.user.email);
    const code = await newestCode(service, owner.user.email);
    const step = await enter(asked, code);
    const form = await formIn(step, '/sign-in/second-step');
    assert.equal(asked.person.cookies.has('latchkey_session'), false);
    assert.equal((await lastEventOf(service, owner.user))?.kind, 'second_step_asked');
    assert.equal((await enter(asked, code)).status, 400);
    await asked.person.submit(form, { code: codeOf(service, owner) });
    assert.ok(await isSignedIn(asked.person));
  });

  test('a trusted browser is asked for it all the same, and none becomes trusted', async () => {
    const owner = await newOwner(service);
    const person = new Person(service);
    await person.signIn(owner.user);
    const first = await formIn(await person.signIn(owner.user), '/sign-in/second-step');
    await person.submit(first, { code: codeOf(service, owner), trust: 'yes' });
    person.cookies.delete('latchkey_session');
    service.clock.advance(30);
    await person.signIn(owner.user);
    assert.ok(await isSignedIn(person), 'trusted after a password');
    person.cookies.delete('latchkey_session');
    const { response } = await signInWithCode(service, owner.user.email, person);
    assert.ok(readForm(await response.text(), '/sign-in/second-step'));

    const other = await signInWithCode(service, owner.user.email);
    const page = await other.response.text();
    assert.doesNotMatch(page, /name="trust"/);
    const form = readForm(page, '/sign-in/second-step');
    assert.ok(form);
    service.clock.advance(30);
    await other.person.submit(form, { code: codeOf(service, owner), trust: 'yes' });
    assert.ok(await isSignedIn(other.person));
    other.person.cookies.delete('latchkey_session');
    assert.equal((await other.person.signIn(owner.user)).status, 200);
    assert.equal(other.person.cookies.has('latchkey_session'), false);
  });

  test('without_second_factor sends an email that says to use the password or a passkey; the page is the same', async () => {
    await setPolicy(service, { email_codes: 'without_second_factor' });
    const [owner, plain] = [await newOwner(service), await service.newUser()];
    const pages = [];
    for (const { email } of [owner.user, plain]) {
      const { page } = await askForCode(service, email);
      pages.push(withoutAddress(page, email).replaceAll(/value="[^"]*"/g, ''));
    }
    assert.equal(pages[0], pages[1]);
    const [mail] = await mailsTo(service, owner.user.email);
    assert.match(mail?.subject ?? '', /^Sign in with your password or passkey/);
    assert.match(mail?.text ?? '', /you need your password or a passkey to sign in/);
    assert.deepEqual(await codesTo(service, owner.user.email), []);
    assert.equal((await codesTo(service, plain.email)).length, 1);
  });

  test('without_second_factor: a code from before the factor was set up is refused', async () => {
    await setPolicy(service, { email_codes: 'without_second_factor' });
    const user = await service.newUser();
    const asked = await askForCode(service, user.email);
    const code = await newestCode(service, user.email);
    const elsewhere = new Person(service);
    await elsewhere.signIn(user);
    await turnOn(service, elsewhere);
    assert.equal((await enter(asked, code)).status, 400);
  });

  for (const [what, change] of [
    ['the policy excludes them', () => setPolicy(service, { email_codes: 'without_second_factor' })],
    ['codes are turned off', () => setPolicy(service, { email_codes: 'off' })],
    [
      'the password is changed',
      ({ user: { id } }: Owner) => setPassword(service.running.services, { id }, 'a new phrase of mine', requester),
    ],
    [
      'the email address is changed',
      async ({ user: { id, record } }: Owner) => {
        const { storage, clock, journal } = service.running.services;
        const event = journal.event({ kind: 'user_edited', userId: id }, requester);
        const { name, givenName, familyName, email } = record;
        const basis = { name, givenName, familyName, email };
        const changed = { ...basis, email: `moved-${id}@example.test` };
        assert.ok(await storage.editUser(id, basis, changed, clock.now(), event));
      },
    ],
  ] as const) {
    test(`the second step after a code ends when ${what}`, async () => {
      const owner = await newOwner(service);
      const { person, response } = await signInWithCode(service, owner.user.email);
      const form = await formIn(response, '/sign-in/second-step');
      await change(owner);
      assert.equal((await person.submit(form, { code: codeOf(service, owner) })).status, 403);
      assert.equal(person.cookies.has('latchkey_session'), false);
    });
  }
});

describe('where a second factor is needed', () => {
  /** Where a session that lacks one ends up. */
  async function verifyPage(user: TestUser) {
    const { person, response } = await signInWithCode(service, user.email);
    const page = await response.text();
    return { person, page, form: readForm(page, '/sign-in/verify/set-up') };
  }

  test('somebody with a password sets it up with their password, not with the code', async () => {
    await setPolicy(service, { second_factor: 'everyone' });
    const user = await service.newUser();
    const { person, page, form } = await verifyPage(user);
    assert.ok(form, page);
    assert.match(page, /name="current_password"/);
    const { secret } = keyOn(page);
    const code = codeOf(service, { secret });
    assert.equal((await person.submit(form, { code })).status, 400);
    assert.equal((await person.submit(form, { code, current_password: 'a guess at it' })).status, 400);
    assert.deepEqual(
      (await service.rows('authenticators')).filter((row) => row.user_id === user.id),
      [],
    );
    assert.notEqual((await person.request('/account/profile')).status, 200, 'the session is good for nothing else');
    const done = await person.submit(form, { code, current_password: user.password });
    assert.equal(done.status, 200);
    assert.equal((await person.request('/account')).status, 200);
    const [session] = (await service.rows('sessions')).filter((row) => row.user_id === user.id);
    assert.equal(session?.amr, 'otp mfa');
  });

  test('somebody who has nothing but their mailbox sets it up on the way in', async () => {
    await setPolicy(service, { second_factor: 'everyone' });
    const user = await newMailboxOwner(service);
    const { person, response } = await signInWithCode(service, user.email);
    const page = await response.text();
    const form = readForm(page, '/sign-in/set-up');
    assert.ok(form, page);
    assert.doesNotMatch(page, /type="password"/);
    assert.equal(person.cookies.has('latchkey_session'), false);
    await person.submit(form, { code: codeOf(service, keyOn(page)) });
    assert.equal((await person.request('/account')).status, 200);
  });

  test('an application that needs it gets nothing of a session without', async () => {
    const user = await service.newUser();
    const client = await service.newClient({ secondFactor: 'required' });
    const path = authorizePath(client, newVerifier());
    const { person, response } = await signInWithCode(service, user.email, new Person(service), { path });
    assert.match(await response.text(), /name="current_password"/);
    const silent = await person.request(`${path}&prompt=none`);
    assert.match(silent.headers.get('location') ?? '', /error=login_required/);
  });
});

describe('powerful changes', () => {
  const change = async (person: Person) =>
    person.submit(await formIn(await person.visit('/account/email'), '/account/email'), { email: 'new@example.test' });

  test('ask somebody with a password for it, who has come with a code', async () => {
    const user = await service.newUser();
    const { person } = await signInWithCode(service, user.email);
    const form = await proofAsked(await change(person));
    assert.equal((await person.submit(form, { send_code: 'yes' })).status, 200);
    assert.equal((await codesTo(service, user.email)).length, 1, 'no code is sent for it');
    const done = await person.submit(form, { password: user.password });
    assert.match(await done.text(), /new@example\.test/);
  });

  test('ask somebody with an authenticator app for the password as well, whatever they came with', async () => {
    const owner = await newOwner(service);
    const { person, response } = await signInWithCode(service, owner.user.email);
    await person.submit(await formIn(response, '/sign-in/second-step'), { code: codeOf(service, owner) });
    await proofAsked(await change(person));
  });

  test("offer a new password to somebody who has forgotten theirs, and don't take a code for it", async () => {
    const client = await service.newClient({ secondFactor: 'required' });
    const path = authorizePath(client, newVerifier());
    const cases = [
      { asks: change, reaches: /<h1>Your apps<\/h1>/ },
      { asks: (person: Person) => person.visit(path), reaches: /verification to continue to Test app/ },
    ];
    for (const { asks, reaches } of cases) {
      const user = await service.newUser();
      const { person } = await signInWithCode(service, user.email);
      const page = await (await asks(person)).text();
      assert.match(
        page,
        /<button class="link" type="submit" form="forgotten-password">Forgot your password\?<\/button>/,
      );
      const start = await person.submit(await formIn(new Response(page), '/reset-password/start'), {});
      const form = await start.text();
      assert.ok(form.includes(`value="${user.email}"`), 'the address is filled in');
      const sent = await formIn(new Response(form), '/reset-password');
      await person.submit(sent, { email: user.email });
      const link = await linkFor(service, user.email);
      const password = 'one that is remembered';
      const done = await person.submit(await formIn(await person.visit(link), '/reset-password/finish'), { password });
      assert.equal(await isSignedIn(person), false);
      const href = /class="button primary" href="([^"]+)"/.exec(await done.text())?.[1]?.replaceAll('&amp;', '&');
      const back = await formIn(await person.visit(href ?? ''), '/sign-in');
      const after = await person.submit(back, { email: user.email, password });
      assert.match(await after.text(), reaches);
    }
  });

  test("don't ask somebody who has proved a passkey", async () => {
    const { user, device } = await newHolder(service);
    const { person, response } = await signInWithCode(service, user.email);
    const form = await formIn(response, '/sign-in/second-step');
    const challenge = await challengeFor(person, form);
    await person.submit(form, { answer: device.get(challenge), challenge: challenge.challenge });
    assert.doesNotMatch(await (await change(person)).text(), /Confirm it&#39;s you/);
  });

  test("don't ask somebody whose password no longer signs in, and who has nothing else", async () => {
    const user = await service.newUser();
    const { services } = service.running;
    const over = { passwords: 'off', passwords_until: '2020-01-01' };
    assert.equal((await changeSettings(services, over, requester)).kind, 'done');
    try {
      const { person } = await signInWithCode(service, user.email);
      assert.match(await (await change(person)).text(), /new@example\.test/);
    } finally {
      await changeSettings(services, { passwords: 'allowed', passwords_until: '' }, requester);
    }
  });

  test("don't ask somebody who has nothing but their mailbox and has just come with a code", async () => {
    const user = await newMailboxOwner(service);
    const { person } = await signInWithCode(service, user.email);
    assert.match(await (await change(person)).text(), /new@example\.test/);
  });
});
