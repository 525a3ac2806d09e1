// The example of a proxy in front of a page without sign-in code, with a gate that answers as the test wants. cli/demo has the real one.

import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, test } from 'node:test';
import { pageServer } from '../../examples/gated-page/page.ts';
import { gatedProxy } from '../../examples/gated-page/proxy.ts';

interface Seen {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface Answer {
  readonly status: number;
  readonly headers?: Record<string, string | string[]>;
  readonly body?: string;
}

const ada = { 'Remote-User': 'ada', 'Remote-Email': 'ada@example.com', 'Remote-Name': 'Ada', 'Remote-Groups': '' };
const letIn: Answer = { status: 200, headers: ada };

let verdict: Answer = letIn;
const atGate: Seen[] = [];
const atPage: Seen[] = [];
let gate: Server;
let page: Server;
let proxy: Server;

before(async () => {
  gate = await recording(atGate, () => verdict);
  page = await recording(atPage, () => ({ status: 200, headers: { 'Set-Cookie': ['a=1', 'b=2'] }, body: 'the page' }));
  proxy = await listening(createServer(gatedProxy(portOf(gate), portOf(page))));
});
after(() => {
  for (const server of [gate, page, proxy]) server?.close();
});
beforeEach(() => {
  verdict = letIn;
  atGate.length = 0;
  atPage.length = 0;
});

function recording(seen: Seen[], answer: () => Answer): Promise<Server> {
  const server = createServer(async (incoming, response) => {
    const { method, url, headers } = incoming;
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    seen.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
    const { status, headers: sent = {}, body = '' } = answer();
    response.writeHead(status, sent).end(body);
  });
  return listening(server);
}

async function listening(server: Server): Promise<Server> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

/** As a browser at wiki.example would; `path` is sent as it is. */
function ask(
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
  port = portOf(proxy),
) {
  const { method = 'GET', headers = {}, body } = options;
  return new Promise<{ status: number | undefined; headers: IncomingHttpHeaders; body: string }>((resolve, reject) => {
    const sent = { host: '127.0.0.1', port, path, method, headers: { Host: 'wiki.example', ...headers } };
    const asked = request(sent, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks).toString() });
    });
    asked.on('error', reject).end(body);
  });
}

test('the gate is asked about the original request, and the page gets it with who is there', async () => {
  const { status, headers, body } = await ask('/a%20b?c=%2f', { headers: { Cookie: 'x=1' } });
  assert.deepEqual([status, body, headers['set-cookie']], [200, 'the page', ['a=1', 'b=2']]);
  const [asked] = atGate;
  assert.deepEqual([asked?.method, asked?.url, asked?.headers.cookie], ['GET', '/gate/check', 'x=1']);
  assert.equal(asked?.headers['x-forwarded-method'], 'GET');
  assert.equal(asked?.headers['x-forwarded-uri'], '/a%20b?c=%2f');
  assert.equal(asked?.headers['x-forwarded-host'], 'wiki.example');
  assert.equal(asked?.headers['x-forwarded-proto'], 'http');
  assert.equal(asked?.headers['x-forwarded-for'], '127.0.0.1');
  const [got] = atPage;
  assert.equal(got?.url, '/a%20b?c=%2f');
  assert.equal(got?.headers.host, 'wiki.example');
  assert.deepEqual(
    [got?.headers['remote-user'], got?.headers['remote-email'], got?.headers['remote-name']],
    ['ada', 'ada@example.com', 'Ada'],
  );
  assert.equal(got?.headers['remote-groups'], '', 'empty rather than missing');
});

test("a client's own identity and forwarding headers are dropped, however they're spelled", async () => {
  const forged = {
    'REMOTE-USER': 'root',
    Remote_User: 'root',
    'Remote.Email': 'root',
    remote_Groups: 'root',
    X_Forwarded_Uri: '/root',
    'X-Forwarded-Uri': '/root',
    'X-Forwarded-Host': 'root',
    'X-Forwarded-Prefix': '/root',
    Connection: 'close, Remote-User, X-Forwarded-Host',
  };
  await ask('/', { headers: forged });
  for (const { headers } of [...atGate, ...atPage]) {
    assert.equal(JSON.stringify(headers).includes('root'), false, JSON.stringify(headers));
    assert.equal(headers['x-forwarded-host'], 'wiki.example');
    assert.doesNotMatch(headers.connection ?? '', /remote-user/i);
  }
  assert.equal(atPage[0]?.headers['remote-user'], 'ada');
  // A gate that leaves one out doesn't let the client's through, either.
  verdict = { status: 200 };
  await ask('/', { headers: forged });
  assert.equal(atPage[1]?.headers['remote-user'], '');
});

for (const refusal of [
  { status: 302, headers: { Location: 'https://wiki.example/gate/sign-in?to=%2F' } },
  { status: 401, headers: { 'WWW-Authenticate': 'Bearer' }, body: 'sign in first' },
  { status: 403, headers: { 'Content-Security-Policy': "default-src 'none'" }, body: '<h1>No access</h1>' },
  { status: 503, headers: { 'Retry-After': '5' }, body: 'later' },
  { status: 204 },
]) {
  test(`${refusal.status} of the gate is the answer, with its headers and body, and the page isn't asked`, async () => {
    verdict = refusal;
    const { status, headers, body } = await ask('/', { method: 'POST', body: 'text' });
    assert.equal(status, refusal.status);
    for (const [name, value] of Object.entries(refusal.headers ?? {})) assert.equal(headers[name.toLowerCase()], value);
    assert.equal(body, refusal.body ?? '');
    assert.equal(atPage.length, 0);
  });
}

test("the gate's own pages are passed on with method, body and cookies, without a check", async () => {
  verdict = { status: 303, headers: { 'Set-Cookie': ['latchkey_gate=', 'other='] } };
  const { status, headers } = await ask('/gate/sign-out', { method: 'POST', body: 'token=1' });
  assert.deepEqual([status, headers['set-cookie']], [303, ['latchkey_gate=', 'other=']]);
  assert.deepEqual(
    atGate.map(({ method, url, body }) => [method, url, body]),
    [['POST', '/gate/sign-out', 'token=1']],
  );
  assert.equal(atGate[0]?.headers['x-forwarded-host'], 'wiki.example');
  // Nothing else of the gate can be reached from outside.
  for (const path of ['/gate/check', '/gate/healthz', '/gate/', '/gate/sign-in/../check']) {
    assert.equal((await ask(path)).status, 404, path);
  }
  assert.deepEqual([atGate.length, atPage.length], [1, 0]);
});

test('a body goes to the page and not to the check, whatever the method', async () => {
  for (const method of ['POST', 'GET']) {
    for (const framing of [{ 'Content-Length': '4' }, { 'Transfer-Encoding': 'chunked' }] as Record<string, string>[]) {
      assert.equal((await ask('/', { method, headers: framing, body: 'text' })).status, 200);
      assert.equal(atGate.at(-1)?.body, '');
      assert.deepEqual([atPage.at(-1)?.method, atPage.at(-1)?.body], [method, 'text']);
    }
  }
  assert.deepEqual([atGate.length, atPage.length], [4, 4], 'no request was hidden in a body');
});

test('what is not a path is refused, and nobody gets in when the gate is down', async () => {
  for (const url of ['http://wiki.example/', '*']) assert.equal((await ask(url, { method: 'OPTIONS' })).status, 400);
  assert.deepEqual([atGate.length, atPage.length], [0, 0]);
  const down = await listening(createServer());
  const port = portOf(down);
  await new Promise((resolve) => down.close(resolve));
  const alone = await listening(createServer(gatedProxy(port, portOf(page))));
  try {
    for (const path of ['/', '/gate/sign-in']) assert.equal((await ask(path, {}, portOf(alone))).status, 502);
    assert.equal(atPage.length, 0);
  } finally {
    alone.close();
  }
});

test('the page shows what the proxy says about a person, in any script, and no cookie', async () => {
  const links = { page: 'http://localhost:1', latchkey: 'http://localhost:2', demoApp: 'http://localhost:3' };
  const server = await listening(createServer(pageServer(links)));
  try {
    const name = Buffer.from('Zoë <b>').toString('latin1');
    const headers = {
      'Remote-Name': name,
      'Remote-User': '42',
      Cookie: 'latchkey_gate=secret; a=b',
      Accept: 'text/html',
    };
    const { status, body } = await ask('/?any', { headers }, portOf(server));
    assert.equal(status, 200);
    assert.match(body, /<h1>Hello, Zoë &#60;b&#62;<\/h1>/);
    assert.match(body, /remote-user<\/th><td>42</);
    assert.match(body, /cookie<\/th><td>latchkey_gate=•••; a=•••</);
    assert.match(body, /accept<\/th><td>text\/html</);
    assert.match(body, /http:\/\/localhost:2\/docs\/gate"/);
    assert.match(body, /href="\/gate\/sign-out"/);
    assert.equal((await ask('//[', {}, portOf(server))).status, 404);
    assert.equal((await ask('/style.css', {}, portOf(server))).headers['content-type'], 'text/css; charset=utf-8');
  } finally {
    server.close();
  }
});
