// Signing out over the bridge: where an application sends the browser, and what Latchkey says has ended.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import type { BridgeApplication } from '../../src/bridge/config-file.ts';
import { signLogoutToken } from '../../src/protocol/oauth/jwt.ts';
import { issueLogoutToken } from '../../src/protocol/oauth/logout-token.ts';
import { hmacStatesOf } from '../../src/protocol/resumable-hmac.ts';
import {
  afterSignOut,
  applicationFor,
  ask,
  authorizePath,
  BridgeVisitor,
  bridgeClient,
  exchange,
  onlySecret,
  refresh,
  startTestBridge,
  type TestBridge,
  userinfo,
} from '../harness/bridge.ts';
import { formIn } from '../harness/person.ts';
import { decodeJwt, newVerifier } from '../harness/relying-party.ts';
import { freePort, startTestService, type TestService, type TestUser } from '../harness/service.ts';
import { until } from '../harness/until.ts';
import { allowLoopback, type Receiver, startReceiver } from '../harness/webhooks.ts';

let service: TestService;
let receiver: Receiver;
let bridge: TestBridge;
let other: BridgeApplication;
let ada: TestUser;
before(async () => {
  service = await startTestService(allowLoopback);
  receiver = await startReceiver();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const client = await bridgeClient(service, url, { backchannelLogoutUri: `${url}/backchannel-logout` });
  const application = applicationFor(client, { backchannelLogoutUri: receiver.url, signing: 'RS256' });
  other = applicationFor(await bridgeClient(service, url), { signing: 'EdDSA' });
  const config = { baseUrl: url, listen: { host: '127.0.0.1', port }, applications: [application, other] };
  bridge = Object.assign(await startTestBridge(service, { application, config }), { application, client });
  ada = await service.newUser();
});
beforeEach(() => {
  receiver.received.length = 0;
  receiver.answer = { status: 204 };
});
after(async () => {
  await bridge?.stop();
  await receiver?.stop();
  await service?.stop();
});

const signOutPath = (parameters: Record<string, string>) => `/sign-out?${new URLSearchParams(parameters)}`;

describe('an application that signs someone out', () => {
  test('ends the grant here and there and the session at Latchkey, and people come back with its state', async () => {
    const visitor = new BridgeVisitor(bridge, service);
    const tokens = await visitor.signIn(ada);
    const live = await liveAtLatchkey(ada);
    const state = 'a & b=c/ü';
    const atLatchkey = await visitor.led(
      signOutPath({ id_token_hint: tokens.id_token, post_logout_redirect_uri: afterSignOut, state }),
    );
    assert.equal(atLatchkey.origin, service.url);
    assert.equal((await userinfo(bridge, tokens.access_token)).status, 401);
    assert.equal((await refresh(bridge, tokens.refresh_token)).body.error, 'invalid_grant');
    assert.equal(await liveAtLatchkey(ada), live - 1);
    const left = await visitor.person.visit(atLatchkey.pathname + atLatchkey.search);
    const back = await visitor.led(left.headers.get('location') ?? '');
    assert.equal(back.href, `${afterSignOut}&state=${encodeURIComponent(state)}`);
    const page = await visitor.person.visit('/account');
    assert.match(page.url + (await page.text()), /sign-in/);
  });

  test('works with a form, without a state, and with a hint of any age', async () => {
    const visitor = new BridgeVisitor(bridge, service);
    const tokens = await visitor.signIn(ada);
    service.clock.advance(3600);
    const form = { id_token_hint: tokens.id_token, post_logout_redirect_uri: afterSignOut };
    const answer = await visitor.open('/sign-out', { form });
    const atLatchkey = new URL(answer.headers.get('location') ?? '');
    const left = await visitor.person.visit(atLatchkey.pathname + atLatchkey.search);
    assert.equal((await visitor.led(left.headers.get('location') ?? '')).href, afterSignOut);
  });

  test('without a hint, Latchkey asks first, and nothing ends here', async () => {
    const visitor = new BridgeVisitor(bridge, service);
    const tokens = await visitor.signIn(ada);
    for (const parameters of [{}, { client_id: bridge.application.clientId }]) {
      const atLatchkey = await visitor.led(signOutPath({ ...parameters, ui_locales: 'en' }));
      assert.equal(atLatchkey.searchParams.get('ui_locales'), 'en');
      const page = await visitor.person.visit(atLatchkey.pathname + atLatchkey.search);
      assert.equal(page.status, 200);
      assert.ok(await formIn(page));
    }
    assert.equal((await userinfo(bridge, tokens.access_token)).status, 200);
  });

  test('is told what is wrong with the request, and nothing ends', async () => {
    const visitor = new BridgeVisitor(bridge, service);
    const { id_token, access_token } = await visitor.signIn(ada);
    const [header = '', payload = '', signature = ''] = id_token.split('.');
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    for (const [name, parameters] of [
      ['a byte more', { id_token_hint: id_token, post_logout_redirect_uri: `${afterSignOut}/` }],
      ['a byte less', { id_token_hint: id_token, post_logout_redirect_uri: afterSignOut.slice(0, -1) }],
      ['no client for the URI', { post_logout_redirect_uri: afterSignOut }],
      ['another client', { id_token_hint: id_token, client_id: other.clientId }],
      ['an unknown client', { client_id: 'nobody' }],
      ['a signature that is none', { id_token_hint: `${header}.${payload}.${signature.slice(0, -4)}AAAA` }],
      ['no signature', { id_token_hint: `${header}.${payload}.` }],
      ['no algorithm', { id_token_hint: `${part({ alg: 'none' })}.${payload}.` }],
      ['not a token', { id_token_hint: 'hint' }],
      [
        'something else in it',
        { id_token_hint: `${header}.${part({ ...decodeJwt(id_token), sub: 'x' })}.${signature}` },
      ],
    ] as const) {
      const answer = await visitor.open(signOutPath(parameters));
      assert.equal(answer.status, 400, name);
      assert.equal(answer.headers.get('location'), null);
    }
    assert.equal((await userinfo(bridge, access_token)).status, 200);
  });

  test("can't be sent anywhere by a forged way back", async () => {
    for (const state of ['', 'x', Buffer.from('{"to":"https://evil.example/"}').toString('base64url')]) {
      const answer = await ask(bridge, `/signed-out?state=${state}`);
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('location'), null);
      assert.doesNotMatch(answer.text, /http/);
    }
  });
});

async function signOutOfLatchkey({ person }: BridgeVisitor): Promise<void> {
  await person.submit(await formIn(await person.visit('/sign-out'), '/sign-out'), {});
}

/** Latchkey sends what it has queued. */
async function told(count: number): Promise<string[]> {
  await until(async () => {
    await service.running.services.webhooks.sendDue();
    return receiver.received.length >= count;
  }, 'the application is told');
  return receiver.received.map(({ body }) => new URLSearchParams(body).get('logout_token') ?? '');
}

async function liveAtLatchkey(user: TestUser): Promise<number> {
  const rows = await service.rows('grants');
  return rows.filter((row) => row.user_id === user.id && row.ended_at === null).length;
}

describe('a logout at Latchkey', () => {
  test('ends the grants there, too, which no application can use any longer', async () => {
    const user = await service.newUser();
    const visitor = new BridgeVisitor(bridge, service);
    await visitor.signIn(user);
    const callback = await visitor.callbackFor(user, authorizePath(bridge.application, newVerifier()));
    assert.equal(await liveAtLatchkey(user), 2);
    await signOutOfLatchkey(visitor);
    await told(1);
    await visitor.led(callback.href);
    await until(async () => (await liveAtLatchkey(user)) === 0, 'the grants have ended');
  });

  test('is signed with either secret while they are rotated', async () => {
    const { application } = bridge;
    const [secret] = application.clientSecret.secrets;
    const rotated = { ...application, clientSecret: onlySecret('newer', secret), backchannelLogoutUri: undefined };
    const third = await startTestBridge(service, { beside: bridge, config: { applications: [rotated] } });
    try {
      for (const [given, status] of [
        ['newer', 200],
        [secret, 200],
        ['older', 400],
      ] as const) {
        const form = { logout_token: logoutTokenFor(bridge, 'any', { secret: given }) };
        assert.equal((await ask(third, '/backchannel-logout', { form })).status, status, given);
      }
    } finally {
      await third.stop();
    }
  });

  test("ends what the bridge holds, and is passed on, signed with the bridge's key", async () => {
    const visitor = new BridgeVisitor(bridge, service);
    const tokens = await visitor.signIn(ada);
    await signOutOfLatchkey(visitor);
    const [token = ''] = await told(1);
    assert.equal((await userinfo(bridge, tokens.access_token)).status, 401);
    const keys = createLocalJWKSet((await ask(bridge, '/jwks')).body as unknown as JSONWebKeySet);
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      issuer: bridge.config.baseUrl,
      audience: bridge.application.clientId,
      typ: 'logout+jwt',
      requiredClaims: ['iat', 'exp', 'jti'],
    });
    assert.equal(protectedHeader.alg, 'RS256');
    assert.equal(payload.sub, ada.id);
    assert.equal(payload.sid, decodeJwt(tokens.id_token).sid);
    assert.deepEqual(payload.events, { 'http://schemas.openid.net/event/backchannel-logout': {} });
    assert.equal('nonce' in payload, false);
    // Signed with the same key as ID tokens, and still not one. Nor does the bridge take it for Latchkey's.
    assert.equal((await visitor.open(signOutPath({ id_token_hint: token }))).status, 400);
    assert.equal((await ask(bridge, '/backchannel-logout', { form: { logout_token: token } })).status, 400);
  });

  test("gets 503 until the application has taken it, though the bridge's part ends at the first attempt", async () => {
    const visitor = new BridgeVisitor(bridge, service);
    const tokens = await visitor.signIn(ada);
    const token = logoutTokenFor(bridge, String(decodeJwt(tokens.id_token).sid));
    const send = () => ask(bridge, '/backchannel-logout', { form: { logout_token: token } });
    for (const status of [500, 400, 302]) {
      receiver.answer = { status };
      const answer = await send();
      assert.equal(answer.status, 503);
      assert.ok(answer.headers.has('retry-after'));
      assert.equal((await userinfo(bridge, tokens.access_token)).status, 401);
    }
    receiver.answer = { status: 200 };
    assert.equal((await send()).status, 200);
    assert.equal(receiver.received.length, 4);
  });

  test('is 200 for an application that does not want to know', async () => {
    const form = { logout_token: logoutTokenFor(bridge, 'any', { application: other }) };
    assert.equal((await ask(bridge, '/backchannel-logout', { form })).status, 200);
    assert.equal(receiver.received.length, 0);
  });

  test('that overtakes its sign-in leaves neither a code nor a grant', async () => {
    const visitor = new BridgeVisitor(bridge, service);
    const callback = await visitor.callbackFor(ada, authorizePath(bridge.application, newVerifier()));
    await signOutOfLatchkey(visitor);
    await told(1);
    assert.equal((await visitor.led(callback.href)).searchParams.get('error'), 'access_denied');
  });

  test('between the callback and the token leaves a code that is worth nothing', async () => {
    const visitor = new BridgeVisitor(bridge, service);
    const verifier = newVerifier();
    const code = (await visitor.authorize(ada, verifier)).searchParams.get('code') ?? '';
    await signOutOfLatchkey(visitor);
    await told(1);
    assert.equal((await exchange(bridge, code, verifier)).body.error, 'invalid_grant');
  });

  test('is taken from Latchkey alone, for the application that it names', async () => {
    const visitor = new BridgeVisitor(bridge, service);
    const tokens = await visitor.signIn(ada);
    const sid = String(decodeJwt(tokens.id_token).sid);
    for (const [name, token] of [
      ['another secret', logoutTokenFor(bridge, sid, { secret: 'wrong' })],
      ["another application's secret", logoutTokenFor(bridge, sid, { secret: other.clientSecret.secrets[0] })],
      ['another issuer', logoutTokenFor(bridge, sid, { issuer: bridge.config.baseUrl })],
      ["the bridge's ID token", tokens.id_token],
      [
        "what the application's own secret signs, for another",
        logoutTokenFor(bridge, sid, { claims: { aud: 'other' } }),
      ],
      ['for several', logoutTokenFor(bridge, sid, { claims: { aud: [bridge.application.clientId, other.clientId] } })],
      ['with a nonce', logoutTokenFor(bridge, sid, { claims: { nonce: 'n' } })],
      ['without an event', logoutTokenFor(bridge, sid, { claims: { events: undefined } })],
      ['of another event', logoutTokenFor(bridge, sid, { claims: { events: { login: {} } } })],
      ['that is over', logoutTokenFor(bridge, sid, { claims: { exp: 1 } })],
      ['about no session', logoutTokenFor(bridge, sid, { claims: { sid: undefined } })],
      ['nothing', ''],
    ] as const) {
      assert.equal((await ask(bridge, '/backchannel-logout', { form: { logout_token: token } })).status, 400, name);
    }
    // A valid one of another application is about that application.
    const form = { logout_token: logoutTokenFor(bridge, sid, { application: other }) };
    assert.equal((await ask(bridge, '/backchannel-logout', { form })).status, 200);
    assert.equal((await userinfo(bridge, tokens.access_token)).status, 200);
  });
});

/** As Latchkey makes it, unless something is changed. */
function logoutTokenFor(
  { config, application: own }: TestBridge,
  sid: string,
  changes: { application?: BridgeApplication; secret?: string; issuer?: string; claims?: object } = {},
): string {
  const { application = own, secret = application.clientSecret.secrets[0], issuer = config.issuer, claims } = changes;
  const about = { issuer, clientId: application.clientId, userId: ada.id, sid, tokenId: 'token' };
  const token = issueLogoutToken(about, hmacStatesOf(secret), service.clock.now());
  return claims === undefined
    ? token
    : signLogoutToken(JSON.stringify({ ...decodeJwt(token), ...claims }), hmacStatesOf(secret));
}
