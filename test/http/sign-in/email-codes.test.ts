// Signing in with a code by email: what the pages and the email say, where a code works, and how often.

import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { disableUser, enableUser } from '../../../src/operations/users/disable-user.ts';
import { editUser } from '../../../src/operations/users/edit-user.ts';
import { setPassword } from '../../../src/operations/users/user-recovery.ts';
import { digestOf } from '../../../src/protocol/digest.ts';
import {
  askForCode,
  codesTo,
  enter,
  newestCode,
  otherCode,
  sendForm,
  setPolicy,
  signInWithCode,
} from '../../harness/email-codes.ts';
import { type Form, formIn, Person, readForm } from '../../harness/person.ts';
import { authorizePath, newVerifier } from '../../harness/relying-party.ts';
import { isSignedIn } from '../../harness/second-factors.ts';
import { requester, startTestService } from '../../harness/service.ts';
import { newAddress } from '../../harness/sign-up.ts';
import { mailsTo } from '../../harness/store.ts';
import { serviceOfSuite } from '../../harness/suite.ts';

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const MINUTE = 60;

const service = serviceOfSuite();
// Emails are limited for a network: each test starts when those of the tests before it no longer count.
beforeEach(async () => {
  service.clock.advance(16 * MINUTE);
  await setPolicy(service, { email_codes: 'everyone' });
});

const reasons = async () => (await service.events('sign_in_failed')).map(({ detail }) => detail?.reason);

describe('the pages', () => {
  test('lead from an email address to a code and to the account', async () => {
    const { email, id } = await service.newUser();
    const person = new Person(service);
    assert.match(await (await person.visit('/sign-in')).text(), /formaction="\/sign-in\/code"[^>]*>.*Email me a code</);
    const asked = await askForCode(service, email, person);
    assert.match(asked.page, /<h1>Check your email<\/h1>/);
    assert.ok(asked.page.includes(email));
    assert.match(asked.page, /<input[^>]*name="code"[^>]*autocomplete="one-time-code"/);
    assert.match(asked.page, /<button[^>]*>Send a new code<\/button>/);
    assert.match(asked.page, /<a href="\/sign-in\?password&amp;to=%2Faccount">Use your password<\/a>/);
    const response = await enter(asked, await newestCode(service, email));
    assert.equal(response.status, 200);
    assert.ok(await isSignedIn(person));
    const [event] = (await service.events('signed_in')).slice(-1);
    assert.equal(event?.userId, id);
    assert.equal(event?.detail?.method, 'email_code');
  });

  test('keep where somebody is going, and that they want to stay signed in', async () => {
    const { email } = await service.newUser();
    const client = await service.newClient();
    const path = authorizePath(client, newVerifier());
    const { person, response } = await signInWithCode(service, email, new Person(service), { path, keep: 'yes' });
    assert.ok(readForm(await response.text(), '/oauth-authorize/decision'));
    const secret = person.cookies.get('latchkey_session') ?? '';
    const found = await service.running.services.storage.findSession(digestOf(secret), service.clock.now());
    assert.equal(found?.session.kept, true);
  });

  test('"Send a new code" sends another one, for the same place', async () => {
    const { email } = await service.newUser();
    const path = authorizePath(await service.newClient(), newVerifier());
    const { person, page } = await askForCode(service, email, new Person(service), { path, keep: 'yes' });
    const [first = ''] = await codesTo(service, email);
    const again = readForm(page.slice(page.indexOf('</form>')), '/sign-in/code') as Form;
    assert.equal(again.fields.keep, 'yes');
    service.clock.advance(1);
    const form = await formIn(await person.submit(again, {}), '/sign-in/code');
    const second = await newestCode(service, email);
    assert.notEqual(second, first);
    assert.ok(readForm(await (await enter({ person, form }, second)).text(), '/oauth-authorize/decision'));
  });

  test('say what is wrong with an email address, and with a code', async () => {
    const { email } = await service.newUser();
    for (const wrong of ['', 'nobody', 'a@b@c', `${'a'.repeat(250)}@example.test`]) {
      const refused = await sendForm(service, wrong);
      assert.equal(refused.status, 400);
      assert.match(await refused.text(), /Enter a valid email address\./);
    }
    const asked = await askForCode(service, email);
    const empty = await enter(asked, ' ');
    assert.equal(empty.status, 400);
    assert.match(await empty.text(), /Enter your code\./);
    const wrong = await enter(asked, otherCode(await newestCode(service, email)));
    assert.equal(wrong.status, 400);
    assert.match(await wrong.text(), /That code is incorrect or has expired\./);
    assert.equal((await reasons()).at(-1), 'wrong_email_code');
  });

  test('are in the language of the browser, and so is the email to a stranger', async () => {
    const address = newAddress();
    const person = new Person(service);
    person.cookies.set('latchkey_language', 'de');
    const { page } = await askForCode(service, address, person);
    assert.match(page, /Neuen Code senden/);
    assert.match((await mailsTo(service, address))[0]?.subject ?? '', /^Kein Konto mit dieser E-Mail-Adresse/);
  });
});

describe('the email', () => {
  test('shows the code first, in two groups of four, then who asked, and has no link to sign in with', async () => {
    const { email } = await service.newUser();
    await askForCode(service, email, undefined, {}, { 'User-Agent': firefox });
    const [mail] = await mailsTo(service, email);
    assert.match(mail?.subject ?? '', /^Your sign-in code/);
    assert.match(mail?.text ?? '', /^[2-9A-HJKMNP-TV-Z]{4}-[2-9A-HJKMNP-TV-Z]{4}\n/);
    assert.match(mail?.text ?? '', /Requested from Firefox on Linux, IP address 127\.0\.0\.1\./);
    assert.doesNotMatch(mail?.html ?? '', /<a /);
    assert.doesNotMatch(`${mail?.text} ${mail?.html} ${mail?.subject}`, /sign-in\/|\?link=|code=/);
    const [code = ''] = await codesTo(service, email);
    assert.ok((mail?.html.indexOf(code) ?? -1) < (mail?.html.indexOf('Hi,') ?? 0));
    assert.ok(!mail?.subject.includes(code));
  });

  test('repeats nothing that the browser has sent', async () => {
    const { email } = await service.newUser();
    const hostile = 'X\u00a0https://evil.example/ <a href="https://evil.example"> Firefox/1';
    await askForCode(service, email, undefined, {}, { 'User-Agent': hostile });
    const [mail] = await mailsTo(service, email);
    assert.doesNotMatch(`${mail?.text} ${mail?.html} ${mail?.subject}`, /evil/);
  });

  test('goes to the address as it is stored, however it was typed', async () => {
    const { email } = await service.newUser();
    const typed = email.replace('person', 'ＰＥＲＳＯＮ').toUpperCase();
    const asked = await askForCode(service, ` ${typed} `);
    assert.deepEqual(await mailsTo(service, typed), []);
    await enter(asked, await newestCode(service, email));
    assert.ok(await isSignedIn(asked.person));
  });

  test('says who has none: a stranger, and people who need their second factor', async () => {
    const address = newAddress();
    await askForCode(service, address);
    const [mail] = await mailsTo(service, address);
    assert.match(mail?.subject ?? '', /^No account with this email address/);
    assert.match(mail?.text ?? '', /asked for a code to sign in with this email address, but no account uses it/);
  });

  test('is not sent to somebody who is disabled, and an alias is another address', async () => {
    const { email, id } = await service.newUser();
    const alias = email.replace('@', '+x@');
    await askForCode(service, alias);
    assert.deepEqual(await codesTo(service, email), []);
    assert.deepEqual(await codesTo(service, alias), []);
    await disableUser(service.running.services, { id }, requester);
    await askForCode(service, email);
    assert.deepEqual(await mailsTo(service, email), []);
  });
});

describe('a code', () => {
  const spellings: Record<string, (code: string) => string> = {
    'as it is shown': (code) => code,
    'in small letters': (code) => code.toLowerCase(),
    'without the hyphen': (code) => code.replace('-', ''),
    'with spaces': (code) => ` ${code.replace('-', ' ').split('').join(' ')} `,
    'with another dash': (code) => code.replace('-', '–'),
  };
  for (const [name, spell] of Object.entries(spellings)) {
    test(`is accepted ${name}`, async () => {
      const { email } = await service.newUser();
      const asked = await askForCode(service, email);
      await enter(asked, spell(await newestCode(service, email)));
      assert.ok(await isSignedIn(asked.person));
    });
  }

  test('works for ten minutes', async () => {
    for (const [seconds, works] of [
      [10 * MINUTE - 5, true],
      [10 * MINUTE + 1, false],
    ] as const) {
      const { email } = await service.newUser();
      const asked = await askForCode(service, email);
      service.clock.advance(seconds);
      const response = await enter(asked, await newestCode(service, email));
      assert.equal(response.status, works ? 200 : 400);
      assert.equal(asked.person.cookies.has('latchkey_session'), works);
    }
  });

  test('works once, also of many at the same moment', async () => {
    const { email } = await service.newUser();
    const asked = await askForCode(service, email);
    const code = await newestCode(service, email);
    const before = (await service.rows('sessions')).length;
    const send = () =>
      asked.person.request('/sign-in/code', {
        method: 'POST',
        body: new URLSearchParams({ ...asked.form.fields, code }),
        headers: { Origin: service.url },
      });
    const statuses = (await Promise.all(Array.from({ length: 5 }, send))).map(({ status }) => status);
    assert.deepEqual(statuses.toSorted(), [303, 400, 400, 400, 400]);
    assert.equal((await service.rows('sessions')).length, before + 1);
    assert.equal((await enter(asked, code)).status, 400);
  });

  test('works only in the browser that asked', async () => {
    const { email } = await service.newUser();
    const asked = await askForCode(service, email);
    const code = await newestCode(service, email);
    const fresh = new Person(service);
    assert.equal((await enter({ person: fresh, form: asked.form }, code)).status, 403);
    // With a form of its own, for the same address.
    const thief = await askForCode(service, newAddress());
    const forged = { ...thief.form, fields: { ...thief.form.fields, email } };
    assert.equal((await enter({ person: thief.person, form: forged }, code)).status, 400);
    assert.equal((await enter({ person: thief.person, form: asked.form }, code)).status, 403);
    await enter(asked, code);
    assert.ok(await isSignedIn(asked.person));
  });

  test('works only for the request that it was asked for', async () => {
    const { email } = await service.newUser();
    const person = new Person(service);
    const path = authorizePath(await service.newClient(), newVerifier());
    const elsewhere = await askForCode(service, email, person, { path });
    const asked = await askForCode(service, email, person);
    const code = await newestCode(service, email);
    assert.equal((await enter(elsewhere, code)).status, 400);
    assert.equal((await enter(asked, code)).status, 200);
  });

  test('ends with the next one', async () => {
    const { email } = await service.newUser();
    const person = new Person(service);
    const first = await askForCode(service, email, person);
    const code = await newestCode(service, email);
    const second = await askForCode(service, email, new Person(service));
    assert.equal((await enter(first, code)).status, 400);
    await enter(second, await newestCode(service, email));
    assert.ok(await isSignedIn(second.person));
  });

  test('is stored as a digest that also covers what only the browser has', async () => {
    const { email, id } = await service.newUser();
    const asked = await askForCode(service, email);
    const code = await newestCode(service, email);
    const [link, ...more] = (await service.rows('links')).filter((row) => row.user_id === id);
    assert.deepEqual(more, []);
    assert.match(String(link?.digest), /^[\w-]{43}$/);
    assert.equal(link?.detail, '{}');
    const stored = JSON.stringify([await service.rowsOf(['links', 'mails', 'events', 'spent_tickets']), service.log()]);
    for (const secret of [code, code.replace('-', ''), asked.form.fields.asked ?? 'none']) {
      assert.ok(!stored.includes(secret));
    }
  });

  const meanwhile: Record<string, (user: { id: string; email: string }) => Promise<unknown>> = {
    'the password was changed': ({ id }) =>
      setPassword(service.running.services, { id }, 'a new phrase of mine', requester),
    'the account was disabled': ({ id }) => disableUser(service.running.services, { id }, requester),
    'the account was disabled and enabled again': async ({ id }) => {
      await disableUser(service.running.services, { id }, requester);
      await enableUser(service.running.services, { id }, requester);
    },
    'the email address is another’s': async ({ id, email }) => {
      const edited = await editUser(service.running.services, { id }, { email: newAddress() }, requester);
      assert.equal(edited.kind, 'done');
      await service.newUser({ email });
    },
    'codes were turned off': () => setPolicy(service, { email_codes: 'off' }),
  };
  for (const [what, change] of Object.entries(meanwhile)) {
    test(`doesn't work once ${what}`, async () => {
      const user = await service.newUser();
      const asked = await askForCode(service, user.email);
      const code = await newestCode(service, user.email);
      await change(user);
      assert.ok([400, 403].includes((await enter(asked, code)).status));
      assert.equal(asked.person.cookies.has('latchkey_session'), false);
    });
  }

  test("isn't a link: no page that takes one accepts it", async () => {
    const { email } = await service.newUser();
    await askForCode(service, email);
    const code = await newestCode(service, email);
    for (const path of ['/reset-password/finish', '/recover', '/invitation', '/sign-up/finish', '/set-up', '/not-me']) {
      assert.equal((await new Person(service).request(`${path}?link=${code}`)).status, 410);
    }
  });
});

describe('turned off', () => {
  test('there is no button, and the path refuses both forms', async () => {
    const { email } = await service.newUser();
    const asked = await askForCode(service, email);
    const code = await newestCode(service, email);
    await setPolicy(service, { email_codes: 'off' });
    assert.doesNotMatch(await (await new Person(service).visit('/sign-in')).text(), /\/sign-in\/code/);
    assert.equal((await sendForm(service, email)).status, 403);
    assert.equal((await enter(asked, code)).status, 403);
    assert.equal((await mailsTo(service, email)).length, 1);
  });

  test("a request that hasn't been answered yet gets no code", async () => {
    const { email } = await service.newUser();
    const { emailQueue } = service.running.services;
    const { answerRequests, sendDue } = emailQueue;
    emailQueue.answerRequests = async () => {};
    emailQueue.sendDue = async () => {};
    await askForCode(service, email);
    await setPolicy(service, { email_codes: 'off' });
    emailQueue.answerRequests = answerRequests;
    emailQueue.sendDue = sendDue;
    assert.deepEqual(await mailsTo(service, email), []);
  });

  test('without a mail server there is no button either', async () => {
    const silent = await startTestService({ LATCHKEY_BASE_URL: 'https://id.example.test' });
    try {
      assert.equal(silent.running.services.emailQueue.works, false);
      await setPolicy(silent, { email_codes: 'everyone' });
      const page = await (await fetch(`${silent.url}/sign-in`)).text();
      assert.match(page, /<form id="sign-in"/);
      assert.doesNotMatch(page, /\/sign-in\/code/);
    } finally {
      await silent.stop();
    }
  });
});
