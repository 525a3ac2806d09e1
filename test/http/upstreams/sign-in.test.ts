// Signing in with an identity provider: what it leads to, with every policy about second factors, and what it proves.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { refusalClause } from '../../../src/operations/admin/outcome.ts';
import { changeSettings } from '../../../src/operations/settings/change-settings.ts';
import { refreshUpstream } from '../../../src/operations/upstreams/refresh-upstream.ts';
import {
  changeUpstream,
  createUpstream,
  deleteUpstream,
  disableUpstream,
  enableUpstream,
} from '../../../src/operations/upstreams/upstreams.ts';
import type { UpstreamInput } from '../../../src/protocol/resources/upstream.ts';
import { upstreamCounters } from '../../../src/protocol/sign-in/throttle-rules.ts';
import { HostileUpstream, hmac } from '../../harness/hostile-upstream.ts';
import { formIn, Person, readForm } from '../../harness/person.ts';
import { authorizePath, newVerifier } from '../../harness/relying-party.ts';
import { codeOf, keyOn, turnOn, wrongCode } from '../../harness/second-factors.ts';
import { requester, startTestService, type TestService } from '../../harness/service.ts';
import { everythingIn } from '../../harness/store.ts';
import {
  addUpstream,
  allowLoopbackUpstreams,
  isSignedIn,
  pressButton,
  respond,
  signInWith,
} from '../../harness/upstreams.ts';

let service: TestService;
let provider: HostileUpstream;

before(async () => {
  service = await startTestService({ ...allowLoopbackUpstreams, LATCHKEY_SIGN_UP: 'closed' });
  provider = await HostileUpstream.start(() => service.clock.now());
  await addUpstream(service, provider, { createsAccounts: true });
});
after(async () => {
  await service?.stop();
  await provider?.stop();
});

let people = 0;

/** Somebody whom the identity provider knows, and the service not yet. */
function newcomer(more: Record<string, unknown> = {}): string {
  const sub = `person-${++people}`;
  provider.twists = {};
  provider.person = { sub, email: `${sub}@people.example`, email_verified: true, name: 'Ada Lovelace', ...more };
  return sub;
}

async function userOf(sub: string) {
  const found = await service.running.services.storage.findIdentity({ issuer: provider.issuer, subject: sub });
  assert.ok(found, sub);
  return found.user;
}

async function configure(update: UpstreamInput): Promise<void> {
  const outcome = await changeUpstream(service.running.services, 'company', update, requester);
  assert.equal(outcome.kind, 'done');
}

async function lastSignIn() {
  return (await service.events('signed_in')).at(-1);
}

describe('an account created through an upstream', () => {
  test('has a verified email address and no password, and is found again', async () => {
    const sub = newcomer({ given_name: 'Ada', family_name: 'Lovelace', locale: 'de_DE', preferred_username: 'admin' });
    const { response } = await signInWith(service, provider);
    assert.equal(response.status, 200);
    const user = await userOf(sub);
    assert.equal(user.passwordHash, '');
    assert.deepEqual(
      [user.email, user.name, user.givenName, user.locale, user.preferredUsername, user.adminSince],
      [`${sub}@people.example`, 'Ada Lovelace', 'Ada', 'de-DE', null, null],
    );
    assert.ok(user.emailVerifiedAt !== null);
    assert.equal((await service.events('signed_up')).at(-1)?.detail?.upstream, 'company');
    const event = await lastSignIn();
    assert.equal(event?.detail?.method, 'upstream');
    assert.equal(event?.detail?.upstream, 'company');
    await signInWith(service, provider);
    assert.equal((await userOf(sub)).id, user.id);
  });

  for (const [moment, method] of [
    ['before', 'findUserByEmail'],
    ['while', 'createUserWithIdentity'],
  ] as const) {
    test(`is the account of both browsers when another one creates it ${moment} this one would`, async (context) => {
      const sub = newcomer();
      const { storage } = service.running.services;
      const first = new Person(service);
      const others = await pressButton(first);
      const second = new Person(service);
      const back = provider.authorize(await pressButton(second));
      // The other browser comes between two looks at the store.
      const original = storage[method].bind(storage) as (...given: unknown[]) => Promise<unknown>;
      const mocked = context.mock.method(storage, method, async (...given: unknown[]) => {
        mocked.mock.restore();
        const response = await respond(first, provider.authorize(others));
        assert.equal(response.status, 200);
        return original(...given);
      });
      assert.equal((await respond(second, back)).status, 200);
      assert.deepEqual([isSignedIn(first), isSignedIn(second)], [true, true]);
      assert.ok(await userOf(sub));
    });
  }

  // CVE-2022-1162 was a password that all accounts of this kind shared.
  test("can't be opened with any password", async () => {
    const sub = newcomer();
    await signInWith(service, provider);
    const { email } = await userOf(sub);
    for (const password of [' ', 'undefined', 'null', sub]) {
      const person = new Person(service);
      const form = await formIn(await person.visit('/sign-in'), '/sign-in');
      assert.equal((await person.submit(form, { email, password })).status, 400);
      assert.equal(isSignedIn(person), false);
    }
  });

  test("isn't created unless the administrator allows it, and a refusal is counted", async () => {
    await configure({ createsAccounts: false });
    newcomer();
    const { person, response } = await signInWith(service, provider);
    assert.equal(response.status, 403);
    assert.match(await response.text(), /No account found/);
    assert.equal(isSignedIn(person), false);
    assert.equal((await service.events('sign_in_failed')).at(-1)?.detail?.reason, 'upstream_unknown_identity');
    await configure({ createsAccounts: true });
  });

  test('needs an allowed domain, also at later sign-ins', async () => {
    const sub = newcomer();
    await signInWith(service, provider);
    await configure({ allowedDomains: ['elsewhere.example'] });
    const { person } = await signInWith(service, provider);
    assert.equal(isSignedIn(person), false);
    assert.equal((await service.events('sign_in_failed')).at(-1)?.detail?.reason, 'upstream_domain_not_allowed');
    await configure({ allowedDomains: ['people.example'] });
    assert.ok(isSignedIn((await signInWith(service, provider)).person));
    provider.person = { ...provider.person, email_verified: false };
    assert.equal(isSignedIn((await signInWith(service, provider)).person), false);
    await configure({ allowedDomains: [] });
    await userOf(sub);
  });

  test("can't be used while its owner is disabled", async () => {
    const sub = newcomer();
    await signInWith(service, provider);
    const { id } = await userOf(sub);
    const { services } = service.running;
    const event = services.journal.event({ kind: 'user_disabled', userId: id }, requester);
    await services.storage.disableUser(id, service.clock.now(), event);
    const { person, response } = await signInWith(service, provider);
    assert.equal(response.status, 403);
    assert.equal(isSignedIn(person), false);
    assert.equal((await service.events('sign_in_failed')).at(-1)?.detail?.reason, 'disabled');
  });

  test('returns to the application, however long its request, and keeps the session if chosen', async () => {
    newcomer();
    const client = await service.newClient();
    const path = authorizePath(client, newVerifier(), { state: 'x'.repeat(5000) });
    const person = new Person(service);
    const back = provider.authorize(await pressButton(person, 'company', { path, keep: true }));
    const response = await person.request(back.pathname + back.search);
    assert.equal(response.headers.get('location'), path);
    assert.match(response.headers.getSetCookie().join('\n'), /latchkey_session=[^;]+;.*Max-Age=\d{5,}/);
    assert.ok([...person.cookies.keys()].every((name) => !name.includes('upstream')));
    assert.equal((await lastSignIn())?.clientId, client.id);
  });

  test('has a button that shows the icon', async () => {
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    await configure({ icon: png, label: 'Compañía "A&B"' });
    const person = new Person(service);
    const page = await (await person.visit('/sign-in')).text();
    const icon = /\/upstream-icons\/company\/[\w-]+/.exec(page)?.[0] ?? '';
    assert.equal((await person.request(icon)).headers.get('content-type'), 'image/png');
    assert.equal((await person.request(`${icon}x`)).status, 404);
    assert.match(page, /Continue with Compañía &quot;A&amp;B&quot;/);
    await configure({ icon: null, label: 'Company' });
  });
});

describe('an email address that is known before the sign-in', () => {
  const hints: [hint: string, trusted: string[], forwarded: boolean][] = [
    ['ada@people.example', ['people.example'], true],
    ['Ada@PEOPLE.example', ['people.example'], true],
    ['ada@people.example', ['*'], true],
    ['ada@elsewhere.example', ['people.example'], false],
    ['ada@sub.people.example', ['people.example'], false],
    ['ada@people.example', [], false],
    ['ada', ['people.example'], false],
    ['ada', ['*'], false],
    [`${'a'.repeat(300)}@people.example`, ['*'], false],
  ];
  for (const [hint, trustedDomains, forwarded] of hints) {
    const verb = forwarded ? 'is' : "isn't";
    test(`${hint.slice(0, 30)} ${verb} passed on to an upstream that is trusted for ${trustedDomains}`, async () => {
      await configure({ trustedDomains });
      const client = await service.newClient({ upstream: 'company' });
      const path = authorizePath(client, newVerifier(), { login_hint: hint });
      const { headers } = await new Person(service).request(path);
      const person = new Person(service);
      const form = await formIn(await person.visit('/sign-in'), '/sign-in');
      const typed = await person.submit({ ...form, action: '/sign-in/with/company' }, { email: hint });
      const sent = [headers.get('location') ?? '', (typed.headers.get('refresh') ?? '').replace('0;url=', '')];
      await configure({ trustedDomains: ['people.example'] });
      for (const url of sent) {
        assert.equal(new URL(url).searchParams.get('login_hint'), forwarded ? hint : null);
      }
    });
  }
});

describe('second factors and an upstream', () => {
  test('someone with an authenticator app is asked for a code', async () => {
    newcomer({ amr: ['mfa'], acr: '2', auth_time: service.clock.now() / 1000 });
    const app = await turnOn(service, (await signInWith(service, provider)).person);
    const { person, response } = await signInWith(service, provider);
    assert.equal(isSignedIn(person), false, 'an untrusted amr counts for nothing');
    const form = await formIn(response, '/sign-in/second-step');
    service.clock.advance(30);
    await person.submit(form, { code: codeOf(service, app) });
    assert.ok(isSignedIn(person));
    const event = await lastSignIn();
    assert.deepEqual([event?.detail?.method, event?.detail?.upstream], ['upstream_and_code', 'company']);
  });

  for (const letters of ['müller', 'łukasz', '山田', '𠮷野']) {
    test(`someone whose email address there is ${letters}@people.example passes the second step`, async () => {
      newcomer({ auth_time: service.clock.now() / 1000 });
      const app = await turnOn(service, (await signInWith(service, provider)).person);
      provider.person = { ...provider.person, email: `${letters}@people.example` };
      const { person, response } = await signInWith(service, provider);
      service.clock.advance(30);
      const form = await formIn(response, '/sign-in/second-step');
      // After a wrong code, the form carries the same again.
      const wrong = await person.submit(form, { code: wrongCode(service, app) });
      assert.equal(wrong.status, 400);
      await person.submit(await formIn(wrong, '/sign-in/second-step'), { code: codeOf(service, app) });
      assert.ok(isSignedIn(person));
      const [identity] = await service.running.services.storage.listIdentities(
        (await userOf(String(provider.person.sub))).id,
      );
      assert.equal(identity?.email, `${letters}@people.example`);
    });

    test(`someone whose email address there is ${letters}@people.example sets up a second factor`, async () => {
      await changeSettings(service.running.services, { second_factor: 'everyone' }, requester);
      newcomer();
      await signInWith(service, provider);
      provider.person = { ...provider.person, email: `${letters}@people.example` };
      const { person, response } = await signInWith(service, provider);
      const page = await response.text();
      const form = readForm(page, '/sign-in/set-up');
      assert.ok(form, page);
      await person.submit(form, { code: codeOf(service, keyOn(page)) });
      await changeSettings(service.running.services, { second_factor: 'optional' }, requester);
      assert.ok(isSignedIn(person));
    });
  }

  test('the second step ends if the upstream is disabled or a password is set meanwhile', async () => {
    const sub = newcomer({ auth_time: service.clock.now() / 1000 });
    const app = await turnOn(service, (await signInWith(service, provider)).person);
    const { services } = service.running;
    const { storage, passwords, journal } = services;
    const { id } = await userOf(sub);
    const hash = await passwords.hash('correct horse battery');
    const event = journal.event({ kind: 'user_password_set', userId: id }, requester);
    for (const change of [
      () => disableUpstream(services, 'company', requester),
      () => storage.setPasswordHash(id, hash, service.clock.now(), event),
    ]) {
      const { person, response } = await signInWith(service, provider);
      const form = await formIn(response, '/sign-in/second-step');
      await change();
      service.clock.advance(30);
      assert.equal((await person.submit(form, { code: codeOf(service, app) })).status, 403);
      assert.equal(isSignedIn(person), false);
      await enableUpstream(services, 'company', requester);
    }
  });

  test('only trusted values of amr and acr count as two factors', async () => {
    const cases = [
      { settings: { trustedAmr: ['mfa', 'hwk'] }, claims: { amr: ['pwd', 'hwk'] }, two: true },
      { settings: { trustedAmr: ['mfa'] }, claims: { amr: ['MFA'] }, two: false },
      { settings: { trustedAmr: ['mfa'] }, claims: { amr: 'mfa' }, two: false },
      { settings: { trustedAcr: ['urn:two'] }, claims: { acr: 'urn:two' }, two: true },
      { settings: { trustedAcr: ['2'] }, claims: { acr: 2 }, two: false },
      { settings: { trustedAcr: ['urn:two'] }, claims: { amr: ['urn:two'] }, two: false },
    ];
    for (const { settings, claims, two } of cases) {
      await configure({ trustedAmr: [], trustedAcr: [], ...settings });
      newcomer(claims);
      await signInWith(service, provider);
      const event = await lastSignIn();
      assert.equal(event?.detail?.method, two ? 'upstream_two_factors' : 'upstream', JSON.stringify(claims));
      const [session] = await service.running.services.storage.listSessions(event?.userId ?? '', 0);
      assert.deepEqual(session?.amr, two ? ['fed', 'mfa'] : ['fed']);
    }
    await configure({ trustedAmr: [], trustedAcr: [] });
  });

  test('amr, acr and auth_time are taken from the ID token, not from userinfo', async () => {
    await configure({ trustedAmr: ['mfa'], trustedAcr: ['2'] });
    newcomer({ amr: ['mfa'], acr: '2', auth_time: Math.floor(service.clock.now() / 1000) });
    provider.twists = { claims: ({ email: _, amr: __, acr: ___, auth_time: ____, ...rest }) => rest };
    assert.ok(isSignedIn((await signInWith(service, provider)).person));
    const event = await lastSignIn();
    assert.equal(event?.detail?.method, 'upstream');
    const [session] = await service.running.services.storage.listSessions(event?.userId ?? '', 0);
    assert.deepEqual([session?.amr, session?.provenAt], [['fed'], 0]);
    await configure({ trustedAmr: [], trustedAcr: [] });
  });

  test('people who need a second factor set one up before the session starts', async () => {
    const { services } = service.running;
    await changeSettings(services, { second_factor: 'everyone' }, requester);
    const sub = newcomer();
    const { person, response } = await signInWith(service, provider);
    assert.equal(isSignedIn(person), false);
    assert.match(await response.text(), /Set up two-step verification/);
    await userOf(sub);
    assert.match(await (await signInWith(service, provider)).response.text(), /Set up two-step verification/);
    await configure({ trustedAmr: ['mfa'] });
    newcomer({ amr: ['mfa'] });
    assert.ok(isSignedIn((await signInWith(service, provider)).person));
    await configure({ trustedAmr: [] });
    await changeSettings(services, { second_factor: 'optional' }, requester);
  });
});

test('a round trip stores nothing, whether it succeeds or fails', async () => {
  const secrets: string[] = [];
  for (const fails of [false, true]) {
    newcomer();
    provider.twists = {
      ...(fails && { claims: (all: Record<string, unknown>) => ({ ...all, aud: 'another' }) }),
      token(body) {
        secrets.push(String(body.access_token), String(body.id_token));
        return body;
      },
    };
    const person = new Person(service);
    const url = await pressButton(person);
    const back = provider.authorize(url);
    await respond(person, back);
    assert.equal(isSignedIn(person), !fails);
    const { body } = provider.asked.findLast(({ path }) => path === '/token') ?? {};
    const sent = [new URL(url).searchParams.get('nonce'), body?.get('code_verifier'), body?.get('client_secret')];
    secrets.push(...[back.searchParams.get('code'), back.searchParams.get('state'), ...sent].map(String));
  }
  provider.twists = {};
  const stored = (await everythingIn(service)).join('\n');
  assert.equal(secrets.length, 14);
  for (const secret of secrets) assert.ok(secret.length > 10 && !stored.includes(secret), secret);
});

describe("what an upstream's response proves", () => {
  test('a fresh sign-in requested by an application is requested upstream, and an older one is refused', async () => {
    const client = await service.newClient();
    const now = Math.floor(service.clock.now() / 1000);
    const cases = [
      { asked: { prompt: 'login' }, sent: ['login', '0'], authTime: now - 3600, refused: true },
      { asked: { prompt: 'login' }, sent: ['login', '0'], authTime: now, refused: false },
      { asked: { max_age: '300' }, sent: [null, '300'], authTime: now - 3600, refused: true },
      { asked: { max_age: '300' }, sent: [null, '300'], authTime: now - 200, refused: false },
      { asked: { max_age: '300' }, sent: [null, '300'], authTime: undefined, refused: false },
      { asked: {}, sent: [null, null], authTime: now - 3600, refused: false },
    ];
    for (const { asked, sent, authTime, refused } of cases) {
      newcomer();
      provider.twists = { claims: ({ auth_time: _, ...rest }) => ({ ...rest, auth_time: authTime }) };
      const person = new Person(service);
      const url = await pressButton(person, 'company', { path: authorizePath(client, newVerifier(), asked) });
      const { searchParams } = new URL(url);
      assert.deepEqual([searchParams.get('prompt'), searchParams.get('max_age')], sent);
      await respond(person, provider.authorize(url));
      assert.equal(isSignedIn(person), !refused, JSON.stringify({ asked, authTime }));
      if (refused) {
        assert.equal((await service.events('sign_in_failed')).at(-1)?.detail?.reason, 'upstream_not_fresh');
      }
    }
    provider.twists = {};
  });

  test('a sign-in only counts as fresh proof if auth_time says so', async () => {
    const now = () => Math.floor(service.clock.now() / 1000);
    for (const [authTime, proven] of [
      [undefined, false],
      [now() - 3600, false],
      [now() - 5, true],
    ] as const) {
      const sub = newcomer(authTime === undefined ? {} : { auth_time: authTime });
      await signInWith(service, provider);
      const [session] = await service.running.services.storage.listSessions((await userOf(sub)).id, 0);
      assert.equal(service.clock.now() - (session?.provenAt ?? 0) < 15 * 60 * 1000, proven, String(authTime));
    }
  });
});

describe('adding an upstream', () => {
  const add = (more: object = {}) =>
    createUpstream(
      service.running.services,
      { name: 'new', issuer: second.issuer, clientId: 'latchkey', secret: 'secret', ...more },
      requester,
    );
  let second: HostileUpstream;
  before(async () => {
    second = await HostileUpstream.start(() => service.clock.now());
  });
  after(() => second?.stop());

  const tricks: Record<string, { twist?: HostileUpstream['twists']['discovery']; input?: object; problem: RegExp }> = {
    'another issuer': {
      twist: (all) => ({ ...all, issuer: 'https://accounts.google.com' }),
      problem: /discovery document names another issuer, "https:\/\/accounts\.google\.com"/,
    },
    'no document': {
      twist: () => ({ status: 404 }),
      problem: /discovery failed: the identity provider answered with status 404/,
    },
    'the issuer with a slash': { twist: (all) => ({ ...all, issuer: `${all.issuer}/` }), problem: /issuer/i },
    'a redirect': {
      twist: () => ({ status: 302, headers: { location: 'http://127.0.0.1:1/' } }),
      problem: /discovery failed/,
    },
    'no JSON': { twist: () => ({ body: '<html>' }), problem: /discovery failed/ },
    'an endless document': { twist: () => ({ endless: true }), problem: /too large/ },
    'no token endpoint': { twist: ({ token_endpoint: _, ...all }) => all, problem: /token_endpoint/ },
    'a token endpoint in the private network': {
      twist: (all) => ({ ...all, token_endpoint: 'https://10.0.0.1/token' }),
      problem: /10\.0\.0\.1 isn't a public IP address/,
    },
    'the metadata of the cloud as the key set': {
      twist: (all) => ({ ...all, jwks_uri: 'http://169.254.169.254/latest' }),
      problem: /must begin with https/,
    },
    'a file as the key set': { twist: (all) => ({ ...all, jwks_uri: 'file:///etc/passwd' }), problem: /https/ },
    'a script as the authorization endpoint': {
      twist: (all) => ({ ...all, authorization_endpoint: 'javascript:alert(1)' }),
      problem: /https/,
    },
    'PKCE with plain alone': {
      twist: (all) => ({ ...all, code_challenge_methods_supported: ['plain'] }),
      problem: /S256/,
    },
    'HS256 alone, which was not chosen': {
      twist: (all) => ({ ...all, id_token_signing_alg_values_supported: ['HS256', 'none'] }),
      problem: /choose HS256/,
    },
    'an algorithm that is not announced': { input: { algorithm: 'PS512' }, problem: /doesn't announce PS512/ },
    'the algorithm none': { input: { algorithm: 'none' }, problem: /must be one of/ },
    'a private address': { input: { issuer: 'https://192.168.1.1' }, problem: /isn't a public IP address/ },
    'plain http': { input: { issuer: 'http://provider.example' }, problem: /must begin with https/ },
    'credentials in the issuer': { input: { issuer: 'https://a:b@provider.example' }, problem: /user name/ },
    'an issuer that is there already': { input: { issuer: undefined }, problem: /issuer is needed/ },
    'a name with a path': { input: { name: '../admin' }, problem: /name must be/ },
    'scopes without openid': { input: { scopes: ['email'] }, problem: /openid/ },
    'a domain that is invalid': { input: { allowedDomains: ['*'] }, problem: /isn't a domain/ },
    'a label without letters': { input: { label: '\u200b' }, problem: /label is empty/ },
    'a kind that is invalid': { input: { kind: 'saml' }, problem: /oidc or github/ },
  };
  for (const [name, { twist, input, problem }] of Object.entries(tricks)) {
    test(`is refused: ${name}`, async () => {
      second.twists = twist === undefined ? {} : { discovery: twist };
      const outcome = await add(input);
      assert.equal(outcome.kind, 'refused');
      if (outcome.kind === 'refused') assert.match(refusalClause(outcome), problem);
      assert.equal(await service.running.services.storage.findUpstream('new'), undefined);
    });
  }

  test("endpoints that change in the discovery document aren't used until an administrator accepts them", async () => {
    second.twists = {};
    assert.equal((await add({ secret: second.secret, trustedDomains: ['*'], createsAccounts: true })).kind, 'done');
    second.twists = { discovery: (all) => ({ ...all, token_endpoint: `${provider.issuer}/token` }) };
    second.person = { sub: 'moved', email: 'moved@people.example', email_verified: true };
    const { person } = await signInWith(service, second, new Person(service), 'new');
    assert.ok(isSignedIn(person));
    const { services } = service.running;
    const refreshed = await refreshUpstream(services, 'new', undefined, requester);
    assert.ok(refreshed.kind === 'done' && refreshed.upstream.metadata.tokenEndpoint.startsWith(provider.issuer));
    assert.equal((await service.events('upstream_refreshed')).length, 1);
    assert.equal((await deleteUpstream(services, 'new', requester)).kind, 'done');
    assert.equal((await service.events('upstream_deleted')).at(-1)?.detail?.identities, 1);
  });

  test('HS256 is only accepted if it was chosen, and then nothing else is', async () => {
    second.twists = {};
    assert.equal(
      (await add({ secret: second.secret, trustedDomains: ['*'], createsAccounts: true, algorithm: 'HS256' })).kind,
      'done',
    );
    second.person = { sub: 'hs', email: 'hs@people.example', email_verified: true };
    const header = (all: object) => ({ ...all, alg: 'HS256' });
    for (const [secret, accepted] of [
      [second.secret, true],
      ['another', false],
      [second.publicPem, false],
    ] as const) {
      second.twists = { header, signature: (input) => hmac(secret, input) };
      assert.equal(isSignedIn((await signInWith(service, second, new Person(service), 'new')).person), accepted);
    }
    for (const alg of ['none', 'RS256']) {
      second.twists = { header: (all) => ({ ...all, alg }), ...(alg === 'none' && { signature: () => '' }) };
      assert.equal(isSignedIn((await signInWith(service, second, new Person(service), 'new')).person), false, alg);
    }
    await deleteUpstream(service.running.services, 'new', requester);
  });

  test('the secret is stored sealed, and no list or event shows it', async () => {
    const rows = JSON.stringify([await service.rows('upstreams'), await service.events()]);
    assert.ok(!rows.includes(provider.secret));
    assert.ok(!service.log().includes(provider.secret));
  });
});

describe('GitHub', () => {
  test('is keyed on the user ID, and uses the verified primary email address', async () => {
    const github = await HostileUpstream.start(() => service.clock.now());
    try {
      const settings = {
        name: 'github',
        label: 'GitHub',
        kind: 'github',
        trustedDomains: ['*'],
        createsAccounts: true,
      };
      await addUpstream(service, github, settings);
      const attempt = () => signInWith(service, github, new Person(service), 'github');
      const { person } = await attempt();
      assert.ok(isSignedIn(person));
      const { storage } = service.running.services;
      const key = { issuer: github.issuer, subject: '583231' };
      assert.equal((await storage.findIdentity(key))?.user.email, 'grace@people.example');
      const asked = github.asked.find(({ path }) => path === '/login/oauth/access_token');
      assert.match(asked?.body.get('code_verifier') ?? '', /^[\w-]{43}$/);
      // A login name changes hands; an id doesn't.
      github.github.user = { id: 7, login: 'grace', email: 'grace@people.example' };
      assert.equal(isSignedIn((await attempt()).person), false);
      github.github = {
        user: { id: 8, login: 'mallory' },
        emails: [{ email: 'a@people.example', primary: true, verified: false }],
      };
      assert.equal(isSignedIn((await attempt()).person), false);
      for (const id of ['583231', -1, 1.5, undefined, null, [583231]]) {
        github.github.user = { id, login: 'grace' };
        assert.equal(isSignedIn((await attempt()).person), false, String(id));
      }
      github.github.user = { id: 583231, login: 'renamed' };
      assert.ok(isSignedIn((await attempt()).person));
      github.twists = { response: (all) => ({ ...all, state: 'forged' }) };
      assert.equal(isSignedIn((await attempt()).person), false);
      github.twists = { response: ({ code: _, ...all }) => ({ ...all, error: 'access_denied' }) };
      assert.equal((await attempt()).response.status, 403);
    } finally {
      await github.stop();
    }
  });
});

describe('too many responses', () => {
  test('block a network for a while if they keep failing', async () => {
    provider.twists = { claims: (all) => ({ ...all, nonce: 'replayed' }) };
    provider.person = { sub: 'busy' };
    const { storage } = service.running.services;
    service.clock.advance(16 * 60);
    const { response: first } = await signInWith(service, provider);
    assert.equal(first.status, 502);
    const [counter] = upstreamCounters('127.0.0.1');
    const counted = (await service.rows('sign_in_failures')).filter((each) => each.counter === counter?.key);
    const [row] = counted.toSorted((a, b) => Number(b.bucket) - Number(a.bucket));
    assert.ok(row);
    const failures = Array.from({ length: 99 }, () => ({ counter: String(row.counter), bucket: Number(row.bucket) }));
    for (const failure of failures) await storage.addFailures([failure], 0);
    const before = provider.asked.length;
    const used = (await service.rows('spent_tickets')).length;
    const person = new Person(service);
    const response = await respond(person, provider.authorize(await pressButton(person)));
    assert.equal(response.status, 429);
    assert.ok(Number(response.headers.get('retry-after')) > 0);
    assert.equal(provider.asked.length, before, 'the identity provider is not asked');
    assert.equal((await service.rows('spent_tickets')).length, used, 'and nothing is stored');
  });
});
