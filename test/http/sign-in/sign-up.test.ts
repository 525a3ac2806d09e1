// Making an account by a link in an email.

import assert from 'node:assert/strict';
import { before, beforeEach, describe, test } from 'node:test';
import { keptLink } from '../../harness/links.ts';
import { answerOf, type Form, formIn, Person } from '../../harness/person.ts';
import { authorizePath, exchangeParameters, newVerifier, postForm, userinfo } from '../../harness/relying-party.ts';
import { startTestService, type TestClient, type TestUser } from '../../harness/service.ts';
import { askToSignUp, countedAnyway, name, newAddress, password, traitsOf, usersWith } from '../../harness/sign-up.ts';
import { assertNothingChanged, everythingIn, linkFor, mailsTo } from '../../harness/store.ts';
import { serviceOfSuite } from '../../harness/suite.ts';

const MINUTE = 60;
const session = 'latchkey_session';

const service = serviceOfSuite({ LATCHKEY_SIGN_UP: 'open' });
let client: TestClient;

before(async () => {
  client = await service.newClient({ name: 'Calendar' });
});
// Emails are limited for a network: each test starts when those of the tests before it no longer count.
beforeEach(() => service.clock.advance(16 * MINUTE));

describe('signing up', () => {
  test('sign-up is closed by default: the page says so, and a form creates nothing', async () => {
    const closed = await startTestService();
    try {
      const person = new Person(closed);
      const page = await person.visit('/sign-up');
      assert.equal(page.status, 200);
      assert.match(await page.text(), /Sign-up is closed/);
      const signIn = await (await person.visit('/sign-in')).text();
      assert.equal(signIn.includes('Create an account'), false);
      const ticket = await formIn(new Response(signIn), '/sign-in');
      const form: Form = { ...ticket, action: '/sign-up' };
      const refused = await person.submit(form, { email: 'somebody@example.test' });
      assert.equal(refused.status, 403);
      assert.match(await refused.text(), /Sign-up is closed/);
      for (const table of ['users', 'links', 'mails']) assert.deepEqual(await closed.rows(table), []);

      // A link from the time when sign-up was open.
      const link = await keptLink(closed, 'sign_up', null, 'somebody@example.test');
      assert.equal((await person.visit(`/sign-up/finish?link=${link}`)).status, 410);
      const finish = { action: '/sign-up/finish', fields: { link, name, password }, buttons: [] };
      assert.equal((await person.submit(finish, {})).status, 410);
      assert.deepEqual(await closed.rows('users'), []);
    } finally {
      await closed.stop();
    }
  });

  test('an emailed link creates an account with a verified address, exactly as typed', async () => {
    const email = 'Newcomer.Mixed+News@Example.test';
    const asked = await askToSignUp(service, `  ${email} `);
    assert.match(await asked.text(), /Check your email/);
    assert.deepEqual(await usersWith(service, email), [], 'nothing is made before the mail is opened');
    const [mail] = await mailsTo(service, email);
    assert.equal(mail?.subject, 'Finish creating your account · Latchkey');
    assert.ok(mail?.html.includes(await linkFor(service, email)));

    const person = new Person(service);
    const form = await formIn(await person.visit(await linkFor(service, email)), '/sign-up/finish');
    const done = await person.submit(form, { name: `  ${name} `, password });
    assert.equal(done.status, 200);
    assert.match(await done.text(), /Newcomer\.Mixed\+News@Example\.test/);
    const [user] = await usersWith(service, email);
    assert.equal(user?.email, email);
    assert.equal(user?.name, name);
    assert.equal((await service.events('signed_up')).at(-1)?.userId, user?.id);

    const verifier = newVerifier();
    const answer = await person.authorize(authorizePath(client, verifier), {} as TestUser);
    const parameters = exchangeParameters(client, answer.searchParams.get('code') ?? '', verifier);
    const { body } = await postForm(service, '/oauth/token', parameters);
    const claims = (await userinfo(service, body.access_token)).body;
    assert.equal(claims.email, email);
    assert.equal(claims.email_verified, true);
    assert.equal(claims.sub, user?.id);
  });

  test('an invalid address is refused, and nothing is sent', async () => {
    const stored = (await service.rows('mails')).length;
    for (const email of ['', 'somebody', 'somebody@', 'a@b@c', 'a b@example.test', '<a@example.test>', 'a@b,c@d']) {
      const refused = await askToSignUp(service, email);
      assert.equal(refused.status, 400, email);
      assert.match(await refused.text(), /Enter a valid email address/);
    }
    assert.equal((await service.rows('mails')).length, stored);
  });

  test('sign-up continues to the application, in whichever browser the email is opened', async () => {
    const email = newAddress();
    const path = authorizePath(client, newVerifier(), { state: 'kept & carried' });
    const person = new Person(service);
    const { fields } = await formIn(await person.visit(path), '/sign-in');
    const text = await (await person.submit({ action: '/sign-up/start', fields, buttons: [] }, {})).text();
    assert.match(text, /to continue to Calendar/);
    await person.submit(await formIn(new Response(text), '/sign-up'), { email });

    const elsewhere = new Person(service);
    const form = await formIn(await elsewhere.visit(await linkFor(service, email)), '/sign-up/finish');
    const body = new URLSearchParams({ ...form.fields, name, password });
    const done = await elsewhere.request(form.action, { method: 'POST', body });
    assert.equal(done.status, 303);
    assert.equal(done.headers.get('location'), path);
    const consent = await formIn(await elsewhere.visit(path), '/oauth-authorize/decision');
    const answer = answerOf(await elsewhere.submit(consent, { decision: 'approve' }));
    assert.equal(answer.searchParams.get('state'), 'kept & carried');
    assert.ok(answer.searchParams.get('code'));
  });

  test('"Check your email" sends it again, and leads back with what was typed', async () => {
    const [typed, email] = [newAddress(), newAddress()];
    const path = authorizePath(client, newVerifier());
    for (const [action, mistyped] of [
      ['/sign-up', typed],
      ['/reset-password', (await service.newUser()).email],
    ] as const) {
      const person = new Person(service);
      const { fields } = await formIn(await person.visit(path), '/sign-in');
      const start = await person.submit({ action: `${action}/start`, fields, buttons: [] }, {});
      const sent = await (await person.submit(await formIn(start, action), { email: mistyped })).text();
      assert.match(sent, /<button class="link in-a-minute" type="submit">Send again<\/button>/);
      const form = await formIn(new Response(sent), action);
      await person.submit(form, {});
      assert.equal((await mailsTo(service, mistyped)).length, 2, action);

      const other = /formaction="([^"]+)">Use another email address</.exec(sent)?.[1] ?? '';
      const back = await person.submit({ ...form, action: other }, {});
      const page = await back.text();
      assert.match(page, new RegExp(`name="email" type="email"[^>]* value="${mistyped}"`), action);
      await person.submit(await formIn(new Response(page), action), { email });
    }
    assert.equal((await mailsTo(service, email)).length, 2);
    const elsewhere = new Person(service);
    const finish = await formIn(await elsewhere.visit(await linkFor(service, email)), '/sign-up/finish');
    const body = new URLSearchParams({ ...finish.fields, name, password });
    const done = await elsewhere.request(finish.action, { method: 'POST', body });
    assert.equal(done.headers.get('location'), path, 'on the way to the application');
  });

  test('an address with an account gets the same response, and its owner a different email', async () => {
    const email = newAddress();
    const unknown = await traitsOf(await askToSignUp(service, email));
    await service.newUser({ email });
    const known = await traitsOf(await askToSignUp(service, email));
    assert.deepEqual(known, unknown);
    const [second, first] = await mailsTo(service, email);
    assert.match(first?.subject ?? '', /Finish creating your account/);
    assert.match(second?.subject ?? '', /You already have an account/);
    assert.equal(second?.text.includes('link='), false);

    const links = (await service.rows('links')).length;
    await askToSignUp(service, email.toUpperCase());
    assert.equal((await mailsTo(service, email)).length, 3, 'to the address as it is kept');
    assert.equal((await mailsTo(service, email.toUpperCase())).length, 0);
    assert.equal((await service.rows('links')).length, links);
  });

  test("opening a link doesn't use it up", async () => {
    const email = newAddress();
    await askToSignUp(service, email);
    const path = await linkFor(service, email);
    const before = await everythingIn(service, countedAnyway);
    for (const method of ['GET', 'HEAD', 'GET', 'HEAD']) {
      assert.equal((await new Person(service).request(path, { method })).status, 200, method);
    }
    await assertNothingChanged(service, before, countedAnyway);
    const person = new Person(service);
    assert.equal((await person.submit(await formIn(await person.visit(path)), { name, password })).status, 200);
    assert.equal((await usersWith(service, email)).length, 1);
  });

  test('an invalid name is refused, and the link keeps working', async () => {
    const email = newAddress();
    await askToSignUp(service, email);
    const person = new Person(service);
    const form = await formIn(await person.visit(await linkFor(service, email)));
    for (const bad of ['', '   ', '\u200b\u202e', 'x'.repeat(101)]) {
      const refused = await person.submit(form, { name: bad, password });
      assert.equal(refused.status, 400);
      assert.match(await refused.text(), /1 to 100 characters/);
    }
    assert.deepEqual(await usersWith(service, email), []);
    assert.equal((await person.submit(form, { name, password })).status, 200);
  });

  test('every problem is shown at its field at once, and a new account is welcomed', async () => {
    const email = newAddress();
    await askToSignUp(service, email);
    const person = new Person(service);
    const form = await formIn(await person.visit(await linkFor(service, email)), '/sign-up/finish');
    const answer = await person.submit(form, { name: ' ', password: 'short' });
    assert.equal(answer.status, 400);
    const problems = [...(await answer.text()).matchAll(/id="(\w+)-problem">([^<]*)</g)].map(([, ...found]) => found);
    assert.deepEqual(problems, [
      ['name', 'Enter a name of 1 to 100 characters.'],
      ['password', 'Use at least 8 characters.'],
    ]);
    const done = await person.submit(form, { name, password });
    assert.match(await done.text(), /role="status".*Welcome! Your account is ready\./);
  });

  test('one link used twice at once creates one account', async () => {
    const email = newAddress();
    await askToSignUp(service, email);
    const form = await formIn(await new Person(service).visit(await linkFor(service, email)));
    const people = [new Person(service), new Person(service)];
    const answers = await Promise.all(people.map((person) => person.submit(form, { name, password })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 410]);
    assert.equal((await usersWith(service, email)).length, 1);
    assert.equal(people.filter((person) => person.cookies.has(session)).length, 1);
  });

  test('two links for one address used at once create one account', async () => {
    const email = newAddress();
    const forms: Form[] = [];
    for (const spelling of [email, email.toUpperCase()]) {
      await askToSignUp(service, spelling);
      forms.push(await formIn(await new Person(service).visit(await linkFor(service, spelling))));
    }
    const answers = await Promise.all(forms.map((form) => new Person(service).submit(form, { name, password })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 410]);
    assert.equal((await usersWith(service, email)).length, 1);
  });
});
