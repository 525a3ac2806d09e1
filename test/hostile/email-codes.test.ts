// Codes by email, as they were broken elsewhere. Each rule has tests of its own in http/sign-in; here somebody has everything but the
// one thing that counts.

import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { signedIn } from '../harness/account.ts';
import { askForCode, codesTo, enter, newestCode, setPolicy, signInWithCode } from '../harness/email-codes.ts';
import { formIn, Person } from '../harness/person.ts';
import { alignToStep, isSignedIn, newOwner, turnOn } from '../harness/second-factors.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { mailsTo } from '../harness/store.ts';
import { attack } from './attack.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
  alignToStep(service);
  await setPolicy(service, { email_codes: 'everyone' });
});
after(() => service.stop());

attack(62, 'a code by email opens one account, for its mailbox, in the browser that asked', async () => {
  const victim = await service.newUser({ email: 'victim@example.test' });

  // What was typed never decides who gets the email: not another spelling, nor anything around it.
  const spellings = [
    'victim@example.test, thief@example.test',
    'victim@example.test\r\nBcc: thief@example.test',
    '"victim@example.test" <thief@example.test>',
    'victim@example.test\u0000',
    'VICTIM@EXAMPLE.TEST',
    'vicTım@example.test',
    'victim＠example.test',
  ];
  for (const email of spellings) {
    const person = new Person(service);
    const { fields } = await formIn(await person.visit('/sign-in'), '/sign-in');
    await person.submit({ action: '/sign-in/code', fields, buttons: [] }, { email });
    service.clock.advance(1);
  }
  const all = await service.running.services.emailQueue.list(100);
  for (const { email } of all) assert.doesNotMatch(email.to, /thief|[\r\n,<]/);
  assert.equal((await codesTo(service, 'VICTIM@EXAMPLE.TEST')).length, 0);
  assert.ok((await codesTo(service, victim.email)).length > 0);

  // Somebody who reads the mailbox, without the browser: neither with a form of their own nor with the victim's.
  service.clock.advance(16 * 60);
  const asked = await askForCode(service, victim.email);
  const code = await newestCode(service, victim.email);
  const thief = new Person(service);
  await thief.visit('/sign-in');
  assert.equal((await enter({ person: thief, form: asked.form }, code)).status, 403);
  const own = await service.newUser();
  const theirs = await askForCode(service, own.email, thief);
  assert.equal((await enter(theirs, code)).status, 400);
  // With the browser's cookie, but a form that was stamped for another purpose.
  const { continue: ticket = '' } = (await formIn(await asked.person.visit('/sign-in'), '/sign-in')).fields;
  const forged = { ...asked.form, fields: { asked: ticket } };
  assert.equal((await enter({ person: asked.person, form: forged }, code)).status, 403);
  await enter(asked, code);
  assert.ok(await isSignedIn(asked.person));

  // A code is no second step, and no link that a scanner could open.
  const owner = await newOwner(service);
  const { person, response } = await signInWithCode(service, owner.user.email);
  const step = await formIn(response, '/sign-in/second-step');
  const [used = ''] = await codesTo(service, owner.user.email);
  assert.equal((await person.submit(step, { code: used })).status, 400);
  const other = await askForCode(service, owner.user.email, new Person(service));
  assert.ok(other.page);
  assert.equal((await person.submit(step, { code: await newestCode(service, owner.user.email) })).status, 400);
  assert.equal(person.cookies.has('latchkey_session'), false);
  const [mail] = await mailsTo(service, owner.user.email);
  assert.doesNotMatch(`${mail?.text} ${mail?.html}`, /href|\?/);

  // An account that somebody else has prepared: nothing of it is left, and what could be left is for an administrator.
  const prepared = await service.newUser({ emailVerified: false });
  const attacker = await signedIn(service, prepared);
  await signInWithCode(service, prepared.email);
  assert.equal(await isSignedIn(attacker), false);
  attacker.cookies.clear();
  await attacker.signIn(prepared);
  assert.equal(await isSignedIn(attacker), false);
  const fortified = await service.newUser({ emailVerified: false });
  const holder = await signedIn(service, fortified);
  await turnOn(service, holder);
  const refused = await signInWithCode(service, fortified.email);
  assert.equal(refused.response.status, 403);
  assert.ok(await isSignedIn(holder));
});
