// Spans, with an SDK that is loaded the way the documentation says: `./latchkey serve` as a process of its own.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { root, runCommand } from '../harness/command.ts';
import { releaseTest } from '../harness/lane.ts';
import { formIn, Person } from '../harness/person.ts';
import { obtainTokens, postForm, refreshParameters } from '../harness/relying-party.ts';
import { populate, Served } from '../harness/served.ts';
import type { TestClient, TestUser } from '../harness/service.ts';
import { until } from '../harness/until.ts';
import type { RecordedSpan } from './recording-sdk.ts';

describe('with an SDK', () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-traces-'));
  const file = join(folder, 'spans');
  let served: Served;
  let client: TestClient;
  let user: TestUser;
  let log = '';

  before(async () => {
    served = await Served.at({
      LATCHKEY_DATA_DIR: folder,
      LATCHKEY_LOG_LEVEL: 'debug',
      NODE_OPTIONS: `--import ${join(root, 'test/metrics/recording-sdk.ts')}`,
      SPANS_FILE: file,
    });
    const people = await populate(served.environment);
    client = people.client;
    user = people.users[0] as TestUser;
    const child = await served.start();
    child.stdout?.on('data', (chunk) => {
      log += chunk;
    });
  });
  after(async () => {
    await served.end('SIGTERM');
    rmSync(folder, { recursive: true });
  });

  const spans = (): RecordedSpan[] =>
    existsSync(file)
      ? readFileSync(file, 'utf8')
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line) as RecordedSpan)
      : [];
  const newParent = () => {
    const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
    return { traceId, spanId, traceparent: `00-${traceId}-${spanId}-01` };
  };

  releaseTest('a rehearsal sends no spans', async () => {
    const SPANS_FILE = join(folder, 'spans of the rehearsal');
    const { status, stdout } = await runCommand(['migrate', '--rehearse'], { ...served.environment, SPANS_FILE });
    assert.equal(status, 0, stdout);
    assert.equal(existsSync(SPANS_FILE), false);
  });

  /** The span of a request in a trace, once it has ended, and those below it. */
  async function requestSpan(traceId: string): Promise<{ span: RecordedSpan; children: RecordedSpan[] }> {
    const find = () => spans().find((each) => each.traceId === traceId && each.kind === SpanKind.SERVER);
    await until(() => find() !== undefined, `a span of ${traceId}`);
    const span = find() as RecordedSpan;
    return { span, children: spans().filter(({ parentId }) => parentId === span.spanId) };
  }

  test('a token request is a child span of its caller, with its store reads as children', async () => {
    const { tokens } = await obtainTokens(served.service, client, user);
    const { traceId, spanId, traceparent } = newParent();
    const refreshed = await postForm(served.service, '/oauth/token', refreshParameters(client, tokens.refresh_token), {
      traceparent,
    });
    assert.equal(refreshed.status, 200);
    const { span, children } = await requestSpan(traceId);
    assert.deepEqual([span.name, span.parentId, span.status], ['POST /oauth/token', spanId, SpanStatusCode.UNSET]);
    assert.deepEqual(span.attributes, {
      'http.request.method': 'POST',
      'url.scheme': 'http',
      'http.route': '/oauth/token',
      'http.response.status_code': 200,
    });
    const [read, ...more] = children;
    assert.equal(more.length, 0, 'one query');
    assert.deepEqual([read?.kind, read?.attributes['db.system.name']], [SpanKind.CLIENT, 'sqlite']);
    assert.equal(read?.name, 'SELECT');
    assert.match(String(read?.attributes['db.query.text']), /FROM clients/);
  });

  test('a sign-in span is named by route, not URL, with the password check and writes as children', async () => {
    const { traceId, traceparent } = newParent();
    const person = new Person(served.service);
    const form = await formIn(await person.visit('/sign-in'));
    const body = new URLSearchParams({ ...form.fields, email: user.email, password: user.password });
    const headers = { traceparent, Origin: served.url };
    const response = await person.request('/sign-in', { method: 'POST', body, headers });
    const { span, children } = await requestSpan(traceId);
    assert.deepEqual([span.name, span.attributes['http.response.status_code']], ['POST /sign-in', response.status]);
    const names = children.map(({ name }) => name);
    assert.equal(names.filter((name) => name === 'check password').length, 1, 'the handler runs once');
    assert.ok(names.includes('INSERT'), String(names));

    const secret = newParent();
    await fetch(`${served.url}/docs/a-path-of-its-own?code=a-secret`, { headers: { traceparent: secret.traceparent } });
    assert.equal((await requestSpan(secret.traceId)).span.name, 'GET /docs/*');
    const unknown = newParent();
    await fetch(`${served.url}/a-path-of-its-own`, {
      method: 'PROPFIND',
      headers: { traceparent: unknown.traceparent },
    });
    const { span: odd } = await requestSpan(unknown.traceId);
    assert.deepEqual([odd.name, odd.attributes['http.request.method']], ['HTTP', '_OTHER']);
  });

  test('a request without a traceparent starts a trace, which is in its log entry', async () => {
    const before = spans().length;
    const response = await fetch(`${served.url}/oauth/userinfo`);
    const id = response.headers.get('x-request-id');
    await until(() => spans().length > before && log.includes(`"${id}"`), 'the span and the log entry');
    const line = log.split('\n').find((each) => each.includes(`"${id}"`)) ?? '';
    const { trace_id: traceId } = JSON.parse(line) as { trace_id: string };
    const { span } = await requestSpan(traceId);
    assert.deepEqual([span.name, span.parentId], ['GET /oauth/userinfo', undefined]);
  });

  test('a 503 response is an error span, without its message', async () => {
    const { traceId, traceparent } = newParent();
    const database = join(folder, 'latchkey.db');
    // The service notices that its file is gone.
    rmSync(database);
    await until(async () => {
      const { status } = await postForm(served.service, '/oauth/token', refreshParameters(client, 'lkr_x_y'), {
        traceparent,
      });
      return status === 503;
    }, 'the store is gone');
    const errors = () =>
      spans()
        .filter((each) => each.traceId === traceId && each.status === SpanStatusCode.ERROR)
        .map(({ attributes }) => String(attributes['error.type']));
    await until(() => errors().includes('503'), 'the span of the request has ended');
    assert.deepEqual([...new Set(errors())].sort(), ['503', 'StorageUnavailable']);
  });

  test('no span contains a secret, an email address or a path that was sent', () => {
    const text = readFileSync(file, 'utf8');
    const secrets = [user.email, user.password, client.secret, client.id, 'a-path-of-its-own', 'a-secret', 'PROPFIND'];
    for (const secret of secrets) assert.equal(text.includes(secret), false, secret);
  });
});
