// Signing in with a password where nobody should have one any more, until the day on which it ends and after it.

import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { makeAdministrator } from '../../../src/operations/users/disable-user.ts';
import { signedIn } from '../../harness/account.ts';
import { Api, newKey } from '../../harness/api.ts';
import { visit } from '../../harness/console.ts';
import { challengeFor, newHolder } from '../../harness/passkeys.ts';
import { resetForm, setPasswords, signInWithPasskey, today } from '../../harness/passwordless.ts';
import { type Form, formIn, Person } from '../../harness/person.ts';
import { setPolicy } from '../../harness/policy.ts';
import { proofAsked } from '../../harness/proof.ts';
import { authorizePath, newVerifier } from '../../harness/relying-party.ts';
import {
  alignToStep,
  codeOf,
  isSignedIn,
  newOwner,
  post,
  reachSecondStep,
  recoveryCodesOn,
  tryCode,
} from '../../harness/second-factors.ts';
import { requester, startTestService, type TestUser } from '../../harness/service.ts';
import { statusOfSignIn, traitsOf } from '../../harness/sign-up.ts';
import { SoftwareAuthenticator } from '../../harness/software-authenticator.ts';
import { serviceOfSuite } from '../../harness/suite.ts';

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;
const askPath = '/account/passkey';

const service = serviceOfSuite();
beforeEach(async () => {
  service.clock.advance(60 * MINUTE);
  alignToStep(service);
  await setPasswords(service, 'allowed');
});

async function signInForm(person: Person): Promise<Form> {
  return formIn(await person.visit('/sign-in'), '/sign-in');
}

/** Where a sign-in leads to first. */
async function locationAfter(user: TestUser, person = new Person(service)): Promise<string> {
  const form = await signInForm(person);
  const fields = { ...form.fields, email: user.email, password: user.password };
  return (await post(person, '/sign-in', fields)).headers.get('location') ?? '';
}

describe('until the day', () => {
  test('a sign-in asks for a passkey, names the day, and goes on with "Not now"', async () => {
    const user = await service.newUser();
    assert.equal(await locationAfter(user), '/account');
    await setPasswords(service, 'off', '2099-12-31');
    const person = new Person(service);
    const location = await locationAfter(user, person);
    assert.equal(location, `${askPath}?to=%2Faccount`);
    const page = await (await person.request(location)).text();
    assert.match(page, /<h1>Create a passkey<\/h1>/);
    assert.match(page, /Your password works until <time [^>]*>31 December 2099 UTC<\/time>\./);
    assert.match(page, /<a [^>]*href="\/account"[^>]*>Not now<\/a>/);
    assert.ok(await isSignedIn(person));
  });

  test('without a day, none is named', async () => {
    const user = await service.newUser();
    await setPasswords(service, 'off');
    service.clock.advance(3650 * DAY);
    const page = await (await new Person(service).signIn(user)).text();
    assert.match(page, /<h1>Create a passkey<\/h1>/);
    assert.doesNotMatch(page, /Your password works until/);
  });

  test('the passkey is created right there, with recovery codes, and the way goes on', async () => {
    const user = await service.newUser();
    await setPasswords(service, 'off', '2099-12-31');
    const person = new Person(service);
    const client = await service.newClient();
    const path = authorizePath(client, newVerifier());
    const form = await formIn(await person.visit(path), '/sign-in');
    const asked = await formIn(await person.submit(form, { email: user.email, password: user.password }), askPath);
    assert.equal(asked.fields.to, path);
    const challenge = await challengeFor(person, { ...asked, action: '/account/passkeys' });
    const device = new SoftwareAuthenticator(service.url);
    const fields = { answer: device.create(challenge), challenge: challenge.challenge };
    const saved = await (await person.submit(asked, fields)).text();
    assert.equal(recoveryCodesOn(saved).length, 10);
    assert.ok(saved.includes(`href="${path.replaceAll('&', '&amp;')}"`), saved);
    // Who has a passkey isn't asked again, whichever way they come.
    assert.equal((await signInWithPasskey(service, device)).response.status, 200);
    const again = await reachSecondStep(service, user);
    const [code = ''] = recoveryCodesOn(saved);
    assert.match(await (await tryCode(again, code)).text(), /Your apps/);
  });

  test('the second step comes before the question', async () => {
    const owner = await newOwner(service);
    await setPasswords(service, 'off', '2099-12-31');
    const { person, form } = await reachSecondStep(service, owner.user);
    const page = await (await person.submit(form, { code: codeOf(service, owner) })).text();
    assert.match(page, /<h1>Create a passkey<\/h1>/);
  });

  test('not_for_administrators asks administrators alone, from when they are one', async () => {
    const [user, admin] = [await service.newUser(), await service.newUser({ admin: true })];
    await setPasswords(service, 'not_for_administrators', '2099-12-31');
    assert.equal(await locationAfter(user), '/account');
    assert.match(await locationAfter(admin), /^\/account\/passkey/);
    await makeAdministrator(service.running.services, { id: user.id }, requester);
    assert.match(await locationAfter(user), /^\/account\/passkey/);
  });

  test('the question leads nowhere but to pages of the service', async () => {
    const user = await service.newUser();
    const person = await signedIn(service, user);
    for (const to of ['https://evil.example/', '//evil.example', 'javascript:alert(1)']) {
      const page = await (await person.request(`${askPath}?to=${encodeURIComponent(to)}`)).text();
      assert.match(page, /<a [^>]*href="\/account"[^>]*>Not now<\/a>/);
    }
  });
});

describe('after the day', () => {
  /** People from before, and the day after the last one. */
  async function afterTheDay(): Promise<TestUser> {
    const user = await service.newUser();
    await setPasswords(service, 'off', today(service));
    service.clock.advance(DAY);
    return user;
  }

  test('the last day is the last one in UTC', async () => {
    const user = await service.newUser();
    await setPasswords(service, 'off', today(service));
    const left = DAY - (Math.floor(service.clock.now() / 1000) % DAY);
    service.clock.advance(left - 1);
    assert.match(await locationAfter(user), /^\/account\/passkey/);
    service.clock.advance(1);
    assert.equal(await statusOfSignIn(service, user.email, user.password), 403);
  });

  test('the right password starts no session and leads to the link by email', async () => {
    const user = await afterTheDay();
    const person = new Person(service);
    const response = await person.submit(await signInForm(person), { email: user.email, password: user.password });
    assert.equal(response.status, 403);
    const page = await response.text();
    assert.match(page, /Passwords no longer work here/);
    assert.match(page, /formaction="\/reset-password\/start"/);
    assert.equal(await isSignedIn(person), false);
    const [event] = (await service.events('sign_in_failed')).slice(-1);
    assert.deepEqual([event?.userId, event?.detail?.reason], [user.id, 'password_over']);
    // The next sign-in isn't counted against it, however often.
    for (let attempt = 0; attempt < 12; attempt++) {
      assert.equal(await statusOfSignIn(service, user.email, user.password), 403);
    }
  });

  test('a wrong password gets the answer that it always gets', async () => {
    const user = await afterTheDay();
    const known = new Person(service);
    const unknown = new Person(service);
    const wrong = async (person: Person, email: string) => {
      const traits = await traitsOf(
        await person.submit(await signInForm(person), { email, password: 'wrong password' }),
      );
      return JSON.stringify(traits)
        .replaceAll(email, 'x')
        .replaceAll(/name=\\"continue\\" value=\\"[^"]*\\"/g, '');
    };
    const answer = await wrong(known, user.email);
    assert.equal(answer, await wrong(unknown, user.email.replace('person', 'nobody')));
    assert.doesNotMatch(answer, /no longer work/);
  });

  test('a second factor isn’t asked for, and one that was being asked for isn’t taken', async () => {
    const owner = await newOwner(service);
    await setPasswords(service, 'off', today(service));
    const left = DAY - (Math.floor(service.clock.now() / 1000) % DAY);
    service.clock.advance(left - 30);
    const { person, form } = await reachSecondStep(service, owner.user);
    service.clock.advance(30);
    assert.equal((await person.submit(form, { code: codeOf(service, owner) })).status, 403);
    assert.equal(await isSignedIn(person), false);
    assert.equal(await statusOfSignIn(service, owner.user.email, owner.user.password), 403);
  });

  test('setting up a required second factor is no way around it', async () => {
    const user = await service.newUser();
    await setPolicy(service, 'everyone');
    try {
      await setPasswords(service, 'off', today(service));
      const left = DAY - (Math.floor(service.clock.now() / 1000) % DAY);
      service.clock.advance(left - 30);
      const person = new Person(service);
      const form = await formIn(await person.signIn(user), '/sign-in/set-up');
      service.clock.advance(30);
      assert.equal((await person.submit(form, { code: '000000' })).status, 403);
      assert.equal(await statusOfSignIn(service, user.email, user.password), 403);
    } finally {
      await setPolicy(service, 'optional');
    }
  });

  test('in a session from before, the password proves nothing, so it creates no passkey', async () => {
    const user = await service.newUser();
    const person = new Person(service);
    await person.signIn(user, { keep: 'yes' });
    await setPasswords(service, 'off', today(service));
    service.clock.advance(DAY);
    assert.ok(await isSignedIn(person));
    const { fields } = await formIn(await person.visit('/account/profile'), '/account/profile');
    const form_token = fields.form_token ?? '';
    const options = await post(person, '/account/passkeys/options', { form_token, name: 'Mine' });
    assert.equal(options.status, 403);
    const asked = await post(person, '/account/passkeys', { form_token, name: 'Mine' });
    const page = await asked.clone().text();
    assert.doesNotMatch(page, /type="password"/);
    assert.match(page, /Create a passkey by email/);
    // Nor where a form from before is sent.
    await setPasswords(service, 'allowed');
    const proof = await proofAsked(await post(person, '/account/passkeys', { form_token, name: 'Mine' }));
    await setPasswords(service, 'off', '2020-01-01');
    assert.equal((await person.submit(proof, { password: user.password })).status, 400);
  });

  test('a passkey and a link by email do sign in', async () => {
    const { user, device } = await newHolder(service);
    const other = await service.newUser();
    await setPasswords(service, 'off', today(service));
    service.clock.advance(DAY);
    assert.equal(await statusOfSignIn(service, user.email, user.password), 403);
    assert.ok(await isSignedIn((await signInWithPasskey(service, device)).person));
    const page = await (await new Person(service).visit('/reset-password')).text();
    assert.match(page, /<h1>Create a passkey by email<\/h1>/);
    const opened = await resetForm(service, other.email);
    assert.equal(opened.form.action, '/reset-password/finish');
  });

  test('the sign-in page asks for no password where none signs in', async () => {
    await afterTheDay();
    const page = await (await new Person(service).visit('/sign-in')).text();
    assert.doesNotMatch(page, /type="password"/);
    assert.match(page, /Create a passkey by email/);
    await setPasswords(service, 'not_for_administrators', today(service));
    assert.match(await (await new Person(service).visit('/sign-in')).text(), /type="password"/);
  });

  test('allowing passwords again brings them back', async () => {
    const user = await afterTheDay();
    assert.equal(await statusOfSignIn(service, user.email, user.password), 403);
    await setPasswords(service, 'allowed');
    assert.equal(await statusOfSignIn(service, user.email, user.password), 200);
  });
});

describe('administrators', () => {
  test('the form that turns passwords off names how many people have no other way in', async () => {
    const own = await startTestService();
    try {
      const admin = await signedIn(own, await own.newUser({ admin: true }));
      const hint = async () => {
        const { page } = await visit(admin, '/admin/settings');
        return /id="passwords-hint">([^<]*)</.exec(page)?.[1] ?? '';
      };
      assert.match(await hint(), /1 person has no other way to sign in, 1 of them with a role\./);
      await own.newUser();
      const { user } = await newHolder(own);
      assert.match(await hint(), /2 people have no other way to sign in/);
      // One whose passkey is gone counts again, and one who is disabled doesn't.
      const { storage, journal } = own.running.services;
      const event = () => journal.event({ kind: 'second_factors_removed', userId: user.id }, requester);
      await storage.removeSecondFactors(user.id, event());
      assert.match(await hint(), /3 people/);
      await storage.disableUser(user.id, own.clock.now(), event());
      assert.match(await hint(), /2 people/);
    } finally {
      await own.stop();
    }
  });

  test('the API creates accounts without a password, and refuses one with the reason', async () => {
    const api = await Api.of(service);
    const key = await newKey(service);
    await setPasswords(service, 'off');
    const body = { email: 'made@example.test', name: 'Made' };
    const refused = await api.call('createPerson', key, { body: { ...body, password: 'a phrase of my own' } });
    assert.equal(refused.status, 400);
    assert.match(refused.message ?? '', /the setting "passwords"/);
    const made = await api.call('createPerson', key, { body });
    assert.equal(made.status, 201);
    const user = await service.running.services.storage.findUserByEmail(body.email);
    assert.equal(user?.passwordHash, '');
  });

  test('an import refuses hashes with the reason, and takes people without', async () => {
    const api = await Api.of(service);
    const key = await newKey(service);
    await setPasswords(service, 'off');
    const hash = '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';
    const people = [
      { id: 'a1', email: 'a1@example.test', name: 'A', password_hash: hash },
      { id: 'a2', email: 'a2@example.test', name: 'B' },
    ];
    const answer = await api.call('importPeople', key, { body: { from: 'csv', people } });
    const { results } = answer.data as unknown as { results: { result: string; problems: string[] }[] };
    assert.deepEqual(
      results.map(({ result }) => result),
      ['refused', 'imported'],
    );
    assert.match(results[0]?.problems[0] ?? '', /the setting "passwords" is off/);
    const dropped = await api.call('importPeople', key, {
      body: { from: 'csv', people: people.slice(0, 1), drop_refused_hashes: true },
    });
    assert.equal((dropped.data as unknown as { imported: number }).imported, 1);
  });
});
