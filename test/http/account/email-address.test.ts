// Changing the email address by a link that is sent to the new one.

import assert from 'node:assert/strict';
import { before, beforeEach, describe, test } from 'node:test';
import { signedIn } from '../../harness/account.ts';
import { keptLink } from '../../harness/links.ts';
import { formIn, Person, readForm } from '../../harness/person.ts';
import { decodeJwt, obtainTokens, userinfo } from '../../harness/relying-party.ts';
import type { TestClient } from '../../harness/service.ts';
import { assertNothingChanged, everythingIn, linkFor, mailsTo } from '../../harness/store.ts';
import { serviceOfSuite } from '../../harness/suite.ts';

const MINUTE = 60;

const service = serviceOfSuite();
let client: TestClient;

before(async () => {
  client = await service.newClient();
});
// Emails and attempts are limited: each test starts when those of the tests before it no longer count.
beforeEach(() => service.clock.advance(16 * MINUTE));

describe('changing the email address', () => {
  async function ask(person: Person, email: string): Promise<Response> {
    // Gives the emails a later time than those before, so that they are the newest.
    service.clock.advance(1);
    const form = await formIn(await person.visit('/account/email'), '/account/email');
    const response = await person.submit(form, { email });
    await service.running.services.emailQueue.answerRequests();
    return response;
  }
  const confirm = async (path: string, person: Person) => {
    service.clock.advance(1);
    return person.submit(await formIn(await person.visit(path), '/account/email/confirm'), {});
  };

  test('someone whose address is not verified gets a link for it from their profile', async () => {
    const user = await service.newUser({ emailVerified: false });
    const person = await signedIn(service, user);
    const profile = await (await person.visit('/account/profile')).text();
    assert.match(profile, /Not verified<\/span><\/span>\s*<form method="post" action="\/account\/email">/);
    const form = readForm(profile, '/account/email');
    assert.ok(form);
    assert.match(await (await person.submit(form, {})).text(), /Check your email/);
    await service.running.services.emailQueue.answerRequests();
    const path = await linkFor(service, user.email);
    assert.match(await (await person.visit(path)).text(), /<h1>Verify email address<\/h1>/);
    assert.match(await (await confirm(path, person)).text(), /<h1>Email address verified<\/h1>/);
    const verified = await (await person.visit('/account/profile')).text();
    assert.doesNotMatch(verified, /action="\/account\/email"/);
    assert.match(verified, />Verified</);
  });

  test('a link sent to the new address changes it; the old address is notified', async () => {
    const user = await service.newUser();
    const { tokens, person } = await obtainTokens(service, client, user);
    const email = 'New.Address@example.test';
    const page = await ask(person, ` ${email} `);
    assert.equal(page.status, 200);
    assert.match(await page.text(), /Check your email/);
    assert.equal((await userinfo(service, tokens.access_token)).body.email, user.email, 'not yet');

    const path = await linkFor(service, email);
    const since = await everythingIn(service);
    for (const method of ['GET', 'HEAD']) assert.equal((await person.request(path, { method })).status, 200);
    await assertNothingChanged(service, since);

    const done = await confirm(path, person);
    assert.match(await done.text(), /email address is now New\.Address@example\.test/);
    const claims = (await userinfo(service, tokens.access_token)).body;
    assert.deepEqual([claims.sub, claims.email, claims.email_verified], [user.id, email, true]);
    assert.equal(decodeJwt(tokens.id_token).sub, claims.sub);
    const notices = (await mailsTo(service, user.email)).filter(({ text }) => text.includes(email));
    assert.deepEqual(
      notices.map(({ subject }) => subject.split(' · ')[0]),
      ['Your email address was changed', 'Email address change requested'],
    );
    assert.equal((await person.visit(path)).status, 410, 'the link works once');
    assert.equal((await new Person(service).signIn({ ...user, email })).status, 200);
    assert.equal((await new Person(service).signIn(user)).status, 400);
  });

  test('an invalid address, or the same one, is refused', async () => {
    const user = await service.newUser();
    const person = await signedIn(service, user);
    const since = await everythingIn(service);
    for (const [email, problem] of [
      ['', /Enter a valid email address/],
      ['nowhere', /Enter a valid email address/],
      [user.email, /That&#39;s already your email address/],
    ] as [string, RegExp][]) {
      const refused = await ask(person, email);
      assert.equal(refused.status, 400, email);
      assert.match(await refused.text(), problem);
    }
    await assertNothingChanged(service, since);
  });

  test('an address with an account gets the same response, and its owner a different email', async () => {
    const user = await service.newUser();
    const person = await signedIn(service, user);
    const email = 'taken-soon@example.test';
    const free = await (await ask(person, email)).text();
    await service.newUser({ email });
    const links = await service.rows('links');
    const taken = await (await ask(person, email)).text();
    assert.equal(taken, free);
    assert.deepEqual(await service.rows('links'), links);
    assert.match((await mailsTo(service, email))[0]?.subject ?? '', /You already have an account/);
    assert.equal((await service.running.services.storage.findUser(user.id))?.email, user.email);
  });

  test('an address that was taken in the meantime is refused', async () => {
    const user = await service.newUser();
    const person = await signedIn(service, user);
    const email = 'taken-meanwhile@example.test';
    await ask(person, email);
    const path = await linkFor(service, email);
    await service.newUser({ email: email.toUpperCase() });
    const since = await everythingIn(service);
    const refused = await confirm(path, person);
    assert.equal(refused.status, 410);
    assert.match(await refused.text(), /This link has expired/);
    await assertNothingChanged(service, since);
    const told = (await mailsTo(service, user.email)).filter(({ subject }) => /was changed/.test(subject));
    assert.deepEqual(told, [], 'nobody is told of a change');
  });

  test('without a session, the link asks to sign in first and then continues', async () => {
    const user = await service.newUser();
    const email = 'typed-right@example.test';
    await ask(await signedIn(service, user), email);
    const path = await linkFor(service, email);
    const link = new URLSearchParams(path.split('?')[1]).get('link') ?? '';

    const stranger = new Person(service);
    const since = await everythingIn(service);
    const page = await (await stranger.visit(path)).text();
    assert.ok(readForm(page, '/sign-in'));
    assert.equal(page.includes(user.email), false, 'the page does not say whose account it is');
    const form = { action: '/account/email/confirm', fields: { link }, buttons: [] };
    assert.ok(readForm(await (await stranger.submit(form, {})).text(), '/sign-in'));
    await assertNothingChanged(service, since);

    const elsewhere = new Person(service);
    const signIn = await formIn(await elsewhere.visit(path), '/sign-in');
    const back = await elsewhere.submit(signIn, { email: user.email, password: user.password });
    await elsewhere.submit(await formIn(back, '/account/email/confirm'), {});
    assert.equal((await service.running.services.storage.findUser(user.id))?.email, email);
  });

  test("another account's link is refused with a page that says so, and stays valid", async () => {
    const user = await service.newUser();
    const email = 'wanted-by-one@example.test';
    const person = await signedIn(service, user);
    await ask(person, email);
    const path = await linkFor(service, email);
    const other = await signedIn(service, await service.newUser());
    const { fields } = await formIn(await other.visit('/account/email'), '/account/email');
    const since = await everythingIn(service);
    const link = new URLSearchParams(path.split('?')[1]).get('link') ?? '';
    for (const refused of [
      await other.visit(path),
      await other.submit({ action: '/account/email/confirm', fields: { ...fields, link }, buttons: [] }, {}),
    ]) {
      assert.equal(refused.status, 403);
      const page = await refused.text();
      assert.match(page, /This link is for another account/);
      for (const secret of [user.email, email]) assert.equal(page.includes(secret), false);
    }
    await assertNothingChanged(service, since);
    await confirm(path, person);
    assert.equal((await service.running.services.storage.findUser(user.id))?.email, email);
  });

  test('resetting the password on the way leaves no secret in the store', async () => {
    const user = await service.newUser();
    await ask(await signedIn(service, user), 'on-the-way@example.test');
    const path = await linkFor(service, 'on-the-way@example.test');
    const link = new URLSearchParams(path.split('?')[1]).get('link') ?? '';
    const person = new Person(service);
    const { fields } = await formIn(await person.visit(path), '/sign-in');
    const page = await person.submit({ action: '/reset-password/start', fields, buttons: [] }, {});
    await person.submit(await formIn(page, '/reset-password'), { email: user.email });
    const links = JSON.stringify(await service.rows('links'));
    assert.match(links, /account\/email\/confirm/);
    assert.equal(links.includes(link), false);
  });

  test('a change voids links that were sent before, and so does requesting another', async () => {
    const user = await service.newUser();
    const person = await signedIn(service, user);
    await ask(person, 'first-wish@example.test');
    await ask(person, 'second-wish@example.test');
    assert.equal((await person.visit(await linkFor(service, 'first-wish@example.test'))).status, 410);
    const reset = `/reset-password/finish?link=${await keptLink(service, 'reset_password', user.id, user.email)}`;
    assert.equal((await person.visit(reset)).status, 200);
    await confirm(await linkFor(service, 'second-wish@example.test'), person);
    assert.equal((await person.visit(reset)).status, 410);
    assert.equal((await service.running.services.storage.findUser(user.id))?.email, 'second-wish@example.test');
  });
});
