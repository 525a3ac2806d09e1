// Authorization requests: what the bridge checks, what it leaves to Latchkey, and how Latchkey's answers reach the application.

import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import type { BridgeApplication } from '../../src/bridge/config-file.ts';
import {
  applicationFor,
  ask,
  authorizePath,
  type BridgeAnswer,
  BridgeVisitor,
  bridgeClient,
  type Changes,
  exchange,
  redirectUri,
  startTestBridge,
  type TestBridge,
  userinfo,
} from '../harness/bridge.ts';
import { releaseTest } from '../harness/lane.ts';
import { formIn } from '../harness/person.ts';
import { sendPipelined } from '../harness/raw-request.ts';
import { challengeOf, decodeJwt, newVerifier } from '../harness/relying-party.ts';
import { freePort, startTestService, type TestService, type TestUser } from '../harness/service.ts';

let service: TestService;
let bridge: TestBridge;
/** An application without PKCE, and one that has neither PKCE nor a nonce. */
let withoutPkce: BridgeApplication;
let withNothing: BridgeApplication;
let ada: TestUser;
let grace: TestUser;
before(async () => {
  service = await startTestService();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  withoutPkce = applicationFor(await bridgeClient(service, url), { pkce: 'optional' });
  withNothing = applicationFor(await bridgeClient(service, url), { pkce: 'optional', nonce: 'optional' });
  const application = applicationFor(await bridgeClient(service, url));
  const applications = [application, withoutPkce, withNothing];
  bridge = await startTestBridge(service, {
    config: { baseUrl: url, listen: { host: '127.0.0.1', port }, applications },
    application,
  });
  Object.assign(bridge, { application });
  ada = await service.newUser();
  grace = await service.newUser();
});
after(async () => {
  await bridge?.stop();
  await service?.stop();
});

const verifier = newVerifier();
const visitor = () => new BridgeVisitor(bridge, service);
const led = (changes: Changes, application = bridge.application) =>
  visitor().led(authorizePath(application, verifier, changes));

async function errorOf(changes: Changes, application?: BridgeApplication): Promise<string | null> {
  const back = await led(changes, application);
  assert.equal(back.origin + back.pathname, redirectUri, back.href);
  assert.equal(back.searchParams.get('state'), changes.state ?? 'state-1');
  assert.equal(back.searchParams.get('iss'), bridge.config.baseUrl);
  return back.searchParams.get('error');
}

describe('what goes on to Latchkey', () => {
  test('is what the application has asked for, with a state, nonce and PKCE of its own', async () => {
    const asked = {
      prompt: 'login',
      max_age: '60',
      acr_values: '2',
      login_hint: ada.email,
      ui_locales: 'de en',
      scope: 'openid email custom',
    };
    const { origin, pathname, searchParams } = await led({ ...asked, display: 'popup', other: 'x' });
    assert.equal(origin + pathname, `${service.url}/oauth-authorize.php`);
    const { state = '', nonce = '', code_challenge: challenge = '', ...rest } = Object.fromEntries(searchParams);
    assert.deepEqual(rest, {
      ...asked,
      client_id: bridge.application.clientId,
      redirect_uri: `${bridge.config.baseUrl}/callback`,
      response_type: 'code',
      code_challenge_method: 'S256',
    });
    for (const [own, theirs] of [
      [state, 'state-1'],
      [nonce, 'nonce-1'],
      [challenge, challengeOf(verifier)],
    ]) {
      assert.match(own ?? '', /^[\w-]{43,}$/);
      assert.notEqual(own, theirs);
    }
  });

  test('has no scope without one: all that is registered are granted', async () => {
    const path = authorizePath(bridge.application, verifier, { scope: undefined });
    const browser = visitor();
    const atLatchkey = await browser.led(path);
    assert.equal(atLatchkey.searchParams.get('scope'), null);
    const back = await browser.led((await browser.callbackFor(ada, path)).href);
    const { body } = await exchange(bridge, back.searchParams.get('code') ?? '', verifier);
    assert.equal(body.scope, 'openid profile email');
  });

  test('is the same for a form', async () => {
    const form = Object.fromEntries(new URLSearchParams(authorizePath(bridge.application, verifier).split('?')[1]));
    const answer = await ask(bridge, '/authorize', { form });
    assert.equal(answer.status, 303);
    assert.equal(new URL(answer.headers.get('location') ?? '').origin, service.url);
  });

  test("doesn't fit into Latchkey's limit of a URL, and says so", async () => {
    assert.equal(await errorOf({ state: 's'.repeat(6000) }), 'invalid_request');
  });
});

describe('what the bridge refuses itself', () => {
  for (const [name, changes] of [
    ['no PKCE', { code_challenge: undefined, code_challenge_method: undefined }],
    ['plain PKCE', { code_challenge_method: 'plain' }],
    ['a challenge without its method', { code_challenge_method: undefined }],
    ['a method without a challenge', { code_challenge: undefined }],
    ['an empty challenge', { code_challenge: '' }],
    ['an empty challenge and method', { code_challenge: '', code_challenge_method: '' }],
    ['a malformed challenge', { code_challenge: 'short' }],
    ["someone else's hint", { id_token_hint: 'ey.ey.ey' }],
  ] as const) {
    test(name, async () => assert.equal(await errorOf(changes), 'invalid_request'));
  }

  for (const type of ['token', 'id_token', 'code id_token', 'code token', 'none']) {
    test(`response_type=${type}`, async () => {
      const back = await led({ response_type: type });
      assert.match(back.href, /[?#&]error=unsupported_response_type/);
    });
  }

  test('request objects', async () => {
    assert.equal(await errorOf({ request: 'ey.ey.' }), 'request_not_supported');
    assert.equal(await errorOf({ request_uri: 'https://evil.example/' }), 'request_uri_not_supported');
    assert.equal(await errorOf({ registration: '{}' }), 'registration_not_supported');
  });

  test('a parameter that comes twice', async () => {
    for (const name of ['prompt', 'state', 'scope', 'id_token_hint', 'redirect_uri', 'client_id']) {
      const answer = await visitor().open(`${authorizePath(bridge.application, verifier)}&${name}=a&${name}=b`);
      const { searchParams, origin } = new URL(answer.headers.get('location') ?? 'http://nowhere');
      assert.notEqual(origin, service.url, name);
      if (answer.status === 303) assert.equal(searchParams.get('error'), 'invalid_request', name);
      else assert.equal(answer.status, 400, name);
    }
  });

  for (const [name, changes] of [
    ['an unknown client', { client_id: 'nobody' }],
    ['no client', { client_id: undefined }],
    ['no redirect URI', { redirect_uri: undefined }],
    ['a slash more', { redirect_uri: `${redirectUri}/` }],
    ['another case', { redirect_uri: redirectUri.replace('callback', 'Callback') }],
    ['a query more', { redirect_uri: `${redirectUri}?x` }],
    ['another port', { redirect_uri: redirectUri.replace('9999', '9998') }],
    ['an encoded letter', { redirect_uri: redirectUri.replace('callback', 'c%61llback') }],
    ['a letter less', { redirect_uri: redirectUri.slice(0, -1) }],
    ['another spelling of the host', { redirect_uri: redirectUri.replace('localhost', '127.0.0.1') }],
    ["the bridge's own callback", { redirect_uri: 'http://127.0.0.1/callback' }],
  ] as const) {
    test(`${name}, without a redirect`, async () => {
      const answer = await visitor().open(authorizePath(bridge.application, verifier, changes));
      assert.equal(answer.status, 400);
      assert.equal(answer.headers.get('location'), null);
    });
  }
});

describe('without PKCE', () => {
  const changes = { code_challenge: undefined, code_challenge_method: undefined };

  test('a nonce is needed, unless the file says otherwise', async () => {
    assert.equal((await led(changes, withoutPkce)).origin, service.url);
    assert.equal(await errorOf({ ...changes, nonce: undefined }, withoutPkce), 'invalid_request');
    const empty = { code_challenge: '', code_challenge_method: '', nonce: '' };
    assert.equal(await errorOf(empty, withoutPkce), 'invalid_request');
    assert.equal((await led({ ...changes, nonce: undefined }, withNothing)).origin, service.url);
    assert.equal((await led({ nonce: undefined }, withoutPkce)).origin, service.url);
  });

  test('a challenge that was sent has to be answered, and none that was not', async () => {
    const codeFor = async (given: Changes) => {
      const browser = visitor();
      const callback = await browser.callbackFor(ada, authorizePath(withoutPkce, verifier, given));
      return (await browser.led(callback.href)).searchParams.get('code') ?? '';
    };
    const asClient = { client_id: withoutPkce.clientId, client_secret: withoutPkce.clientSecret.secrets[0] };
    const challenged = await codeFor({});
    for (const wrong of [undefined, '', newVerifier()]) {
      assert.equal((await exchange(bridge, challenged, wrong, asClient)).body.error, 'invalid_grant');
    }
    assert.equal((await exchange(bridge, challenged, verifier, asClient)).status, 200);
    const plain = await codeFor(changes);
    assert.equal((await exchange(bridge, plain, verifier, asClient)).body.error, 'invalid_grant');
    assert.equal((await exchange(bridge, plain, undefined, asClient)).status, 200);
  });
});

describe("Latchkey's answers", () => {
  test('login_required, for prompt=none without a session', async () => {
    const browser = visitor();
    const atLatchkey = await browser.led(authorizePath(bridge.application, verifier, { prompt: 'none' }));
    const back = await browser.person.request(atLatchkey.pathname + atLatchkey.search);
    const further = await browser.person.request(back.headers.get('location') ?? '');
    const answer = await browser.led((further.headers.get('location') ?? back.headers.get('location')) as string);
    assert.equal(answer.searchParams.get('error'), 'login_required');
    assert.equal(answer.searchParams.get('state'), 'state-1');
  });

  test('access_denied, if someone cancels', async () => {
    const browser = visitor();
    const user = await service.newUser();
    await browser.person.signIn(user);
    const { pathname, search } = await browser.led(authorizePath(bridge.application, verifier));
    const consent = await formIn(await browser.person.visit(pathname + search), '/oauth-authorize/decision');
    const denied = await browser.person.submit(consent, { decision: 'cancel' });
    const back = await browser.led(denied.headers.get('location') ?? '');
    assert.equal(back.searchParams.get('error'), 'access_denied');
    assert.equal(back.searchParams.get('iss'), bridge.config.baseUrl);
  });

  test('invalid_scope, with only unknown ones', async () => {
    const browser = visitor();
    const callback = await browser.callbackFor(ada, authorizePath(bridge.application, verifier, { scope: 'custom' }));
    assert.equal((await browser.led(callback.href)).searchParams.get('error'), 'invalid_scope');
  });
});

describe('response_mode=form_post', () => {
  /** The form that the browser sends on by itself: its script is the only one that the page allows. */
  async function sentOn(page: BridgeAnswer) {
    const [, script = ''] = /<script>([\s\S]*?)<\/script>/.exec(page.text) ?? [];
    const policy = page.headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'.*frame-ancestors 'none'/);
    assert.ok(policy.includes(`script-src 'sha256-${hash('sha256', script, 'base64')}'`), policy);
    assert.equal(page.headers.get('cache-control'), 'no-store');
    const form = await formIn(new Response(page.text), redirectUri);
    return form.fields;
  }
  const awkward = '" <script> alert(1) &amp; "';
  const asked = { response_mode: 'form_post', state: awkward };

  test('ends with a form that has the code', async () => {
    const browser = visitor();
    const callback = await browser.callbackFor(ada, authorizePath(bridge.application, verifier, asked));
    const page = await browser.open(callback.href);
    assert.equal(page.status, 200, page.text);
    assert.equal(page.text.includes('<script> alert'), false);
    const { code = '', state = '', iss } = await sentOn(page);
    assert.deepEqual([state.replaceAll('&gt;', '>'), iss], [awkward, bridge.config.baseUrl]);
    assert.equal((await exchange(bridge, code, verifier)).status, 200);
  });

  test("ends with a form that has the error, the bridge's own or Latchkey's", async () => {
    const own = await visitor().open(
      authorizePath(bridge.application, verifier, { ...asked, nonce: 'n'.repeat(6000) }),
    );
    assert.equal((await sentOn(own)).error, 'invalid_request');
    const browser = visitor();
    const callback = await browser.callbackFor(
      ada,
      authorizePath(bridge.application, verifier, { ...asked, scope: 'custom' }),
    );
    assert.equal((await sentOn(await browser.open(callback.href))).error, 'invalid_scope');
  });
});

describe('id_token_hint', () => {
  test('of the person who is signed in leads back, and of someone else is login_required', async () => {
    const browser = visitor();
    const { id_token: hint } = await browser.signIn(ada);
    const same = await browser.authorize(ada, verifier, { id_token_hint: hint });
    assert.ok(same.searchParams.has('code'));
    const other = visitor();
    await other.signIn(grace);
    const live = async () =>
      (await service.rows('grants')).filter((row) => row.user_id === grace.id && row.ended_at === null).length;
    const before = await live();
    const back = await other.authorize(grace, verifier, { id_token_hint: hint });
    assert.equal(back.searchParams.get('error'), 'login_required');
    assert.equal(await live(), before, 'what came for nobody has ended');
  });

  test("of another application, or Latchkey's own, isn't valid", async () => {
    const { id_token: hint } = await visitor().signIn(ada);
    assert.equal(await errorOf({ id_token_hint: hint }, withoutPkce), 'invalid_request');
    const [header, payload] = hint.split('.');
    assert.equal(await errorOf({ id_token_hint: `${header}.${payload}.AAAA` }), 'invalid_request');
  });
});

describe('nothing is shared', () => {
  test('by two people, one after the other in one browser', async () => {
    const browser = visitor();
    assert.equal(decodeJwt((await browser.signIn(ada)).id_token).sub, ada.id);
    browser.person.cookies.clear();
    assert.equal(decodeJwt((await browser.signIn(grace)).id_token).sub, grace.id);
  });

  test('by several tabs, which all end with their own answer', async () => {
    const browser = visitor();
    const callbacks: URL[] = [];
    for (const state of ['one', 'two', 'three']) {
      callbacks.push(await browser.callbackFor(ada, authorizePath(bridge.application, verifier, { state })));
    }
    const states = [];
    for (const callback of callbacks.reverse())
      states.push((await browser.led(callback.href)).searchParams.get('state'));
    assert.deepEqual(states, ['three', 'two', 'one']);
  });

  test('by two applications: a code of one is nothing to the other', async () => {
    const code = (await visitor().authorize(ada, verifier)).searchParams.get('code') ?? '';
    const asOther = { client_id: withNothing.clientId, client_secret: withNothing.clientSecret.secrets[0] };
    assert.equal((await exchange(bridge, code, verifier, asOther)).body.error, 'invalid_grant');
    assert.equal((await exchange(bridge, code, verifier)).status, 200);
  });
});

describe('what is stored', () => {
  const rows = (table: string) => {
    const database = new DatabaseSync(join(bridge.config.dataDir, 'bridge.db'), { readOnly: true });
    try {
      return Number(database.prepare(`SELECT COUNT(*) AS n FROM ${table}`).get()?.n);
    } finally {
      database.close();
    }
  };
  const all = () => ['grants', 'tokens', 'spent'].map(rows);

  test('is nothing for strangers, and a cookie that ends with the browser', async () => {
    const before = all();
    const answer = await visitor().open(authorizePath(bridge.application, verifier));
    assert.deepEqual(all(), before);
    const cookies = answer.headers.getSetCookie();
    assert.equal(cookies.length, 1);
    assert.match(cookies[0] ?? '', /^latchkey_bridge=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  releaseTest('is nothing for 5,000 requests of strangers', async () => {
    const before = all();
    const kinds: readonly ((index: number) => string)[] = [
      (index) => `GET ${authorizePath(bridge.application, verifier, { state: `${index}` })}`,
      (index) => `GET /callback?state=${index}&code=${index}`,
      (index) => `GET /userinfo?unknown=${index}`,
      (index) => `GET /interaction/${index}`,
      (index) => `GET /sign-out?id_token_hint=${index}`,
    ];
    const lines = kinds.flatMap((line) => Array.from({ length: 1000 }, (_, index) => line(index)));
    const expected = { 303: 1000, 400: 2000, 401: 1000, 404: 1000 };
    assert.deepEqual(Object.fromEntries(await sendPipelined(bridge, lines)), expected);
    assert.deepEqual(all(), before);
  });

  test('has neither a code nor a token nor a secret in it in clear', async () => {
    const browser = visitor();
    const callback = await browser.callbackFor(ada, authorizePath(bridge.application, verifier));
    const code = (await browser.led(callback.href)).searchParams.get('code') ?? '';
    const { body: tokens } = await exchange(bridge, code, verifier);
    assert.equal((await userinfo(bridge, tokens.access_token)).status, 200);
    const { dataDir, keyFile } = bridge.config;
    const content = readdirSync(dataDir)
      .filter((name) => name.startsWith('bridge.db'))
      .map((name) => readFileSync(join(dataDir, name), 'latin1'))
      .join('');
    assert.ok(content.includes('SQLite format 3'));
    // Latchkey's code and its refresh token begin with the same grant, and prefixes alone are short enough to occur by chance.
    const latchkeyCode = callback.searchParams.get('code') ?? '';
    assert.match(latchkeyCode, /^lkc_/);
    const keySet = (await ask(bridge, '/jwks')).body.keys as { x: string }[];
    for (const secret of [
      code,
      tokens.access_token,
      tokens.refresh_token,
      tokens.id_token,
      String(decodeJwt(tokens.id_token).sid),
      latchkeyCode,
      bridge.application.clientSecret.secrets[0],
      readFileSync(keyFile, 'utf8').trim(),
      keySet[0]?.x ?? '',
      ada.id,
      ada.email,
      latchkeyCode.slice(0, 12),
      `lkr_${latchkeyCode.slice(4, 12)}`,
      'eyJhbGciOi',
    ]) {
      assert.ok(secret.length > 8 && !content.includes(secret), secret);
    }
  });
});
