// Somebody who has nothing but their mailbox proves who they are with a code by email, in the session that asked for it.

import assert from 'node:assert/strict';
import { before, beforeEach, describe, test } from 'node:test';
import {
  askForCode,
  codesTo,
  enter,
  newestCode,
  newMailboxOwner,
  otherCode,
  setPolicy,
  signInWithCode,
} from '../../harness/email-codes.ts';
import { type Form, formIn, type Person, readForm } from '../../harness/person.ts';
import { proofAsked } from '../../harness/proof.ts';
import { alignToStep, codeOf, isSignedIn, turnOn } from '../../harness/second-factors.ts';
import { mailsTo } from '../../harness/store.ts';
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

/** Signed in for so long that proof is asked for. */
async function newOwner() {
  const user = await newMailboxOwner(service);
  const { person } = await signInWithCode(service, user.email);
  service.clock.advance(20 * MINUTE);
  return { user, person };
}

const change = async (person: Person) =>
  person.submit(await formIn(await person.visit('/account/email'), '/account/email'), { email: 'new@example.test' });

/** Presses "Email me a code", and returns the form that takes it. */
async function sendCode(person: Person, asked: Form): Promise<Form> {
  service.clock.advance(1);
  const page = await (await person.submit(asked, { send_code: 'yes' })).text();
  const form = readForm(page);
  assert.ok(form?.fields.asked, page);
  assert.match(page, /name="email_code"[^>]*autocomplete="one-time-code"/);
  assert.match(page, /Send a new code/);
  return form;
}

async function asked() {
  const owner = await newOwner();
  const page = await (await change(owner.person)).text();
  assert.match(page, /Email me a code/);
  assert.doesNotMatch(page, /type="password"|reset-password/);
  const form = await sendCode(owner.person, await proofAsked(new Response(page)));
  return { ...owner, form, code: await newestCode(service, owner.user.email) };
}

describe('a code by email as proof', () => {
  test('lets the change go on that was asked for, and works once', async () => {
    const { user, person, form, code } = await asked();
    const [mail] = await mailsTo(service, user.email);
    assert.match(mail?.subject ?? '', /^Your confirmation code/);
    assert.match(mail?.text ?? '', /Enter this code to confirm it's you\./);
    assert.match(await (await person.submit(form, { email_code: code.toLowerCase() })).text(), /new@example\.test/);
    service.clock.advance(16 * MINUTE);
    const again = await person.submit(form, { email_code: code });
    assert.notEqual(again.status, 200);
  });

  test('is limited as codes for signing in are', async () => {
    const { person, form, code } = await asked();
    for (let count = 0; count < 5; count++) {
      const wrong = await person.submit(form, { email_code: otherCode(code, count) });
      assert.equal(wrong.status, 400);
      assert.match(await wrong.text(), /That code is incorrect or has expired\./);
    }
    const spent = await person.submit(form, { email_code: code });
    assert.equal(spent.status, 400);
    assert.match(await spent.text(), /Too many incorrect codes/);
    assert.equal((await service.events('sign_in_failed')).at(-1)?.detail?.reason, 'wrong_email_code');
  });

  test('works in the session that asked, for ten minutes', async () => {
    const { user, person } = await newOwner();
    const other = await signInWithCode(service, user.email);
    service.clock.advance(20 * MINUTE);
    const form = await sendCode(person, await proofAsked(await change(person)));
    const code = await newestCode(service, user.email);
    const theirs = await sendCode(other.person, await proofAsked(await change(other.person)));
    const fresh = await newestCode(service, user.email);
    assert.equal((await person.submit(form, { email_code: fresh })).status, 400);
    const stolen = { ...theirs, fields: { ...theirs.fields, asked: form.fields.asked ?? '' } };
    assert.notEqual((await other.person.submit(stolen, { email_code: code })).status, 200);
    service.clock.advance(10 * MINUTE + 1);
    assert.equal((await other.person.submit(theirs, { email_code: fresh })).status, 400);
  });

  test("isn't a code for signing in, nor the other way round", async () => {
    const { user, person, form } = await asked();
    const signIn = await askForCode(service, user.email, person, { path: '/sign-in?password' });
    const [signInCode = '', proofCode = ''] = await codesTo(service, user.email);
    assert.equal((await person.submit(form, { email_code: signInCode })).status, 400);
    assert.equal((await enter(signIn, proofCode)).status, 400);
    assert.equal((await person.submit(form, { email_code: proofCode })).status, 200);
    assert.equal((await enter(signIn, signInCode)).status, 200);
  });

  test('comes with the second factor of somebody who has one', async () => {
    const user = await newMailboxOwner(service);
    const { person } = await signInWithCode(service, user.email);
    const app = await turnOn(service, person);
    service.clock.advance(20 * MINUTE);
    const form = await sendCode(person, await proofAsked(await change(person)));
    const code = await newestCode(service, user.email);
    const missing = await person.submit(form, { email_code: code });
    assert.equal(missing.status, 400);
    assert.match(await missing.text(), /Enter your code\./);
    const done = await person.submit(form, { email_code: code, code: codeOf(service, app) });
    assert.match(await done.text(), /new@example\.test/);
  });

  test("isn't offered when codes are off, or people with a second factor get none", async () => {
    const { person } = await newOwner();
    await setPolicy(service, { email_codes: 'off' });
    assert.match(await (await change(person)).text(), /Set a password by email/);
    await setPolicy(service, { email_codes: 'without_second_factor' });
    assert.match(await (await change(person)).text(), /Email me a code/);
  });
});

test('somebody with nothing but their mailbox who has to set up a second factor in a session signs in again first', async () => {
  const { user, person } = await newOwner();
  await setPolicy(service, { second_factor: 'everyone' });
  const page = await (await person.visit('/account')).text();
  assert.match(page, /Sign in again to continue\./);
  assert.match(page, /href="\/sign-in\?password&amp;to=%2Faccount"/);
  assert.equal(readForm(page, '/sign-in/verify/set-up'), undefined);
  const { response } = await signInWithCode(service, user.email, person, { path: '/sign-in?password&to=%2Faccount' });
  assert.ok(readForm(await response.text(), '/sign-in/set-up'));
  assert.ok(!(await isSignedIn(person)));
});
