// `latchkey restore` into a database: all of it or nothing, and with what has happened since in the earlier one.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { runCommand, startCommand } from '../harness/command.ts';
import { queryPostgres, removeSharedPostgres, sharedPostgres } from '../harness/postgres.ts';
import { startTestService } from '../harness/service.ts';
import { until } from '../harness/until.ts';

const folder = mkdtempSync(join(tmpdir(), 'latchkey-postgres-restore-'));
const LATCHKEY_KEYS_FILE = join(folder, 'keys');
const backup = join(folder, 'backup.jsonl');
let original: Record<string, string>;

const newDatabase = async (migrated = true) => ({
  DATABASE_URL: await (await sharedPostgres()).newDatabase({ migrated }),
  LATCHKEY_KEYS_FILE,
});

async function run(environment: Record<string, string>, ...words: string[]): Promise<string> {
  const { status, stdout, stderr } = await runCommand(words, environment);
  assert.equal(status, 0, `${words.join(' ')}: ${stderr}`);
  return stdout;
}

const people = async ({ DATABASE_URL = '' }) =>
  (await queryPostgres(DATABASE_URL, 'SELECT email FROM users ORDER BY email')).map(({ email }) => email);

before(async () => {
  original = await newDatabase();
  for (const name of ['ann', 'bob', 'cyd']) {
    await run(original, 'user', 'create', '--email', `${name}@a.example`, '--name', name);
  }
  await queryPostgres(
    original.DATABASE_URL ?? '',
    `INSERT INTO sessions (digest, user_id, user_generation, created_at, last_seen_at, auth_time, amr, proven_at, kept, trusted)
      SELECT 'd', id, 0, 1, 1, 1, 'pwd', 1, 1, 0 FROM users WHERE email LIKE 'ann%'`,
  );
  const { id } = JSON.parse(await run(original, 'webhook', 'create', 'https://hooks.example/x', '--json'));
  await run(original, 'webhook', 'create', 'https://hooks.example/y');
  await run(original, 'backup', backup);
  await run(original, 'webhook', 'rotate-secret', id);
  await queryPostgres(
    original.DATABASE_URL ?? '',
    "UPDATE webhook_endpoints SET disabled_at = 1 WHERE url LIKE '%/y'; INSERT INTO revoked_tokens VALUES ('token', 1)",
  );
  await run(original, 'user', 'delete', 'bob@a.example', '--yes');
  await run(original, 'user', 'disable', 'cyd@a.example');
});
after(() => rmSync(folder, { recursive: true }));
after(removeSharedPostgres);

test('an empty database gets the backup, without what has ended, and deletions of the earlier one', async () => {
  const target = await newDatabase(false);
  const arguments_ = ['restore', backup, '--replaces', original.DATABASE_URL ?? '', '--keep-revocations', '--json'];
  const dry = JSON.parse(await run(target, ...arguments_, '--dry-run'));
  assert.deepEqual(await people(target), [], 'a dry run changes nothing');
  const { since_backup, ...restored } = JSON.parse(await run(target, ...arguments_));
  assert.deepEqual(dry.since_backup, since_backup);
  // The next version has migrated it, and this one can still read it.
  const changeOriginal = (sql: string) => queryPostgres(original.DATABASE_URL ?? '', sql);
  await changeOriginal("INSERT INTO schema_version (version, checksum) VALUES (9999, 'x')");
  const newer = JSON.parse(await run(await newDatabase(), ...arguments_, '--dry-run'));
  await changeOriginal('DELETE FROM schema_version WHERE version = 9999');
  assert.deepEqual(newer.since_backup, since_backup);
  assert.equal(restored.people, 2);
  assert.deepEqual(
    since_backup.deleted.map(({ name }: { name: string }) => name),
    ['bob@a.example'],
  );
  assert.deepEqual(
    since_backup.people_disabled.map(({ name }: { name: string }) => name),
    ['cyd@a.example'],
  );
  assert.deepEqual([since_backup.webhook_secrets_rotated.length, since_backup.webhooks_disabled.length], [1, 1]);
  for (const sql of [
    'SELECT id, sealed, ends_at FROM webhook_secrets ORDER BY id',
    'SELECT id FROM webhook_endpoints WHERE disabled_at IS NULL',
    'SELECT token_id FROM revoked_tokens',
  ]) {
    assert.deepEqual(
      await queryPostgres(target.DATABASE_URL, sql),
      await queryPostgres(original.DATABASE_URL ?? '', sql),
      sql,
    );
  }
  assert.deepEqual(await people(target), ['ann@a.example', 'cyd@a.example']);
  assert.deepEqual(await queryPostgres(target.DATABASE_URL, 'SELECT 1 FROM sessions'), []);
  const [cyd] = await queryPostgres(target.DATABASE_URL, "SELECT disabled_at FROM users WHERE email LIKE 'cyd%'");
  assert.ok(cyd?.disabled_at);
});

test('without the earlier database, nothing is known of what has happened since', async () => {
  const target = await newDatabase();
  assert.match(
    await run(target, 'restore', backup, '--keep-sessions'),
    /Nothing is known .*: it wasn't named \(--replaces\)/,
  );
  assert.deepEqual(await people(target), ['ann@a.example', 'bob@a.example', 'cyd@a.example']);
  assert.equal((await queryPostgres(target.DATABASE_URL, 'SELECT 1 FROM sessions')).length, 1);
});

test('a database that has something in it, or in which an instance runs, is refused', async () => {
  const refusal = async (environment: Record<string, string>, ...more: string[]) =>
    (await runCommand(['restore', backup, ...more], environment)).stderr;
  assert.match(await refusal(original), /the database isn't empty/);
  const foreign = await newDatabase(false);
  await queryPostgres(foreign.DATABASE_URL, 'CREATE TABLE orders (id INT)');
  assert.match(await refusal(foreign), /the database isn't empty.* Something else is in it\./);
  assert.equal(
    (await queryPostgres(foreign.DATABASE_URL, "SELECT 1 FROM pg_tables WHERE schemaname = 'public'")).length,
    1,
  );
  const running = await newDatabase();
  const service = await startTestService(running);
  assert.match(await refusal(running), /Latchkey is running on this store/);
  assert.match(
    await refusal(await newDatabase(), '--replaces', running.DATABASE_URL),
    /Latchkey is running on this store/,
  );
  await service.stop();
});

test('a kill in the middle leaves the database empty', async () => {
  const target = await newDatabase();
  // What the restore has to wait for, after it has written people.
  await queryPostgres(
    target.DATABASE_URL,
    `CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(600); RETURN NEW; END';
      CREATE TRIGGER slow BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION slow()`,
  );
  const child = startCommand(['restore', backup], target);
  const isWaiting = async () =>
    (
      await queryPostgres(
        target.DATABASE_URL,
        "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()",
      )
    ).length > 0;
  await until(isWaiting, 'it writes events');
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
  await queryPostgres(
    target.DATABASE_URL,
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()",
  );
  assert.deepEqual(await people(target), []);
  await queryPostgres(target.DATABASE_URL, 'DROP TRIGGER slow ON events');
  await run(target, 'restore', backup);
  assert.equal((await people(target)).length, 3);
});

test('a copy of an embedded store can’t be restored into a database', async () => {
  const embedded = { LATCHKEY_DATA_DIR: join(folder, 'embedded'), LATCHKEY_KEYS_FILE };
  await run(embedded, 'group', 'create', 'Staff');
  const copy = join(folder, 'copy.db');
  await run(embedded, 'backup', copy);
  const { stderr } = await runCommand(['restore', copy], await newDatabase());
  assert.match(stderr, /is a copy of an embedded store\. Restore it without DATABASE_URL/);
});
