// What the gate counts: what became of each check, what Latchkey has said to rechecks, requests that it hasn't answered, how many
// sessions there are, and how old the answers are that let people in.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { disableUser } from '../../src/operations/users/disable-user.ts';
import { GateVisitor, navigation, startTestGate, type TestGate } from '../harness/gate.ts';
import { type Scrape, scrape } from '../harness/metrics.ts';
import { freePort, requester, type TestService } from '../harness/service.ts';
import { until } from '../harness/until.ts';
import { type InBetween, startInBetween } from './in-between.ts';

let between: InBetween;
let service: TestService;
let gate: TestGate;
let port: number;
before(async () => {
  between = await startInBetween();
  service = between.service;
  port = await freePort();
  const application = { open: ['/open'], require: [{ paths: ['/secret'], claim: 'role', values: ['admin'] }] };
  gate = await startTestGate(service, { config: { metrics: { host: '127.0.0.1', port } }, application });
});
after(async () => {
  await gate?.stop();
  await between?.stop();
});

/** What is counted while something happens: the series that have changed, without those of the process. */
async function counted(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await scrape(port);
  await work();
  const after = await scrape(port);
  const changes = [...after.values].map(([series, value]) => [series, value - before.of(series)] as const);
  const own = changes.filter(([series, change]) => series.startsWith('latchkey_gate_') && change !== 0);
  return Object.fromEntries(own.map(([series, change]) => [series.slice('latchkey_gate_'.length), change]));
}

async function signedIn(): Promise<GateVisitor> {
  const visitor = new GateVisitor(gate, service);
  await visitor.signIn(await service.newUser());
  return visitor;
}

const oldest = (found: Scrape) => found.of('latchkey_gate_oldest_recheck_seconds');

test('checks, by what became of them', async () => {
  const visitor = await signedIn();
  const stranger = new GateVisitor(gate, service);
  for (const [result, check] of [
    ['signed_in', () => visitor.check('/')],
    ['forbidden', () => visitor.check('/secret')],
    ['open', () => stranger.check('/open')],
    ['signed_out', () => stranger.check('/')],
    ['signed_out', () => gate.check('/')],
    ['refused', () => gate.ask('/gate/check')],
    ['refused', () => gate.check('/', { headers: { 'X-Forwarded-Host': 'other.example' } })],
    ['refused', () => gate.check('/', { headers: { ...navigation, 'X-Forwarded-Proto': 'http' } })],
  ] as const) {
    assert.deepEqual(await counted(check), { [`checks_total{result="${result}"}`]: 1 });
  }
  assert.deepEqual(await counted(() => gate.ask('/gate/sign-in')), {});
});

test('rechecks, by what Latchkey has said, and requests that it has not answered', async () => {
  const visitor = await signedIn();
  const user = await service.newUser();
  const other = new GateVisitor(gate, service);
  await other.signIn(user);
  service.clock.advance(30);
  const answered = { 'rechecks_total{result="answered"}': 1, 'checks_total{result="signed_in"}': 2 };
  assert.deepEqual(
    await counted(async () => {
      await visitor.check('/');
      await visitor.check('/');
    }),
    answered,
  );
  await disableUser(service.running.services, user, requester);
  assert.deepEqual(await counted(() => other.check('/')), {
    'rechecks_total{result="refused"}': 1,
    'checks_total{result="signed_out"}': 1,
    sessions: -1,
  });
  between.answer = (_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>Wi-Fi</h1>');
  service.clock.advance(30);
  const invalid = await counted(() => visitor.check('/'));
  assert.equal(invalid['request_failures_total{reason="invalid"}'], 1);
  between.reset();
  await between.away();
  try {
    service.clock.advance(29);
    assert.deepEqual(await counted(() => visitor.check('/')), {
      'rechecks_total{result="unanswered"}': 1,
      'request_failures_total{reason="unreachable"}': 1,
      'checks_total{result="signed_in"}': 1,
      oldest_recheck_seconds: 29,
    });
    service.clock.advance(2);
    const late = await counted(() => visitor.check('/'));
    assert.equal(late['checks_total{result="unavailable"}'], 1);
  } finally {
    await between.back();
  }
  await until(async () => (await visitor.check('/')).status === 200, 'the gate asks again');
});

test('sessions, and the age of the oldest answer with which someone was let in', async () => {
  // Nobody has been let in for a minute.
  service.clock.advance(60);
  assert.equal(oldest(await scrape(port)), 0);
  const visitor = await signedIn();
  assert.equal((await counted(signedIn)).sessions, 1);
  service.clock.advance(20);
  await visitor.check('/');
  assert.equal(oldest(await scrape(port)), 20);
  service.clock.advance(59);
  assert.equal(oldest(await scrape(port)), 20, 'it only gets older when someone is let in');
  await visitor.check('/');
  assert.equal(oldest(await scrape(port)), 0);
  service.clock.advance(12 * 3600);
  assert.equal((await scrape(port)).of('latchkey_gate_sessions'), 0);
});

test('nothing else is at that port, and its series are no more for it', async () => {
  assert.equal((await fetch(`http://127.0.0.1:${port}/gate/check`)).status, 404);
  assert.equal((await gate.ask('/metrics')).status, 404);
  const { values } = await scrape(port);
  assert.ok(values.has('process_resident_memory_bytes'));
  const before = [...values.keys()];
  await gate.check('/x"y', { headers: { 'X-Forwarded-Host': 'random.example' } });
  assert.deepEqual([...(await scrape(port)).values.keys()], before);
});
