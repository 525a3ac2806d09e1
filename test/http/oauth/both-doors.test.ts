// An authorization request that needs no page is answered in front of the framework, all others behind. What nobody sees in an
// answer is the same for both: spans, and what becomes of a request whose connection or store is lost in the meantime.
// test/http/oauth/same-answers.test.ts compares the answers.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { context, SpanKind, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { OutcomeUnknown, StorageUnavailable } from '../../../src/storage/storage.ts';
import type { Person } from '../../harness/person.ts';
import { authorizePath, newVerifier, obtainTokens } from '../../harness/relying-party.ts';
import { startTestService, type TestClient, type TestService } from '../../harness/service.ts';
import { until } from '../../harness/until.ts';

interface Door {
  readonly service: TestService;
  readonly client: TestClient;
  readonly person: Person;
}

async function openDoors(): Promise<Door[]> {
  const doors: Door[] = [];
  for (const authorizesInFront of [true, false]) {
    const service = await startTestService({ LATCHKEY_TRUST_PROXY: '127.0.0.1' }, { authorizesInFront });
    const client = await service.newClient();
    const { person } = await obtainTokens(service, client, await service.newUser());
    doors.push({ service, client, person });
  }
  return doors;
}

/** What is read of a request by a browser with a session: in front, and behind. */
const reads = ['findRememberedApproval', 'findAuthorizationContext'] as const;

const stop = (doors: readonly Door[]) => Promise.all(doors.map(({ service }) => service.stop()));

describe('the spans of a request are the same', () => {
  const exporter = new InMemorySpanExporter();
  let doors: Door[] = [];
  before(async () => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }));
    doors = await openDoors();
  });
  after(async () => {
    await stop(doors);
    trace.disable();
    context.disable();
  });

  const requests: [string, Record<string, string | undefined>, number][] = [
    ['that is approved', {}, 302],
    ['that is denied', { prompt: 'none', scope: 'junk' }, 302],
    ['that asks for consent', { prompt: 'consent' }, 200],
    ['that asks for a sign-in', { prompt: 'login' }, 200],
    ['that is refused', { client_id: 'nobody' }, 400],
  ];
  for (const [name, changes, status] of requests) {
    test(name, async () => {
      const recorded: unknown[] = [];
      for (const { service, client, person } of doors) {
        const traceId = randomBytes(16).toString('hex');
        const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
        const response = await person.request(authorizePath(client, newVerifier(), changes), { headers });
        assert.equal(response.status, status);
        const spans = () => exporter.getFinishedSpans().filter((span) => span.spanContext().traceId === traceId);
        await until(() => spans().some(({ kind }) => kind === SpanKind.SERVER), 'the span of the request');
        const names = new Map(spans().map((span) => [span.spanContext().spanId, span.name]));
        const facts = spans().map(({ name, kind, status, attributes, parentSpanContext }) => {
          const parent = names.get(parentSpanContext?.spanId ?? '') ?? parentSpanContext?.spanId;
          return { name, kind, status, attributes, parent };
        });
        assert.equal(facts.at(-1)?.name, 'GET /oauth-authorize');
        // In front, less is read first; and settings are read again every few seconds, in whichever request comes next.
        recorded.push(facts.filter((fact) => fact.name !== 'SELECT'));
        const events = await service.events();
        assert.equal(
          events.some((event) => event.traceId === traceId),
          status !== 200,
        );
      }
      assert.deepEqual(recorded[0], recorded[1]);
    });
  }
});

describe('a store that is lost', () => {
  let doors: Door[] = [];
  before(async () => {
    doors = await openDoors();
  });
  after(() => stop(doors));

  const losses: [string, readonly ((typeof reads)[number] | 'issueCode')[], () => unknown][] = [
    [
      'at once',
      reads,
      () => {
        throw new StorageUnavailable('gone');
      },
    ],
    ['in a later turn', reads, () => Promise.reject(new StorageUnavailable('gone'))],
    ['before a code is stored', ['issueCode'], () => Promise.reject(new StorageUnavailable('gone'))],
    ['while a code is stored', ['issueCode'], () => Promise.reject(new OutcomeUnknown('gone'))],
    ['by a fault', ['issueCode'], () => Promise.reject(new Error('a fault'))],
  ];
  for (const [when, operations, lose] of losses) {
    test(`${when} is answered the same`, async (t) => {
      const answers = [];
      for (const { service, client, person } of doors) {
        const { storage } = service.running.services;
        const mocked = operations.map((operation) => t.mock.method(storage, operation, lose as never));
        const response = await person.request(authorizePath(client, newVerifier()));
        // A store that doesn't answer is waited for once.
        const calls = mocked.map(({ mock }) => mock.callCount());
        assert.equal(
          calls.reduce((sum, count) => sum + count, 0),
          1,
        );
        for (const { mock } of mocked) mock.restore();
        const reference = response.headers.get('x-request-id') ?? 'none';
        const page = (await response.text()).replaceAll(reference, '').replaceAll(client.id, '');
        const logged = service
          .log()
          .split('\n')
          .filter((line) => line.includes(`"reqId":"${reference}"`));
        const entries = logged
          .map((line) => JSON.parse(line))
          .map(({ level, msg, status }) => ({ level, msg, status }));
        const title = /<h1>[^<]*/.exec(page)?.[0];
        answers.push({ status: response.status, retryAfter: response.headers.get('retry-after'), title, entries });
      }
      assert.deepEqual(answers[0], answers[1]);
      assert.equal(answers[0]?.status, when === 'by a fault' ? 500 : 503);
    });
  }
});

describe('a browser that has gone', () => {
  let doors: Door[] = [];
  before(async () => {
    doors = await openDoors();
  });
  after(() => stop(doors));

  for (const [what, changes] of Object.entries({
    'a code': {},
    'a page': { prompt: 'consent' },
    'an error': { prompt: 'junk' },
  })) {
    test(`before ${what} could be sent: the event says from where it came, and nothing is a fault`, async (t) => {
      const recorded = [];
      for (const { service, client, person } of doors) {
        const { storage } = service.running.services;
        const [asked, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
        const mocked = reads.map((read) => {
          const find = storage[read].bind(storage) as (...args: unknown[]) => unknown;
          return t.mock.method(storage, read, (async (...args: unknown[]) => {
            asked.resolve();
            await gone.promise;
            return find(...args);
          }) as never);
        });
        const before = (await service.events()).length;
        const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
        const serverSide = once(service.running.app.server, 'connection');
        const cookies = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
        const forwarded = 'X-Forwarded-For: 203.0.113.9';
        const path = authorizePath(client, newVerifier(), changes);
        socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookies}\r\n${forwarded}\r\n\r\n`);
        const [connection] = await serverSide;
        await asked.promise;
        socket.resetAndDestroy();
        await until(() => connection.closed, 'the connection is closed');
        gone.resolve();
        for (const { mock } of mocked) mock.restore();
        assert.equal((await person.request(authorizePath(client, newVerifier()))).status, 302);
        const own = async () =>
          (await service.events()).slice(before).filter(({ address }) => address === '203.0.113.9');
        // The next request is answered by another connection to the store, so perhaps before.
        if (what !== 'a page') await until(async () => (await own()).length === 1, 'the event is recorded');
        recorded.push((await own()).map(({ kind }) => kind));
        assert.deepEqual(
          service
            .log()
            .split('\n')
            .filter((line) => /"level":[56]0/.test(line)),
          [],
        );
      }
      assert.deepEqual(recorded[0], recorded[1]);
    });
  }
});
