// What a hostile provider, or somebody between it and the browser, can try: each trick lets nobody in, stores nothing, and
// leaves an event that says what was wrong. The tricks are those of the specifications' security considerations (OpenID
// Connect Core 3.1.3.7, RFC 9207, RFC 9700) and of published advisories, which are named where they apply.

import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { disableUpstream, enableUpstream } from '../../../src/operations/upstreams/upstreams.ts';
import { HostileUpstream, hmac, jwkOf, type Twists } from '../../harness/hostile-upstream.ts';
import { isReleaseLane } from '../../harness/lane.ts';
import { Person } from '../../harness/person.ts';
import { requester, startTestService, type TestService } from '../../harness/service.ts';
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
let other: HostileUpstream;

before(async () => {
  service = await startTestService(allowLoopbackUpstreams, { upstreamDeadline: 2000 });
  provider = await HostileUpstream.start(() => service.clock.now());
  other = await HostileUpstream.start(() => service.clock.now());
  await addUpstream(service, provider, { createsAccounts: true });
  await addUpstream(service, other, { name: 'other', createsAccounts: true });
});
after(async () => {
  await service?.stop();
  await provider?.stop();
  await other?.stop();
});

async function stored(): Promise<number[]> {
  return (await service.rowsOf(['users', 'identities', 'sessions'])).map((rows) => rows.length);
}

/** There are more tricks than a network may try in a quarter of an hour. */
function forgetFailures(): void {
  service.clock.advance(16 * 60);
}

async function lastRefusal() {
  return (await service.events('sign_in_failed')).at(-1)?.detail;
}

interface Trick {
  /** Of the kind of the one before it, which is enough until a release. */
  readonly again?: true;
  readonly twists?: Twists;
  readonly person?: Record<string, unknown>;
  readonly reason?: string;
  readonly problem?: RegExp;
}

const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 });
const signedByAnother = (input: string) => sign('sha256', Buffer.from(input), foreign.privateKey).toString('base64url');
const claims = (change: Record<string, unknown>): Trick => ({ twists: { claims: (all) => ({ ...all, ...change }) } });
const without = (name: string): Trick => ({
  twists: { claims: ({ [name]: _, ...rest }) => rest },
});
const seconds = (offset: number) => Math.floor(service.clock.now() / 1000) + offset;

const tokenTricks: Record<string, Trick> = {
  'another issuer in the ID token': claims({ iss: 'https://accounts.google.com' }),
  'the issuer with a slash at its end': { again: true, twists: { claims: (all) => ({ ...all, iss: `${all.iss}/` }) } },
  'no issuer': { ...without('iss'), again: true },
  'a foreign audience': claims({ aud: 'someone-else' }),
  'an empty list of audiences': { ...claims({ aud: [] }), again: true },
  'several audiences without azp': claims({ aud: ['latchkey', 'someone-else'] }),
  'several audiences with a foreign azp': {
    ...claims({ aud: ['latchkey', 'someone-else'], azp: 'someone-else' }),
    again: true,
  },
  'a foreign azp beside the right audience': { ...claims({ azp: 'someone-else' }), problem: /azp/ },
  'no nonce': without('nonce'),
  'another nonce': { ...claims({ nonce: 'replayed' }), again: true },
  'a nonce that is not text': { ...claims({ nonce: ['a'] }), again: true },
  'an expired token': { twists: { claims: (all) => ({ ...all, iat: seconds(-300), exp: seconds(-120) }) } },
  'no expiry': { ...without('exp'), again: true },
  'an expiry that is not a number': { ...claims({ exp: '9999999999' }), again: true },
  'no time of issue': { ...without('iat'), again: true },
  'a token from the future': { twists: { claims: (all) => ({ ...all, iat: seconds(600) }) }, problem: /future/ },
  'a token from before the sign-in': {
    twists: { claims: (all) => ({ ...all, iat: seconds(-600) }) },
    problem: /older than the sign-in/,
  },
  'a token that is not valid yet': { twists: { claims: (all) => ({ ...all, nbf: seconds(600) }) } },
  'no subject': without('sub'),
  'an empty subject': { again: true, ...claims({ sub: '' }) },
  'a subject that is a number': { ...claims({ sub: 7 }), again: true },
  'a subject that is a list': { ...claims({ sub: ['grace'] }), again: true },
  'a subject of 256 characters': { ...claims({ sub: 'x'.repeat(256) }), problem: /subject/ },
  'a subject with a zero byte': { again: true, ...claims({ sub: 'grace\u0000' }), problem: /subject/ },
  'a subject with a line break': { again: true, ...claims({ sub: 'grace\nadmin' }), problem: /subject/ },
  'a subject that looks like another one': { again: true, ...claims({ sub: 'grаce' }), problem: /subject/ },
  'at_hash of another access token': { ...claims({ at_hash: 'LDktKdoQak3Pk0cnXxCltA' }), problem: /at_hash/ },
  'c_hash of another code': { ...claims({ c_hash: 'LDktKdoQak3Pk0cnXxCltA' }), problem: /c_hash/ },
  // CVE-2015-9235 and its many followers.
  'alg none without a signature': { twists: { header: (all) => ({ ...all, alg: 'none' }), signature: () => '' } },
  'alg None with other capitals': {
    again: true,
    twists: { header: (all) => ({ ...all, alg: 'nOnE' }), signature: () => '' },
  },
  'HS256 with the public key as the secret': {
    twists: { header: (all) => ({ ...all, alg: 'HS256' }), signature: (input) => hmac(provider.publicPem, input) },
  },
  // CVE-2023-48238 and CVE-2022-23540 are of this kind: what isn't configured must not be chosen by the token.
  'HS256 with the client secret, which was not chosen': {
    twists: { header: (all) => ({ ...all, alg: 'HS256' }), signature: (input) => hmac(provider.secret, input) },
  },
  'HS256 with an empty secret': {
    again: true,
    twists: { header: (all) => ({ ...all, alg: 'HS256' }), signature: (input) => hmac('', input) },
  },
  'RS512 where only others are announced': { twists: { header: (all) => ({ ...all, alg: 'RS512' }) } },
  'ES256 with an RSA key': { again: true, twists: { header: (all) => ({ ...all, alg: 'ES256' }) } },
  'a key that is not in the key set': { twists: { header: (all) => ({ ...all, kid: 'unknown' }) } },
  'a signature by another key under the known name': { twists: { signature: signedByAnother } },
  'no signature': { again: true, twists: { signature: () => '' } },
  // CVE-2018-0114: the key that comes with the token.
  'a key in the header (jwk)': {
    twists: { header: (all) => ({ ...all, jwk: jwkOf(foreign.publicKey, 'rsa') }), signature: signedByAnother },
  },
  'the address of a key set in the header (jku)': {
    twists: {
      header: (all) => ({ ...all, jku: `${other.issuer}/keys`, x5u: `${other.issuer}/keys` }),
      signature: signedByAnother,
    },
  },
  'an unknown critical extension': { twists: { header: (all) => ({ ...all, crit: ['b64'], b64: false }) } },
  'a token of the other provider': {
    twists: {
      token: (all) => ({ ...all, id_token: other.sign({ iss: other.issuer, aud: 'latchkey', sub: 'grace' }) }),
    },
  },
  'no ID token': { twists: { token: ({ id_token: _, ...rest }) => rest } },
  'an encrypted ID token': { again: true, twists: { token: (all) => ({ ...all, id_token: 'a.b.c.d.e' }) } },
  'an ID token that is not a JWT': { again: true, twists: { token: (all) => ({ ...all, id_token: 'x' }) } },
  'no access token': { twists: { token: ({ access_token: _, ...rest }) => rest } },
};

const answerTricks: Record<string, Trick> = {
  'an error of the token endpoint': {
    twists: { token: () => ({ status: 400, body: { error: 'invalid_client' } }) },
    reason: 'upstream_error',
    problem: /invalid_client/,
  },
  'an error with markup in it': {
    again: true,
    twists: { token: () => ({ status: 400, body: { error: '<script>' } }) },
    reason: 'upstream_error',
    problem: /\(unknown\)/,
  },
  'a token endpoint that redirects': {
    twists: { token: () => ({ status: 307, headers: { location: `${other.issuer}/token` } }) },
  },
  'a token endpoint that breaks': { again: true, twists: { token: () => ({ status: 500, body: 'oops' }) } },
  'a token response that is not JSON': { twists: { token: () => ({ body: '<html>' }) } },
  'a token response without an end': {
    twists: { token: () => ({ endless: true }) },
    reason: 'upstream_unreachable',
    problem: /too large/,
  },
  'a token response that stops in the middle': {
    twists: { token: () => ({ hangs: true }) },
    reason: 'upstream_unreachable',
    problem: /no response within 2 s/,
  },
  "somebody else's userinfo": {
    person: { sub: 'grace' },
    twists: { userinfo: () => ({ sub: 'ada', email: 'ada@people.example', email_verified: true }) },
  },
  'userinfo without a subject': {
    again: true,
    person: { sub: 'grace' },
    twists: { userinfo: () => ({ email: 'ada@people.example', email_verified: true }) },
  },
  'userinfo that redirects': {
    person: { sub: 'grace' },
    twists: { userinfo: () => ({ status: 302, headers: { location: `${other.issuer}/userinfo` } }) },
  },
};

const responseTricks: Record<string, Trick> = {
  // RFC 9207.
  'another issuer in the response': { twists: { response: (all) => ({ ...all, iss: other.issuer }) } },
  'no issuer in the response, though announced': { twists: { response: ({ iss: _, ...rest }) => rest } },
  'a code of someone else': {
    twists: { response: (all) => ({ ...all, code: 'stolen' }) },
    reason: 'upstream_error',
    problem: /invalid_grant/,
  },
  'an ID token in the response, as in the implicit flow': {
    twists: { response: ({ code: _, ...all }) => ({ ...all, id_token: provider.sign({ sub: 'grace' }) }) },
  },
  'neither a code nor an error': { again: true, twists: { response: ({ code: _, ...rest }) => rest } },
  'no state': { twists: { response: ({ state: _, ...rest }) => rest }, reason: 'upstream_expired' },
  'another state': {
    again: true,
    twists: { response: (all) => ({ ...all, state: 'forged' }) },
    reason: 'upstream_expired',
  },
  'a refusal': {
    twists: { response: ({ code: _, ...rest }) => ({ ...rest, error: 'access_denied' }) },
    reason: 'upstream_denied',
  },
  'an error': {
    twists: { response: ({ code: _, ...rest }) => ({ ...rest, error: 'server_error', error_description: '<b>' }) },
    reason: 'upstream_error',
    problem: /server_error/,
  },
  'an error beside a code': {
    again: true,
    twists: { response: (all) => ({ ...all, error: 'access_denied' }) },
    reason: 'upstream_denied',
  },
};

/** None of these gets an account, and nobody learns who has one. */
const emailTricks: Record<string, Trick> = {
  'an unverified email': { person: { email_verified: false } },
  'an email without email_verified': { again: true, person: { email_verified: undefined } },
  'the text "true" instead of true': { person: { email_verified: 'true' } },
  'the number 1 instead of true': { again: true, person: { email_verified: 1 } },
  // nOAuth: Microsoft's email claim is whatever the tenant's administrator typed.
  'an email without a word about it, as Microsoft sends it': {
    person: { email: 'ceo@people.example', email_verified: undefined, xms_edov: false, tid: 'x' },
  },
  'a domain that the identity provider is not trusted with': { person: { email: 'grace@elsewhere.example' } },
  'a subdomain of a trusted domain': { person: { email: 'grace@mail.people.example' } },
  'a domain that ends like a trusted one': { person: { email: 'grace@notpeople.example' } },
  'a domain that begins like a trusted one': { again: true, person: { email: 'grace@people.example.evil.example' } },
  'a domain that looks like a trusted one': { person: { email: 'grace@реople.example' } },
  'a trusted domain with a dot at the end': { again: true, person: { email: 'grace@people.example.' } },
  'two at signs': { person: { email: 'grace@people.example@evil.example' } },
  'an at sign in quotes': { again: true, person: { email: '"grace@people.example"@evil.example' } },
  'a list of addresses': { person: { email: ['grace@people.example'] } },
  'an address with a line break': { again: true, person: { email: 'grace@people.example\n@evil.example' } },
  'a name in front of the address': { again: true, person: { email: 'Grace <grace@people.example>' } },
  'an address in a comment': { again: true, person: { email: 'grace@evil.example(@people.example)' } },
  // CVE-2026-14781: the ID token's word about one address is none about the address of userinfo.
  'an ID token that calls the address of userinfo verified': {
    person: { email: undefined, email_verified: true, xms_edov: true },
    twists: { userinfo: ({ sub }) => ({ sub, email: 'ceo@people.example' }) },
  },
  'no email': { person: { email: undefined, email_verified: true }, twists: { userinfo: (all) => ({ sub: all.sub }) } },
};

function chosen(tricks: Record<string, Trick>): [string, Trick][] {
  return Object.entries(tricks).filter(([, { again }]) => isReleaseLane || !again);
}

async function play(trick: Trick): Promise<Response> {
  provider.twists = trick.twists ?? {};
  provider.person = { sub: 'grace', email: 'grace@people.example', email_verified: true, ...trick.person };
  if (trick.person !== undefined && !('email' in trick.person) && trick.twists?.userinfo !== undefined) {
    provider.person = trick.person;
  }
  const before = await stored();
  const { person, response } = await signInWith(service, provider);
  assert.equal(isSignedIn(person), false);
  assert.deepEqual(await stored(), before);
  // What was wrong is in the event, which an administrator finds by the reference on the page.
  const reference = /Reference <code>([^<]+)<\/code>/.exec(await response.clone().text())?.[1];
  assert.equal(reference, (await service.events('sign_in_failed')).at(-1)?.requestId);
  return response;
}

for (const [subject, tricks] of Object.entries({ tokenTricks, answerTricks, responseTricks })) {
  describe(`a hostile upstream: ${subject}`, () => {
    before(forgetFailures);
    for (const [name, trick] of chosen(tricks)) {
      test(name, async () => {
        const response = await play(trick);
        assert.ok(response.status >= 400 && response.status < 503, String(response.status));
        const detail = await lastRefusal();
        assert.equal(detail?.reason, trick.reason ?? 'upstream_invalid_response');
        assert.equal(detail?.upstream, 'company');
        if (trick.problem !== undefined) assert.match(String(detail?.problem), trick.problem);
        assert.doesNotMatch(JSON.stringify(detail), /<|stolen|forged/);
      });
    }
  });
}

describe('a hostile upstream: email addresses', () => {
  before(forgetFailures);
  for (const [name, trick] of chosen(emailTricks)) {
    test(name, async () => {
      const response = await play(trick);
      assert.equal(response.status, 403);
      const page = await response.text();
      assert.match(page, /No account found/);
      assert.equal((await lastRefusal())?.reason, 'upstream_email_not_trusted');
    });
  }

  test('different spellings of a domain are the same domain', async () => {
    for (const email of ['One@PEOPLE.example', 'three@ｐｅｏｐｌｅ.example']) {
      provider.twists = {};
      provider.person = { sub: email.slice(0, 3), email, email_verified: true };
      const { person } = await signInWith(service, provider);
      assert.ok(isSignedIn(person), email);
    }
  });
});

describe('a hostile upstream and an existing account', () => {
  test('a taken email address, in any spelling, asks to sign in first and never opens the account', async () => {
    const user = await service.newUser({ email: 'taken@people.example' });
    for (const email of ['taken@people.example', 'TAKEN@People.Example']) {
      provider.twists = {};
      const before = await stored();
      provider.person = { sub: 'attacker', email, email_verified: true };
      const { person, response } = await signInWith(service, provider);
      assert.equal(response.status, 403);
      assert.match(await response.text(), /You already have an account/);
      assert.equal((await lastRefusal())?.reason, 'upstream_email_taken');
      assert.equal(isSignedIn(person), false);
      assert.deepEqual(await stored(), before);
    }
    assert.deepEqual(await service.running.services.storage.listIdentities(user.id), []);
  });

  test('an identity is its subject: a new email address changes nothing, a new subject is someone else', async () => {
    provider.twists = {};
    provider.person = { sub: 'first', email: 'first@people.example', email_verified: true };
    await signInWith(service, provider);
    const before = await stored();
    provider.person = { sub: 'first', email: 'taken@people.example', email_verified: true };
    const again = await signInWith(service, provider);
    assert.ok(isSignedIn(again.person));
    assert.match(await (await again.person.visit('/account')).text(), /first@people\.example/);
    assert.deepEqual((await stored()).slice(0, 2), before.slice(0, 2));
    // Reused by the identity provider for somebody else: the address belongs to the first one's account.
    provider.person = { sub: 'second', email: 'first@people.example', email_verified: true };
    const reused = await signInWith(service, provider);
    assert.equal(isSignedIn(reused.person), false);
    assert.equal((await lastRefusal())?.reason, 'upstream_email_taken');
  });

  test('subjects are compared exactly, and per issuer', async () => {
    provider.twists = {};
    other.twists = {};
    provider.person = { sub: 'same', email: 'same@people.example', email_verified: true };
    await signInWith(service, provider);
    for (const [from, sub] of [
      [provider, 'SAME'],
      [provider, 'same '],
      [other, 'same'],
    ] as const) {
      from.person = { sub, email: 'same@people.example', email_verified: true };
      const { person } = await signInWith(service, from, new Person(service), from === other ? 'other' : 'company');
      assert.equal(isSignedIn(person), false, sub);
    }
  });
});

describe('a response in the wrong place', () => {
  const refusedAsForeign = async (person: Person, back: URL, reason = 'upstream_expired') => {
    const before = await stored();
    const response = await respond(person, back);
    assert.equal(response.status, 400);
    assert.match(await response.text(), /has expired, or it was started in another browser/);
    assert.equal((await lastRefusal())?.reason, reason);
    assert.deepEqual(await stored(), before);
  };
  const honest = async (person: Person, name = 'company') => {
    const from = name === 'other' ? other : provider;
    from.twists = {};
    from.person = { sub: 'honest', email: 'honest@people.example', email_verified: true };
    return from.authorize(await pressButton(person, name));
  };

  test('without the cookie, or with another browser’s', async () => {
    const back = await honest(new Person(service));
    await refusedAsForeign(new Person(service), back);
    const victim = new Person(service);
    await honest(victim);
    await refusedAsForeign(victim, back);
  });

  test("with the round trip's cookie, but in another browser", async () => {
    const attacker = new Person(service);
    const back = await honest(attacker);
    const victim = new Person(service);
    await victim.visit('/sign-in');
    for (const [name, value] of attacker.cookies) if (/upstream/.test(name)) victim.cookies.set(name, value);
    await refusedAsForeign(victim, back);
  });

  test("at another upstream's callback URL", async () => {
    const person = new Person(service);
    const back = await honest(person);
    back.pathname = '/sign-in/with/other/callback';
    await refusedAsForeign(person, back);
  });

  test('a second time, also concurrently', async () => {
    const person = new Person(service);
    const back = await honest(person);
    const copy = new Person(service);
    for (const [name, value] of person.cookies) copy.cookies.set(name, value);
    const both = await Promise.all([respond(person, back), respond(copy, back)]);
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 400]);
    assert.equal((await lastRefusal())?.reason, 'upstream_replayed');
  });

  test('after ten minutes', async () => {
    const person = new Person(service);
    const back = await honest(person);
    service.clock.advance(600);
    await refusedAsForeign(person, back);
  });

  test('after another one was started in the same browser', async () => {
    const person = new Person(service);
    const back = await honest(person);
    await pressButton(person, 'other');
    await refusedAsForeign(person, back);
  });

  test("for an upstream that doesn't exist or is disabled", async () => {
    const person = new Person(service);
    const back = await honest(person);
    await disableUpstream(service.running.services, 'company', requester);
    try {
      const response = await respond(person, back);
      assert.equal(response.status, 404);
      assert.match(await response.text(), /can&#39;t be used to sign in right now/);
      assert.equal(isSignedIn(person), false);
      assert.equal((await lastRefusal())?.reason, 'upstream_disabled');
      const page = await (await new Person(service).visit('/sign-in')).text();
      assert.ok(!page.includes('/sign-in/with/company'));
    } finally {
      await enableUpstream(service.running.services, 'company', requester);
    }
    assert.equal((await person.visit('/sign-in/with/nobody/callback?code=1&state=2')).status, 404);
    assert.equal((await person.visit('/sign-in/with/%2e%2e%2fadmin/callback')).status, 404);
  });

  test('every request has PKCE with S256, a nonce and the exact redirect URI', async () => {
    const url = new URL(await pressButton(new Person(service)));
    assert.equal(url.searchParams.get('code_challenge_method'), 'S256');
    assert.match(url.searchParams.get('code_challenge') ?? '', /^[\w-]{43}$/);
    for (const name of ['state', 'nonce']) assert.match(url.searchParams.get(name) ?? '', /^[\w-]{43}$/);
    assert.equal(url.searchParams.get('redirect_uri'), `${service.url}/sign-in/with/company/callback`);
    assert.equal(url.searchParams.get('response_type'), 'code');
  });

  test('an external destination is ignored', async () => {
    for (const to of ['https://evil.example', '//evil.example', '/\\evil.example', '/sign-in/with/company']) {
      const person = new Person(service);
      provider.twists = {};
      provider.person = { sub: 'honest', email: 'honest@people.example', email_verified: true };
      const path = `/sign-in?to=${encodeURIComponent(to)}`;
      const back = provider.authorize(await pressButton(person, 'company', { path }));
      const response = await person.request(back.pathname + back.search);
      assert.equal(response.headers.get('location'), '/account');
    }
  });

  test("starting needs this browser's form, from a page of this service", async () => {
    const form = { action: '/sign-in/with/company', fields: { continue: 'forged' }, buttons: [] };
    assert.equal((await new Person(service).submit(form, {})).status, 403);
    const person = new Person(service);
    const page = await (await person.visit('/sign-in')).text();
    const ticket = /name="continue" value="([^"]*)"/.exec(page)?.[1] ?? '';
    const own = { ...form, fields: { continue: ticket } };
    assert.equal((await person.submit(own, {}, { Origin: 'https://evil.example' })).status, 403);
    assert.equal((await new Person(service).submit(own, {})).status, 403);
    assert.equal((await person.request('/sign-in/with/company')).status, 404);
  });
});
