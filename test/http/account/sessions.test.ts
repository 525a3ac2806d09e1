// The sessions of a user: listing them, ending them, and the email about a new browser.

import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { digestOf } from '../../../src/protocol/digest.ts';
import { signedIn } from '../../harness/account.ts';
import { formIn, Person } from '../../harness/person.ts';
import type { TestUser } from '../../harness/service.ts';
import { assertNothingChanged, everythingIn, mailsTo } from '../../harness/store.ts';
import { serviceOfSuite } from '../../harness/suite.ts';

const MINUTE = 60;
const session = 'latchkey_session';

const service = serviceOfSuite();

// Emails and attempts are limited: each test starts when those of the tests before it no longer count.
beforeEach(() => service.clock.advance(16 * MINUTE));

describe('sessions', () => {
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  const safari =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

  async function signedInWith(user: TestUser, browser: string): Promise<Person> {
    const person = new Person(service);
    const form = await formIn(await person.visit('/sign-in'));
    await person.submit(form, { email: user.email, password: user.password }, { 'User-Agent': browser });
    return person;
  }
  const isSignedIn = async (person: Person) => (await person.request('/account')).status === 200;
  const sessionsForm = async (person: Person) => formIn(await person.visit('/account/sessions'), '/account/sessions');

  test('are listed with their browsers; one or all others can be ended', async () => {
    const user = await service.newUser();
    const here = await signedInWith(user, firefox);
    const phone = await signedInWith(user, safari);
    const third = await signedInWith(user, 'curl');
    const page = await (await here.visit('/account/sessions')).text();
    for (const name of ['Firefox on Linux', 'Safari on iPhone', 'This device', '127.0.0.1']) {
      assert.ok(page.includes(name), name);
    }
    for (const person of [here, phone, third]) {
      const secret = person.cookies.get(session) ?? '';
      for (const text of [secret, digestOf(secret)]) assert.equal(page.includes(text), false, 'no secret is shown');
    }

    const form = await sessionsForm(here);
    const idOfPhone = digestOf(digestOf(phone.cookies.get(session) ?? ''));
    assert.equal(form.buttons.filter(({ name }) => name === 'end').length, 2, 'not this one');
    assert.ok(form.buttons.some(({ value }) => value === idOfPhone));
    assert.match(await (await here.submit(form, { end: idOfPhone })).text(), /Device signed out/);
    assert.deepEqual(await Promise.all([here, phone, third].map(isSignedIn)), [true, false, true]);
    assert.match(await (await here.submit(form, { end: idOfPhone })).text(), /That didn&#39;t work/);

    await signedInWith(user, safari);
    assert.match(await (await here.submit(form, { end_others: 'yes' })).text(), /Other devices signed out/);
    assert.deepEqual(await Promise.all([here, phone, third].map(isSignedIn)), [true, false, false]);
    assert.match(await (await here.visit('/account/sessions')).text(), /You aren&#39;t signed in anywhere else/);
    assert.equal((await service.rows('sessions')).filter((row) => row.user_id === user.id).length, 1);
  });

  test("another person's session can't be ended", async () => {
    const victim = await signedIn(service, await service.newUser());
    const secret = victim.cookies.get(session) ?? '';
    const attacker = await signedIn(service, await service.newUser());
    const form = await sessionsForm(attacker);
    const since = await everythingIn(service);
    for (const id of [digestOf(digestOf(secret)), digestOf(secret), secret, '', '%']) {
      assert.match(await (await attacker.submit(form, { end: id })).text(), /That didn&#39;t work/);
    }
    await assertNothingChanged(service, since);
    await attacker.submit(form, { end_others: 'yes' });
    assert.ok(await isSignedIn(victim));
  });

  test('in a new browser are announced by email', async () => {
    const user = await service.newUser();
    const told = async () =>
      (await mailsTo(service, user.email)).map(({ text }) => /before: (\S+ on \S+),/.exec(text)?.[1]);
    const here = await signedInWith(user, firefox);
    assert.deepEqual(await told(), ['Firefox on Linux']);
    await here.submit(await formIn(await here.visit('/account'), '/sign-out'), {});
    await here.signIn(user);
    assert.equal((await told()).length, 1, 'this browser is known now');
    service.clock.advance(1);
    await signedInWith(user, safari);
    assert.deepEqual(await told(), ['Safari on iPhone', 'Firefox on Linux']);
  });

  test('in a shared browser are announced once to each person', async () => {
    const family = await Promise.all(Array.from({ length: 5 }, () => service.newUser()));
    const told = async ({ email }: TestUser) =>
      (await mailsTo(service, email)).filter(({ subject }) => /New sign-in/.test(subject)).length;
    const browser = new Person(service);
    const signInAndOut = async (user: TestUser) => {
      await browser.signIn(user);
      await browser.submit(await formIn(await browser.visit('/account'), '/sign-out'), {});
    };
    for (const user of [...family, ...family]) await signInAndOut(user);
    assert.deepEqual(await Promise.all(family.map(told)), [1, 1, 1, 1, 1]);
    const rows = await service.rows('known_devices');
    const marks = rows.filter((row) => family.some(({ id }) => id === row.user_id)).map((row) => row.digest);
    assert.equal(new Set(marks).size, 5, 'each has a mark of their own');

    // Whoever has not signed in for longest is forgotten first.
    const [oldest, next] = family as [TestUser, TestUser, ...TestUser[]];
    await signInAndOut(await service.newUser());
    await signInAndOut(next);
    await signInAndOut(oldest);
    assert.deepEqual(await Promise.all([told(next), told(oldest)]), [1, 2]);
  });

  test('are announced whatever the User-Agent says', async () => {
    const user = await service.newUser();
    const mark = (letter: string) => `lkd_${letter.repeat(43)}`;
    const cookies = ['', '.', mark('a'), `${mark('a')}.`, [...'abcdef'].map(mark).join('.'), `${mark('a')}.x`];
    for (const [index, cookie] of cookies.entries()) {
      const person = new Person(service);
      person.cookies.set('latchkey_device', cookie);
      await person.signIn(user);
      const told = (await mailsTo(service, user.email)).filter(({ subject }) => /New sign-in/.test(subject));
      assert.equal(told.length, index + 1, cookie);
      const [own = ''] = person.cookies.get('latchkey_device')?.split('.') ?? [];
      assert.ok(!cookies.join().includes(own));
    }
  });
});
