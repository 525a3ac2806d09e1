// Metrics of the embedded store while another process writes.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { scrape } from '../harness/metrics.ts';
import { freePort, startTestService, type TestService } from '../harness/service.ts';
import { until } from '../harness/until.ts';

let service: TestService;
let port: number;
before(async () => {
  port = await freePort();
  service = await startTestService({ LATCHKEY_METRICS_PORT: String(port) });
});
after(() => service.stop());

test('waiting and retried writes are measured', async () => {
  const waiting = 'latchkey_storage_queue_length{operation="write"}';
  const retries = 'latchkey_storage_retries_total{reason="busy"}';
  const before = (await scrape(port)).of(retries);
  const other = new DatabaseSync(join(service.dataDir, 'latchkey.db'));
  other.exec('BEGIN IMMEDIATE');
  const created = [1, 2, 3].map(() => service.newUser());
  await until(async () => (await scrape(port)).of(waiting) >= 3, 'they wait');
  other.exec('ROLLBACK');
  other.close();
  await Promise.all(created);
  const after = await scrape(port);
  assert.ok(after.of(retries) > before);
  assert.equal(after.of('latchkey_storage_errors_total{operation="write",error="unavailable"}'), 0);
  await until(async () => (await scrape(port)).of(waiting) === 0, 'nothing waits any longer');
});
