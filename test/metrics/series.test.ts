// There are fewer than a thousand series, and no stranger can add one: there are as many after many random requests as before.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { isReleaseLane } from '../harness/lane.ts';
import { scrape } from '../harness/metrics.ts';
import { Served } from '../harness/served.ts';
import { freePort } from '../harness/service.ts';
import { sendRandomRequests } from './random-requests.ts';

const count = isReleaseLane ? 100_000 : 500;

test(`there are under 1,000 series, as many after ${count} random requests as before, and each request is counted`, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'latchkey-series-'));
  const port = await freePort();
  // A process of its own, because requests in such numbers use a whole core.
  const served = await Served.at({ LATCHKEY_METRICS_PORT: String(port), LATCHKEY_DATA_DIR: dataDir });
  await served.start();
  try {
    const before = await scrape(port);
    assert.ok(before.values.size < 1000, `${before.values.size} series`);
    await sendRandomRequests(Number(new URL(served.url).port), count);
    const after = await scrape(port);
    assert.deepEqual([...after.values.keys()], [...before.values.keys()]);
    const sum = 'latchkey_http_requests_total';
    assert.equal(after.sum(sum) - before.sum(sum), count);
    const times = 'latchkey_http_request_duration_seconds_count';
    assert.equal(after.sum(times) - before.sum(times), count);
  } finally {
    await served.end('SIGTERM');
    rmSync(dataDir, { recursive: true });
  }
});
