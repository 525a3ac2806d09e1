// Files, headers and parameters that are large, malformed or lie about the time, and what they leave behind in lists and files.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { gzipSync } from 'node:zlib';
import { trace } from '@opentelemetry/api';
import { type ReadableSpan, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { readDescription } from '../../src/cli/apply/file.ts';
import { readRecords } from '../../src/cli/import/records.ts';
import { messageOf } from '../../src/protocol/reading/caught-errors.ts';
import { chunk, png, signedIn } from '../harness/account.ts';
import { type KeyCaller, newKey } from '../harness/api.ts';
import { isReleaseLane } from '../harness/lane.ts';
import { Person } from '../harness/person.ts';
import {
  authorizePath,
  decodeJwt,
  exchangeParameters,
  newVerifier,
  obtainTokens,
  postForm,
} from '../harness/relying-party.ts';
import { startTestService, type TestClient, type TestService } from '../harness/service.ts';
import { attack } from './attack.ts';

let service: TestService;
let client: TestClient;
let key: KeyCaller;
let folder: string;

before(async () => {
  service = await startTestService();
  client = await service.newClient();
  key = await newKey(service);
  folder = mkdtempSync(join(tmpdir(), 'latchkey-test-'));
});
after(async () => {
  await service?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** What `latchkey user import` reads from a file, until there is a problem. */
async function recordsIn(bytes: Buffer, from: 'csv' | 'auth0'): Promise<{ records: unknown[]; problem?: string }> {
  const path = join(folder, 'import');
  writeFileSync(path, bytes);
  const records: unknown[] = [];
  try {
    for await (const part of readRecords({ paths: [path], size: bytes.length, ignored: [] }, from, () => {}))
      records.push(...part);
    return { records };
  } catch (error) {
    return { records, problem: messageOf(error) };
  }
}

const header = (width: number, height: number) => {
  const bytes = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0]);
  bytes.writeUInt32BE(width, 0);
  bytes.writeUInt32BE(height, 4);
  return chunk('IHDR', bytes);
};
const withSize = (width: number, height: number) =>
  Buffer.concat([png.subarray(0, 8), header(width, height), png.subarray(33)]);

attack(56, 'a file that is no image, never ends or is far larger than it looks does no harm', async () => {
  symlinkSync('/etc/passwd', join(folder, 'link.png'));
  const apply = async (logo: string) => {
    const file = join(folder, 'apply.json');
    const app = { client_id: 'app', name: 'App', redirect_uris: ['https://app.example/cb'], logo };
    writeFileSync(file, JSON.stringify({ applications: [app] }));
    return readDescription(file, {}).then(
      () => 'accepted',
      (error: Error) => error.message,
    );
  };
  for (const logo of [
    '../../../../../../etc/passwd',
    '/etc/passwd',
    'link.png',
    '/dev/zero',
    '/dev/stdin',
    '/proc/self/environ',
    folder,
    'data:image/png;base64,AAAA',
  ]) {
    const message = await apply(logo);
    assert.match(message, /has problems/, logo);
    assert.doesNotMatch(message, /root:|PATH=/, logo);
  }

  // Pictures of applications: enormous, with something else behind them, or with two formats at once.
  const pictures: Record<string, Buffer> = {
    'two thousand million pixels': withSize(0x7fffffff, 0x7fffffff),
    'fifty thousand by fifty thousand': withSize(50_000, 50_000),
    'no pixels': withSize(0, 0),
    'HTML in front': Buffer.concat([Buffer.from('<html><script>alert(1)</script>'), png]),
    SVG: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
    'half a picture': png.subarray(0, 40),
  };
  const put = (bytes: Buffer) =>
    fetch(`${service.url}/api/applications/${client.id}/logo`, {
      method: 'PUT',
      headers: { ...key.headers('PUT'), 'Content-Type': 'image/png' },
      body: new Uint8Array(bytes),
    });
  for (const [name, bytes] of Object.entries(pictures)) assert.equal((await put(bytes)).status, 400, name);
  // What comes after the end is refused, or gone.
  await put(Buffer.concat([png, Buffer.from('<script>alert(1)</script>')]));
  const [logo] = await service.rows('logos');
  if (logo !== undefined) assert.doesNotMatch(Buffer.from(logo.bytes as Uint8Array).toString('latin1'), /script/);

  // Imports are read in parts, however large they are.
  const read = async (bytes: Buffer, from: 'csv' | 'auth0') => {
    const before = process.memoryUsage().heapUsed;
    const { records, problem } = await recordsIn(bytes, from);
    assert.ok(process.memoryUsage().heapUsed - before < 200_000_000, `${records.length} records, ${problem}`);
    return { records: records.length, problem };
  };
  const megabytes = isReleaseLane ? 64 : 16;
  const bomb = await read(gzipSync(Buffer.alloc(megabytes * 1024 * 1024, 0x20)), 'auth0');
  assert.equal(bomb.records, 0);
  const wide = await read(
    Buffer.from(`email${',x'.repeat(isReleaseLane ? 1_000_000 : 100_000)}\na@example.test\n`),
    'csv',
  );
  assert.ok(wide.problem !== undefined || wide.records <= 1);
  const long = await read(gzipSync(Buffer.from(`[{"email":"${'x'.repeat(16 * 1024 * 1024)}"}]`)), 'auth0');
  assert.ok(long.problem !== undefined || long.records <= 1, 'a record that never ends');
});

attack(57, 'trace headers cost what other headers cost, and what they say is not repeated', async () => {
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
  const many = Array.from({ length: 900 }, (_, index) => `k${index}=v`).join(',');
  const hostile: Record<string, string>[] = [
    { traceparent, tracestate: many },
    { traceparent, baggage: many },
    { traceparent: `${traceparent}-${'x'.repeat(7000)}` },
    { traceparent: '00-zz-zz-zz', baggage: '=,=,=;;;%00' },
    { traceparent, b3: '1-1-1', 'x-b3-traceid': 'MARKER', 'uber-trace-id': 'MARKER:0:0:1' },
  ];
  const times = isReleaseLane ? 10 : 2;
  const tooLarge: Record<string, string>[] = [
    { traceparent, tracestate: 'x'.repeat(1_000_000) },
    { traceparent, baggage: Array.from({ length: 100_000 }, (_, index) => `k${index}=v`).join(',') },
  ];
  const spans: string[] = [];
  const exporter = {
    export(batch: ReadableSpan[], done: (result: { code: number }) => void) {
      spans.push(...batch.map(({ name, attributes }) => JSON.stringify([name, attributes])));
      done({ code: 0 });
    },
    shutdown: async () => {},
  };
  // As an operator loads an SDK, before the service starts.
  trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }));
  const traced = await startTestService();
  try {
    for (const { url } of [service, traced]) {
      const started = process.cpuUsage();
      for (const headers of hostile) {
        for (let count = 0; count < times; count++) {
          assert.equal((await fetch(`${url}/.well-known/openid-configuration`, { headers })).status, 200);
          assert.equal((await fetch(`${url}/sign-in`, { headers })).status, 200);
        }
      }
      const { user } = process.cpuUsage(started);
      const milliseconds = user / 1000 / (hostile.length * times * 2);
      assert.ok(milliseconds < 50, `${milliseconds} ms of CPU for each request`);
      for (const headers of tooLarge) {
        const status = await fetch(`${url}/sign-in`, { headers })
          .then((response) => response.status)
          // The connection is closed while the rest is on its way.
          .catch(() => 431);
        assert.equal(status, 431);
      }
    }
    assert.ok(spans.length >= hostile.length * times * 2, `${spans.length}`);
    assert.doesNotMatch([service.log(), traced.log(), ...spans].join('\n'), /MARKER|k899/);
  } finally {
    trace.disable();
    await traced.stop();
  }
});

attack(58, "of many requests that fail at once, none says what another's was about", async () => {
  const user = await service.newUser();
  const person = await signedIn(service, user);
  const before = service.log().length;
  const length = isReleaseLane ? 200 : 60;
  const requests = Array.from({ length }, (_, index) => {
    const marker = `marker${String(index).padStart(3, '0')}x`;
    const kinds = [
      () =>
        fetch(`${service.url}/oauth/token`, {
          method: 'POST',
          body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: marker, client_id: marker }),
        }),
      () => person.request(authorizePath(client, newVerifier(), { response_type: marker, state: marker })),
      () => fetch(`${service.url}/api/people/${marker}`, { headers: key.headers('GET') }),
      () =>
        fetch(`${service.url}/api/applications`, {
          method: 'POST',
          headers: { ...key.headers('POST'), 'Content-Type': 'application/json' },
          body: JSON.stringify({ name: marker, redirect_uris: [marker] }),
        }),
      () => person.request(authorizePath({ ...client, id: marker }, newVerifier())),
    ];
    return kinds[index % kinds.length]?.().then(async (response) => {
      const text = (await response.text()) + (response.headers.get('location') ?? '');
      return { marker, requestId: response.headers.get('x-request-id') ?? '', text };
    });
  });
  const answers = (await Promise.all(requests)).filter((each) => each !== undefined);
  assert.equal(answers.length, length);
  assert.equal(new Set(answers.map(({ requestId }) => requestId)).size, length);
  const others = (text: string, own: string) => (text.match(/marker\d{3}x/g) ?? []).filter((found) => found !== own);
  for (const { marker, text } of answers) assert.deepEqual(others(text, marker), [], marker);
  const byRequest = new Map(answers.map(({ requestId, marker }) => [requestId, marker]));
  for (const line of service.log().slice(before).split('\n').filter(Boolean)) {
    const { reqId } = JSON.parse(line) as { reqId?: string };
    assert.deepEqual(others(line, byRequest.get(reqId ?? '') ?? ''), [], line);
  }
  for (const event of await service.events()) {
    assert.deepEqual(others(JSON.stringify(event), byRequest.get(event.requestId) ?? ''), []);
  }
});

attack(59, 'no request says what time it is', async () => {
  const user = await service.newUser();
  const { person } = await obtainTokens(service, client, user);
  for (const max_age of ['-1', '1.5', '1e3', 'NaN', ' 1', '0x10', '99999999999', `${2 ** 63}`]) {
    const response = await person.request(authorizePath(client, newVerifier(), { max_age }));
    assert.match(response.headers.get('location') ?? '', /error=invalid_request/, max_age);
  }
  assert.match(
    (await person.request(authorizePath(client, newVerifier(), { max_age: '9999999999' }))).headers.get('location') ??
      '',
    /[?&]code=/,
  );
  service.clock.advance(10);
  const now = Math.floor(service.clock.now() / 1000);
  const verifier = newVerifier();
  const claimed = {
    auth_time: String(now + 900),
    iat: String(now + 900),
    exp: String(now + 9999),
    now: '1',
    time: '1',
  };
  const headers = {
    Date: 'Fri, 01 Jan 2100 00:00:00 GMT',
    'X-Request-Start': '0',
    'If-Modified-Since': 'Fri, 01 Jan 2100 00:00:00 GMT',
  };
  const location =
    (await person.request(authorizePath(client, verifier, claimed), { headers })).headers.get('location') ?? '';
  const code = new URL(location).searchParams.get('code') ?? '';
  const { body } = await postForm(
    service,
    '/oauth/token',
    { ...exchangeParameters(client, code, verifier), ...claimed },
    headers,
  );
  const token = decodeJwt(body.id_token);
  assert.deepEqual([token.iat, token.auth_time, body.expires_in], [now, now - 10, 900]);
  const silent = await person.request(
    authorizePath(client, newVerifier(), { max_age: '5', prompt: 'none', ...claimed }),
    { headers },
  );
  assert.match(silent.headers.get('location') ?? '', /error=login_required/);
  // A session or a key that is over stays over.
  service.clock.advance(40 * 24 * 60 * 60);
  assert.equal((await person.request('/api/me', { headers })).status, 401);
});

const formulas = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '＝1+1', '＋1', '－1', '＠SUM(A1)', 'a;=1', 'a;＝1'];

attack(60, 'no cell of a download is a formula, and no line of one is two', async () => {
  const created = formulas.map((name, index) => ({ name: `${name} of ${index}`, email: `cell${index}@example.test` }));
  for (const { name, email } of created)
    await service.newUser({ name, givenName: name.trim(), familyName: `x\u2028y\u2029z`, email });
  const csv = await (await fetch(`${service.url}/api/people.csv`, { headers: key.headers('GET') })).text();
  for (const cell of csv.split(/[,;\r\n]/)) assert.doesNotMatch(cell, /^["\s]*[=+\-@＝＋－＠]/, cell);
  const lines = (await (await fetch(`${service.url}/api/people.jsonl`, { headers: key.headers('GET') })).text())
    .split('\n')
    .filter(Boolean);
  assert.equal(lines.length, (await service.rows('users')).length);
  for (const line of lines) assert.ok(JSON.parse(line));

  // As files: a zero byte is stored nowhere, and U+2028 ends no line.
  const column = await recordsIn(Buffer.from('id,email,name\nn1,nul@example.test,A\0da\n'), 'csv');
  const separated = JSON.stringify({
    user_id: 'auth0|1',
    email: 'u2028@example.test',
    name: 'Ada\u2028\u2029Lovelace',
  });
  const read = await recordsIn(Buffer.from(`${separated}\n${separated}\n`), 'auth0');
  assert.deepEqual([read.records.length, read.problem], [2, undefined]);
  const before = (await service.rows('users')).length;
  const bodies = [
    JSON.stringify({ from: 'csv', people: [{ id: 'n', email: 'n@example.test', name: 'A\0da' }, ...column.records] }),
    '{"from":"csv","people":[{"id":"n","email":"a\\u0000b@example.test"}]}',
    '{"from":"csv","people":[{"id":"n\\u0000","email":"n@example.test"}]}',
    '{"from":"csv","people":[{"email":"first@example.test","email":"second@example.test"}]}',
  ];
  for (const body of bodies) {
    const init = { method: 'POST', headers: { ...key.headers('POST'), 'Content-Type': 'application/json' } };
    const response = await fetch(`${service.url}/api/people/import`, { ...init, body });
    assert.ok(response.status < 500, body);
  }
  assert.equal((await service.rows('users')).length, before);
  assert.equal((await new Person(service).visit('/sign-in')).status, 200);
});
