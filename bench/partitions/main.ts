// node bench/partitions/main.ts [PEOPLE] [GRANTS] [EVENTS]; 0 leaves a table out: how far one PostgreSQL goes with `grants` and `events` as they are,
// divided by a hash of the id, and divided by the time in it. One layout at a time is filled, measured and dropped, so that
// the disk needs room for one. Takes an hour and about 40 GB at full size; the report goes to stdout as Markdown, progress to
// stderr. docs/scaling.md discusses the results.

import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import pg from 'pg';
import { openPostgres } from '../../src/storage/postgres/postgres.ts';
import { readMigrations } from '../../src/storage/sql/sql-storage.ts';
import { startPostgres } from '../../test/harness/postgres.ts';
import {
  createTable,
  DAY,
  fillClients,
  fillPeople,
  fillRows,
  type Layout,
  type Size,
  type TableName,
} from './layouts.ts';
import {
  type Costs,
  costsOf,
  count,
  type LookUps,
  type PlanFacts,
  partitionsOf,
  plansOf,
  type Swept,
} from './measure.ts';

const [people = 10_000_000, grants = 50_000_000, events = 20_000_000] = process.argv.slice(2).map(Number);
const size: Size = { people, grants, events, end: Math.floor(Date.now() / DAY) * DAY };

// Vacuum runs when it is measured. Without a standby, a table that is created and filled in one transaction isn't logged.
const settings = [
  'wal_level=minimal',
  'max_wal_senders=0',
  'max_wal_size=6GB',
  'shared_buffers=1GB',
  'autovacuum=off',
  'maintenance_work_mem=1GB',
  'max_parallel_maintenance_workers=1',
  'jit=off',
  'checkpoint_timeout=30min',
];
const server = await startPostgres({ durable: true, settings });
process.once('exit', () => rmSync(dirname(server.dataDir), { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    process.kill(server.pid, 'SIGKILL');
    process.exit(130);
  });
}
try {
  const url = await server.newDatabase({ migrated: false });
  const driver = openPostgres(url);
  await driver.migrate(readMigrations());
  await driver.close();
  const connection = new pg.Client({ connectionString: url });
  // A run that is broken off ends the server first.
  connection.on('error', () => {});
  await connection.connect();
  await conduct(connection, url);
  await connection.end();
} finally {
  await server.remove();
}

async function conduct(connection: pg.Client, url: string): Promise<void> {
  const { rows } = await connection.query('SHOW server_version');
  print(`PostgreSQL ${rows[0].server_version}, ${people} people, ${grants} grants, ${events} events\n`);
  if (grants > 0) await fillUsers(connection);
  for (const table of (['grants', 'events'] as const).filter((each) => size[each] > 0)) {
    const indexes = await indexesOf(connection, table);
    await connection.query(`CREATE TABLE ${table}_columns (LIKE ${table} INCLUDING DEFAULTS)`);
    for (const layout of ['plain', 'time', 'hash'] as const) {
      const filled = await fill(connection, table, layout, indexes);
      const plans = await plansOf(connection, table, size);
      report(table, layout, filled, plans, await costsOf(connection, url, table, size, layout === 'time'));
    }
    await connection.query(`DROP TABLE ${table}`);
    await createTable(connection, table, 'plain', size);
    await connection.query(`ALTER TABLE ${table} ADD PRIMARY KEY (id)`);
  }
}

/** Without the indexes of the console's lists, which no statement here uses. */
async function fillUsers(connection: pg.Client): Promise<void> {
  const { rows } = await connection.query(
    `SELECT indexname FROM pg_indexes WHERE tablename = 'users' AND indexname NOT IN (SELECT conname FROM pg_constraint)`,
  );
  for (const { indexname } of rows) await connection.query(`DROP INDEX ${indexname}`);
  await connection.query('ALTER TABLE users DROP CONSTRAINT users_pkey, DROP CONSTRAINT users_email_key_key');
  await connection.query(`BEGIN; TRUNCATE users; ${fillPeople(size)}; ALTER TABLE users ADD PRIMARY KEY (id); COMMIT`);
  await connection.query(fillClients(size));
  await connection.query('VACUUM ANALYZE users');
  await connection.query('VACUUM ANALYZE clients');
  say(`${people} people`);
}

async function indexesOf(connection: pg.Client, table: TableName): Promise<string[]> {
  const { rows } = await connection.query(
    `SELECT indexdef FROM pg_indexes WHERE tablename = '${table}' AND indexname <> '${table}_pkey'`,
  );
  return rows.map(({ indexdef }) => indexdef);
}

interface Filled {
  readonly seconds: number;
  readonly vacuumSeconds: number;
  readonly heap: number;
  readonly indexes: number;
}

async function fill(
  connection: pg.Client,
  table: TableName,
  layout: Layout,
  indexes: readonly string[],
): Promise<Filled> {
  const started = performance.now();
  await connection.query('BEGIN');
  await createTable(connection, table, layout, size);
  await connection.query(fillRows(table, size));
  say(`${table}, ${layout}: rows after ${secondsSince(started)} s`);
  await connection.query(`ALTER TABLE ${table} ADD PRIMARY KEY (id)`);
  for (const index of indexes) await connection.query(index);
  await connection.query('COMMIT');
  const seconds = secondsSince(started);
  const vacuumStarted = performance.now();
  await connection.query(`VACUUM ANALYZE ${table}`);
  const vacuumSeconds = secondsSince(vacuumStarted);
  say(`${table}, ${layout}: filled after ${seconds} s, first vacuum ${vacuumSeconds} s`);
  const total = (what: string) =>
    count(
      connection,
      `SELECT sum(${what}(oid)) FROM pg_class WHERE relkind = 'r' AND relname ~ '^${table}(_[0-9]+)?$'`,
    );
  return { seconds, vacuumSeconds, heap: await total('pg_table_size'), indexes: await total('pg_indexes_size') };
}

function report(table: TableName, layout: Layout, filled: Filled, plans: readonly PlanFacts[], costs: Costs): void {
  const { lookUp, lookUpGeneric, updates, sweep, sweepByArray, dropped, vacuum } = costs;
  print(`\n### ${table}, ${layout} (${partitionsOf(table, layout)})\n`);
  print(
    `- size: ${gigabytes(filled.heap)} and ${gigabytes(filled.indexes)} of indexes; filled in ${filled.seconds} s, ` +
      `first vacuum ${filled.vacuumSeconds} s`,
  );
  if (lookUp && lookUpGeneric && updates) {
    print(`- userinfo, random ids: ${lookUpText(lookUp)}; with generic plans: ${lookUpText(lookUpGeneric)}`);
    print(
      `- "last used": ${Math.round(updates.microseconds)} µs and ${Math.round(updates.log)} bytes of log each, ` +
        `${Math.round(updates.heapOnly)}% heap-only`,
    );
  }
  print(`- sweep: ${sweptText(sweep)}; with an array of ids: ${sweptText(sweepByArray)}`);
  print(
    `- vacuum afterwards: ${vacuum.seconds.toFixed(1)} s for ${vacuum.dead} dead rows, ${megabytes(vacuum.log)} of log`,
  );
  if (dropped) {
    print(
      `- a partition dropped: ${dropped.rows} rows in ${dropped.milliseconds.toFixed(0)} ms, ` +
        `${megabytes(dropped.log)} of log`,
    );
  }
  print('\n| statement | scans | partitions read | pages | planned in | carried out in |\n|---|---|---|---|---|---|');
  for (const { what, scans, read, pages, planMs, runMs } of plans) {
    print(`| ${what} | ${scans} | ${read} | ${pages} | ${planMs.toFixed(2)} ms | ${runMs.toFixed(2)} ms |`);
  }
}

function lookUpText({ p50, p99, perSecond }: LookUps): string {
  const alone = `half within ${p50.toFixed(2)} ms, 99% within ${p99.toFixed(2)} ms`;
  return `${alone}, 64 at a time ${Math.round(perSecond)} a second`;
}

function sweptText({ rows, perSecond, log }: Swept): string {
  return `${rows} rows, ${Math.round(perSecond)} a second, ${Math.round(log)} bytes of log each`;
}

function secondsSince(started: number): number {
  return Math.round((performance.now() - started) / 1000);
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function say(progress: string): void {
  process.stderr.write(`${progress}\n`);
}
