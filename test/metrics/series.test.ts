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
import { until } from '../harness/until.ts';
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
    let after = await scrape(port);
    assert.deepEqual([...after.values.keys()], [...before.values.keys()]);
    for (const family of ['latchkey_http_requests_total', 'latchkey_http_request_duration_seconds_count']) {
      const counted = () => after.sum(family) - before.sum(family);
      // A request is counted once its response has left, which the client may see first.
      await until(async () => {
        after = await scrape(port);
        return counted() >= count;
      }, `${count} are counted`);
      assert.equal(counted(), count);
    }
  } finally {
    await served.end('SIGTERM');
    rmSync(dataDir, { recursive: true });
  }
});
