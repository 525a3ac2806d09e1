// What may be a password, wherever one is chosen.

import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { formIn, Person } from '../../harness/person.ts';
import { askToReset, askToSignUp, countedAnyway, name, newAddress, statusOfSignIn } from '../../harness/sign-up.ts';
import { assertNothingChanged, everythingIn, linkFor } from '../../harness/store.ts';
import { serviceOfSuite } from '../../harness/suite.ts';

const MINUTE = 60;

const service = serviceOfSuite({ LATCHKEY_SIGN_UP: 'open' });

// Emails are limited for a network: each test starts when those of the tests before it no longer count.
beforeEach(() => service.clock.advance(16 * MINUTE));

interface Choice {
  readonly email: string;
  /** 200 when the password is accepted, 400 when it is refused. */
  choose(password: string): Promise<Response>;
}

const waysToChoose: { name: string; begin: () => Promise<Choice> }[] = [
  {
    name: 'at sign-up',
    async begin() {
      const email = newAddress();
      await askToSignUp(service, email);
      const person = new Person(service);
      const form = await formIn(await person.visit(await linkFor(service, email)));
      return { email, choose: (password) => person.submit(form, { name, password }) };
    },
  },
  {
    name: 'when changing it',
    async begin() {
      const user = await service.newUser({ email: newAddress(), name });
      const person = new Person(service);
      await person.signIn(user);
      const form = await formIn(await person.visit('/account/security'), '/account/password');
      return { email: user.email, choose: (password) => person.submit(form, { new_password: password }) };
    },
  },
  {
    name: 'when resetting it',
    async begin() {
      const { email } = await service.newUser({ email: newAddress(), name });
      await askToReset(service, email);
      const person = new Person(service);
      const form = await formIn(await person.visit(await linkFor(service, email)));
      return { email, choose: (password) => person.submit(form, { password }) };
    },
  },
];

for (const way of waysToChoose) {
  describe(`a new password ${way.name}`, () => {
    const refused: { name: string; password: (email: string) => string; because: RegExp }[] = [
      { name: 'seven characters', password: () => 'k3y$tOn', because: /at least 8 characters/ },
      { name: 'seven characters of two units each', password: () => '🗝🔑🗝🔑🗝🔑🚪', because: /at least 8 characters/ },
      { name: 'nothing', password: () => '', because: /at least 8 characters/ },
      { name: '257 characters', password: () => 'long and '.repeat(29).slice(0, 257), because: /no more than 256/ },
      { name: 'a common one', password: () => 'iloveyou', because: /too common/ },
      { name: 'a common one in capitals', password: () => 'PassWord1', because: /too common/ },
      { name: 'a common one in full width', password: () => 'ｐａｓｓｗｏｒｄ', because: /too common/ },
      { name: 'the own address', password: (email) => email, because: /your name or email address/ },
      {
        name: 'the own address in capitals',
        password: (email) => email.toUpperCase(),
        because: /your name or email address/,
      },
      {
        name: 'the own address without its domain',
        password: (email) => email.split('@')[0] ?? '',
        because: /your name or email address/,
      },
      { name: 'the own name', password: () => 'grace hopper', because: /your name or email address/ },
    ];

    test("is refused if it's too short, too long, common or personal; eight characters are enough", async () => {
      const { email, choose } = await way.begin();
      const before = await everythingIn(service, countedAnyway);
      for (const c of refused) {
        const answer = await choose(c.password(email));
        assert.equal(answer.status, 400, c.name);
        assert.match(await answer.text(), c.because, c.name);
      }
      await assertNothingChanged(service, before, countedAnyway);
      assert.equal((await choose('k3y$tOne')).status, 200);
      assert.equal(await statusOfSignIn(service, email, 'k3y$tOne'), 200);
    });

    test('can have 256 characters, all of which count', async () => {
      const { email, choose } = await way.begin();
      const start = 'long and '.repeat(29).slice(0, 255);
      assert.equal((await choose(`${start}1`)).status, 200);
      assert.equal(await statusOfSignIn(service, email, `${start}1`), 200);
      assert.equal(await statusOfSignIn(service, email, `${start}2`), 400);
      assert.equal(await statusOfSignIn(service, email, start), 400);
    });

    test('is the same in every Unicode form, and keeps surrounding spaces', async () => {
      const { email, choose } = await way.begin();
      assert.equal((await choose('  na\u00efve \ufb01anc\u00e9 \u2167  ')).status, 200);
      assert.equal(await statusOfSignIn(service, email, '  nai\u0308ve fiance\u0301 VIII  '), 200);
      assert.equal(await statusOfSignIn(service, email, 'na\u00efve \ufb01anc\u00e9 \u2167'), 400);
    });
  });
}
