// The second factors of people who came from another service: their app goes on working, and nobody gets in with less than they had
// to prove there.

import assert from 'node:assert/strict';
import { before, beforeEach, describe, test } from 'node:test';
import { setPassword } from '../../src/operations/users/user-recovery.ts';
import { Api, type KeyCaller, newKey } from '../harness/api.ts';
import { formIn, Person } from '../harness/person.ts';
import { finishSetUp, setPolicy, setUpOn } from '../harness/policy.ts';
import { alignToStep, codeOf, isSignedIn } from '../harness/second-factors.ts';
import { requester, type TestUser } from '../harness/service.ts';
import { linkFor, mailsTo } from '../harness/store.ts';
import { serviceOfSuite } from '../harness/suite.ts';

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;
const password = 'lètmein';
const hash = '$2y$05$abcdefghijklmnopqrstuu2c1e4vZoCxDVRU9N6VCSSmNg4cQa1Ve';

const service = serviceOfSuite();
let api: Api;
let administrator: KeyCaller;
let someone: TestUser;

before(async () => {
  api = await Api.of(service);
  administrator = await newKey(service, 'administrator');
  someone = await service.newUser();
});
beforeEach(() => {
  service.clock.advance(8 * DAY);
  alignToStep(service);
});

async function importing(body: object, key = administrator) {
  const { data, message, status } = await api.call('importPeople', key, { body: { from: 'csv', ...body } });
  assert.equal(status, 200, message);
  return data as unknown as {
    second_factors: object;
    results: { result: string; problems: string[]; not_taken_over: string[] }[];
  };
}

const noFactors = { taken_over: 0, not_taken_over: 0 };
let people = 0;
const person = (values: object = {}) => {
  const id = `factor${++people}`;
  return { id, email: `${id}@example.test`, email_verified: 'yes', password_hash: hash, ...values };
};
const signIn = (email: string, browser = new Person(service), using = password) =>
  browser.signIn({ ...someone, email, password: using });

async function enters(email: string, secret: Uint8Array, using = password): Promise<boolean> {
  const browser = new Person(service);
  const form = await formIn(await signIn(email, browser, using), '/sign-in/second-step');
  await browser.submit(form, { code: codeOf(service, { secret }) });
  return isSignedIn(browser);
}

describe('an authenticator app', () => {
  const otp = (value: string, data: object, more: object = {}) => ({
    type: 'otp',
    createdDate: 1,
    secretData: JSON.stringify({ value }),
    credentialData: JSON.stringify({
      subType: 'totp',
      digits: 6,
      counter: 0,
      period: 30,
      algorithm: 'HmacSHA1',
      ...data,
    }),
    ...more,
  });
  const passwordOf = {
    type: 'password',
    secretData: '{"value":"4EiBugwYBjrz+cEnj0OsMm1cS5d5S/ne9zHfiT+g9Mc=","salt":"AAECAwQFBgcICQoLDA0ODw=="}',
    credentialData:
      '{"hashIterations":5,"algorithm":"argon2","additionalParameters":{"memory":["7168"],"type":["id"],"version":["1.3"],"parallelism":["1"]}}',
  };

  test("of Keycloak is asked for after the password, the newest of several, with the old service's date", async () => {
    const now = service.clock.now();
    const added = now - 2 * DAY * 1000;
    const people = [
      {
        id: 'kc1',
        email: 'kc1@example.test',
        emailVerified: true,
        credentials: [passwordOf, otp('R2hJ5kqLm3Ty7Uv9wXz2', {})],
      },
      {
        id: 'kc2',
        email: 'kc2@example.test',
        emailVerified: true,
        credentials: [
          passwordOf,
          otp('an older one, of text', {}),
          otp('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ', { secretEncoding: 'BASE32' }, { createdDate: added }),
          otp('12345678901234567890', { digits: 8 }, { createdDate: now }),
          { type: 'webauthn' },
        ],
      },
    ];
    const { results, second_factors } = await importing({ from: 'keycloak', people });
    assert.deepEqual(second_factors, { taken_over: 2, not_taken_over: 0 });
    assert.deepEqual(
      results.map(({ result, not_taken_over }) => [result, not_taken_over]),
      [
        ['imported', []],
        ['imported', ['credentials (otp)', 'credentials (otp)', 'credentials (webauthn)']],
      ],
    );
    assert.ok(await enters('kc1@example.test', Buffer.from('R2hJ5kqLm3Ty7Uv9wXz2')));
    assert.ok(await enters('kc2@example.test', Buffer.from('12345678901234567890')));
    const rows = await service.rows('authenticators');
    const dateOf = (id: string) => rows.find((row) => row.user_id === id)?.created_at;
    assert.equal(Number(dateOf('kc2')), added);
    assert.doesNotMatch(JSON.stringify(rows), /R2hJ5kqLm3Ty7Uv9wXz2|GEZDGNBVGY3TQOJQ/);
  });

  test("of one's own CSV goes on being asked for after a reset", async () => {
    const totp_secret = 'gezd gnbv gy3t qojq gezd gnbv gy3t qojq';
    const owner = person({ totp_secret });
    await importing({ people: [owner] });
    assert.equal(
      (await setPassword(service.running.services, owner.email, 'another long phrase', requester)).kind,
      'done',
    );
    assert.ok(await enters(owner.email, Buffer.from('12345678901234567890'), 'another long phrase'));
  });

  test('is never given to someone who is here', async () => {
    const there = person();
    await importing({ people: [there] });
    const again = await importing({ people: [{ ...there, totp_secret: 'GEZDGNBVGY3TQOJQ' }] });
    assert.deepEqual([again.results[0]?.result, again.second_factors], ['already_imported', noFactors]);
    const browser = new Person(service);
    await signIn(there.email, browser);
    assert.ok(await isSignedIn(browser));
  });

  test('with a secret that is none keeps its record out', async () => {
    const secrets = ['GEZDGNBV', 'not base32!', 'A'.repeat(1000), 'A'.repeat(500_000), 'A'];
    const { results } = await importing({ people: secrets.map((totp_secret) => person({ totp_secret })) });
    assert.deepEqual(
      results.map(({ problems }) => problems.join()),
      [
        "the authenticator app's secret must have 10 to 128 bytes",
        "the authenticator app's secret is not base32",
        "the authenticator app's secret must have 10 to 128 bytes",
        "the authenticator app's secret must have 10 to 128 bytes",
        "the authenticator app's secret is not base32",
      ],
    );
  });

  test("is an administrator's to import, and so is a person who has lost one", async () => {
    const lost = { id: 'kc9', email: 'kc9@example.test', emailVerified: true, credentials: [{ type: 'webauthn' }] };
    for (const key of [await newKey(service), administrator]) {
      const given = await importing({ people: [person({ totp_secret: 'GEZDGNBVGY3TQOJQ' })] }, key);
      const without = await importing({ from: 'keycloak', people: [lost], without_second_factors: true }, key);
      for (const { results } of [given, without]) {
        const [only] = results;
        if (key === administrator) assert.equal(only?.result, 'imported');
        else assert.deepEqual(only?.problems, ['only an administrator can import second factors']);
      }
    }
  });
});

describe('someone whose second factor cannot be taken over', () => {
  const lostBy = (values: object = {}) => {
    const { id, email } = person();
    return {
      id,
      primary_email_address: email,
      verified_email_addresses: email,
      password_digest: hash,
      two_factor_enabled: true,
      ...values,
    };
  };
  const importLost = async (values: object = {}) => {
    const record = lostBy(values);
    const { results } = await importing({ from: 'clerk', people: [record], without_second_factors: true });
    assert.deepEqual([results[0]?.result, results[0]?.problems], ['imported', []]);
    return { email: record.primary_email_address, id: record.id };
  };
  const openLink = async (browser: Person, email: string) => browser.visit(await linkFor(service, email));

  test("isn't imported, unless that is meant and there is a way back", async () => {
    const without = { password_digest: undefined };
    const people = [
      lostBy(),
      lostBy({ verified_email_addresses: undefined }),
      lostBy({ verified_email_addresses: undefined, ...without }),
    ];
    const refused = await importing({ from: 'clerk', people });
    assert.deepEqual(refused.second_factors, { taken_over: 0, not_taken_over: 3 });
    for (const { problems } of refused.results) {
      assert.deepEqual(problems, ["has a second factor that can't be taken over (two_factor_enabled)"]);
    }
    for (const dry_run of [true, false]) {
      const meant = await importing({ from: 'clerk', people, without_second_factors: true, dry_run });
      assert.deepEqual(meant.second_factors, { taken_over: 0, not_taken_over: 3 });
      assert.deepEqual(
        meant.results.map(({ result }) => result),
        ['imported', 'refused', 'imported'],
      );
      assert.match(meant.results[1]?.problems.join() ?? '', /no verified email address/);
    }
  });

  test('sets up another one with a link, and not with the password alone', async () => {
    const { email } = await importLost();
    const browser = new Person(service);
    const page = await signIn(email, browser);
    assert.match(await page.text(), /Check your email/);
    assert.equal(await isSignedIn(browser), false);
    const [mail] = await mailsTo(service, email);
    assert.match(mail?.subject ?? '', /Set up two-step verification/);

    // Opening it, as mail programs do, changes nothing.
    const link = await linkFor(service, email);
    await new Person(service).visit(link);
    const elsewhere = new Person(service);
    const setUp = await setUpOn(await elsewhere.visit(link));
    const { secret } = await finishSetUp(service, elsewhere, setUp);
    assert.ok(await isSignedIn(elsewhere));
    assert.equal(await isSignedIn(browser), false);
    assert.equal((await new Person(service).visit(link)).status, 410);
    assert.ok(await enters(email, secret));
  });

  test('gets no second link from a password that is over, and none to an address that was never verified', async () => {
    const { email, id } = await importLost();
    const { services } = service.running;
    await signIn(email);
    await setPassword(services, email, 'another long phrase', requester);
    assert.equal((await openLink(new Person(service), email)).status, 410);
    // The link is for their account alone, while they can use it.
    await signIn(email, undefined, 'another long phrase');
    await service.execute(`UPDATE users SET disabled_at = 1 WHERE id = '${id}'`);
    assert.equal((await openLink(new Person(service), email)).status, 410);
    await service.execute(`UPDATE users SET disabled_at = NULL, email_verified_at = NULL WHERE id = '${id}'`);
    assert.equal((await openLink(new Person(service), email)).status, 410);
    const browser = new Person(service);
    const page = await signIn(email, browser, 'another long phrase');
    assert.equal(page.status, 403);
    assert.equal(await isSignedIn(browser), false);
    assert.equal((await mailsTo(service, email)).length, 2);
  });

  test("isn't sent an email for each of a thousand sign-ins", async () => {
    const { email } = await importLost();
    for (let times = 0; times < 12; times++) assert.match(await (await signIn(email)).text(), /Check your email/);
    const { length } = await mailsTo(service, email);
    assert.ok(length < 12, String(length));
  });

  test('cannot go on with a form that no link has opened, and has ten minutes for one', async () => {
    const { email } = await importLost();
    await signIn(email);
    const browser = new Person(service);
    const opened = await setUpOn(await openLink(browser, email));
    service.clock.advance(10 * MINUTE);
    const user = await service.newUser();
    await setPolicy(service, 'everyone');
    const formed = await setUpOn(await browser.signIn(user));
    await service.execute(`UPDATE users SET lost_factor_at = 1 WHERE id = '${user.id}'`);
    for (const setUp of [opened, formed]) {
      assert.equal((await browser.submit(setUp.form, { code: codeOf(service, setUp) })).status, 403);
      assert.equal(await isSignedIn(browser), false);
    }
  });
});
