// How often codes by email can be guessed at and sent, and that nobody keeps anybody else out.

import assert from 'node:assert/strict';
import { before, beforeEach, describe, test } from 'node:test';
import {
  askForCode,
  type CodeAsked,
  codesTo,
  enter,
  newestCode,
  setPolicy,
  signInWithCode,
} from '../../harness/email-codes.ts';
import { Person } from '../../harness/person.ts';
import { alignToStep, codeOf, isSignedIn, newOwner, reachSecondStep, tryCode } from '../../harness/second-factors.ts';
import { askToReset, newAddress, traitsOf } from '../../harness/sign-up.ts';
import { mailsTo } from '../../harness/store.ts';
import { serviceOfSuite } from '../../harness/suite.ts';

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;

const service = serviceOfSuite({ LATCHKEY_TRUST_PROXY: '127.0.0.1' });
before(async () => {
  await setPolicy(service, { email_codes: 'everyone' });
});
beforeEach(() => service.clock.advance(2 * DAY));

let networks = 0;
const anywhere = () => ({ 'X-Forwarded-For': `2001:db8:${(++networks).toString(16)}::1` });

/** Asks for a code from a network of its own. */
const ask = (email: string, person = new Person(service)) => askForCode(service, email, person, {}, anywhere());

let guesses = 0;
async function guess({ person, form }: CodeAsked): Promise<{ status: number; page: string; wait: number }> {
  const letters = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
  const number = ++guesses;
  const code = `2222${letters[Math.floor(number / 900) % 30]}${letters[Math.floor(number / 30) % 30]}${letters[number % 30]}2`;
  const response = await person.submit(form, { code }, anywhere());
  const wait = Number(response.headers.get('retry-after'));
  return { status: response.status, page: await response.text(), wait };
}

/** How many guesses somebody has who asks for a new code when one is spent, and waits a quarter of an hour when told to. */
async function guessForADay(email: string, person: () => Person): Promise<number> {
  const end = service.clock.now() + (DAY - 60 * MINUTE) * 1000;
  let count = 0;
  while (service.clock.now() < end) {
    const asked = await ask(email, person());
    for (;;) {
      const { status, wait } = await guess(asked);
      if (status === 429) service.clock.advance(wait > 15 * MINUTE ? DAY : wait);
      if (status !== 400) break;
      count++;
      // The fifth one was the last for this code.
      if (count % 5 === 0) break;
    }
  }
  return count;
}

async function knownBrowser(email: string): Promise<Person> {
  const { person } = await signInWithCode(service, email);
  assert.ok(await isSignedIn(person));
  person.cookies.delete('latchkey_session');
  service.clock.advance(2 * DAY);
  return person;
}

for (const [who, addressOf] of [
  ['an account', async () => (await service.newUser()).email],
  ['no account', async () => newAddress()],
] as const) {
  describe(`with an address that has ${who}`, () => {
    test('five wrong codes end the code', async () => {
      const email = await addressOf();
      const asked = await ask(email);
      for (let count = 0; count < 5; count++) {
        const { status, page } = await guess(asked);
        assert.equal(status, 400);
        assert.match(page, /That code is incorrect or has expired\./);
      }
      const [code = 'ABCD-EFGH'] = await codesTo(service, email);
      const spent = await enter(asked, code);
      assert.equal(spent.status, 400);
      assert.match(await spent.text(), /Too many incorrect codes\. Send a new one\./);
      assert.equal(asked.person.cookies.has('latchkey_session'), false);
      assert.equal((await guess(await ask(email))).status, 400);
    });

    test('there are ten wrong codes in 15 minutes, from wherever', async () => {
      const email = await addressOf();
      for (let round = 0; round < 2; round++) {
        const asked = await ask(email);
        for (let count = 0; count < 5; count++) assert.equal((await guess(asked)).status, 400);
      }
      const { status, page, wait } = await guess(await ask(email));
      assert.equal(status, 429);
      assert.match(page, /Too many attempts\. Try again in 1[45] minutes\./);
      assert.ok(wait <= 15 * MINUTE);
      service.clock.advance(16 * MINUTE);
      assert.equal((await guess(await ask(email))).status, 400);
    });

    test('there are 30 in a day', async () => {
      const email = await addressOf();
      assert.equal(await guessForADay(email, () => new Person(service)), 30);
    });

    test('five emails in 15 minutes, ten in a day, and the page stays the same', async () => {
      const email = await addressOf();
      const pages: string[] = [];
      const count = async () => (await mailsTo(service, email)).length;
      const askOften = async (times: number) => {
        for (let time = 0; time < times; time++) {
          const { page } = await ask(email);
          pages.push(page.replaceAll(/value="[^"]*"/g, ''));
        }
      };
      await askOften(7);
      assert.equal(await count(), 5);
      service.clock.advance(16 * MINUTE);
      await askOften(7);
      assert.equal(await count(), 10);
      service.clock.advance(60 * MINUTE);
      await askOften(2);
      assert.equal(await count(), 10);
      assert.deepEqual(new Set(pages).size, 1);
      service.clock.advance(DAY);
      await askOften(1);
      assert.equal(await count(), 11);
    });
  });
}

test('the response is the same for every address', async () => {
  const known = await service.newUser();
  const addresses = [known.email, newAddress()].map((email) => email.padStart(24, 'x'));
  await service.newUser({ email: addresses[0] ?? '' });
  const traits = [];
  for (const email of addresses) {
    const person = new Person(service);
    await person.visit('/sign-in');
    const { form } = await ask(email, person);
    const send = (fields: Record<string, string>) =>
      person.request('/sign-in/code', { method: 'POST', body: new URLSearchParams(fields), headers: anywhere() });
    const read = async (response: Response) =>
      JSON.stringify(await traitsOf(response))
        .replaceAll('<wbr>', '')
        .replaceAll(email, '')
        .replaceAll(/value=\\"[^"]*"/g, '')
        .replaceAll(/nonce[-=\\"]+[\w+/=-]+/g, '');
    traits.push([
      await read(
        await send({
          continue:
            (await person.visit('/sign-in').then((r) => r.text())).match(/name="continue" value="([^"]*)"/)?.[1] ?? '',
          email,
        }),
      ),
      await read(await send({ ...form.fields, code: 'ABCDEFGH' })),
    ]);
  }
  assert.deepEqual(traits[1], traits[0]);
});

describe('a stranger', () => {
  test('who guesses codes closes neither the password nor the second step', async () => {
    alignToStep(service);
    const owner = await newOwner(service);
    const { email } = owner.user;
    assert.equal(await guessForADay(email, () => new Person(service)), 30);
    const step = await reachSecondStep(service, owner.user);
    await tryCode(step, codeOf(service, owner));
    assert.ok(await isSignedIn(step.person));
  });

  test('who guesses passwords or second steps closes no codes', async () => {
    const user = await service.newUser();
    for (let count = 0; count < 60; count++) {
      const person = new Person(service);
      const response = await person.visit('/sign-in');
      const page = await response.text();
      const ticket = /name="continue" value="([^"]*)"/.exec(page)?.[1] ?? '';
      const fields = { continue: ticket, email: user.email, password: 'wrong password' };
      await person.request('/sign-in', { method: 'POST', body: new URLSearchParams(fields), headers: anywhere() });
    }
    const { person } = await signInWithCode(service, user.email);
    assert.ok(await isSignedIn(person));
  });

  test('keeps nobody out of a browser that is known for them: guesses, emails and new codes', async () => {
    const { email } = await service.newUser();
    const person = await knownBrowser(email);
    const own = await ask(email, person);
    const code = await newestCode(service, email);
    const stranger = new Person(service);
    for (let count = 0; count < 3; count++) {
      const asked = await ask(email, stranger);
      for (let number = 0; number < 5; number++) await guess(asked);
    }
    for (let count = 0; count < 5; count++) await ask(email);
    const response = await person.submit(own.form, { code }, anywhere());
    assert.equal(response.status, 200);
    assert.ok(await isSignedIn(person));
    person.cookies.delete('latchkey_session');
    const before = (await codesTo(service, email)).length;
    await ask(email);
    assert.equal((await codesTo(service, email)).length, before, 'their share is used up');
    await signInWithCode(service, email, person);
    assert.ok(await isSignedIn(person));
  });

  test('with a browser that is known for somebody else is a stranger', async () => {
    const [mine, other] = [await service.newUser(), await service.newUser()];
    const person = await knownBrowser(mine.email);
    for (let count = 0; count < 6; count++) await ask(other.email, person);
    assert.equal((await codesTo(service, other.email)).length, 5);
    const counted = await ask(other.email);
    assert.equal((await codesTo(service, other.email)).length, 5);
    assert.equal((await guess(counted)).status, 400);
  });

  test('uses up neither the emails of a reset nor the other way round', async () => {
    const { email } = await service.newUser();
    for (let count = 0; count < 6; count++) await ask(email);
    await askToReset(service, email);
    assert.match((await mailsTo(service, email))[0]?.subject ?? '', /^Reset your password/);
    for (let count = 0; count < 6; count++) await askToReset(service, email);
    service.clock.advance(16 * MINUTE);
    for (let count = 0; count < 5; count++) await askToReset(service, email);
    const before = (await codesTo(service, email)).length;
    await ask(email);
    assert.equal((await codesTo(service, email)).length, before + 1);
  });

  test('has 30 emails for a network, whatever the addresses', async () => {
    const person = new Person(service);
    const ticket = /name="continue" value="([^"]*)"/.exec(await (await person.visit('/sign-in')).text())?.[1] ?? '';
    const statuses = [];
    for (let count = 0; count < 31; count++) {
      const body = new URLSearchParams({ continue: ticket, email: newAddress() });
      const headers = { 'X-Forwarded-For': '203.0.113.77' };
      statuses.push((await person.request('/sign-in/code', { method: 'POST', body, headers })).status);
    }
    assert.deepEqual(statuses.slice(29), [200, 429]);
  });
});

test('a known browser has ten wrong codes in 15 minutes and 30 in a day of its own', async () => {
  const { email } = await service.newUser();
  const person = await knownBrowser(email);
  assert.equal(await guessForADay(email, () => person), 30);
  const { status } = await guess(await ask(email));
  assert.equal(status, 400, 'a stranger has guesses still');
});
