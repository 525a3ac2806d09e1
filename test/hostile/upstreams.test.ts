// Signing in and linking with identity providers, when one of them, the browser or somebody in between is hostile.

import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, before, beforeEach } from 'node:test';
import { changeSettings } from '../../src/operations/settings/change-settings.ts';
import {
  changeUpstream,
  deleteUpstream,
  disableUpstream,
  enableUpstream,
} from '../../src/operations/upstreams/upstreams.ts';
import { disableUser } from '../../src/operations/users/disable-user.ts';
import { signedIn } from '../harness/account.ts';
import { HostileUpstream, hmac, type Twists } from '../harness/hostile-upstream.ts';
import { type Form, formIn, Person } from '../harness/person.ts';
import { authorizePath, newVerifier } from '../harness/relying-party.ts';
import { securityPath } from '../harness/second-factors.ts';
import { requester, startTestService, type TestClient, type TestService } from '../harness/service.ts';
import { startTwoInstances } from '../harness/two-instances.ts';
import {
  addUpstream,
  allowLoopbackUpstreams,
  isSignedIn,
  pressButton,
  respond,
  signInWith,
  start,
} from '../harness/upstreams.ts';
import { attack } from './attack.ts';

let service: TestService;
let client: TestClient;
let provider: HostileUpstream;
let other: HostileUpstream;
let subjects = 0;

before(async () => {
  service = await startTestService(allowLoopbackUpstreams);
  client = await service.newClient();
  provider = await HostileUpstream.start(() => service.clock.now());
  other = await HostileUpstream.start(() => service.clock.now());
  await addUpstream(service, provider, { createsAccounts: true });
  await addUpstream(service, other, { name: 'other', label: 'Other', createsAccounts: true });
});
after(async () => {
  await service?.stop();
  await provider?.stop();
  await other?.stop();
});
// There are more tricks than a network may try in a quarter of an hour.
beforeEach(() => forget());

function forget(): void {
  for (const each of [provider, other]) each.twists = {};
  service.clock.advance(16 * 60);
}

/** Somebody whom only the identity provider knows. */
function stranger(more: Record<string, unknown> = {}, at = provider): string {
  const sub = `subject-${++subjects}`;
  at.person = { sub, email: `${sub}@people.example`, email_verified: true, ...more };
  return sub;
}

const identitiesOf = async ({ id }: { id: string }) =>
  (await service.running.services.storage.listIdentities(id)).map(({ subject }) => subject);
const ownerOf = async (subject: string, at = provider) =>
  (await service.running.services.storage.findIdentity({ issuer: at.issuer, subject }))?.user;

async function linkForm(person: Person): Promise<Form> {
  const form = await formIn(await person.visit(securityPath), '/account/identities/link');
  return { ...form, fields: { ...form.fields, upstream: 'company' } };
}

const meOf = async (person: Person) => {
  const response = await person.request('/api/me');
  return response.status === 200 ? ((await response.json()) as { data: { id: string } }).data.id : undefined;
};

attack(20, 'a link that was begun in one session ends in no other', async () => {
  const [ada, bob] = [await service.newUser(), await service.newUser()];
  // Begun by Ada, finished after Bob has signed in in the same browser.
  const browser = await signedIn(service, ada);
  const evil = stranger();
  const back = provider.authorize(await start(browser, await linkForm(browser)));
  await browser.submit(await formIn(await browser.visit('/account'), '/sign-out'), {});
  await browser.signIn(bob);
  assert.equal((await respond(browser, back)).status, 400);
  // The URL is sent to Bob, who is signed in elsewhere, with or without a round trip of his own under way.
  const attacker = await signedIn(service, ada);
  const sent = provider.authorize(await start(attacker, await linkForm(attacker)));
  const victim = await signedIn(service, bob);
  assert.equal((await respond(victim, sent)).status, 400);
  await start(victim, await linkForm(victim));
  assert.equal((await respond(victim, sent)).status, 400);
  // The same with a sign-in: nobody is signed in as the attacker.
  const signIn = new Person(service);
  const csrf = provider.authorize(await pressButton(signIn));
  await respond(victim, csrf);
  assert.equal(await meOf(victim), bob.id);
  // Two tabs: the second round trip replaces the first one.
  const tabs = await signedIn(service, ada);
  const first = provider.authorize(await start(tabs, await linkForm(tabs)));
  await start(tabs, await linkForm(tabs));
  assert.equal((await respond(tabs, first)).status, 400);
  // The session got a new secret in between.
  const renewed = await signedIn(service, ada);
  const late = provider.authorize(await start(renewed, await linkForm(renewed)));
  await renewed.submit(await formIn(await renewed.visit(securityPath), '/account/password'), {
    new_password: 'another long phrase',
  });
  assert.equal((await respond(renewed, late)).status, 400);
  assert.deepEqual([await identitiesOf(ada), await identitiesOf(bob), await ownerOf(evil)], [[], [], undefined]);
});

attack(21, 'a response counts at the identity provider that was asked, as long as it is the same one', async () => {
  const { services } = service.running;
  const [mine, theirs] = [stranger({}, provider), stranger({}, other)];
  const nobody = async (person: Person, response: Response, what: string) => {
    assert.ok(response.status >= 400 && response.status < 600, `${what}: ${response.status}`);
    assert.equal(isSignedIn(person), false, what);
  };
  const at = (back: URL, name: string) => new URL(`/sign-in/with/${name}/callback${back.search}`, service.url);

  const person = new Person(service);
  const back = provider.authorize(await pressButton(person));
  await nobody(person, await respond(person, at(back, 'other')), "at the other's callback");
  const mixed = new Person(service);
  const mine2 = provider.authorize(await pressButton(mixed));
  const code = other.authorize(await pressButton(new Person(service), 'other')).searchParams.get('code') ?? '';
  mine2.searchParams.set('code', code);
  await nobody(mixed, await respond(mixed, mine2), 'state of one, code of the other');
  const issuer = new Person(service);
  const foreign = provider.authorize(await pressButton(issuer));
  foreign.searchParams.set('iss', other.issuer);
  await nobody(issuer, await respond(issuer, foreign), 'the issuer of the other');

  // Begun with one that is disabled, deleted, or another one under the same name when the response comes.
  const disabled = new Person(service);
  const during = provider.authorize(await pressButton(disabled));
  await disableUpstream(services, 'company', requester);
  await nobody(disabled, await respond(disabled, during), 'disabled');
  await enableUpstream(services, 'company', requester);
  const replaced = new Person(service);
  const old = provider.authorize(await pressButton(replaced));
  const deleted = new Person(service);
  const gone = provider.authorize(await pressButton(deleted));
  await deleteUpstream(services, 'company', requester);
  await nobody(deleted, await respond(deleted, gone), 'deleted');
  await deleteUpstream(services, 'other', requester);
  // One that doesn't say in its responses who it is.
  const silent = { authorization_response_iss_parameter_supported: false };
  other.twists = { discovery: (document) => ({ ...document, ...silent }) };
  await addUpstream(service, other, { createsAccounts: true });
  other.asked.length = 0;
  old.searchParams.delete('iss');
  await nobody(replaced, await respond(replaced, old), 'another issuer under the same name');
  assert.deepEqual(
    other.asked.map(({ path }) => path),
    [],
    'its code is not sent to the new one',
  );
  other.twists = {};
  await deleteUpstream(services, 'company', requester);
  await addUpstream(service, provider, { createsAccounts: true });
  await addUpstream(service, other, { name: 'other', label: 'Other', createsAccounts: true });
  assert.deepEqual([await ownerOf(mine), await ownerOf(theirs, other)], [undefined, undefined]);
});

attack(22, 'a response is used once, in the browser that asked for it', async () => {
  stranger();
  const person = new Person(service);
  const back = provider.authorize(await pressButton(person));
  const copies = Array.from({ length: 5 }, () => {
    const copy = new Person(service);
    for (const [name, value] of person.cookies) copy.cookies.set(name, value);
    return copy;
  });
  await Promise.all(copies.map((copy) => respond(copy, back)));
  assert.equal(copies.filter(isSignedIn).length, 1);
  await respond(person, back);
  assert.equal(isSignedIn(person), false, 'replayed');
  const begun = new Person(service);
  const theirs = provider.authorize(await pressButton(begun));
  // At another instance, before and after it was used.
  const both = await startTwoInstances(allowLoopbackUpstreams);
  try {
    await addUpstream(both.one, provider, { createsAccounts: true });
    both.two.clock.advance((service.clock.now() - both.two.clock.now()) / 1000);
    both.one.clock.advance((service.clock.now() - both.one.clock.now()) / 1000);
    stranger();
    const asking = new Person(both.one);
    const answer = provider.authorize(await pressButton(asking));
    const [here, there] = [both.two, both.one].map((each) => {
      const copy = new Person(each);
      for (const [name, value] of asking.cookies) copy.cookies.set(name, value);
      return copy;
    });
    assert.ok(here && there);
    await respond(new Person(both.two), answer);
    await respond(here, answer);
    assert.ok(isSignedIn(here), 'the instance makes no difference');
    await respond(there, answer);
    assert.equal(isSignedIn(there), false, 'replayed at the other instance');
  } finally {
    await both.stop();
  }
  for (const query of [
    theirs.search,
    `?code=${theirs.searchParams.get('code')}`,
    '?state=&code=x',
    '',
    '?state=x&state=x',
  ]) {
    const unasked = new Person(service);
    const response = await respond(unasked, new URL(`/sign-in/with/company/callback${query}`, service.url));
    assert.equal(response.status, 400, query);
    assert.equal(isSignedIn(unasked), false, query);
  }
});

const foreignKey = generateKeyPairSync('rsa', { modulusLength: 2048 });

attack(23, 'an ID token of another audience, issuer, algorithm or key signs nobody in', async () => {
  const header = (change: Record<string, unknown>) => (all: Record<string, unknown>) => ({ ...all, ...change });
  const claims = (change: Record<string, unknown>): Twists => ({ claims: (all) => ({ ...all, ...change }) });
  const pem = () => provider.publicPem;
  const tricks: Record<string, Twists> = {
    'another audience': claims({ aud: 'another-client' }),
    'several audiences': claims({ aud: ['latchkey', 'another-client'] }),
    'an audience as an object': claims({ aud: { 0: 'latchkey' } }),
    'another authorized party': claims({ aud: ['latchkey'], azp: 'another-client' }),
    'no nonce': { claims: ({ nonce: _, ...rest }) => rest },
    'an empty nonce': claims({ nonce: '' }),
    'the issuer with a slash': { claims: (all) => ({ ...all, iss: `${all.iss}/` }) },
    'the issuer in capitals': { claims: (all) => ({ ...all, iss: String(all.iss).toUpperCase() }) },
    'no algorithm': { header: header({ alg: 'none' }), signature: () => '' },
    'the public key as a secret': { header: header({ alg: 'HS256' }), signature: (input) => hmac(pem(), input) },
    'the client secret as a secret': {
      header: header({ alg: 'HS256' }),
      signature: (input) => hmac(provider.secret, input),
    },
    'a path as the key': { header: header({ kid: '../../../../dev/null' }), signature: (input) => hmac('', input) },
    'a query as the key': { header: header({ kid: "x' UNION SELECT 'key" }), signature: (input) => hmac('key', input) },
    'a URL as the key': { header: header({ jku: `${other.issuer}/keys`, kid: 'other' }) },
    'a key in the header': {
      header: header({ jwk: foreignKey.publicKey.export({ format: 'jwk' }) }),
      signature: () => 'x',
    },
  };
  for (const [name, twists] of Object.entries(tricks)) {
    forget();
    stranger();
    provider.twists = twists;
    assert.equal(isSignedIn((await signInWith(service, provider)).person), false, name);
  }
  // Configured for HS256: then the secret signs, and nothing else does.
  const { services } = service.running;
  const configured = await changeUpstream(services, 'other', { algorithm: 'HS256' }, requester);
  assert.equal(configured.kind, 'done');
  for (const [secret, signsIn] of [
    [other.publicPem, false],
    ['', false],
    [undefined, false],
    [other.secret, true],
  ] as const) {
    forget();
    stranger({}, other);
    const signature = secret === undefined ? {} : { signature: (input: string) => hmac(secret, input) };
    other.twists = { header: header({ alg: secret === undefined ? 'RS256' : 'HS256' }), ...signature };
    assert.equal(
      isSignedIn((await signInWith(service, other, new Person(service), 'other')).person),
      signsIn,
      String(secret),
    );
  }
  await changeUpstream(services, 'other', { algorithm: 'RS256' }, requester);
});

attack(24, 'an email address counts if that very address is verified, in a domain that is trusted', async () => {
  const victim = await service.newUser({ email: 'victim@people.example' });
  const says: [string, Record<string, unknown>][] = [
    ['missing', { email_verified: undefined }],
    ['false', { email_verified: false }],
    ['the text true', { email_verified: 'true' }],
    ['one', { email_verified: 1 }],
    ['a list', { email_verified: [true] }],
    ['owned domain: 0', { email_verified: undefined, xms_edov: 0 }],
    ['owned domain: the text true', { email_verified: undefined, xms_edov: 'true' }],
    ['owned domain: 2', { email_verified: undefined, xms_edov: 2 }],
    ['owned domain: a list', { email_verified: undefined, xms_edov: [1] }],
    ['owned domain: false', { email_verified: undefined, xms_edov: false }],
    ['owned domain beside unverified', { email_verified: false, xms_edov: true }],
    ['a subdomain', { email: 'x@sub.people.example' }],
    ['another domain', { email: 'x@people.example.evil.example' }],
    ['two addresses', { email: ['victim@people.example', 'x@evil.example'] }],
    ['no address', { email: undefined }],
  ];
  for (const [name, claims] of says) {
    forget();
    const sub = stranger(claims);
    assert.equal(isSignedIn((await signInWith(service, provider)).person), false, name);
    assert.equal(await ownerOf(sub), undefined, name);
  }
  // Verified for another address: the ID token has one, userinfo says that its own is verified.
  forget();
  const mixed = stranger({ email: undefined });
  provider.twists = {
    claims: (all) => ({ ...all, email: 'x@people.example', email_verified: undefined }),
    userinfo: (all) => ({ ...all, email: 'x@people.example', email_verified: true }),
  };
  assert.equal(isSignedIn((await signInWith(service, provider)).person), false);
  assert.equal(await ownerOf(mixed), undefined);
  // And an address that is trusted doesn't lead into the account that has it.
  forget();
  const same = stranger({ email: 'VICTIM@people.example' });
  assert.equal(isSignedIn((await signInWith(service, provider)).person), false);
  assert.equal(await ownerOf(same), undefined);
  assert.deepEqual(await identitiesOf(victim), []);

  const github = await HostileUpstream.start(() => service.clock.now());
  try {
    await addUpstream(service, github, { name: 'code', kind: 'github', createsAccounts: true });
    github.github.emails = [
      { email: 'hub@people.example', primary: true, verified: false },
      { email: 'second@people.example', primary: false, verified: true },
    ];
    assert.equal(isSignedIn((await signInWith(service, github, new Person(service), 'code')).person), false);
  } finally {
    await deleteUpstream(service.running.services, 'code', requester);
    await github.stop();
  }
});

attack(25, 'what changes while someone is at the identity provider counts when they come back', async () => {
  const { services } = service.running;
  const sub = stranger();
  await signInWith(service, provider);
  const user = (await ownerOf(sub)) ?? assert.fail();
  const returning = async (change: () => Promise<unknown>) => {
    const person = new Person(service);
    const back = provider.authorize(await pressButton(person));
    await change();
    const response = await respond(person, back);
    assert.ok(response.status >= 400);
    assert.equal(isSignedIn(person), false);
    assert.equal((await person.request('/api/me')).status, 401);
    const silent = await person.visit(authorizePath(client, newVerifier(), { prompt: 'none' }));
    assert.match(silent.headers.get('location') ?? '', /error=login_required/);
  };
  await returning(() => disableUpstream(services, 'company', requester));
  await enableUpstream(services, 'company', requester);
  await returning(() => changeUpstream(services, 'company', { allowedDomains: ['elsewhere.example'] }, requester));
  await changeUpstream(services, 'company', { allowedDomains: [] }, requester);
  await returning(() => disableUser(services, { id: user.id }, requester));
  await returning(async () => {});
});

attack(
  26,
  "an application's hint reaches an identity provider only if it is an address of a trusted domain",
  async () => {
    const { services } = service.running;
    const hub = await HostileUpstream.start(() => service.clock.now());
    await addUpstream(service, hub, { name: 'code', kind: 'github' });
    const hintFor = async (hint: string) => {
      const response = await new Person(service).request(authorizePath(client, newVerifier(), { login_hint: hint }));
      const away = new URL(response.headers.get('location') ?? 'about:blank');
      assert.notEqual(away.origin, new URL(service.url).origin);
      return away.searchParams.get('login_hint') ?? away.searchParams.get('login');
    };
    try {
      for (const name of ['company', 'code']) {
        assert.equal((await changeSettings(services, { default_upstream: name }, requester)).kind, 'done');
        assert.equal(await hintFor('ada@people.example'), 'ada@people.example');
        for (const hint of [
          'someone@evil.example',
          'tenant:evil',
          'evil&prompt=none',
          'ada@people.example.evil.example',
        ]) {
          assert.equal(await hintFor(hint), null, hint);
        }
      }
    } finally {
      await changeSettings(services, { default_upstream: '' }, requester);
      await deleteUpstream(services, 'code', requester);
      await hub.stop();
    }
  },
);
