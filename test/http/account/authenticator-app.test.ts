// Turning an authenticator app on and off: the emails about it, and what is stored.

import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { base32 } from '../../../src/protocol/sign-in/totp.ts';
import { answer, newHolder, offered, register } from '../../harness/passkeys.ts';
import { type Form, formIn, Person } from '../../harness/person.ts';
import {
  alignToStep,
  assertRefused,
  codeOf,
  isSignedIn,
  keyOn,
  lastEventOf,
  newOwner,
  post,
  reachSecondStep,
  recoveryCodesOn,
  securityPath,
  setUpPage,
  tryCode,
  turnOn,
  wrongCode,
} from '../../harness/second-factors.ts';
import { tables } from '../../harness/service.ts';
import { SoftwareAuthenticator } from '../../harness/software-authenticator.ts';
import { serviceOfSuite } from '../../harness/suite.ts';

const HOUR = 60 * 60;

const service = serviceOfSuite();

/** Each test starts with no failures counted, at the start of a code's 30 seconds. */
beforeEach(() => {
  service.clock.advance(HOUR);
  alignToStep(service);
});

describe('turning on an authenticator app', () => {
  test('it needs a correct code, and shows the same key until then', async () => {
    const user = await service.newUser();
    const person = new Person(service);
    await person.signIn(user);
    const { form, key, secret } = await setUpPage(person);
    const right = { code: codeOf(service, { secret }) };
    for (const code of [wrongCode(service, { secret }), '']) {
      const response = await person.submit(form, { code });
      assert.equal(response.status, 400);
      assert.equal(keyOn(await response.text()).key, key);
    }
    assert.equal((await service.rows('authenticators')).filter((row) => row.user_id === user.id).length, 0);

    const response = await person.submit(form, right);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('cache-control'), 'no-store');
    const codes = recoveryCodesOn(await response.text());
    assert.equal(new Set(codes).size, 10);
    for (const code of codes) assert.match(code, /^[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){3}$/);
    assert.equal((await lastEventOf(service, user))?.kind, 'authenticator_added');
    assert.equal((await person.request('/account/authenticator')).headers.get('location'), securityPath);

    const step = await reachSecondStep(service, user);
    await assertRefused(step.person, await tryCode(step, right.code), 400);
  });

  test('with recovery codes already there, the notice says that it was added', async () => {
    const { person } = await newHolder(service);
    const { form, secret } = await setUpPage(person);
    const response = await post(person, form.action, { ...form.fields, code: codeOf(service, { secret }) });
    assert.equal(response.headers.get('location'), `${securityPath}?done=authenticator-added`);
    const page = await (await person.visit(`${securityPath}?done=authenticator-added`)).text();
    assert.match(page, /role="status">.*Authenticator app added\./);
  });

  test('setting up a second one in another window changes nothing', async () => {
    const user = await service.newUser();
    const person = new Person(service);
    await person.signIn(user);
    const other = await setUpPage(person);
    const app = await turnOn(service, person);
    const fields = { ...other.form.fields, code: codeOf(service, other) };
    const response = await post(person, '/account/authenticator', fields);
    assert.equal(response.headers.get('location'), `${securityPath}?done=not-possible`);
    const step = await reachSecondStep(service, user);
    await assertRefused(step.person, await tryCode(step, codeOf(service, other)), 400);
    await tryCode(step, codeOf(service, app));
    assert.ok(await isSignedIn(step.person));
  });

  test("the form only works with the person's own key and session", async () => {
    const [user, stranger] = [await service.newUser(), await service.newUser()];
    const [person, other] = [new Person(service), new Person(service)];
    await person.signIn(user);
    await other.signIn(stranger);
    const [own, foreign] = [await setUpPage(person), await setUpPage(other)];
    const fields = { code: codeOf(service, foreign) };
    const submit = (form: Form, who: Person) => post(who, '/account/authenticator', { ...form.fields, ...fields });

    const mixed = { ...own.form, fields: { ...own.form.fields, secret: foreign.form.fields.secret ?? '' } };
    assert.equal((await submit(mixed, person)).headers.get('location'), `${securityPath}?done=not-possible`);
    assert.equal((await submit(foreign.form, person)).status, 403);
    assert.match((await submit(own.form, new Person(service))).headers.get('location') ?? '', /^\/sign-in/);
    const ids = [user.id, stranger.id];
    assert.equal((await service.rows('authenticators')).filter((row) => ids.includes(String(row.user_id))).length, 0);
  });
});

describe('removing the app', () => {
  test('it also removes the recovery codes, and afterwards the password is enough', async () => {
    const owner = await newOwner(service);
    const { user, person } = owner;
    const form = await formIn(await person.visit(securityPath), '/account/authenticator/remove');
    await reachSecondStep(service, user);
    const response = await post(person, form.action, form.fields);
    assert.equal(response.headers.get('location'), `${securityPath}?done=authenticator`);
    assert.equal((await lastEventOf(service, user))?.kind, 'authenticator_removed');
    assert.equal((await service.rows('recovery_codes')).filter((row) => row.user_id === user.id).length, 0);
    const again = await post(person, form.action, form.fields);
    assert.equal(again.headers.get('location'), `${securityPath}?done=not-possible`);
    const browser = new Person(service);
    await browser.signIn(user);
    assert.ok(await isSignedIn(browser));
  });
});

describe('emails', () => {
  test('the person is emailed about every change of second factors and every recovery code used', async () => {
    const owner = await newOwner(service);
    const { user, person, recoveryCodes } = owner;
    const step = await reachSecondStep(service, user);
    await tryCode(step, recoveryCodes[0] ?? '');
    service.clock.advance(1);
    await register(person, new SoftwareAuthenticator(service.url));
    for (const path of ['/account/recovery-codes', '/account/passkeys/remove', '/account/authenticator/remove']) {
      service.clock.advance(30);
      const { action, fields } = await formIn(await person.visit(securityPath), path);
      await post(person, action, fields);
    }
    const mails = (await service.running.services.emailQueue.list(50)).filter(({ email }) => email.to === user.email);
    const changes = mails.filter(({ email }) => email.subject.startsWith('Your security settings'));
    assert.deepEqual(changes.map(({ email }) => email.text.split('\n\n')[1]).toReversed(), [
      'An authenticator app was added to your account.',
      'A passkey was added to your account.',
      'New recovery codes were created for your account. The old ones no longer work.',
      'A passkey was removed from your account.',
      'The authenticator app was removed from your account.',
    ]);
    const [used] = mails.filter(({ email }) => email.subject.startsWith('A recovery code was used'));
    assert.match(
      used?.email.text ?? '',
      /used for your account: .+, IP address 127\.0\.0\.1\.\n\nYou have 9 recovery codes/,
    );
    assert.match(used?.email.text ?? '', /If this wasn't you, reset your password right away:\n\n\S+\/reset-password/);
    for (const { email } of mails) {
      for (const code of recoveryCodes) assert.equal(email.text.includes(code), false);
    }
  });
});

describe('stored data', () => {
  test('no key, code or password is in the store or the log in clear text', async () => {
    const owner = await newOwner(service);
    const device = new SoftwareAuthenticator(service.url);
    await register(owner.person, device);
    const step = await reachSecondStep(service, owner.user);
    const [used, wrong] = [codeOf(service, owner), wrongCode(service, owner)];
    await tryCode(step, wrong);
    await tryCode(step, used);
    const recovery = await reachSecondStep(service, owner.user);
    await tryCode(recovery, owner.recoveryCodes[0] ?? '');
    const offer = await offered(service);
    await answer(offer, device.get(offer.challenge));
    await service.running.services.journal.flush();

    const text = (value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value);
    const kept: string[] = [service.log()];
    for (const table of tables) {
      for (const row of await service.rows(table)) kept.push(JSON.stringify(Object.values(row).map(text)));
    }
    assert.ok(
      kept.some((line) => line.includes(owner.user.id)),
      'there is something to look at',
    );
    const bytes = Buffer.from(owner.secret);
    const key = base32(owner.secret);
    const secrets = [
      key,
      key.toLowerCase(),
      bytes.toString('hex'),
      bytes.toString('base64'),
      bytes.toString('base64url'),
      bytes.toString('latin1'),
      `"${used}"`,
      `"${wrong}"`,
      owner.user.password,
      ...owner.recoveryCodes.flatMap((code) => [code, code.replaceAll('-', '')]),
      ...[step, recovery, offer].flatMap(({ person }) => [...person.cookies.values()]),
      step.form.fields.pending ?? '',
      offer.challenge.options.challenge,
    ];
    for (const secret of secrets) {
      assert.ok(secret.length >= 8);
      assert.equal(kept.filter((line) => line.includes(secret)).length, 0, secret);
    }
  });
});
