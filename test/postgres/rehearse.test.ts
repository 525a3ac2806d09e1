// `latchkey migrate --rehearse` on PostgreSQL: an upgrade from the last release, on a copy that is made in either way.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, test } from 'node:test';
import { rehearse } from '../../src/cli/store/rehearsal/rehearse.ts';
import { readConfig } from '../../src/platform/config.ts';
import { openPostgres } from '../../src/storage/postgres/postgres.ts';
import { readMigrations } from '../../src/storage/sql/sql-storage.ts';
import { runCommand, runInOwnProcess, startCommand } from '../harness/command.ts';
import { isReleaseLane } from '../harness/lane.ts';
import { mistakes, spoil } from '../harness/mistaken-migrations.ts';
import { queryPostgres, removeSharedPostgres, sharedPostgres } from '../harness/postgres.ts';
import { freePort } from '../harness/service.ts';
import { until } from '../harness/until.ts';

/** A folder with a pg_dump that can't read the server. */
const unable = mkdtempSync(join(tmpdir(), 'latchkey-pg-dump-'));
writeFileSync(join(unable, 'pg_dump'), '#!/bin/sh\necho another version >&2\nexit 1\n', { mode: 0o755 });
after(() => rmSync(unable, { recursive: true }));
after(removeSharedPostgres);

const keys = { LATCHKEY_KEYS: randomBytes(32).toString('base64url') };
const newest = readMigrations().at(-1)?.version;
const newDatabase = async () => (await sharedPostgres()).newDatabase({ migrated: false });

/** A database as the last release, 0.3.0, leaves it. */
async function fillAsRelease(url: string): Promise<string> {
  const driver = openPostgres(url);
  await driver.migrate(readMigrations().filter(({ version }) => version <= 9));
  await driver.close();
  await queryPostgres(
    url,
    `INSERT INTO users (id, email, email_key, email_verified_at, name, given_name, password_hash, generation, created_at, updated_at)
      SELECT 'user-' || n, n || '@a.example', n || '@a.example', 5, 'Ada', 'Ada', 'hash', 2, 1, 3
      FROM generate_series(1, 1200) AS n`,
  );
  return url;
}

const tablesIn = (url: string) =>
  queryPostgres(
    url,
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace
      UNION ALL SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace`,
  );

async function rehearsal(DATABASE_URL: string, copy: string, more: Record<string, string> = {}) {
  const words = ['migrate', '--rehearse', '--copy', copy, '--json'];
  const run = more.PATH === undefined ? runCommand : runInOwnProcess;
  const { status, stdout, stderr } = await run(words, { ...keys, DATABASE_URL, ...more });
  assert.equal(status, 0, stdout + stderr);
  return JSON.parse(stdout);
}

test("the last release's database, from an export of the old schema", async () => {
  const url = await fillAsRelease(await newDatabase());
  const copy = await newDatabase();
  const dump = () =>
    queryPostgres(url, 'SELECT u::text AS row FROM users u UNION ALL SELECT s::text FROM schema_version s');
  const original = await dump();
  // The server refuses whatever would change the original.
  const readOnly = new URL(url);
  readOnly.searchParams.set('options', '-c default_transaction_read_only=on');
  const said = await rehearsal(readOnly.href, copy, { PATH: [unable, process.env.PATH].join(delimiter) });
  assert.equal(said.copied_with, 'an export (another version)');
  assert.deepEqual([said.held, said.schema_before, said.schema_after], [true, 9, newest]);
  assert.ok(said.longest_lock_wait_ms < 5000 && said.disk_bytes > 1_000_000);
  assert.ok(said.going_back.unknown.includes('webhook_endpoints'));
  assert.deepEqual(await dump(), original);
  assert.deepEqual(await tablesIn(copy), []);
});

test("this version's own database, from an export", async () => {
  const url = await (await sharedPostgres()).newDatabase();
  const said = await rehearsal(url, await newDatabase(), { PATH: [unable, process.env.PATH].join(delimiter) });
  assert.deepEqual([said.held, said.schema_before, said.schema_after], [true, newest, newest]);
});

test('what it refuses', async () => {
  const url = await fillAsRelease(await newDatabase());
  const other = await fillAsRelease(await newDatabase());
  for (const [words, complaint] of [
    [['--rehearse'], /name an empty database for the copy with --copy/],
    [['--rehearse', '--copy', url], /--copy names the store itself/],
    [['--rehearse', '--copy', url.replace('localhost', '127.0.0.1')], /--copy names the store itself/],
    [['--rehearse', '--copy', other], /the database that --copy names isn't empty/],
    [['--rehearse', '--copy', 'x.db'], /--copy must be a URL of the form postgres/],
    [['--copy', other], /--copy is for --rehearse/],
  ] as const) {
    const { status, stderr } = await runCommand(['migrate', ...words], { ...keys, DATABASE_URL: url });
    assert.notEqual(status, 0);
    assert.match(stderr, complaint);
  }
  assert.equal((await queryPostgres(other, 'SELECT COUNT(*)::int AS n FROM users'))[0]?.n, 1200);
});

test('how long requests would wait is measured', async () => {
  const url = await fillAsRelease(await newDatabase());
  const config = readConfig({ ...keys, DATABASE_URL: url });
  // Rewrites the table, with a millisecond for each of its rows.
  const sql = 'ALTER TABLE users ALTER COLUMN name TYPE TEXT USING name || pg_sleep(0.001)::text;';
  const migrations = [...readMigrations(), { version: 999, file: '999-slow.sql', sql }];
  const { longestLockWait, steps } = await rehearse(config, await newDatabase(), migrations);
  assert.ok(Number(longestLockWait) > 900, `${longestLockWait}: ${JSON.stringify(steps)}`);
});

test('an interrupted one leaves nothing in the copy', async () => {
  const url = await fillAsRelease(await newDatabase());
  const copy = await newDatabase();
  const child = startCommand(['migrate', '--rehearse', '--copy', copy], { ...keys, DATABASE_URL: url });
  const ended = new Promise((resolve) => child.once('exit', (_, signal) => resolve(signal)));
  await until(async () => (await tablesIn(copy)).length > 0, 'the copy is being made');
  child.kill('SIGTERM');
  assert.equal(await ended, 'SIGTERM');
  assert.deepEqual(await tablesIn(copy), []);
});

for (const [name, sql, problem] of mistakes('(name::json)::text')) {
  test(`a migration with a mistake: ${name}`, async () => {
    const url = await fillAsRelease(await newDatabase());
    await queryPostgres(
      url,
      "DELETE FROM users WHERE id NOT IN ('user-1', 'user-2', 'user-3'); UPDATE users SET id = translate(id, '123', 'abc')",
    );
    await queryPostgres(url, spoil);
    const copy = await newDatabase();
    const migrations = [...readMigrations(), { version: 999, file: '999-mistake.sql', sql }];
    const { steps } = await rehearse(readConfig({ ...keys, DATABASE_URL: url }), copy, migrations);
    assert.equal(steps.at(-1)?.name, 'migrate');
    assert.match(steps.at(-1)?.problem ?? '', /^Migration 999-mistake\.sql failed/);
    assert.match(steps.at(-1)?.problem ?? '', problem);
    assert.deepEqual(await tablesIn(copy), []);
  });
}

/** pg_dump reads servers up to its own version, so the server is the one that came with it. */
const major = /\d+/.exec(spawnSync('pg_dump', ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[0];
const programs = `/usr/lib/postgresql/${major}/bin`;
const skip = !isReleaseLane || !existsSync(join(programs, 'initdb')) ? 'no server of the version of pg_dump' : false;

test('with pg_dump and pg_restore', { skip }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-pg-dump-'));
  chmodSync(folder, 0o777);
  const port = await freePort();
  // A server doesn't run as root.
  const prefix = process.getuid?.() === 0 ? ['runuser', '-u', 'postgres', '--'] : [];
  const run = (...words: string[]) => {
    const [program = '', ...rest] = [...prefix, ...words];
    const { status, stderr, stdout } = spawnSync(program, rest, { encoding: 'utf8', cwd: folder });
    assert.equal(status, 0, stdout + stderr);
  };
  const [data, passwords] = [join(folder, 'data'), join(folder, 'password')];
  writeFileSync(passwords, 'secret\n');
  run(
    join(programs, 'initdb'),
    '--pgdata',
    data,
    '--username=latchkey',
    '--auth=scram-sha-256',
    '--pwfile',
    passwords,
    '--no-sync',
  );
  const options = `-F -p ${port} -c unix_socket_directories=${folder}`;
  run(join(programs, 'pg_ctl'), '--pgdata', data, '--log', join(folder, 'log'), '-w', 'start', '--options', options);
  try {
    const at = (name: string, user = 'latchkey:secret') => `postgres://${user}@localhost:${port}/${name}`;
    for (const name of ['original', 'copied']) await queryPostgres(at('postgres'), `CREATE DATABASE ${name}`);
    await fillAsRelease(at('original'));
    // Not in the URLs, of which one is an argument that others on the machine can read.
    const environment = { PGPASSWORD: 'secret', PATH: process.env.PATH ?? '' };
    const said = await rehearsal(at('original', 'latchkey'), at('copied', 'latchkey'), environment);
    assert.equal(said.copied_with, 'pg_dump');
    assert.deepEqual([said.held, said.schema_after], [true, newest]);
    assert.deepEqual(await tablesIn(at('copied')), []);
  } finally {
    run(join(programs, 'pg_ctl'), '--pgdata', data, '-m', 'immediate', 'stop');
    rmSync(folder, { recursive: true });
  }
});
