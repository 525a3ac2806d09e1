// Metrics of PostgreSQL while it is held up.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { type Scrape, scrape } from '../harness/metrics.ts';
import { queryPostgres, removeSharedPostgres, sharedPostgres } from '../harness/postgres.ts';
import { freePort, startTestService, type TestService } from '../harness/service.ts';
import { until } from '../harness/until.ts';

const inUse = 'latchkey_storage_connections{state="in_use"}';

let service: TestService;
let url: string;
let port: number;
before(async () => {
  port = await freePort();
  url = await (await sharedPostgres()).newDatabase();
  service = await startTestService({ DATABASE_URL: url, LATCHKEY_METRICS_PORT: String(port) });
});
after(async () => {
  await service?.stop();
  await removeSharedPostgres();
});

/** Does the work while nobody can read or write a table, and lets go of it as soon as the metrics show what they should. */
async function whileLocked(table: string, work: () => Promise<unknown>[], shows: (now: Scrape) => boolean) {
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  try {
    await other.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    const waiting = Promise.all(work());
    await until(async () => shows(await scrape(port)), `what waits for ${table}`);
    await other.query('ROLLBACK');
    await waiting;
  } finally {
    await other.end();
  }
}

test('writes waiting for a connection, and connections in use, are measured', async () => {
  let most: Scrape | undefined;
  await whileLocked(
    'users',
    () => Array.from({ length: 15 }, () => service.newUser()),
    (now) => {
      most = now;
      return now.of('latchkey_storage_connections_waiting') > 0;
    },
  );
  assert.equal(most?.of(inUse), most?.of('latchkey_storage_connections_max'));
  await until(async () => (await scrape(port)).of(inUse) === 0, 'all of them are idle again');
  assert.equal((await scrape(port)).of('latchkey_storage_connections_waiting'), 0);
});

test('waiting reads are measured', async () => {
  const waiting = 'latchkey_storage_queue_length{operation="read"}';
  const { storage } = service.running.services;
  const asked: Promise<unknown>[] = [];
  // One for each look, because those that are asked together share a trip.
  await whileLocked(
    'clients',
    () => asked,
    (now) => {
      asked.push(storage.findClient('nobody'));
      return now.of(waiting) > 0;
    },
  );
  await Promise.all(asked);
  assert.equal((await scrape(port)).of(waiting), 0);
});

test('retried writes are counted by reason', async () => {
  const refusals = { collision: '40001', lost_name: '26000' };
  // A sequence doesn't go back with the transaction that has taken a number from it.
  await queryPostgres(
    url,
    `CREATE SEQUENCE attempts;
     CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       IF nextval('attempts') = 1 THEN RAISE 'refused' USING ERRCODE = TG_ARGV[0]; END IF;
       RETURN NEW;
     END $$`,
  );
  for (const [reason, state] of Object.entries(refusals)) {
    const retries = async () => (await scrape(port)).of(`latchkey_storage_retries_total{reason="${reason}"}`);
    await queryPostgres(
      url,
      `ALTER SEQUENCE attempts RESTART;
       CREATE OR REPLACE TRIGGER refuses BEFORE INSERT ON users FOR EACH ROW EXECUTE FUNCTION refuse('${state}')`,
    );
    const before = await retries();
    await service.newUser();
    assert.equal((await retries()) - before, 1, reason);
  }
});
