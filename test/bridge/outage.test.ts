// Latchkey away, slow, or answering nonsense: applications and people are told so at once, and nobody loses anything by it.

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type InBetween, startInBetween } from '../gate/in-between.ts';
import {
  ask,
  authorizePath,
  type BridgeAnswer,
  BridgeVisitor,
  exchange,
  refresh,
  startTestBridge,
  type TestBridge,
  userinfo,
} from '../harness/bridge.ts';
import { type Scrape, scrape } from '../harness/metrics.ts';
import { newVerifier, type TokenBody } from '../harness/relying-party.ts';
import { freePort, type TestService, type TestUser } from '../harness/service.ts';
import { until } from '../harness/until.ts';

let between: InBetween;
let service: TestService;
let bridge: TestBridge;
let port: number;
let ada: TestUser;
let tokens: TokenBody;
before(async () => {
  between = await startInBetween();
  service = between.service;
  port = await freePort();
  bridge = await startTestBridge(service, { deadline: 2000, config: { metrics: { host: '127.0.0.1', port } } });
  ada = await service.newUser();
  tokens = await new BridgeVisitor(bridge, service).signIn(ada);
});
beforeEach(() => between.reset());
afterEach(async () => {
  between.reset();
  await until(async () => (await userinfo(bridge, tokens.access_token)).status === 200, 'Latchkey is asked again');
});
after(async () => {
  await bridge?.stop();
  await between?.stop();
});

const verifier = newVerifier();

/** What Latchkey can be like, to the requests that come from the bridge. */
const outages: Record<string, () => void> = {
  silent: () => {
    between.answer = () => true;
  },
  'in trouble': () => {
    between.answer = (_request, response) => response.writeHead(503).end();
  },
  'replaced by a proxy': () => {
    between.answer = (_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hello</p>');
  },
  hidden: () => {
    between.answer = (_request, response) => response.writeHead(403).end('no');
  },
};

function isUnavailable({ status, body, headers }: BridgeAnswer): void {
  assert.equal(status, 503);
  assert.equal(body.error, 'temporarily_unavailable');
  assert.match(headers.get('retry-after') ?? '', /^\d+$/);
}

for (const [name, begin] of Object.entries(outages)) {
  test(`Latchkey is ${name}: tokens and codes are as good as before`, async () => {
    const visitor = new BridgeVisitor(bridge, service);
    const code = (await visitor.authorize(ada, verifier)).searchParams.get('code') ?? '';
    begin();
    isUnavailable(await exchange(bridge, code, verifier));
    isUnavailable(await refresh(bridge, tokens.refresh_token));
    isUnavailable(await userinfo(bridge, tokens.access_token));
    between.reset();
    await until(async () => (await userinfo(bridge, tokens.access_token)).status === 200, 'Latchkey is asked again');
    assert.equal((await exchange(bridge, code, verifier)).status, 200);
    assert.equal((await refresh(bridge, tokens.refresh_token)).status, 200);
  });
}

test('who gives up while Latchkey is slow writes nothing to the terminal', async (t) => {
  const written = t.mock.method(console, 'error', () => {});
  let isAsked = false;
  between.answer = () => {
    isAsked = true;
    return true;
  };
  const socket = connect(Number(new URL(bridge.url).port), '127.0.0.1');
  const head = ['GET /userinfo HTTP/1.1', 'Host: bridge', `Authorization: Bearer ${tokens.access_token}`, '', ''];
  socket.write(head.join('\r\n'));
  await until(() => isAsked, 'Latchkey is asked');
  socket.resetAndDestroy();
  const said = () => bridge.lines.some(({ text }) => text === 'a request ended early');
  await until(said, 'the bridge has noticed');
  assert.deepEqual(
    written.mock.calls.map(({ arguments: [text] }) => text),
    [],
  );
});

describe('a sign-in while Latchkey is away', () => {
  test('ends at the application with temporarily_unavailable', async () => {
    const visitor = new BridgeVisitor(bridge, service);
    const callback = await visitor.callbackFor(ada, authorizePath(bridge.application, verifier));
    outages['in trouble']?.();
    const back = await visitor.led(callback.href);
    assert.equal(back.searchParams.get('error'), 'temporarily_unavailable');
    assert.equal(back.searchParams.get('state'), 'state-1');
    assert.equal(back.searchParams.get('iss'), bridge.config.baseUrl);
  });

  test("isn't over because a browser changes its callback", async () => {
    const visitor = new BridgeVisitor(bridge, service);
    const callback = await visitor.callbackFor(ada, authorizePath(bridge.application, verifier));
    callback.searchParams.delete('iss');
    outages['in trouble']?.();
    isUnavailable(await userinfo(bridge, tokens.access_token));
    const said = bridge.lines.length;
    // Until Latchkey may be asked again.
    await pause(1100);
    assert.equal((await visitor.led(callback.href)).searchParams.get('error'), 'server_error');
    const texts = bridge.lines.slice(said).map(({ text }) => text);
    assert.equal(texts.includes('Latchkey answers again'), false, String(texts));
  });

  test('of a bridge that has never reached Latchkey, too, which starts and is not ready', async (t) => {
    outages['in trouble']?.();
    const early = await startTestBridge(service, { beside: bridge, config: { metrics: undefined } });
    t.after(() => early.stop());
    assert.equal((await ask(early, '/healthz')).status, 200);
    assert.equal((await ask(early, '/readyz')).status, 503);
    const back = await new BridgeVisitor(early, service).led(authorizePath(bridge.application, verifier));
    assert.equal(back.searchParams.get('error'), 'temporarily_unavailable');
    between.reset();
    await until(async () => (await ask(early, '/readyz')).status === 200, 'ready');
  });
});

describe('a Latchkey that someone else answers for', () => {
  for (const [name, path, change] of [
    ['an ID token that nobody signed', '/oauth/token', (token: string) => `${token.slice(0, -4)}AAAA`],
    [
      'an ID token without a signature',
      '/oauth/token',
      (token: string) => `${token.slice(0, token.lastIndexOf('.'))}.`,
    ],
  ] as const) {
    test(`${name} signs nobody in, and nobody out`, async () => {
      between.change.set(path, (body) => ({ ...body, id_token: change(String(body.id_token)) }));
      const back = await new BridgeVisitor(bridge, service).authorize(ada, verifier);
      assert.equal(back.searchParams.get('error'), 'server_error');
      assert.equal(back.searchParams.get('code'), null);
      isUnavailable(await refresh(bridge, tokens.refresh_token));
    });
  }

  test('a refusal that is not OAuth is none of a refresh token', async () => {
    between.answer = (_request, response) =>
      response.writeHead(401, { 'content-type': 'text/html' }).end('<p>Who?</p>');
    isUnavailable(await refresh(bridge, tokens.refresh_token));
  });

  test('userinfo about someone else is no answer', async () => {
    between.change.set('/oauth/userinfo', (claims) => ({ ...claims, sub: 'someone else' }));
    isUnavailable(await userinfo(bridge, tokens.access_token));
  });
});

test('metrics count requests by endpoint and result, and what Latchkey has not answered', async () => {
  const of = (found: Scrape, series: string) => found.of(`latchkey_bridge_${series}`);
  const before = await scrape(port);
  await userinfo(bridge, tokens.access_token);
  await userinfo(bridge, 'unknown');
  await refresh(bridge, tokens.refresh_token);
  await refresh(bridge, tokens.refresh_token, { client_secret: 'wrong' });
  const after = await scrape(port);
  for (const [series, change] of [
    ['requests_total{endpoint="userinfo",result="succeeded"}', 1],
    ['requests_total{endpoint="userinfo",result="refused"}', 1],
    ['requests_total{endpoint="refresh",result="succeeded"}', 1],
    ['requests_total{endpoint="code",result="refused"}', 1],
    ['wrong_secrets_total', 1],
  ] as const) {
    assert.equal(of(after, series) - of(before, series), change, series);
  }
  assert.ok(of(after, 'grants') >= 1);
  outages['in trouble']?.();
  await userinfo(bridge, tokens.access_token);
  const failures = 'request_failures_total{reason="unreachable"}';
  assert.equal(of(await scrape(port), failures) - of(after, failures), 1);
});
