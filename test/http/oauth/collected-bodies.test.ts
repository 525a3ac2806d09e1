// The bodies of requests to the OAuth endpoints, as they arrive on the wire: in one piece or many, one request after the other
// on a connection, too large, or not completely.

import assert from 'node:assert/strict';
import { Agent, request as send } from 'node:http';
import { connect } from 'node:net';
import { before, describe, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { authorizePath, newVerifier, obtainTokens, refreshParameters } from '../../harness/relying-party.ts';
import type { TestClient } from '../../harness/service.ts';
import { serviceOfSuite } from '../../harness/suite.ts';
import { until } from '../../harness/until.ts';

const service = serviceOfSuite();
let client: TestClient;
let refresh = '';
let userinfo = '';
let authorize = '';

before(async () => {
  client = await service.newClient();
  const { person, tokens } = await obtainTokens(service, client, await service.newUser());
  refresh = new URLSearchParams(refreshParameters(client, tokens.refresh_token)).toString();
  userinfo = head('GET /oauth/userinfo', `Authorization: Bearer ${tokens.access_token}`);
  const cookies = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  authorize = head(`GET ${authorizePath(client, newVerifier())}`, `Cookie: ${cookies}`);
});

const form = 'Content-Type: application/x-www-form-urlencoded';
const head = (line: string, ...headers: string[]) => [`${line} HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n');
const post = (body: string, ...headers: string[]) =>
  head('POST /oauth/token', form, `Content-Length: ${body.length}`, ...headers) + body;
/** The head of a request with another header. */
const withHeader = (request: string, header: string) => request.replace('\r\n\r\n', `\r\n${header}\r\n\r\n`);

function inChunks(body: string, size: number, trailer = ''): string {
  let text = '';
  for (let at = 0; at < body.length; at += size) {
    const part = body.slice(at, at + size);
    text += `${part.length.toString(16)}\r\n${part}\r\n`;
  }
  return `${text}0\r\n${trailer}\r\n`;
}
const chunked = (body: string, size: number, trailer?: string) =>
  head('POST /oauth/token', form, 'Transfer-Encoding: chunked') + inChunks(body, size, trailer);

/** The statuses of what is answered to these pieces, until there are so many or the connection is closed. */
async function statusesOf(pieces: readonly string[], count: number): Promise<(number | 'closed')[]> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1').setNoDelay();
  let text = '';
  socket
    .on('error', () => {})
    .setEncoding('latin1')
    .on('data', (chunk) => {
      text += chunk;
    });
  const statuses = () => [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  for (const piece of pieces) await new Promise((resolve) => socket.write(piece, 'latin1', resolve));
  await until(
    () => socket.closed || statuses().length >= count,
    () => `${count} answers in ${text}`,
  );
  const isClosed = () => socket.closed;
  if (/^connection: close/im.test(text)) await until(isClosed, 'the connection is closed');
  const closed = isClosed() ? (['closed'] as const) : [];
  socket.destroy();
  return [...statuses(), ...closed];
}

const limit = 16 * 1024;
const ofSize = (size: number) => `x=${'a'.repeat(size - 2)}`;

const cases: [string, () => readonly string[], (number | 'closed')[]][] = [
  ['byte by byte', () => [...post(refresh)], [200]],
  [
    'requests that are sent ahead are answered in their order',
    () => [post(refresh) + userinfo + post('x') + authorize + head('GET /sign-in') + authorize + post(refresh)],
    [200, 200, 400, 302, 200, 302, 200],
  ],
  ['in one chunk', () => [chunked(refresh, 1000)], [200]],
  ['in chunks of a byte', () => [chunked(refresh, 1)], [200]],
  [
    'trailers are neither headers nor parameters',
    () => [chunked(refresh, 9, 'Content-Type: text/plain\r\nclient_secret: wrong\r\n') + post(refresh)],
    [200, 200],
  ],
  ['without any chunk', () => [chunked('', 1) + post(refresh)], [400, 200]],
  [
    'after 100 Continue',
    () => [post('', 'Expect: 100-continue').replace('Content-Length: 0', `Content-Length: ${refresh.length}`), refresh],
    [100, 200],
  ],
  ['as large as allowed', () => [post(ofSize(limit)) + post(refresh)], [400, 200]],
  ['one byte larger', () => [post(ofSize(limit + 1)) + post(refresh)], [413, 'closed']],
  ...[1, 3, 1000, limit].flatMap((size): [string, () => readonly string[], (number | 'closed')[]][] => [
    [`as large as allowed, in chunks of ${size}`, () => [chunked(ofSize(limit), size) + post(refresh)], [400, 200]],
    [`one byte larger, in chunks of ${size}`, () => [chunked(ofSize(limit + 1), size)], [413, 'closed']],
  ]),
  [
    'too large for what takes none',
    () => [head('OPTIONS /oauth/token', `Content-Length: ${limit + 1}`) + ofSize(limit + 1)],
    [413, 'closed'],
  ],
  ['a chunk that is none', () => [`${chunked('a=b', 3).slice(0, -5)}zz\r\n`], [400, 'closed']],
  [
    'with a GET, which is answered by its head',
    () => [`${withHeader(userinfo, 'Content-Length: 3')}a=b${userinfo}`],
    [200, 200],
  ],
  [
    'in chunks with a GET',
    () => [withHeader(userinfo, 'Transfer-Encoding: chunked') + inChunks('a=b', 1) + userinfo],
    [200, 200],
  ],
  ['with an authorization request', () => [`${withHeader(authorize, 'Content-Length: 3')}a=b${authorize}`], [302, 302]],
  [
    'in chunks with an authorization request',
    () => [withHeader(authorize, 'Transfer-Encoding: chunked') + inChunks('a=b', 1) + authorize],
    [302, 302],
  ],
  [
    'with a method that is not allowed',
    () => [post('a=b').replace('POST /oauth/token', 'PUT /oauth/userinfo') + userinfo],
    [405, 200],
  ],
  ['that nobody reads', () => [post('a=b').replace('/oauth/token', '/oauth/userinfo') + userinfo], [401, 200]],
  ['of names of the language', () => [post(`__proto__=x&constructor=y&hasOwnProperty=z&${refresh}`)], [200]],
  ['of nothing but separators', () => [post('&'.repeat(limit)) + post('a&'.repeat(limit / 2))], [400, 400]],
];

describe('a body', () => {
  for (const [name, pieces, expected] of cases) {
    test(name, async () => {
      const count = expected.filter((each) => each !== 'closed').length;
      assert.deepEqual(await statusesOf(pieces(), count), expected);
    });
  }

  test('that ends too soon is not read, and nothing of it is recorded', async () => {
    const recorded = (await service.events()).length;
    const incomplete = post(`${refresh}${' '.repeat(9)}`).trimEnd();
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk) => {
      text += chunk;
    });
    // A client that ends its side, and one that is gone.
    await new Promise((resolve) => socket.write(incomplete, resolve));
    socket.end();
    await until(() => socket.closed, 'the connection is closed');
    assert.match(text, /^HTTP\/1\.1 400 /);
    const gone = connect(Number(new URL(service.url).port), '127.0.0.1');
    await new Promise((resolve) => gone.write(incomplete, resolve));
    gone.resetAndDestroy();
    assert.deepEqual(await statusesOf([post(refresh)], 1), [200]);
    assert.equal((await service.events()).length, recorded);
    assert.doesNotMatch(service.log(), /"level":[56]0/);
  });
});

test('a request is let go of when it is answered, although its connection is kept', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const kept: WeakRef<object>[] = [];
  service.running.app.server.prependListener('request', (raw) => kept.push(new WeakRef(raw)));
  const agent = new Agent({ keepAlive: true });
  const answered = Array.from({ length: 5 }, () => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const headers = { 'Content-Type': 'application/json', Authorization: 'Basic Y2xpZW50OnNlY3JldA==' };
    const request = send(`${service.url}/oauth/token`, { agent, method: 'POST', headers }, (response) => {
      response.resume().once('end', resolve);
    });
    request.once('error', reject).end('{}');
    return promise;
  });
  await Promise.all(answered);
  await until(() => Object.values(agent.freeSockets).flat().length === 5, 'five idle connections');
  await until(
    () => {
      collectGarbage();
      return kept.every((each) => each.deref() === undefined);
    },
    'no request is in memory',
    5,
  );
  assert.equal(kept.length, 5);
  agent.destroy();
});
