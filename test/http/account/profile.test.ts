// The profile that applications see.

import assert from 'node:assert/strict';
import { before, beforeEach, describe, test } from 'node:test';
import { claimsFor } from '../../harness/account.ts';
import { type Form, formIn, type Person } from '../../harness/person.ts';
import { authorizePath, newVerifier, obtainTokens, type TokenBody } from '../../harness/relying-party.ts';
import type { TestClient, TestUser } from '../../harness/service.ts';
import { assertNothingChanged, everythingIn } from '../../harness/store.ts';
import { serviceOfSuite } from '../../harness/suite.ts';

const MINUTE = 60;

const service = serviceOfSuite();
let client: TestClient;

before(async () => {
  client = await service.newClient();
});
// Emails and attempts are limited: each test starts when those of the tests before it no longer count.
beforeEach(() => service.clock.advance(16 * MINUTE));

describe('the profile', () => {
  let user: TestUser;
  let person: Person;
  let tokens: TokenBody;
  let form: Form;
  before(async () => {
    user = await service.newUser();
    const issued = await obtainTokens(service, client, user);
    person = issued.person;
    tokens = issued.tokens;
    form = await formIn(await person.visit('/account/profile'), '/account/profile');
  });
  const profile = { name: 'Ada Lovelace', given_name: 'Ada', family_name: 'Lovelace', locale: 'en-GB' };

  test('is what applications see', async () => {
    const page = await person.submit(form, profile);
    assert.match(await page.text(), /Profile saved/);
    const body = await claimsFor(service, client, tokens);
    for (const [claim, value] of Object.entries(profile)) assert.equal(body[claim], value);
    assert.equal(body.email, user.email);
  });

  test('saved without changes writes nothing, and no event', async () => {
    await person.submit(form, profile);
    const before = [
      await service.running.services.storage.findUser(user.id),
      (await service.events('profile_changed')).length,
    ];
    service.clock.advance(1);
    await person.submit(form, profile);
    assert.deepEqual(
      [await service.running.services.storage.findUser(user.id), (await service.events('profile_changed')).length],
      before,
    );
  });

  const kept: { name: string; typed: string; expected: string }[] = [
    { name: 'markup is text', typed: '<script>alert(1)</script>', expected: '<script>alert(1)</script>' },
    { name: 'quotes are text', typed: `"'><img src=x onerror=alert(1)>`, expected: `"'><img src=x onerror=alert(1)>` },
    {
      name: 'marks that turn text around are left out',
      typed: '\u202eAda\u200f \u2066Lovelace',
      expected: 'Ada Lovelace',
    },
    { name: 'what cannot be seen is left out', typed: 'A\u200bd\u00ada\ufeff', expected: 'Ada' },
    { name: 'spaces around it are left out', typed: '  Ada ', expected: 'Ada' },
    { name: 'joined emoji stay joined', typed: 'Ada 👩‍🚀', expected: 'Ada 👩‍🚀' },
    { name: 'right-to-left scripts stay', typed: 'עדה', expected: 'עדה' },
    { name: 'a hundred characters are not too many', typed: '😀'.repeat(100), expected: '😀'.repeat(100) },
  ];
  for (const c of kept) {
    test(`a name: ${c.name}`, async () => {
      const fields = { name: c.typed, given_name: c.typed, family_name: c.typed };
      const saved = await person.submit(form, { ...profile, ...fields });
      assert.equal(saved.status, 200);
      const body = await claimsFor(service, client, tokens);
      assert.deepEqual([body.name, body.given_name, body.family_name], Array(3).fill(c.expected));
      for (const path of ['/account/profile', authorizePath(client, newVerifier(), { prompt: 'consent' })]) {
        const answer = await person.visit(path);
        assert.equal(answer.status, 200, path);
        const page = await answer.text();
        assert.equal(/<script>alert|<img src=x/.test(page), false, path);
        assert.equal(/[\u202a-\u202e\u2066-\u2069\u200e\u200f]/.test(page), false, path);
      }
    });
  }

  const refused: { name: string; values: Record<string, string>; problem: RegExp }[] = [
    ...[
      { name: 'of 10,000 characters', text: 'x'.repeat(10_000) },
      { name: 'of 101 characters', text: 'x'.repeat(101) },
    ].flatMap(({ name, text }) =>
      ['name', 'given_name', 'family_name'].map((field) => ({
        name: `a ${field} ${name}`,
        values: { [field]: text },
        problem: /1 to 100 characters/,
      })),
    ),
    { name: 'no name', values: { name: '' }, problem: /1 to 100 characters/ },
    { name: 'a name of spaces', values: { name: ' \u00a0\u2003 ' }, problem: /1 to 100 characters/ },
    ...['\u200b\u202e\ufeff', '\u3164', '\u115f\u1160', '\u2800', '\u200d', '\u{e0041}'].map((name) => ({
      name: `the name U+${name.codePointAt(0)?.toString(16)}, which cannot be seen`,
      values: { name },
      problem: /1 to 100 characters/,
    })),
    {
      name: 'a name with a C1 control character',
      values: { name: '\u0085' },
      problem: /We couldn&#39;t read that request/,
    },
    {
      name: 'a name of two lines',
      values: { name: 'Ada\r\nSubject: x' },
      problem: /We couldn&#39;t read that request/,
    },
    ...['x', 'en_US', 'de-', '-', 'e n', '../../etc', '<b>', '1', 'x'.repeat(36), 'en-'.repeat(3000)].map((locale) => ({
      name: `the language ${locale.slice(0, 40)}`,
      values: { locale },
      problem: /Choose a language from the list/,
    })),
  ];
  test('refuses invalid names and languages', async () => {
    await person.submit(form, profile);
    const since = await everythingIn(service);
    for (const c of refused) {
      const answer = await person.submit(form, { ...profile, ...c.values });
      assert.equal(answer.status, 400, c.name);
      assert.match(await answer.text(), c.problem, c.name);
    }
    await assertNothingChanged(service, since);
  });

  test('shows every problem at its field at once', async () => {
    const wrong = { name: ' ', given_name: 'x'.repeat(101), preferred_username: 'a', locale: 'nonsense' };
    const page = await (await person.submit(form, { ...profile, ...wrong })).text();
    const problems = [...page.matchAll(/id="(\w+)-problem">([^<]*)</g)].map(([, field]) => field);
    assert.deepEqual(problems, ['name', 'given_name', 'preferred_username', 'locale']);
    for (const field of problems) {
      assert.match(
        page,
        new RegExp(`<(input|select) id="${field}"[^>]* aria-invalid="true" aria-describedby="${field}-`),
      );
    }
  });

  test("doesn't need a given name, family name or language", async () => {
    const saved = await person.submit(form, { ...profile, given_name: '', family_name: '\u200b', locale: '' });
    assert.equal(saved.status, 200);
    const body = await claimsFor(service, client, tokens);
    for (const claim of ['given_name', 'family_name', 'locale']) assert.equal(claim in body, false, claim);
  });

  test('stores the language in canonical form, and the consent page shows its name', async () => {
    await person.submit(form, { ...profile, locale: 'DE-at' });
    assert.equal((await claimsFor(service, client, tokens)).locale, 'de-AT');
    const consent = await person.visit(authorizePath(client, newVerifier(), { prompt: 'consent' }));
    assert.match(await consent.text(), /<dt>Sprache<\/dt><dd>Österreichisches Deutsch<\/dd>/);
  });
});
