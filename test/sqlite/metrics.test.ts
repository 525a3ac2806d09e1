// Metrics of the embedded store: while another process writes, and of changes that have to be undone.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { nobody } from '../../src/storage/driver.ts';
import { readMigrations } from '../../src/storage/sql/sql-storage.ts';
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts';
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

test('changes that share a transaction with one that has to be undone are made again, and counted', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-'));
  const again: string[] = [];
  const driver = openSqlite(join(folder, 'latchkey.db'), {
    observer: { ...nobody, retried: (reason) => again.push(reason) },
  });
  try {
    await driver.migrate(readMigrations());
    const note = (name: string) => ({ sql: 'INSERT INTO service_facts (name, value) VALUES ($1, $1)', params: [name] });
    const nothing = {
      sql: 'UPDATE service_facts SET value = $1 WHERE false RETURNING name',
      params: ['x'],
      mustReturn: true,
    };
    const alone = await Promise.all([driver.write([note('one'), note('two')])]);
    assert.deepEqual([alone.length, again], [1, []]);
    const [kept, refused] = await Promise.all([driver.write([note('kept')]), driver.write([note('gone'), nothing])]);
    assert.notEqual(kept, undefined);
    assert.equal(refused, undefined);
    assert.deepEqual(again, ['failed_batch']);
    const names = await driver.read(
      "SELECT name FROM service_facts WHERE name IN ('one', 'two', 'kept', 'gone') ORDER BY name",
      [],
    );
    assert.deepEqual(
      names.map(({ name }) => name),
      ['kept', 'one', 'two'],
    );
  } finally {
    await driver.close();
    rmSync(folder, { recursive: true });
  }
});
