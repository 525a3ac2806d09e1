// Metrics with several processes: one scrape is about all of them, in bounded time, and no counter ever goes back.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { runCommand } from '../harness/command.ts';
import { scrape } from '../harness/metrics.ts';
import { Served } from '../harness/served.ts';
import { freePort } from '../harness/service.ts';
import { until } from '../harness/until.ts';

const answered = 'latchkey_http_requests_total';

/** The workers, which the process that ./latchkey has become starts, or which that one's child does. */
function processesBelow(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean)
    .map(Number);
  const [only] = children;
  return children.length === 1 && only !== undefined ? processesBelow(only) : children;
}

describe('with two workers', () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-metrics-'));
  let served: Served;
  let port: number;

  before(async () => {
    port = await freePort();
    served = await Served.at({
      LATCHKEY_DATA_DIR: folder,
      LATCHKEY_METRICS_PORT: String(port),
      LATCHKEY_WORKERS: '2',
      LATCHKEY_DRAIN_SECONDS: '1',
    });
    await served.start();
    await until(async () => (await scrape(port)).of('latchkey_processes') === 3, 'both workers are measured');
  });
  after(async () => {
    await served.end('SIGTERM');
    rmSync(folder, { recursive: true });
  });

  /** Each over a connection of its own, so that both workers get some. */
  const ask = (times: number) =>
    Promise.all(
      Array.from({ length: times }, () => fetch(`${served.url}/healthz`, { headers: { Connection: 'close' } })),
    );

  test('one scrape has the requests of both', async () => {
    const before = (await scrape(port)).sum(answered, '/healthz');
    await ask(40);
    assert.equal((await scrape(port)).sum(answered, '/healthz') - before, 40);
    const now = await scrape(port);
    assert.equal(now.sum('latchkey_build_info'), 1);
    // The primary, which listens, and the two that serve.
    assert.equal(now.of('latchkey_processes'), 3);
  });

  test('an unresponsive worker delays a scrape by a second, and its counts are kept', async () => {
    const [pid = 0] = processesBelow(served.child?.pid ?? 0);
    const before = (await scrape(port)).sum(answered, '/healthz');
    process.kill(pid, 'SIGSTOP');
    try {
      const started = performance.now();
      assert.equal((await scrape(port)).sum(answered, '/healthz'), before);
      assert.ok(performance.now() - started < 60_000, 'the scrape is bounded');
    } finally {
      process.kill(pid, 'SIGCONT');
    }
  });

  test('counters do not go back when a worker dies, and its successor is counted', async () => {
    const [pid = 0] = processesBelow(served.child?.pid ?? 0);
    await ask(20);
    const before = await scrape(port);
    process.kill(pid, 'SIGKILL');
    await until(async () => (await scrape(port)).of('latchkey_processes') === 2, 'the worker is gone');
    const gone = await scrape(port);
    for (const [series, value] of before.values) {
      if (/_(total|count|bucket)(\{|$)/.test(series)) assert.ok((gone.values.get(series) ?? 0) >= value, series);
    }
    await until(async () => (await scrape(port)).of('latchkey_processes') === 3, 'another worker is measured');
    const sum = (await scrape(port)).sum(answered, '/healthz');
    await ask(20);
    assert.equal((await scrape(port)).sum(answered, '/healthz') - sum, 20);
  });

  test('metrics are served exactly as long as workers serve', async () => {
    const ended = served.end('SIGTERM');
    await until(async () => (await fetch(`${served.url}/readyz`)).status === 503, 'the workers drain');
    assert.equal((await scrape(port)).of('latchkey_processes'), 3);
    await ended;
    await assert.rejects(scrape(port));
  });
});

test('a port in use is named, with the settings to check', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-metrics-'));
  const other = createServer();
  const port = await freePort();
  await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
  const { environment } = await Served.at({ LATCHKEY_DATA_DIR: folder, LATCHKEY_METRICS_PORT: String(port) });
  try {
    for (const workers of ['1', '2']) {
      const { status, stderr } = await runCommand(['serve'], { ...environment, LATCHKEY_WORKERS: workers });
      assert.equal(status, 1);
      assert.match(stderr, new RegExp(`can't serve metrics on port ${port} of 127.0.0.1: .*LATCHKEY_METRICS_PORT`));
    }
  } finally {
    other.close();
    rmSync(folder, { recursive: true });
  }
});
