// W3C Trace Context without an SDK: the trace that a request names is in its log entries and in its events.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { newKey } from '../harness/api.ts';
import { formIn, Person } from '../harness/person.ts';
import { startTestService, type TestService } from '../harness/service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

const newTrace = () => {
  const traceId = randomBytes(16).toString('hex');
  return { traceId, traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01` };
};

const refresh = (headers: Record<string, string>) =>
  fetch(`${service.url}/oauth/token`, {
    method: 'POST',
    headers,
    body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x', client_id: 'nobody' }),
  });

interface Entry {
  readonly reqId?: string;
  readonly trace_id?: string;
  readonly msg: string;
}
const entriesOf = (requestId: string | null): Entry[] =>
  service
    .log()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Entry)
    .filter(({ reqId }) => reqId === requestId);

describe('a trace that a request names', () => {
  test('is in the log entries and events of an OAuth endpoint', async () => {
    const { traceId, traceparent } = newTrace();
    const response = await refresh({ traceparent });
    const entries = entriesOf(response.headers.get('x-request-id'));
    assert.ok(entries.length > 0);
    for (const entry of entries) assert.equal(entry.trace_id, traceId);
    const [event] = (await service.events('client_authentication_failed')).slice(-1);
    assert.equal(event?.traceId, traceId);
  });

  test('is in the log entries and events of a page', async () => {
    const { traceId, traceparent } = newTrace();
    const user = await service.newUser();
    const person = new Person(service);
    const form = await formIn(await person.visit('/sign-in'));
    const body = new URLSearchParams({ ...form.fields, email: user.email, password: user.password });
    const response = await person.request('/sign-in', { method: 'POST', body, headers: { traceparent } });
    for (const entry of entriesOf(response.headers.get('x-request-id'))) assert.equal(entry.trace_id, traceId);
    const [event] = (await service.events('signed_in')).slice(-1);
    assert.equal(event?.traceId, traceId);
  });

  test('can be used to find events in the API and the console', async () => {
    const { traceId, traceparent } = newTrace();
    await refresh({ traceparent });
    await refresh({ traceparent: newTrace().traceparent });
    const key = await newKey(service);
    const response = await fetch(`${service.url}/api/events?reference=${traceId}`, { headers: key.headers('GET') });
    const { data } = (await response.json()) as { data: { items: { kind: string; trace_id: string }[] } };
    assert.deepEqual(
      data.items.map(({ kind, trace_id }) => [kind, trace_id]),
      [['client_authentication_failed', traceId]],
    );
    const administrator = new Person(service);
    await administrator.signIn(await service.newUser({ admin: true }));
    const page = await (await administrator.visit(`/admin/events?reference=${traceId}`)).text();
    assert.match(page, new RegExp(`Trace ID</dt>\\s*<dd><code>${traceId}</code>`));
  });
});

describe('a traceparent that is not valid', () => {
  for (const traceparent of ['x'.repeat(55), `00-${'0'.repeat(32)}-${'1'.repeat(16)}-01`, '00-secret-of-mine-01']) {
    test(`${traceparent.slice(0, 20)}… is ignored and never logged`, async () => {
      const response = await refresh({ traceparent });
      for (const entry of entriesOf(response.headers.get('x-request-id'))) assert.equal(entry.trace_id, undefined);
      const [event] = (await service.events('client_authentication_failed')).slice(-1);
      assert.equal(event?.traceId, undefined);
      assert.equal(service.log().includes(traceparent), false);
    });
  }
});
