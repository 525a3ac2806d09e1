// "Keep me signed in": the sign-in page of that browser offers the account and its usual method, until its person signs out or
// says that it's someone else.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { disableUser } from '../../../src/operations/users/disable-user.ts';
import { setPolicy } from '../../harness/email-codes.ts';
import { newHolder, offered, register } from '../../harness/passkeys.ts';
import { formIn, Person, readForm } from '../../harness/person.ts';
import { authorizePath, exchangeParameters, newVerifier, postForm } from '../../harness/relying-party.ts';
import { requester, type TestUser } from '../../harness/service.ts';
import { SoftwareAuthenticator } from '../../harness/software-authenticator.ts';
import { serviceOfSuite } from '../../harness/suite.ts';

const service = serviceOfSuite();

const cookie = 'latchkey_remembered';
const DAY = 24 * 60 * 60;

async function keptBrowser(user: TestUser): Promise<Person> {
  const person = new Person(service);
  await person.signIn(user, { keep: 'yes' });
  return person;
}

const pageOf = async (person: Person, path = '/sign-in') => (await person.visit(path)).text();
const offers = (page: string, { email }: TestUser) =>
  page.includes('class="account-row"') && page.includes(email) && page.includes('Not you?');
/** As the session would after its time. */
const expire = (person: Person) => person.cookies.delete('latchkey_session');

describe('the sign-in page offers the account', () => {
  test('to those who asked to stay signed in, once the session has ended', async () => {
    const user = await service.newUser();
    const person = await keptBrowser(user);
    service.clock.advance(200 * DAY);
    const page = await pageOf(person);
    assert.ok(offers(page, user));
    assert.match(page, /<input type="email" name="email"[^>]* hidden readonly>/);
    assert.match(page, /name="keep"[^>]* checked/);
    const form = await formIn(new Response(page), '/sign-in');
    const answer = await person.submit(form, { email: user.email, password: user.password });
    assert.match(await answer.text(), /<h1>Your apps<\/h1>/);
  });

  test('to nobody who did not', async () => {
    const person = new Person(service);
    await person.signIn(await service.newUser());
    assert.equal(person.cookies.has(cookie), false);
    expire(person);
    assert.doesNotMatch(await pageOf(person), /account-row/);
  });

  test('on the way to an application, unless that asks for someone else', async () => {
    const [user, client] = [await service.newUser(), await service.newClient()];
    const person = await keptBrowser(user);
    expire(person);
    const path = (changes = {}) => authorizePath(client, newVerifier(), changes);
    for (const changes of [{}, { prompt: 'login' }, { login_hint: user.email.toUpperCase() }]) {
      assert.ok(offers(await pageOf(person, path(changes)), user), JSON.stringify(changes));
    }
    const other = await pageOf(person, path({ login_hint: 'someone@example.test' }));
    assert.doesNotMatch(other, /account-row/);
    assert.match(other, /value="someone@example.test"/);
  });

  test('also after a wrong password', async () => {
    const user = await service.newUser();
    const person = await keptBrowser(user);
    expire(person);
    const form = await formIn(await person.visit('/sign-in'), '/sign-in');
    const answer = await (await person.submit(form, { email: user.email, password: 'wrong' })).text();
    assert.ok(offers(answer, user));
    assert.match(answer, /Incorrect email or password/);
  });

  test('with the way in that they took last', async () => {
    const user = await service.newUser();
    const browser = await keptBrowser(user);
    await register(browser, new SoftwareAuthenticator(service.url));
    expire(browser);
    const password = await pageOf(browser);
    assert.ok(password.indexOf('action="/sign-in"') < password.indexOf('/sign-in/passkey"'));
    await service.running.services.journal.flush();
    await service.execute(`DELETE FROM events WHERE user_id = '${user.id}'`);
    const page = await pageOf(browser);
    // Nothing is known of the last time, and a passkey is the better way.
    assert.ok(page.indexOf('/sign-in/passkey"') < page.indexOf('action="/sign-in"'));
    assert.match(page, /<button class="primary" type="submit"><svg[^>]*>.*?<\/svg>Sign in with a passkey/s);
  });
});

describe('"Keep me signed in", ticked for the remembered account,', () => {
  const withPasskey = async (browser: Person, device: SoftwareAuthenticator, keep: string) => {
    const { form, challenge } = await offered(service, browser);
    const given = { answer: device.get(challenge), challenge: challenge.challenge, keep };
    await browser.submit(form, given);
  };
  for (const whose of ['its own', "somebody else's"]) {
    test(`counts for ${whose === 'its own' ? '' : 'nobody but '}its person: ${whose} passkey`, async () => {
      const holder = await newHolder(service);
      const own = await service.newUser();
      const browser = await keptBrowser(own);
      const device = whose === 'its own' ? new SoftwareAuthenticator(service.url) : holder.device;
      if (whose === 'its own') await register(browser, device);
      const user = whose === 'its own' ? own : holder.user;
      expire(browser);
      const box = /<input id="keep"[^>]* value="(\w+)" checked/.exec(await pageOf(browser))?.[1] ?? '';
      const before = await service.rows('sessions');
      await withPasskey(browser, device, box);
      const session = (await service.rows('sessions')).find(({ id }) => before.every((row) => row.id !== id));
      assert.deepEqual([session?.user_id, Number(session?.kept)], [user.id, whose === 'its own' ? 1 : 0]);
      assert.equal(browser.cookies.has(cookie), whose === 'its own');
      assert.match(await pageOf(browser, '/account'), /Your apps/);
    });
  }

  test('is not ticked for anyone once the account is forgotten', async () => {
    const user = await service.newUser();
    const browser = await keptBrowser(user);
    expire(browser);
    const form = await formIn(await browser.visit('/sign-in'), '/sign-in');
    browser.cookies.delete(cookie);
    const wrong = { email: user.email, password: 'wrong', keep: 'remembered' };
    assert.match(await (await browser.submit(form, wrong)).text(), /name="keep" type="checkbox" value="yes">/);
  });

  test('is the same for another code by email', async () => {
    await setPolicy(service, { email_codes: 'everyone' });
    const user = await service.newUser();
    const browser = await keptBrowser(user);
    expire(browser);
    const form = await formIn(await browser.visit('/sign-in'), '/sign-in');
    for (const keep of ['remembered', 'yes']) {
      const asked = await browser.submit({ ...form, action: '/sign-in/code' }, { email: user.email, keep });
      assert.match(await asked.text(), new RegExp(`<input type="hidden" name="keep" value="${keep}">`));
    }
  });

  test('is not what somebody else chose, whose own tick counts', async () => {
    const { device } = await newHolder(service);
    const browser = await keptBrowser(await service.newUser());
    expire(browser);
    await withPasskey(browser, device, 'yes');
    assert.ok(browser.cookies.has(cookie));
  });
});

describe('the account is forgotten', () => {
  const ways: [string, (person: Person) => Promise<unknown>][] = [
    [
      'after signing out',
      async (person) => person.submit(await formIn(await person.visit('/account'), '/sign-out'), {}),
    ],
    [
      'after "Not you?"',
      async (person) => {
        expire(person);
        const form = await formIn(await person.visit('/sign-in'), '/sign-in');
        await person.submit({ ...form, action: '/sign-in/forget' }, {});
      },
    ],
    [
      'after a sign-in that is not kept',
      async (person) => {
        expire(person);
        await person.signIn(await service.newUser());
        expire(person);
      },
    ],
  ];
  for (const [name, leave] of ways) {
    test(name, async () => {
      const person = await keptBrowser(await service.newUser());
      assert.ok(person.cookies.has(cookie));
      await leave(person);
      assert.equal(person.cookies.has(cookie), false);
      assert.doesNotMatch(await pageOf(person), /account-row/);
    });
  }

  for (const expired of [false, true]) {
    test(`after signing out at an application${expired ? ', also when the session has ended' : ''}`, async () => {
      const [user, client] = [await service.newUser(), await service.newClient()];
      const person = await keptBrowser(user);
      const verifier = newVerifier();
      const answer = await person.authorize(authorizePath(client, verifier), user);
      const exchange = exchangeParameters(client, answer.searchParams.get('code') ?? '', verifier);
      const { body } = await postForm(service, '/oauth/token', exchange);
      if (expired) expire(person);
      await person.visit(`/oauth/logout?id_token_hint=${body.id_token}`);
      assert.equal(person.cookies.has(cookie), false);
    });
  }

  test('after "Not you?" on the consent page', async () => {
    const person = await keptBrowser(await service.newUser());
    const client = await service.newClient();
    const page = await pageOf(person, authorizePath(client, newVerifier()));
    const form = readForm(page, '/oauth-authorize/decision');
    assert.ok(form);
    await person.submit({ ...form, action: '/oauth-authorize/account' }, { account: 'other' });
    assert.equal(person.cookies.has(cookie), false);
  });
});

describe('the cookie', () => {
  test('holds nothing that can be read, is bound to the browser, and says nothing of an account', async () => {
    const user = await service.newUser();
    const person = await keptBrowser(user);
    const value = person.cookies.get(cookie) ?? '';
    for (const text of [user.id, user.email]) {
      assert.ok(![value, Buffer.from(value, 'base64url').toString('latin1')].some((each) => each.includes(text)));
    }
    const thief = new Person(service);
    thief.cookies.set(cookie, value);
    assert.doesNotMatch(await pageOf(thief), /account-row/);
    for (const forged of ['', 'x', user.id, `${value.slice(0, -2)}AA`, 'a'.repeat(3000)]) {
      const browser = new Person(service);
      browser.cookies.set('latchkey_device', person.cookies.get('latchkey_device') ?? '');
      browser.cookies.set(cookie, forged);
      assert.doesNotMatch(await pageOf(browser), /account-row/, forged);
    }
  });

  test('does not show whether the account still works', async () => {
    const user = await service.newUser();
    const person = await keptBrowser(user);
    expire(person);
    const withoutTickets = (page: string) => page.replace(/value="[^"]{60,}"/g, '');
    const before = withoutTickets(await pageOf(person));
    assert.equal((await disableUser(service.running.services, user.id, requester)).kind, 'done');
    assert.equal(withoutTickets(await pageOf(person)), before);
  });

  test('is worth nothing once the account is gone, or no longer knows the browser', async () => {
    const user = await service.newUser();
    const person = await keptBrowser(user);
    expire(person);
    await service.execute(`DELETE FROM known_devices WHERE user_id = '${user.id}'`);
    assert.doesNotMatch(await pageOf(person), /account-row/);
  });

  test('is kept from scripts and other sites', async () => {
    const user = await service.newUser();
    const person = new Person(service);
    const form = await formIn(await person.visit('/sign-in'), '/sign-in');
    const body = new URLSearchParams({ ...form.fields, email: user.email, password: user.password, keep: 'yes' });
    const answer = await person.request('/sign-in', { method: 'POST', body, headers: { Origin: service.url } });
    const line = answer.headers.getSetCookie().find((each) => each.startsWith(`${cookie}=`)) ?? '';
    assert.match(line, /; Path=\/; HttpOnly; SameSite=Lax; Max-Age=34560000$/);
  });
});
