// What people change of their own account, and what nobody changes for them.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { crc32, deflateSync } from 'node:zlib';
import { newAuthenticatorSecret, sealSecret } from '../../src/operations/account/second-factors.ts';
import { newLink } from '../../src/operations/mail/links.ts';
import { digestOf } from '../../src/protocol/digest.ts';
import { newId, newSecret } from '../../src/protocol/identifiers.ts';
import { pictureLimits } from '../../src/protocol/reading/image.ts';
import { totpCode, totpStep } from '../../src/protocol/sign-in/totp.ts';
import type { LinkPurpose } from '../../src/storage/storage.ts';
import { type Form, formIn, Person } from '../harness/person.ts';
import {
  authorizePath,
  decodeJwt,
  exchangeParameters,
  newVerifier,
  obtainCode,
  obtainTokens,
  postForm,
  refreshParameters,
  type TokenBody,
  userinfo,
} from '../harness/relying-party.ts';
import {
  origin,
  startTestService,
  type TestClient,
  type TestService,
  type TestUser,
  tables,
} from '../harness/service.ts';
import * as store from '../harness/store.ts';

const MINUTE = 60;
const session = 'latchkey_session';
const wrongPassword = /The current password is not right/;

let service: TestService;
let client: TestClient;

before(async () => {
  service = await startTestService();
  client = await service.newClient();
});
after(() => service.stop());
// Mails and attempts are limited: a test begins when those of the tests before count no more.
beforeEach(() => service.clock.advance(16 * MINUTE));

async function signedIn(user: TestUser): Promise<Person> {
  const person = new Person(service);
  await person.signIn(user);
  return person;
}

async function tokenOf(person: Person): Promise<string> {
  return (await formIn(await person.visit('/account'), '/account')).fields.form_token ?? '';
}

const mailsTo = (address: string) => store.mailsTo(service, address);
const linkFor = (address: string) => store.linkFor(service, address);

/** The secret of a link that works. */
async function keptLink(purpose: LinkPurpose, user: TestUser, email: string): Promise<string> {
  const { emailQueue, emailTemplates } = service.running.services;
  const { link, url } = newLink(service.running.services, purpose, user.id, { email });
  await emailQueue.queue(emailTemplates.confirmAddress({ to: email, url }), link);
  return new URL(url).searchParams.get('link') ?? '';
}

const everything = () => store.everythingIn(service);
const assertNothingChanged = (since: readonly string[]) => store.assertNothingChanged(service, since);

/** What an application sees of the person, now: it asks for a new access token first. */
async function claimsFor({ refresh_token }: { refresh_token: string }): Promise<Record<string, unknown>> {
  const { body } = await postForm(service, '/oauth/token', refreshParameters(client, refresh_token));
  return (await userinfo(service, body.access_token)).body;
}

const findUser = (id: string) => service.running.services.storage.findUser(id);

const chunk = (type: string, data: Buffer) => {
  const typed = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, sum]);
};
/** One red pixel. */
const png = Buffer.concat([
  Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
  chunk('IHDR', Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0])),
  chunk('IDAT', deflateSync(Buffer.from([0, 255, 0, 0]))),
  chunk('IEND', Buffer.alloc(0)),
]);
/** With what a camera notes about the place between its header and its pixels. */
const placedPng = Buffer.concat([png.subarray(0, 33), chunk('tEXt', Buffer.from('Place\0Berlin')), png.subarray(33)]);

async function upload(
  person: Person,
  fields: Record<string, string | Buffer>,
  headers: Record<string, string> = {},
): Promise<Response> {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') body.set(name, value);
    else body.set(name, new Blob([new Uint8Array(value)], { type: 'image/png' }), 'me.png');
  }
  return person.request('/account/picture', { method: 'POST', body, headers });
}

/** A person who has everything that an account can have. */
async function settledPerson() {
  const user = await service.newUser();
  const { storage, random, clock, journal } = service.running.services;
  const { tokens, person } = await obtainTokens(service, client, user);
  const { code, verifier } = await obtainCode(service, client, user, {}, person);
  const other = await signedIn(user);
  const now = clock.now();
  await upload(person, { form_token: await tokenOf(person), picture: png });
  const secret = newAuthenticatorSecret(service.running.services);
  const authenticator = { sealedSecret: sealSecret(service.running.services, user.id, secret), lastStep: 1 };
  const codes = [newSecret('', random), newSecret('', random)].map(digestOf);
  const event = () => journal.event({ kind: 'authenticator_added', userId: user.id }, origin);
  await storage.enableAuthenticator(user.id, authenticator, codes, now, event());
  const passkey = {
    id: newId(random),
    userId: user.id,
    publicKey: newSecret('', random),
    counter: 0,
    transports: ['internal'],
    name: 'My phone',
    createdAt: now,
    lastUsedAt: null,
  };
  await storage.addPasskey(passkey, undefined, event());
  const link = await keptLink('change_email', user, 'wanted@example.test');
  await keptLink('reset_password', user, user.email);
  const fields = { form_token: await tokenOf(person), name: 'My phone', current_password: user.password };
  const options = await person.submit({ action: '/account/passkeys/options', fields, buttons: [] }, {});
  const { challenge } = (await options.json()) as { challenge: string };
  return { user, person, other, tokens, code, verifier, passkey, challenge, link };
}

type Settled = Awaited<ReturnType<typeof settledPerson>>;

/** Every form under /account, filled in so that it would change something. */
const forms: Record<string, (settled: Settled) => Promise<Record<string, string>> | Record<string, string>> = {
  '/account': () => ({ name: 'Mallory', given_name: 'Mal', family_name: 'Lory', locale: 'de' }),
  '/account/email': ({ user }) => ({ email: 'mallory@example.test', current_password: user.password }),
  '/account/sessions': () => ({ end_others: 'yes' }),
  '/account/apps': () => ({ remove: client.id }),
  '/account/delete': ({ user }) => ({ current_password: user.password }),
  '/account/password': ({ user }) => ({ current_password: user.password, new_password: 'another phrase of mine' }),
  '/account/authenticator': ({ user }) => {
    const secret = newAuthenticatorSecret(service.running.services);
    const code = totpCode(secret, totpStep(service.clock.now()));
    const sealed = sealSecret(service.running.services, user.id, secret);
    return { secret: sealed, code, current_password: user.password };
  },
  '/account/authenticator/remove': ({ user }) => ({ current_password: user.password }),
  '/account/recovery-codes': ({ user }) => ({ current_password: user.password }),
  '/account/passkeys/options': ({ user }) => ({ name: 'Another phone', current_password: user.password }),
  '/account/passkeys': ({ user, challenge }) => ({
    ...{ challenge, answer: '{}', name: 'Another phone', current_password: user.password },
  }),
  '/account/passkeys/remove': ({ user, passkey }) => ({ remove: passkey.id, current_password: user.password }),
};

const foreignHeaders: Record<string, string>[] = [
  { Origin: 'https://evil.example' },
  { Origin: 'null' },
  { Origin: 'http://localhost:1' },
  { 'Sec-Fetch-Site': 'cross-site' },
  { 'Sec-Fetch-Site': 'same-site' },
];

describe('forms', () => {
  let settled: Settled;
  let token: string;
  /** Tokens that are not of this session. */
  let others: (string | undefined)[];
  let since: string[];
  before(async () => {
    settled = await settledPerson();
    token = await tokenOf(settled.person);
    const stranger = await signedIn(await service.newUser());
    others = [undefined, '', 'x', `${token}x`, await tokenOf(settled.other), await tokenOf(stranger)];
    since = await everything();
  });

  test('every form under /account is tested here', () => {
    const tested = [...Object.keys(forms), '/account/picture', '/account/email/confirm'];
    assert.deepEqual(store.routesUnder(service, '/account', 'POST'), tested.sort());
  });

  for (const [action, fill] of Object.entries(forms)) {
    test(`${action} takes nothing without the token of the session, and nothing from another site`, async () => {
      const { person } = settled;
      const fields = await fill(settled);
      for (const other of others) {
        const given = other === undefined ? fields : { ...fields, form_token: other };
        const refused = await person.submit({ action, fields: given, buttons: [] }, {});
        assert.equal(refused.status, 403, `token ${other}`);
      }
      for (const headers of foreignHeaders) {
        const form = { action, fields: { ...fields, form_token: token }, buttons: [] };
        assert.equal((await person.submit(form, {}, headers)).status, 403, JSON.stringify(headers));
      }
      const nobody = await new Person(service).request(action, { method: 'POST', body: new URLSearchParams(fields) });
      assert.equal(nobody.status, 303);
      assert.match(nobody.headers.get('location') ?? '', /^\/sign-in\?to=\/account/);
      await assertNothingChanged(since);
    });
  }

  test('/account/picture takes nothing without the token of the session, and nothing from another site', async () => {
    const { person } = settled;
    for (const values of [{ picture: placedPng }, { remove: 'yes' }] as Record<string, string | Buffer>[]) {
      for (const other of others) {
        const fields = other === undefined ? values : { ...values, form_token: other };
        assert.equal((await upload(person, fields)).status, 403, `token ${other}`);
      }
      for (const headers of foreignHeaders) {
        const refused = await upload(person, { ...values, form_token: token }, headers);
        assert.equal(refused.status, 403, JSON.stringify(headers));
      }
      assert.equal((await upload(new Person(service), { ...values, form_token: token })).status, 303);
    }
    await assertNothingChanged(since);
  });

  test('/account/email/confirm takes a link from whoever has it, but not from another site', async () => {
    const form = { action: '/account/email/confirm', fields: { link: settled.link }, buttons: [] };
    for (const headers of foreignHeaders) {
      for (const sender of [settled.person, new Person(service)]) {
        assert.equal((await sender.submit(form, {}, headers)).status, 403, JSON.stringify(headers));
      }
    }
    await assertNothingChanged(since);
  });

  describe('that ask for the current password', () => {
    const sensitive: string[] = [];
    before(async () => {
      for (const [action, fill] of Object.entries(forms)) {
        if ('current_password' in (await fill(settled))) sensitive.push(action);
      }
    });

    const send = async (action: string, changes: Record<string, string>) => {
      const fields = { ...(await forms[action]?.(settled)), ...changes, form_token: token };
      return settled.person.submit({ action, fields, buttons: [] }, {});
    };

    test('are refused without it and with a wrong one', async () => {
      assert.equal(sensitive.length, 9);
      for (const action of sensitive) {
        service.clock.advance(16 * MINUTE);
        for (const password of ['', 'wrong password']) {
          const refused = await send(action, { current_password: password });
          assert.equal(refused.status, 400, `${action} with "${password}"`);
          assert.match(await refused.text(), wrongPassword);
        }
      }
      await assertNothingChanged(since);
      const events = await service.events('sign_in_failed');
      assert.deepEqual(events.at(-1)?.detail, { reason: 'wrong_password_in_account' });
    });

    test('are closed for a while after ten wrong ones, together, and not for good', async () => {
      for (let attempt = 0; attempt < 10; attempt++) {
        const refused = await send(sensitive[attempt % sensitive.length] as string, { current_password: 'wrong one' });
        assert.equal(refused.status, 400);
      }
      let retryAfter = 0;
      for (const action of sensitive) {
        const refused = await send(action, {});
        assert.equal(refused.status, 429, action);
        retryAfter = Number(refused.headers.get('retry-after'));
        assert.ok(retryAfter > 0 && retryAfter <= 15 * MINUTE);
        assert.match(await refused.text(), /That was tried too often/);
      }
      await assertNothingChanged(since);
      const neighbour = await signedIn(await service.newUser());
      const form = await formIn(await neighbour.visit('/account/data'), '/account/delete');
      assert.equal(
        (await neighbour.submit(form, { current_password: 'wrong' })).status,
        400,
        'others are not affected',
      );
      service.clock.advance(retryAfter + 1);
      assert.equal((await send('/account/recovery-codes', {})).status, 200);
    });
  });
});

describe('changing the password', () => {
  test('ends the other sessions and the links sent before, and keeps this session and the applications', async () => {
    const { user, person, other, tokens, link } = await settledPerson();
    const form = await formIn(await person.visit('/account/security'), '/account/password');
    const values = { current_password: user.password, new_password: 'another phrase of mine' };
    const page = await person.submit(form, values);
    assert.match(await page.text(), /Your password is changed/);
    assert.equal((await person.request('/account')).status, 200);
    assert.equal((await other.request('/account')).status, 302);
    const known = (await service.rows('known_devices')).filter((row) => row.user_id === user.id);
    const here = digestOf(person.cookies.get('latchkey_device') ?? '');
    assert.deepEqual(
      known.map((row) => row.digest),
      [here],
      'the other browser is not known any more',
    );
    assert.equal((await person.visit(`/account/email/confirm?link=${link}`)).status, 410);
    assert.equal((await service.rows('links')).filter((row) => row.user_id === user.id).length, 0);
    assert.equal((await userinfo(service, tokens.access_token)).status, 200);
    const again = await formIn(await person.visit('/account/security'), '/account/password');
    assert.equal((await person.submit(again, values)).status, 400, 'the old one is no longer the current one');
    assert.ok((await mailsTo(user.email)).some(({ subject }) => subject.startsWith('Your password was changed')));
  });
});

describe('changing the e-mail address', () => {
  async function ask(person: Person, user: TestUser, email: string): Promise<Response> {
    const form = await formIn(await person.visit('/account/email'), '/account/email');
    return person.submit(form, { email, current_password: user.password });
  }
  const confirm = async (path: string, person = new Person(service)) =>
    person.submit(await formIn(await person.visit(path), '/account/email/confirm'), {});

  test('a link to the new address changes it; the account is the same, and the old address is told', async () => {
    const user = await service.newUser({ emailVerified: false });
    const { tokens, person } = await obtainTokens(service, client, user);
    const email = 'New.Address@example.test';
    const page = await ask(person, user, ` ${email} `);
    assert.equal(page.status, 200);
    assert.match(await page.text(), /Look into your mailbox/);
    assert.equal((await userinfo(service, tokens.access_token)).body.email, user.email, 'not yet');

    const path = await linkFor(email);
    const since = await everything();
    for (const method of ['GET', 'HEAD']) assert.equal((await person.request(path, { method })).status, 200);
    await assertNothingChanged(since);

    const done = await confirm(path, person);
    assert.match(await done.text(), /now has the address New\.Address@example\.test/);
    const claims = (await userinfo(service, tokens.access_token)).body;
    assert.deepEqual([claims.sub, claims.email, claims.email_verified], [user.id, email, true]);
    assert.equal(decodeJwt(tokens.id_token).sub, claims.sub);
    const notices = (await mailsTo(user.email)).filter(({ text }) => text.includes(email));
    assert.deepEqual(
      notices.map(({ subject }) => subject.split(' · ')[0]),
      ['Your e-mail address was changed', 'Somebody asked for another e-mail address'],
    );
    assert.equal((await person.visit(path)).status, 410, 'the link works once');
    assert.equal((await new Person(service).signIn({ ...user, email })).status, 200);
    assert.equal((await new Person(service).signIn(user)).status, 400);
  });

  test('what is no address, or the same one, is refused', async () => {
    const user = await service.newUser();
    const person = await signedIn(user);
    const since = await everything();
    for (const [email, problem] of [
      ['', /not an e-mail address/],
      ['nowhere', /not an e-mail address/],
      [user.email, /That is your address already/],
    ] as [string, RegExp][]) {
      const refused = await ask(person, user, email);
      assert.equal(refused.status, 400, email);
      assert.match(await refused.text(), problem);
    }
    await assertNothingChanged(since);
  });

  test('an address that has an account gets the same answer, and its owner another mail', async () => {
    const user = await service.newUser();
    const person = await signedIn(user);
    const email = 'taken-soon@example.test';
    const free = await (await ask(person, user, email)).text();
    await service.newUser({ email });
    const links = await service.rows('links');
    const taken = await (await ask(person, user, email)).text();
    assert.equal(taken, free);
    assert.deepEqual(await service.rows('links'), links);
    assert.match((await mailsTo(email))[0]?.subject ?? '', /You have an account already/);
    assert.equal((await findUser(user.id))?.email, user.email);
  });

  test('an address that was taken meanwhile is not changed to', async () => {
    const user = await service.newUser();
    const person = await signedIn(user);
    const email = 'taken-meanwhile@example.test';
    await ask(person, user, email);
    const path = await linkFor(email);
    await service.newUser({ email: email.toUpperCase() });
    const since = await everything();
    const refused = await confirm(path, person);
    assert.equal(refused.status, 410);
    assert.match(await refused.text(), /This link does not work any more/);
    await assertNothingChanged(since);
    const told = (await mailsTo(user.email)).filter(({ subject }) => /was changed/.test(subject));
    assert.deepEqual(told, [], 'nobody is told of a change');
  });

  test('a link belongs to the person who asked for it, whoever opens it', async () => {
    const user = await service.newUser();
    const email = 'wanted-by-one@example.test';
    await ask(await signedIn(user), user, email);
    const other = await service.newUser();
    const before = await findUser(other.id);
    await confirm(await linkFor(email), await signedIn(other));
    assert.deepEqual(await findUser(other.id), before);
    assert.equal((await findUser(user.id))?.email, email);
  });

  test('a change ends the links that were sent before, and so does asking for another', async () => {
    const user = await service.newUser();
    const person = await signedIn(user);
    await ask(person, user, 'first-wish@example.test');
    await ask(person, user, 'second-wish@example.test');
    assert.equal((await person.visit(await linkFor('first-wish@example.test'))).status, 410);
    const reset = `/reset-password/finish?link=${await keptLink('reset_password', user, user.email)}`;
    assert.equal((await person.visit(reset)).status, 200);
    await confirm(await linkFor('second-wish@example.test'), person);
    assert.equal((await person.visit(reset)).status, 410);
    assert.equal((await findUser(user.id))?.email, 'second-wish@example.test');
  });
});

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
    form = await formIn(await person.visit('/account'), '/account');
  });
  const profile = { name: 'Ada Lovelace', given_name: 'Ada', family_name: 'Lovelace', locale: 'en-GB' };

  test('is what applications see', async () => {
    const page = await person.submit(form, profile);
    assert.match(await page.text(), /Your profile is saved/);
    const body = await claimsFor(tokens);
    for (const [claim, value] of Object.entries(profile)) assert.equal(body[claim], value);
    assert.equal(body.email, user.email);
  });

  test('that is saved as it is changes nothing, and is no event', async () => {
    await person.submit(form, profile);
    const before = [await findUser(user.id), (await service.events('profile_changed')).length];
    service.clock.advance(1);
    await person.submit(form, profile);
    assert.deepEqual([await findUser(user.id), (await service.events('profile_changed')).length], before);
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
      const body = await claimsFor(tokens);
      assert.deepEqual([body.name, body.given_name, body.family_name], Array(3).fill(c.expected));
      for (const path of ['/account', authorizePath(client, newVerifier(), { prompt: 'consent' })]) {
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
        problem: /at most 100/,
      })),
    ),
    { name: 'no name', values: { name: '' }, problem: /at least one letter/ },
    { name: 'a name of spaces', values: { name: ' \u00a0\u2003 ' }, problem: /at least one letter/ },
    ...['\u200b\u202e\ufeff', '\u3164', '\u115f\u1160', '\u2800', '\u200d', '\u0085', '\u{e0041}'].map((name) => ({
      name: `the name U+${name.codePointAt(0)?.toString(16)}, which cannot be seen`,
      values: { name },
      problem: /at least one letter/,
    })),
    { name: 'a name of two lines', values: { name: 'Ada\r\nSubject: x' }, problem: /We could not read that/ },
    ...['x', 'en_US', 'de-', '-', 'e n', '../../etc', '<b>', '1', 'x'.repeat(36), 'en-'.repeat(3000)].map((locale) => ({
      name: `the language ${locale.slice(0, 40)}`,
      values: { locale },
      problem: /That language is not known/,
    })),
  ];
  test('is not changed to what is no name or no language', async () => {
    await person.submit(form, profile);
    const since = await everything();
    for (const c of refused) {
      const answer = await person.submit(form, { ...profile, ...c.values });
      assert.equal(answer.status, 400, c.name);
      assert.match(await answer.text(), c.problem, c.name);
    }
    await assertNothingChanged(since);
  });

  test('needs no given name, no family name and no language', async () => {
    const saved = await person.submit(form, { ...profile, given_name: '', family_name: '\u200b', locale: '' });
    assert.equal(saved.status, 200);
    const body = await claimsFor(tokens);
    for (const claim of ['given_name', 'family_name', 'locale']) assert.equal(claim in body, false, claim);
  });

  test('has the language in its usual spelling, and the consent page has its name', async () => {
    await person.submit(form, { ...profile, locale: 'DE-at' });
    assert.equal((await claimsFor(tokens)).locale, 'de-AT');
    const consent = await person.visit(authorizePath(client, newVerifier(), { prompt: 'consent' }));
    assert.match(await consent.text(), /<span class="quiet">Language<\/span> Austrian German<\/dd>/);
  });
});

describe('the picture', () => {
  let person: Person;
  let tokens: TokenBody;
  let token: string;
  before(async () => {
    const issued = await obtainTokens(service, client, await service.newUser());
    person = issued.person;
    tokens = issued.tokens;
    token = await tokenOf(person);
  });
  const pictureClaim = async () => (await claimsFor(tokens)).picture;

  test('is served as nothing but an image, where applications are told, without what it tells of the place', async () => {
    assert.equal(await pictureClaim(), undefined);
    const changed = await upload(person, { form_token: token, picture: placedPng });
    assert.equal(changed.status, 303);
    assert.equal(changed.headers.get('location'), '/account?done=picture');
    const claim = String(await pictureClaim());
    assert.ok(claim.startsWith(`${service.baseUrl}/pictures/`), claim);
    const picture = await fetch(claim);
    assert.equal(picture.status, 200);
    assert.equal(picture.headers.get('content-type'), 'image/png');
    assert.equal(picture.headers.get('x-content-type-options'), 'nosniff');
    assert.match(picture.headers.get('content-security-policy') ?? '', /default-src 'none'; sandbox/);
    assert.deepEqual(Buffer.from(await picture.arrayBuffer()), png);
    for (const path of ['/account', authorizePath(client, newVerifier(), { prompt: 'consent' })]) {
      const page = await (await person.visit(path)).text();
      assert.ok(page.includes(`src="${new URL(claim).pathname}"`), path);
      assert.equal(page.includes(claim), false, 'the picture is shown, not its address');
    }
  });

  test('has another address when it is another, and none when it is removed', async () => {
    await upload(person, { form_token: token, picture: png });
    const first = String(await pictureClaim());
    const [header, rest] = [png.subarray(0, 33), png.subarray(33)];
    const grey = Buffer.concat([header, chunk('gAMA', Buffer.from([0, 0, 177, 143])), rest]);
    await upload(person, { form_token: token, picture: grey });
    const second = String(await pictureClaim());
    assert.notEqual(second, first);
    assert.equal((await fetch(first)).status, 404);
    assert.deepEqual(Buffer.from(await (await fetch(second)).arrayBuffer()), grey);
    assert.equal((await upload(person, { form_token: token, remove: 'yes', picture: png })).status, 303);
    assert.equal(await pictureClaim(), undefined);
    assert.equal((await fetch(second)).status, 404);
  });

  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  const refused: { name: string; fields: Record<string, string | Buffer>; status: number; problem: RegExp }[] = [
    { name: 'a page', fields: { picture: Buffer.from('<html>') }, status: 400, problem: /not a PNG, JPEG or WebP/ },
    { name: 'an SVG', fields: { picture: Buffer.from(svg) }, status: 400, problem: /not a PNG, JPEG or WebP/ },
    { name: 'half a picture', fields: { picture: png.subarray(0, 40) }, status: 400, problem: /or it is damaged/ },
    {
      name: 'a picture behind a page',
      fields: { picture: Buffer.concat([Buffer.from('<!--'), png]) },
      status: 400,
      problem: /not a PNG, JPEG or WebP/,
    },
    {
      name: 'more bytes than are allowed',
      fields: { picture: Buffer.concat([png, Buffer.alloc(pictureLimits.bytes)]) },
      status: 400,
      problem: /larger than 512 KB/,
    },
    {
      name: 'far more bytes than are allowed',
      fields: { picture: Buffer.concat([png, Buffer.alloc(2 * pictureLimits.bytes)]) },
      status: 413,
      problem: /larger than 512 KB/,
    },
    { name: 'no bytes', fields: { picture: Buffer.alloc(0) }, status: 400, problem: /Choose a file first/ },
    { name: 'text', fields: { picture: png.toString('base64') }, status: 400, problem: /Choose a file first/ },
    { name: 'another field', fields: { avatar: png }, status: 400, problem: /Choose a file first/ },
    { name: 'nothing', fields: {}, status: 400, problem: /Choose a file first/ },
  ];
  test('is not changed to what is no picture', async () => {
    await upload(person, { form_token: token, picture: png });
    const since = await everything();
    for (const c of refused) {
      const answer = await upload(person, { form_token: token, ...c.fields });
      assert.equal(answer.status, c.status, c.name);
      assert.match(await answer.text(), c.problem, c.name);
    }
    for (const [contentType, body] of [
      ['application/x-www-form-urlencoded', `form_token=${token}&remove=yes`],
      ['multipart/form-data', 'x'],
      ['multipart/form-data; boundary=a', '--a\r\nContent-Disposition: form-data; name="remove"\r\n\r\nyes'],
      ['image/png', png],
    ] as [string, string | Buffer][]) {
      const init = { method: 'POST', body, headers: { 'Content-Type': contentType } };
      assert.equal((await person.request('/account/picture', init as RequestInit)).status, 400, contentType);
    }
    await assertNothingChanged(since);
  });

  test('is served by its exact address alone', async () => {
    await upload(person, { form_token: token, picture: png });
    const claim = String(await pictureClaim());
    for (const path of ['x', '../x', '%2e%2e', `${'x'.repeat(150)}`]) {
      assert.equal((await fetch(`${claim.slice(0, claim.lastIndexOf('/'))}/${path}`)).status, 404, path);
    }
  });
});

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

  test('are listed with their browsers; each can be ended, and all others at once', async () => {
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
    assert.match(await (await here.submit(form, { end: idOfPhone })).text(), /That device is signed out/);
    assert.deepEqual(await Promise.all([here, phone, third].map(isSignedIn)), [true, false, true]);
    assert.match(await (await here.submit(form, { end: idOfPhone })).text(), /That could not be done/);

    await signedInWith(user, safari);
    assert.match(await (await here.submit(form, { end_others: 'yes' })).text(), /Your other devices are signed out/);
    assert.deepEqual(await Promise.all([here, phone, third].map(isSignedIn)), [true, false, false]);
    assert.match(await (await here.visit('/account/sessions')).text(), /You are signed in nowhere else/);
    assert.equal((await service.rows('sessions')).filter((row) => row.user_id === user.id).length, 1);
  });

  test("another person's session is not ended, by whatever name", async () => {
    const victim = await signedIn(await service.newUser());
    const secret = victim.cookies.get(session) ?? '';
    const attacker = await signedIn(await service.newUser());
    const form = await sessionsForm(attacker);
    const since = await everything();
    for (const id of [digestOf(digestOf(secret)), digestOf(secret), secret, '', '%']) {
      assert.match(await (await attacker.submit(form, { end: id })).text(), /That could not be done/);
    }
    await assertNothingChanged(since);
    await attacker.submit(form, { end_others: 'yes' });
    assert.ok(await isSignedIn(victim));
  });

  test('in a browser that was not seen before are told by mail', async () => {
    const user = await service.newUser();
    const told = async () => (await mailsTo(user.email)).map(({ text }) => /from (\S+ on \S+)/.exec(text)?.[1]);
    const here = await signedInWith(user, firefox);
    assert.deepEqual(await told(), ['Firefox on Linux']);
    await here.submit(await formIn(await here.visit('/account'), '/sign-out'), {});
    await here.signIn(user);
    assert.equal((await told()).length, 1, 'this browser is known now');
    await signedInWith(user, safari);
    assert.deepEqual(await told(), ['Safari on iPhone', 'Firefox on Linux']);
  });
});

describe('the own data', () => {
  test('are everything about the person, and no secret, and nothing of others', async () => {
    const { user, person, other, tokens, passkey, link, code } = await settledPerson();
    const neighbour = await settledPerson();
    const download = await person.request('/account/data.json');
    assert.equal(download.status, 200);
    assert.match(download.headers.get('content-disposition') ?? '', /^attachment; filename="latchkey-account\.json"$/);
    assert.equal(download.headers.get('cache-control'), 'no-store');
    const text = await download.text();
    const data = JSON.parse(text);
    assert.equal(data.account.email, user.email);
    assert.equal(data.connected_apps[0].client_id, client.id);
    assert.equal(data.sessions.length, 2);
    assert.deepEqual(
      [data.second_factors.passkeys[0].name, data.second_factors.recovery_codes_left],
      [passkey.name, 2],
    );
    assert.ok(data.activity.some(({ kind }: { kind: string }) => kind === 'signed_in'));

    const secretColumn = /digest|hash|sealed|secret|public_key|counter$/;
    let compared = 0;
    for (const table of tables) {
      for (const row of await service.rows(table)) {
        for (const [column, value] of Object.entries(row)) {
          if (!secretColumn.test(column) || typeof value !== 'string' || value.length < 20) continue;
          assert.equal(text.includes(value), false, `${table}.${column}`);
          compared++;
        }
      }
    }
    assert.ok(compared > 30, `${compared} values were compared`);
    const held = [tokens.access_token, tokens.refresh_token, link, code, ...person.cookies.values()];
    for (const secret of [...held, ...other.cookies.values()]) assert.equal(text.includes(secret), false);
    for (const theirs of [neighbour.user.id, neighbour.user.email]) assert.equal(text.includes(theirs), false);
    assert.equal((await new Person(service).request('/account/data.json')).status, 302);
  });
});

describe('deleting the account', () => {
  test('removes the person from everywhere but the events, and stops everything at once', async () => {
    const { user, person, other, tokens, code, verifier } = await settledPerson();
    const picture = String((await userinfo(service, tokens.access_token)).body.picture);
    const neighbour = await settledPerson();
    const form = await formIn(await person.visit('/account/data'), '/account/delete');
    const page = await person.submit(form, { current_password: user.password });
    assert.equal(page.status, 200);
    assert.match(await page.text(), /Your account is deleted/);
    assert.equal(person.cookies.has(session), false);

    assert.equal((await userinfo(service, tokens.access_token)).status, 401);
    const refreshed = await postForm(service, '/oauth/token', refreshParameters(client, tokens.refresh_token));
    assert.equal(refreshed.body.error, 'invalid_grant');
    const exchanged = await postForm(service, '/oauth/token', exchangeParameters(client, code, verifier));
    assert.equal(exchanged.body.error, 'invalid_grant');
    assert.equal((await other.request('/account')).status, 302);
    assert.equal((await fetch(picture)).status, 404);
    assert.equal((await new Person(service).signIn(user)).status, 400);

    await service.running.services.journal.flush();
    for (const table of tables.filter((name) => name !== 'events')) {
      for (const row of await service.rows(table)) {
        const text = JSON.stringify(row);
        assert.equal(text.includes(user.id) || text.includes(user.email), false, `${table}: ${text}`);
      }
    }
    const events = await service.events();
    assert.ok(events.some(({ kind, userId }) => kind === 'account_deleted' && userId === user.id));
    assert.equal(JSON.stringify(events).includes(user.email), false);
    assert.match((await mailsTo(user.email))[0]?.subject ?? '', /Your account is deleted/);

    assert.equal((await userinfo(service, neighbour.tokens.access_token)).status, 200, 'others stay');
    assert.equal((await neighbour.person.request('/account')).status, 200);
    const again = await service.newUser({ email: user.email });
    assert.notEqual(again.id, user.id, 'the address is free, the account is another');
  });
});
