// The modules of OpenID's conformance plans, by their names: oidcc-basic-certification-test-plan with a static client, and
// oidcc-config-certification-test-plan. The suite itself needs a public host and people; this is what its modules check.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createLocalJWKSet, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose';
import type { BridgeApplication } from '../../src/bridge/config-file.ts';
import {
  applicationFor,
  ask,
  authorizePath,
  BridgeVisitor,
  basic,
  bridgeClient,
  type Changes,
  exchangeForm,
  redirectUri,
  refresh,
  startTestBridge,
  type TestBridge,
  userinfo,
} from '../harness/bridge.ts';
import { challengeOf, newVerifier, type TokenBody } from '../harness/relying-party.ts';
import { startTestService, type TestService, type TestUser } from '../harness/service.ts';

const baseUrl = 'https://bridge.example.com';
let service: TestService;
let bridge: TestBridge;
let second: BridgeApplication;
let user: TestUser;
let metadata: Record<string, unknown>;
let browser: BridgeVisitor;
before(async () => {
  service = await startTestService();
  // The plan has no PKCE, apart from its last module, and one module without a nonce.
  const settings = { signing: 'RS256', pkce: 'optional', nonce: 'optional' } as const;
  const application = applicationFor(await bridgeClient(service, baseUrl), settings);
  second = applicationFor(await bridgeClient(service, baseUrl), settings);
  bridge = await startTestBridge(service, { config: { baseUrl, applications: [application, second] } });
  bridge = { ...bridge, application };
  user = await service.newUser();
  browser = new BridgeVisitor(bridge, service);
  metadata = (await ask(bridge, '/.well-known/openid-configuration')).body;
});
after(async () => {
  await bridge?.stop();
  await service?.stop();
});

const withoutPkce: Changes = { code_challenge: undefined, code_challenge_method: undefined };
const pathFor = (changes: Changes = {}) => authorizePath(bridge.application, '', { ...withoutPkce, ...changes });
const atLatchkey = async (on: BridgeVisitor, changes: Changes) => {
  const { pathname, search } = await on.led(pathFor(changes));
  return on.person.visit(pathname + search);
};

/** Whether Latchkey asks for the password, given this browser and this request. */
const asksToSignIn = async (changes: Changes) =>
  /action="\/sign-in"/.test(await (await atLatchkey(browser, changes)).text());

/** As the plan's clients do, unless said otherwise: HTTP Basic. */
async function exchanged(code: string, more: Changes = {}) {
  const { client_id = '', client_secret = '', ...form } = exchangeForm(bridge.application, code, undefined);
  const headers = { Authorization: basic(client_id, client_secret) };
  return ask(bridge, '/token', { form: { ...form, ...more }, headers });
}

interface SignedIn {
  readonly code: string;
  readonly tokens: TokenBody;
  readonly claims: JWTPayload;
}

/** A sign-in that succeeds, with everything that every module checks of it. */
async function signIn(changes: Changes = {}, more: Changes = {}): Promise<SignedIn> {
  const back = await browser.led((await browser.callbackFor(user, pathFor(changes))).href);
  assert.equal(back.origin + back.pathname, redirectUri);
  assert.equal(back.searchParams.get('error'), null, back.href);
  assert.equal(back.searchParams.get('state'), 'state-1');
  const code = back.searchParams.get('code') ?? '';
  const answer = await exchanged(code, more);
  assert.equal(answer.status, 200, answer.text);
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  const tokens = answer.body;
  assert.equal(tokens.token_type, 'Bearer');
  const claims = await verified(tokens.id_token);
  assert.equal(claims.nonce, 'nonce' in changes ? changes.nonce : 'nonce-1');
  return { code, tokens, claims };
}

async function verified(idToken: string): Promise<JWTPayload> {
  const keys = createLocalJWKSet((await ask(bridge, '/jwks')).body as unknown as JSONWebKeySet);
  const { payload, protectedHeader } = await jwtVerify(idToken, keys, {
    issuer: baseUrl,
    audience: bridge.application.clientId,
    algorithms: ['RS256'],
    requiredClaims: ['sub', 'iat', 'exp'],
    currentDate: new Date(service.clock.now()),
  });
  assert.equal(typeof protectedHeader.kid, 'string');
  assert.equal(payload.sub, user.id);
  return payload;
}

/** The names of what userinfo says. */
async function toldAbout(scope: string): Promise<Record<string, unknown>> {
  const { tokens, claims } = await signIn({ scope });
  const { body } = await userinfo(bridge, tokens.access_token);
  assert.equal(body.sub, claims.sub);
  return body;
}

const errorAt = async (changes: Changes) => (await browser.led(pathFor(changes))).searchParams.get('error');

/** By the module's name below, without the prefix that all of them have. */
const modules: Readonly<Record<string, () => Promise<void>>> = {
  async server() {
    const { tokens, claims } = await signIn();
    const { status, body } = await userinfo(bridge, tokens.access_token);
    assert.deepEqual([status, body.sub], [200, claims.sub]);
  },
  async 'response-type-missing'() {
    assert.equal(await errorAt({ response_type: undefined }), 'invalid_request');
  },
  async 'userinfo-get'() {
    const { tokens } = await signIn();
    const { status, headers } = await userinfo(bridge, tokens.access_token);
    assert.equal(status, 200);
    assert.match(headers.get('content-type') ?? '', /^application\/json/);
  },
  async 'userinfo-post-header'() {
    const { tokens } = await signIn();
    const headers = { Authorization: `Bearer ${tokens.access_token}` };
    assert.equal((await ask(bridge, '/userinfo', { method: 'POST', headers })).body.sub, user.id);
  },
  async 'userinfo-post-body'() {
    const { tokens } = await signIn();
    const form = { access_token: tokens.access_token };
    assert.equal((await ask(bridge, '/userinfo', { form })).body.sub, user.id);
  },
  async 'ensure-request-without-nonce-succeeds-for-code-flow'() {
    assert.equal('nonce' in (await signIn({ nonce: undefined })).claims, false);
  },
  async 'scope-profile'() {
    const told = await toldAbout('openid profile');
    assert.equal(typeof told.name, 'string');
    assert.equal('email' in told, false);
  },
  async 'scope-email'() {
    const told = await toldAbout('openid email');
    assert.deepEqual([told.email, typeof told.email_verified], [user.email, 'boolean']);
    assert.equal('name' in told, false);
  },
  async 'ensure-other-scope-order-succeeds'() {
    assert.equal((await toldAbout('email openid')).email, user.email);
  },
  async 'display-page'() {
    await signIn({ display: 'page' });
  },
  async 'display-popup'() {
    await signIn({ display: 'popup' });
  },
  async 'prompt-login'() {
    const before = await signIn();
    service.clock.advance(2);
    assert.equal(await asksToSignIn({ prompt: 'login' }), true);
    const { claims } = await signIn({ prompt: 'login' });
    assert.ok(Number(claims.auth_time) > Number(before.claims.auth_time));
  },
  async 'prompt-none-not-logged-in'() {
    const stranger = new BridgeVisitor(bridge, service);
    const left = await atLatchkey(stranger, { prompt: 'none' });
    const back = await stranger.led(left.headers.get('location') ?? '');
    assert.deepEqual([back.searchParams.get('error'), back.searchParams.get('state')], ['login_required', 'state-1']);
  },
  async 'prompt-none-logged-in'() {
    const before = await signIn();
    service.clock.advance(2);
    const { claims } = await signIn({ prompt: 'none' });
    assert.deepEqual([claims.sub, claims.auth_time], [before.claims.sub, before.claims.auth_time]);
  },
  async 'max-age-1'() {
    const before = await signIn();
    service.clock.advance(2);
    assert.equal(await asksToSignIn({ max_age: '1' }), true);
    const { claims } = await signIn({ max_age: '1' });
    assert.ok(Number(claims.auth_time) > Number(before.claims.auth_time));
  },
  async 'max-age-10000'() {
    const before = await signIn();
    service.clock.advance(2);
    const { claims } = await signIn({ max_age: '10000' });
    assert.equal(claims.auth_time, before.claims.auth_time);
  },
  async 'ensure-request-with-unknown-parameter-succeeds'() {
    await signIn({ extra: 'foobar' });
  },
  async 'id-token-hint'() {
    const before = await signIn();
    const { claims } = await signIn({ prompt: 'none', id_token_hint: before.tokens.id_token });
    assert.equal(claims.sub, before.claims.sub);
  },
  async 'login-hint'() {
    await signIn({ login_hint: 'buffy@bridge.example.com' });
  },
  async 'ui-locales'() {
    await signIn({ ui_locales: 'se' });
  },
  async 'claims-locales'() {
    await signIn({ claims_locales: 'se' });
  },
  async 'ensure-request-with-acr-values-succeeds'() {
    const [acr = ''] = metadata.acr_values_supported as string[];
    assert.equal((await signIn({ acr_values: acr })).claims.acr, acr);
  },
  async codereuse() {
    const { code } = await signIn();
    assert.equal((await exchanged(code)).body.error, 'invalid_grant');
  },
  async 'codereuse-30seconds'() {
    const { code, tokens } = await signIn();
    service.clock.advance(30);
    assert.equal((await exchanged(code)).body.error, 'invalid_grant');
    assert.equal((await userinfo(bridge, tokens.access_token)).status, 401);
  },
  async 'ensure-registered-redirect-uri'() {
    const { status, headers, text } = await browser.open(pathFor({ redirect_uri: `${redirectUri}/foobar` }));
    assert.deepEqual([status, headers.get('location')], [400, null]);
    assert.match(text, /redirect_uri/);
  },
  async 'ensure-post-request-succeeds'() {
    const form = Object.fromEntries(new URLSearchParams(pathFor().split('?')[1]));
    const { headers } = await browser.open('/authorize', { form });
    const { pathname, search } = new URL(headers.get('location') ?? '');
    const callback = await browser.person.authorize(pathname + search, user);
    assert.ok((await browser.led(callback.href)).searchParams.has('code'));
  },
  async 'server-client-secret-post'() {
    const back = await browser.led((await browser.callbackFor(user, pathFor())).href);
    const form = exchangeForm(bridge.application, back.searchParams.get('code') ?? '', undefined);
    assert.equal((await ask(bridge, '/token', { form })).status, 200);
  },
  async 'unsigned-request-object-supported-correctly-or-rejected-as-unsupported'() {
    assert.equal(await errorAt({ request: unsigned({ scope: 'openid' }) }), 'request_not_supported');
  },
  async 'ensure-request-object-with-redirect-uri'() {
    const elsewhere = unsigned({ redirect_uri: 'https://evil.example/callback' });
    assert.equal(await errorAt({ request: elsewhere }), 'request_not_supported');
  },
  async 'claims-essential'() {
    assert.equal(metadata.claims_parameter_supported, false);
    await signIn({ claims: JSON.stringify({ userinfo: { name: { essential: true } } }) });
  },
  async 'refresh-token'() {
    const before = await signIn();
    const { body } = await refresh(bridge, before.tokens.refresh_token);
    const claims = await verified(body.id_token);
    for (const name of ['iss', 'sub', 'aud', 'auth_time']) assert.deepEqual(claims[name], before.claims[name], name);
    assert.notEqual(body.access_token, before.tokens.access_token);
    assert.equal((await userinfo(bridge, body.access_token)).status, 200);
    const asSecond = { client_id: second.clientId, client_secret: second.clientSecret.secrets[0] };
    assert.equal((await refresh(bridge, before.tokens.refresh_token, asSecond)).body.error, 'invalid_grant');
  },
  async 'ensure-request-with-valid-pkce-succeeds'() {
    const verifier = newVerifier();
    const challenge = { code_challenge: challengeOf(verifier), code_challenge_method: 'S256' };
    await signIn(challenge, { code_verifier: verifier });
  },
  async 'discovery-endpoint-verification'() {
    const { status, headers } = await ask(bridge, '/.well-known/openid-configuration');
    assert.equal(status, 200);
    assert.match(headers.get('content-type') ?? '', /^application\/json/);
    assert.equal(metadata.issuer, baseUrl);
    const endpoints = Object.keys(metadata).filter((name) => /_endpoint$|^jwks_uri$/.test(name));
    assert.deepEqual(endpoints.sort(), [
      'authorization_endpoint',
      'end_session_endpoint',
      'jwks_uri',
      'revocation_endpoint',
      'token_endpoint',
      'userinfo_endpoint',
    ]);
    for (const name of endpoints) assert.ok(String(metadata[name]).startsWith(`${baseUrl}/`), name);
    for (const [name, supported] of Object.entries({
      response_types_supported: ['code'],
      response_modes_supported: ['query', 'form_post', 'fragment'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      code_challenge_methods_supported: ['S256'],
      scopes_supported: ['openid', 'profile', 'email'],
    })) {
      assert.deepEqual([...(metadata[name] as string[])].sort(), [...supported].sort(), name);
    }
    for (const claim of ['sub', 'auth_time', 'email', 'name']) {
      assert.ok((metadata.claims_supported as string[]).includes(claim), claim);
    }
    const { keys } = (await ask(bridge, '/jwks')).body as unknown as JSONWebKeySet;
    assert.deepEqual(
      keys.map((key) => Object.keys(key).sort().join(' ')),
      ['alg e kid kty n use'],
    );
  },
};

function unsigned(claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none' })}.${part({ client_id: bridge.application.clientId, ...claims })}.`;
}

describe('the modules', () => {
  for (const [name, check] of Object.entries(modules)) test(`oidcc-${name}`, check);
});

/** What the discovery document says for each. */
const doNotApply: Readonly<Record<string, readonly [why: string, isTrue: () => boolean]>> = {
  'scope-address': [
    'Latchkey has no such scope, and the suite skips it',
    () => !includes('scopes_supported', 'address'),
  ],
  'scope-phone': ['Latchkey has no such scope, and the suite skips it', () => !includes('scopes_supported', 'phone')],
  'scope-all': ['it needs both of these', () => !includes('scopes_supported', 'address')],
  'idtoken-signature': ['for dynamic registration only', () => metadata.registration_endpoint === undefined],
  'idtoken-unsigned': [
    'for dynamic registration only, and there is no none',
    () => !includes('id_token_signing_alg_values_supported', 'none'),
  ],
  'request-uri-unsigned-supported-correctly-or-rejected-as-unsupported': [
    'for dynamic registration only, and there are no request URIs',
    () => metadata.request_uri_parameter_supported === false,
  ],
};
const includes = (name: string, value: string) => (metadata[name] as string[]).includes(value);

describe("the modules that don't apply", () => {
  for (const [name, [why, isTrue]] of Object.entries(doNotApply)) {
    test(`oidcc-${name}: ${why}`, () => assert.equal(isTrue(), true));
  }
});

test('nothing that is off is announced', () => {
  const absent =
    /device|introspection|registration_endpoint|pushed|request_object|dpop|backchannel_authentication|mtls/;
  assert.deepEqual(
    Object.keys(metadata).filter((name) => absent.test(name)),
    [],
  );
  assert.deepEqual(
    [metadata.request_parameter_supported ?? false, metadata.request_uri_parameter_supported],
    [false, false],
  );
});

test('nothing that is off is answered', async () => {
  const names = 'device_code token-exchange jwt-bearer saml2-bearer';
  const types = names.split(' ').map((name) => `urn:ietf:params:oauth:grant-type:${name}`);
  for (const grant_type of [
    'client_credentials',
    'password',
    'implicit',
    'urn:openid:params:grant-type:ciba',
    ...types,
  ]) {
    assert.equal((await exchanged('x', { grant_type })).body.error, 'unsupported_grant_type', grant_type);
  }
  const off =
    '/token/introspection /reg /device /device/auth /request /backchannel /session/end /interaction/x /me /auth';
  for (const path of off.split(' ')) {
    assert.equal((await ask(bridge, path)).status, 404, path);
    assert.equal((await ask(bridge, path, { form: { token: 'x' } })).status, 404, path);
  }
});

test("the bridge's URL is that of its file, whatever a request says", async () => {
  const headers = { Forwarded: 'host=evil.example', 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'http' };
  const { body } = await ask(bridge, '/.well-known/openid-configuration', { headers });
  assert.deepEqual(body, metadata);
  const sent = await new BridgeVisitor(bridge, service).open(pathFor(), { headers });
  const callback = new URL(sent.headers.get('location') ?? '').searchParams.get('redirect_uri');
  assert.equal(callback, `${baseUrl}/callback`);
  assert.match(sent.headers.getSetCookie().join(), /^__Host-latchkey_bridge=[\w-]{43}; .*; Secure$/);
});
