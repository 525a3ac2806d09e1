// What someone tries who wants another person's sign-in, or another application's: everything is refused, and costs its owner nothing.

import assert from 'node:assert/strict';
import { createHmac, createPublicKey, generateKeyPairSync, sign, type webcrypto } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { BridgeApplication } from '../../src/bridge/config-file.ts';
import { verifyIdToken } from '../../src/protocol/oauth/jwt.ts';
import {
  afterSignOut,
  applicationFor,
  ask,
  authorizePath,
  BridgeVisitor,
  basic,
  bridgeClient,
  exchange,
  exchangeForm,
  onlySecret,
  refresh,
  startTestBridge,
  type TestBridge,
  userinfo,
} from '../harness/bridge.ts';
import * as direct from '../harness/relying-party.ts';
import { decodeJwt, newVerifier, postForm, type TokenBody } from '../harness/relying-party.ts';
import { freePort, startTestService, type TestClient, type TestService, type TestUser } from '../harness/service.ts';

let service: TestService;
let bridge: TestBridge;
let client: TestClient;
let other: BridgeApplication;
let ada: TestUser;
let mallory: TestUser;
/** Of Ada, at the bridge. */
let tokens: TokenBody;
/** One of its own, with every character that Basic treats in a way of its own. */
const awkward = 'a:b%3A+c d&e=f/~:';
before(async () => {
  service = await startTestService();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  client = await bridgeClient(service, url);
  const application = applicationFor(client, { signing: 'RS256', applicationSecret: onlySecret(awkward) });
  other = applicationFor(await bridgeClient(service, url), { signing: 'EdDSA' });
  const config = { baseUrl: url, listen: { host: '127.0.0.1', port }, applications: [application, other] };
  // The harness presents the first secret that it sees.
  const presented = { ...application, clientSecret: onlySecret(awkward) };
  bridge = { ...(await startTestBridge(service, { application, config })), application: presented };
  ada = await service.newUser();
  mallory = await service.newUser();
  tokens = await visitor().signIn(ada);
});
after(async () => {
  await bridge?.stop();
  await service?.stop();
});

const verifier = newVerifier();
const visitor = () => new BridgeVisitor(bridge, service);
const codeIn = (url: URL) => url.searchParams.get('code') ?? '';
const callbackFor = (browser: BridgeVisitor, user: TestUser) =>
  browser.callbackFor(user, authorizePath(bridge.application, verifier));

/** Whether Ada's tokens are as good as before. */
async function nothingHasEnded(): Promise<void> {
  assert.equal((await userinfo(bridge, tokens.access_token)).status, 200);
  assert.equal((await refresh(bridge, tokens.refresh_token)).status, 200);
}

test('a refresh token of one application is nothing to another', async () => {
  const asOther = { client_id: other.clientId, client_secret: other.clientSecret.secrets[0] };
  assert.equal((await refresh(bridge, tokens.refresh_token, asOther)).body.error, 'invalid_grant');
  await nothingHasEnded();
});

test('a code that was used is nothing to another application, at any time', async () => {
  const code = codeIn(await visitor().authorize(ada, verifier));
  const { body } = await exchange(bridge, code, verifier);
  const asOther = { client_id: other.clientId, client_secret: other.clientSecret.secrets[0] };
  for (const seconds of [0, 11]) {
    service.clock.advance(seconds);
    assert.equal((await exchange(bridge, code, verifier, asOther)).body.error, 'invalid_grant');
    assert.equal((await userinfo(bridge, body.access_token)).status, 200);
  }
});

test('a code is worth nothing without the verifier of its challenge, and keeps its worth', async () => {
  const code = codeIn(await visitor().authorize(ada, verifier));
  for (const wrong of [undefined, '', 'short', newVerifier(), direct.challengeOf(verifier)]) {
    assert.equal((await exchange(bridge, code, wrong)).status, 400);
  }
  assert.equal((await exchange(bridge, code, verifier)).status, 200);
});

describe('a mix-up of the two issuers', () => {
  /** What the same client gets at Latchkey itself. */
  async function signInDirectly(): Promise<{ code: string; ofLatchkey: TokenBody }> {
    const { person } = visitor();
    const path = direct.authorizePath(client, verifier);
    const first = codeIn(await person.authorize(path, ada));
    const { body } = await postForm(service, '/oauth/token', direct.exchangeParameters(client, first, verifier));
    return { code: codeIn(await person.authorize(path, ada)), ofLatchkey: body };
  }

  test("Latchkey's codes and tokens are nothing at the bridge", async () => {
    const { code, ofLatchkey } = await signInDirectly();
    assert.equal(decodeJwt(ofLatchkey.id_token).sub, ada.id);
    assert.equal((await exchange(bridge, code, verifier)).body.error, 'invalid_grant');
    assert.equal((await userinfo(bridge, ofLatchkey.access_token)).status, 401);
    assert.equal((await refresh(bridge, ofLatchkey.refresh_token)).body.error, 'invalid_grant');
    assert.equal(await hintIs(ofLatchkey.id_token), 'refused');
    // Nobody has used up what belongs to the application at Latchkey.
    const { status } = await postForm(service, '/oauth/token', direct.exchangeParameters(client, code, verifier));
    assert.equal(status, 200);
  });

  test("the bridge's codes and tokens are nothing at Latchkey", async () => {
    const code = codeIn(await visitor().authorize(ada, verifier));
    const given = direct.exchangeParameters(client, code, verifier);
    assert.equal((await postForm(service, '/oauth/token', given)).body.error, 'invalid_grant');
    const refreshed = direct.refreshParameters(client, tokens.refresh_token);
    assert.equal((await postForm(service, '/oauth/token', refreshed)).body.error, 'invalid_grant');
    const headers = { Authorization: `Bearer ${tokens.access_token}` };
    assert.equal((await fetch(`${service.url}/oauth/userinfo`, { headers })).status, 401);
    assert.equal(verifyIdToken(tokens.id_token, client.secret), undefined);
    assert.equal((await exchange(bridge, code, verifier)).status, 200);
  });

  for (const [name, change] of [
    ["of the bridge's own iss", (url: URL) => url.searchParams.set('iss', bridge.config.baseUrl)],
    ['of no iss', (url: URL) => url.searchParams.delete('iss')],
    ['of two', (url: URL) => url.searchParams.append('iss', bridge.config.baseUrl)],
    ['without a code', (url: URL) => url.searchParams.delete('code')],
    ['with a code of the bridge', (url: URL) => url.searchParams.set('code', 'x'.repeat(43))],
  ] as const) {
    test(`a callback ${name} signs nobody in, and is no outage`, async () => {
      const browser = visitor();
      const callback = await callbackFor(browser, ada);
      change(callback);
      const back = await browser.led(callback.href);
      assert.equal(back.searchParams.get('error'), 'server_error', back.href);
      assert.equal(back.searchParams.get('code'), null);
      await nothingHasEnded();
    });
  }
});

/** What becomes of an ID token as a hint, at both endpoints that take one. */
async function hintIs(token: string): Promise<'accepted' | 'refused'> {
  const atSignOut = await ask(bridge, `/sign-out?${new URLSearchParams({ id_token_hint: token })}`);
  const back = await visitor().led(authorizePath(bridge.application, verifier, { id_token_hint: token }));
  const statuses = [atSignOut.status, back.searchParams.get('error')];
  if (statuses[0] === 303 && statuses[1] === null) return 'accepted';
  assert.deepEqual(statuses, [400, 'invalid_request']);
  return 'refused';
}

test('no algorithm but that of the key counts, and no key but those of the bridge', async () => {
  const { keys } = (await ask(bridge, '/jwks')).body as unknown as { keys: (webcrypto.JsonWebKey & { kid: string })[] };
  const [rsa, ed] = ['RSA', 'OKP'].map((kty) => keys.find((key) => key.kty === kty));
  assert.ok(rsa !== undefined && ed !== undefined);
  const own = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const payload = { ...decodeJwt(tokens.id_token), sub: mallory.id };
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const token = (header: object, signature: (input: string) => string | Buffer) => {
    const input = `${encode(header)}.${encode(payload)}`;
    const signed = signature(input);
    return `${input}.${typeof signed === 'string' ? signed : signed.toString('base64url')}`;
  };
  const hmac = (key: string | Buffer) => (input: string) => createHmac('sha256', key).update(input).digest('base64url');
  const ownSignature = (input: string) => sign('sha256', Buffer.from(input), own.privateKey);
  const spki = (format: 'pem' | 'der') =>
    createPublicKey({ key: rsa, format: 'jwk' }).export({ format: format as 'pem', type: 'spki' });
  const ownJwk = own.publicKey.export({ format: 'jwk' });
  const forged: Record<string, string> = {
    'HS256 with the public key as PEM': token({ alg: 'HS256', kid: rsa.kid }, hmac(spki('pem'))),
    'HS256 with the public key as DER': token({ alg: 'HS256', kid: rsa.kid }, hmac(spki('der'))),
    'HS256 with its modulus': token({ alg: 'HS256', kid: rsa.kid }, hmac(rsa.n ?? '')),
    'HS256 with the public key, called RS256': token({ alg: 'RS256', kid: rsa.kid }, hmac(spki('pem'))),
    "HS256 with the client's secret": token({ alg: 'HS256' }, hmac(client.secret)),
    "HS256 with the application's secret": token({ alg: 'HS256', kid: rsa.kid }, hmac(awkward)),
    'none, with a kid': token({ alg: 'none', kid: rsa.kid }, () => ''),
    'None, without one': token({ alg: 'None' }, () => ''),
    'another key under the kid': token({ alg: 'RS256', kid: rsa.kid }, ownSignature),
    "another key under another application's kid": token({ alg: 'RS256', kid: ed.kid }, ownSignature),
    "another key under another application's kid and algorithm": token({ alg: 'EdDSA', kid: ed.kid }, ownSignature),
    'a key that it brings along': token({ alg: 'RS256', jwk: ownJwk }, ownSignature),
    'a key that it brings along, under the kid': token({ alg: 'RS256', kid: rsa.kid, jwk: ownJwk }, ownSignature),
    'a key from elsewhere': token({ alg: 'RS256', kid: 'x', jku: 'https://evil.example/jwks' }, ownSignature),
    'no signature': token({ alg: 'RS256', kid: rsa.kid }, () => ''),
  };
  for (const [name, hint] of Object.entries(forged)) {
    assert.equal(await hintIs(hint), 'refused', name);
    const form = { logout_token: hint };
    assert.equal((await ask(bridge, '/backchannel-logout', { form })).status, 400, name);
  }
  await nothingHasEnded();
});

describe('a callback', () => {
  test('works once, and leaves no session', async () => {
    const browser = visitor();
    const callback = await callbackFor(browser, ada);
    const at = callback.pathname + callback.search;
    const answers = await Promise.all([browser.open(at), browser.open(at)]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400]);
    assert.deepEqual(
      answers.flatMap(({ headers }) => headers.getSetCookie()),
      [],
    );
    const again = await browser.open(at);
    assert.deepEqual([again.status, again.headers.get('location')], [400, null]);
    assert.doesNotMatch(again.text, /code=/);
  });

  test('of another browser, with a cookie of its own or none, signs nobody in, and stays for its owner', async () => {
    const browser = visitor();
    const callback = await callbackFor(browser, ada);
    const thief = visitor();
    assert.equal((await thief.open(callback.href)).status, 400);
    await callbackFor(thief, mallory);
    assert.equal((await thief.open(callback.href)).status, 400);
    assert.ok(codeIn(await browser.led(callback.href)) !== '');
  });

  test("with someone else's code or state doesn't sign a browser in as them", async () => {
    const [victim, attacker] = [visitor(), visitor()];
    const [ofVictim, ofAttacker] = [await callbackFor(victim, ada), await callbackFor(attacker, mallory)];
    // The whole answer to the attacker, in the victim's browser.
    assert.equal((await victim.open(ofAttacker.href)).status, 400);
    // The victim's state, stolen, with the attacker's code.
    const stolen = new URL(ofAttacker);
    stolen.searchParams.set('state', ofVictim.searchParams.get('state') ?? '');
    assert.equal((await attacker.open(stolen.href)).status, 400);
    // The attacker's code, in an answer that is the victim's otherwise: PKCE and the nonce are of another sign-in.
    const injected = new URL(ofVictim);
    injected.searchParams.set('code', codeIn(ofAttacker));
    const back = await victim.led(injected.href);
    assert.deepEqual([back.searchParams.get('error'), codeIn(back)], ['server_error', '']);
  });

  test('with the code of another application in the same browser signs nobody in', async () => {
    const browser = visitor();
    const [own, ofOther] = [
      await callbackFor(browser, ada),
      await browser.callbackFor(ada, authorizePath(other, verifier)),
    ];
    const codes = [own, ofOther].map(codeIn);
    own.searchParams.set('code', codes[1] ?? '');
    ofOther.searchParams.set('code', codes[0] ?? '');
    for (const swapped of [own, ofOther]) {
      const back = await browser.led(swapped.href);
      assert.deepEqual([back.searchParams.get('error'), codeIn(back)], ['server_error', '']);
    }
  });

  test('comes within an hour, or signs nobody in', async () => {
    const browser = visitor();
    const callback = await callbackFor(browser, ada);
    service.clock.advance(3600);
    assert.equal((await browser.open(callback.href)).status, 400);
    assert.equal((await browser.open(callback.href)).headers.get('location'), null);
  });

  test('with a state that was changed, or that someone made up, is refused', async () => {
    const browser = visitor();
    const callback = await callbackFor(browser, ada);
    const state = callback.searchParams.get('state') ?? '';
    const middle = state.length >> 1;
    const flipped = state.slice(0, middle) + (state[middle] === 'A' ? 'B' : 'A') + state.slice(middle + 1);
    for (const wrong of [flipped, state.slice(0, -4), `${state.slice(4)}AAAA`, '', 'x', 'A'.repeat(200)]) {
      callback.searchParams.set('state', wrong);
      assert.equal((await browser.open(callback.href)).status, 400);
    }
  });
});

test('what is sealed for signing in is nothing when signing out, nor the other way round', async () => {
  const browser = visitor();
  const leave = { client_id: bridge.application.clientId, post_logout_redirect_uri: afterSignOut };
  const ofSignOut = (await browser.led(`/sign-out?${new URLSearchParams(leave)}`)).searchParams.get('state') ?? '';
  const callback = await callbackFor(browser, ada);
  const answer = await browser.open(`/signed-out?state=${callback.searchParams.get('state')}`);
  assert.doesNotMatch(answer.text, /http/);
  callback.searchParams.set('state', ofSignOut);
  assert.equal((await browser.open(callback.href)).status, 400);
});

test('a way back that the file no longer has leads nowhere', async (t) => {
  const elsewhere = 'http://localhost:9999/elsewhere';
  const { application } = bridge;
  const moved = { ...application, redirectUris: [elsewhere], postLogoutRedirectUris: [elsewhere] };
  for (const applications of [[other], [moved, other]]) {
    const later = await startTestBridge(service, { beside: bridge, config: { applications } });
    t.after(() => later.stop());
    const browser = visitor();
    const callback = await callbackFor(browser, ada);
    const { id_token } = await visitor().signIn(ada);
    const leave = { id_token_hint: id_token, post_logout_redirect_uri: afterSignOut };
    const atLatchkey = await browser.led(`/sign-out?${new URLSearchParams(leave)}`);
    browser.bridge = later;
    for (const path of [callback.href, `/signed-out?state=${atLatchkey.searchParams.get('state')}`]) {
      const answer = await browser.open(path);
      assert.equal(answer.status, path === callback.href ? 400 : 200, answer.text);
      assert.equal(answer.headers.get('location'), null);
      assert.doesNotMatch(answer.text, /http-equiv|localhost:9999/);
    }
  }
});

test('nobody is an application by anything but its secret, and that is in the header or the body', async () => {
  const code = codeIn(await visitor().authorize(ada, verifier));
  const { clientId } = bridge.application;
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const until = Math.floor(Date.now() / 1000) + 60;
  const claims = { iss: clientId, sub: clientId, aud: bridge.config.baseUrl, jti: 'x', exp: until };
  const input = `${part({ alg: 'HS256' })}.${part(claims)}`;
  const assertion = (key: string) => ({
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: `${input}.${createHmac('sha256', key).update(input).digest('base64url')}`,
  });
  const nothing = { client_secret: undefined };
  for (const [name, changes, query = ''] of [
    ['nothing', nothing],
    ['an empty secret', { client_secret: '' }],
    ['its client ID', { client_secret: clientId }],
    ["the client's secret at Latchkey", { client_secret: client.secret }],
    ['its secret in the URL', nothing, `?client_secret=${encodeURIComponent(awkward)}`],
    ['an assertion, signed with its client ID', { ...nothing, ...assertion(clientId) }],
    ['an assertion, signed with its secret', { ...nothing, ...assertion(awkward) }],
  ] as const) {
    const form = { ...exchangeForm(bridge.application, code, verifier), ...changes };
    assert.equal((await ask(bridge, `/token${query}`, { form })).body.error, 'invalid_client', name);
    const token = { ...form, token: tokens.access_token };
    assert.equal((await ask(bridge, `/revoke${query}`, { form: token })).body.error, 'invalid_client', name);
  }
  assert.equal((await exchange(bridge, code, verifier)).status, 200);
  assert.equal((await refresh(bridge, tokens.refresh_token)).status, 200);
});

test('an access token comes once, in the header or the body', async () => {
  const { access_token } = (await refresh(bridge, tokens.refresh_token)).body;
  const headers = { Authorization: `Bearer ${access_token}` };
  for (const sent of [
    { headers, form: { access_token } },
    { headers, form: { access_token: 'another' } },
    { headers: { Authorization: 'Bearer another' }, form: { access_token } },
  ]) {
    assert.equal((await ask(bridge, '/userinfo', sent)).status, 400);
  }
  assert.equal((await ask(bridge, `/userinfo?access_token=${access_token}`)).status, 400);
  assert.equal((await userinfo(bridge, access_token)).status, 200);
});

describe('Basic credentials', () => {
  const { client_id: _, client_secret: __, ...rest } = exchangeForm(applicationFor({} as TestClient), '', '');
  const send = (code: string, Authorization: string, more: Record<string, string> = {}) =>
    ask(bridge, '/token', { form: { ...rest, code, code_verifier: verifier, ...more }, headers: { Authorization } });
  const plainly = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

  test('are percent-encoded, so a secret can have a colon and a percent sign', async () => {
    const code = codeIn(await visitor().authorize(ada, verifier));
    const { clientId } = bridge.application;
    for (const [name, wrong, status] of [
      ['the secret as it is', plainly(`${clientId}:${awkward}`), 401],
      ['encoded twice', basic(clientId, encodeURIComponent(awkward)), 401],
      ['only its part before the colon', basic(clientId, awkward.split(':')[0] ?? ''), 401],
      ['the colon encoded', plainly(`${clientId}%3A${encodeURIComponent(awkward)}`), 400],
      ['a broken escape', plainly(`${clientId}:%E0%A4%A`), 400],
      ['no secret', plainly(`${clientId}:`), 400],
      ['no client', plainly(`:${awkward}`), 400],
      ['nothing', 'Basic', 400],
      ["another application's", basic(other.clientId, awkward), 401],
    ] as const) {
      const answer = await send(code, wrong);
      assert.equal(answer.status, status, `${name}: ${answer.text}`);
    }
    const encodedWithPlus = plainly(`${clientId}:${encodeURIComponent(awkward).replaceAll('%20', '+')}`);
    const taken = await send(code, encodedWithPlus);
    assert.equal(taken.status, 200, taken.text);
  });

  test('that disagree with the body are refused, whichever of them is right', async () => {
    const code = codeIn(await visitor().authorize(ada, verifier));
    const { clientId } = bridge.application;
    const right = basic(clientId, awkward);
    const [otherSecret] = other.clientSecret.secrets;
    for (const [name, header, more] of [
      ['another client in the body', right, { client_id: other.clientId }],
      ['its secret, too', right, { client_id: other.clientId, client_secret: otherSecret }],
      ['another client in the header', basic(other.clientId, otherSecret), { client_id: clientId }],
      ['the secret in both', right, { client_id: clientId, client_secret: awkward }],
      ['a wrong one in the body', right, { client_secret: 'wrong' }],
      ['a wrong one in the header', basic(clientId, 'wrong'), { client_id: clientId, client_secret: awkward }],
    ] as const) {
      const answer = await send(code, header, more);
      assert.ok(answer.status === 400 || answer.status === 401, `${name}: ${answer.text}`);
    }
    const agreeing = await send(code, right, { client_id: clientId });
    assert.equal(agreeing.status, 200, agreeing.text);
  });
});
