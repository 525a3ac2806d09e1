// A migration of a database that is in use: it takes its turn, nobody waits until it's done, and wherever it's ended, the next run
// continues.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { StorageUnavailable, StoreUnusable } from '../../src/storage/driver.ts';
import { examineSchema } from '../../src/storage/migrating.ts';
import { openPostgres } from '../../src/storage/postgres/postgres.ts';
import { readMigrations } from '../../src/storage/sql/sql-storage.ts';
import { queryPostgres, removeSharedPostgres, sharedPostgres } from '../harness/postgres.ts';
import { postgresSchema } from '../harness/schema-dump.ts';
import { until } from '../harness/until.ts';

after(removeSharedPostgres);

const migrations = readMigrations();
const ofPreviousRelease = migrations.filter(({ version }) => version <= 9);
const people = 1500;
let schema: readonly string[];

before(async () => {
  schema = await postgresSchema(await (await sharedPostgres()).newDatabase());
});

/** A store of the previous release with people in it, of whom every third has a second factor, and every fifth has never signed in. */
async function openFilled() {
  const url = await (await sharedPostgres()).newDatabase({ migrated: false });
  const driver = openPostgres(url);
  await driver.migrate(ofPreviousRelease);
  await queryPostgres(
    url,
    `INSERT INTO users (id, email, email_key, name, password_hash, generation, created_at, updated_at, last_active_at)
       SELECT 'u''$check$' || i, i || '@a.example', i || '@a.example', 'Ada', 'hash', 0, i, i, CASE WHEN i % 5 = 0 THEN NULL ELSE i END
       FROM generate_series(1, ${people}) i;
     INSERT INTO sessions (digest, user_id, user_generation, created_at, last_seen_at, auth_time, amr)
       SELECT 's' || i, 'u''$check$' || i, 0, i, i, i + 7, 'pwd' FROM generate_series(1, ${people}) i WHERE i % 5 > 1;
     INSERT INTO authenticators (user_id, sealed_secret, last_step, created_at)
       SELECT 'u''$check$' || i, '', 0, i FROM generate_series(1, ${people}) i WHERE i % 6 = 0;
     INSERT INTO passkeys (id, user_id, public_key, counter, transports, name, created_at)
       SELECT 'p' || i, 'u''$check$' || i, '', 0, '', '', i FROM generate_series(1, ${people}) i WHERE i % 3 = 0;
     INSERT INTO unsearchable (kind, ref) VALUES ('person', 'u''$check$1')`,
  );
  return { url, driver };
}

async function assertMigrated(url: string): Promise<void> {
  assert.deepEqual(await postgresSchema(url), schema);
  const driver = openPostgres(url);
  assert.equal((await examineSchema(driver, migrations)).kind, 'current');
  await driver.close();
  const count = async (of: string) => Number((await queryPostgres(url, `SELECT COUNT(*) AS n FROM ${of}`))[0]?.n);
  assert.equal(await count('sessions WHERE proven_at = auth_time AND kept = 1'), await count('sessions'));
  const expected = `CASE WHEN created_at % 5 = 0 THEN 0 WHEN created_at % 5 = 1 THEN created_at ELSE created_at + 7 END`;
  assert.equal(await count(`users WHERE last_sign_in_at = ${expected}`), people);
  assert.equal(await count('users WHERE has_factor = CASE WHEN created_at % 3 = 0 THEN 1 ELSE 0 END'), people);
  assert.equal(await count("unsearchable WHERE kind = 'person'"), people);
  assert.equal(await count("service_facts WHERE name = 'migration'"), 0);
}

test('a run that is ended anywhere is continued by the next', async () => {
  const { url, driver } = await openFilled();
  const observer = new pg.Client(url);
  await observer.connect();
  const place = async () => {
    const { rows } = await observer.query("SELECT value FROM service_facts WHERE name = 'migration'");
    return rows[0]?.value;
  };
  try {
    let ended = 0;
    for (let runs = 0; ; runs++) {
      const before = await place();
      const run = driver.migrate(migrations).then(
        () => 'complete' as const,
        (error) => error,
      );
      let outcome: unknown;
      void run.then((result) => {
        outcome = result;
      });
      // Some steps further each time, and somewhere within one.
      let last = before;
      let steps = 0;
      await until(async () => {
        const now = await place();
        if (now !== last) steps++;
        last = now;
        return outcome !== undefined || steps > runs % 10;
      }, 'a step is done');
      await observer.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      );
      const result = await run;
      if (result === 'complete') break;
      assert.ok(result instanceof StorageUnavailable, String(result));
      ended++;
    }
    assert.ok(ended > 5, `ended ${ended} times`);
    await assertMigrated(url);
  } finally {
    await observer.end();
    await driver.close();
  }
});

test('two runs at once take turns, and an index that an earlier one left unfinished is built again', async () => {
  const { url, driver } = await openFilled();
  const other = openPostgres(url);
  try {
    await queryPostgres(
      url,
      `ALTER DATABASE "${new URL(url).pathname.slice(1)}" SET default_transaction_isolation = 'repeatable read'`,
    );
    await queryPostgres(
      url,
      `CREATE INDEX users_with_foreign_hash_next ON users (name);
       UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'users_with_foreign_hash_next'::regclass`,
    );
    const newest = migrations.at(-1)?.version;
    assert.deepEqual(await Promise.all([driver.migrate(migrations), other.migrate(migrations)]), [newest, newest]);
    await assertMigrated(url);
  } finally {
    await Promise.all([driver.close(), other.close()]);
  }
});

test('while a fill waits for a row, nobody waits for its other rows for long', async () => {
  const { url, driver } = await openFilled();
  const [holder, request] = [new pg.Client(url), new pg.Client(url)];
  try {
    await Promise.all([holder.connect(), request.connect()]);
    await holder.query(`BEGIN; UPDATE users SET updated_at = 5 WHERE created_at = ${people}`);
    const sql = 'UPDATE users SET name = name WHERE true /* in batches of users.id */';
    const migrating = driver.migrate([...ofPreviousRelease, { version: 10, file: '010-fill.sql', sql }]);
    const waits = "SELECT 1 FROM pg_locks WHERE NOT granted AND locktype = 'transactionid'";
    await until(async () => (await request.query(waits)).rows.length > 0, 'it waits');
    await request.query("SET statement_timeout = '10s'");
    for (let count = 1; count <= 30; count++) {
      await request.query(`UPDATE users SET updated_at = ${count} WHERE created_at % 100 = ${count}`);
      await request.query('SELECT pg_sleep(0.02)');
    }
    await holder.query('COMMIT');
    assert.equal(await migrating, 10);
  } finally {
    await Promise.all([holder.end(), request.end()]);
    await driver.close();
  }
});

test('an index that took long has a minute for its swap, and one that was ended says why', async (context) => {
  const { url, driver } = await openFilled();
  const [writer, backup] = [new pg.Client(url), new pg.Client(url)];
  const replaced = { version: 10, file: '010-index.sql', sql: 'DROP INDEX slow; CREATE INDEX slow ON users (email)' };
  const added = { version: 11, file: '011-index.sql', sql: 'CREATE INDEX slower ON users (name)' };
  // An index waits for this.
  const change = 'BEGIN; UPDATE users SET updated_at = 5 WHERE created_at = 1';
  const building = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
    AND query LIKE 'CREATE INDEX CONCURRENTLY%'`;
  try {
    await Promise.all([writer.connect(), backup.connect()]);
    const isBuilding = async () => (await backup.query(building)).rows.length > 0;
    await writer.query('CREATE INDEX slow ON users (name)');
    await writer.query(change);
    const migrating = driver.migrate([...ofPreviousRelease, replaced]);
    await until(isBuilding, 'it is being built');
    const now = performance.now.bind(performance);
    context.mock.method(performance, 'now', () => now() + 120_000);
    await backup.query('BEGIN; SELECT id FROM users');
    await writer.query('COMMIT');
    const swapping = "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'users'::regclass";
    const isSwapping = async () => (await writer.query(swapping)).rows.length > 0;
    await until(isSwapping, 'it waits for the backup');
    await until(async () => !(await isSwapping()), 'it is late');
    await backup.query('COMMIT');
    assert.equal(await migrating, 10);

    await writer.query(change);
    const ended = assert.rejects(driver.migrate([...ofPreviousRelease, replaced, added]), {
      name: StorageUnavailable.name,
      message: /building of the index slower .* statement_timeout of the role/,
    });
    await until(isBuilding, 'the other one is being built');
    await backup.query(`SELECT pg_cancel_backend(pid) FROM (${building}) AS builders`);
    await ended;
  } finally {
    await Promise.all([writer.end(), backup.end()]);
    await driver.close();
  }
});

test('a step that fails leaves what was done before, and a half-done migration with another text is left alone', async () => {
  const url = await (await sharedPostgres()).newDatabase();
  const driver = openPostgres(url);
  const numbered = (sql: string) => [...migrations, { version: 999, file: '999-broken.sql', sql }];
  const broken =
    'ALTER TABLE users ADD COLUMN half TEXT; ALTER TABLE grants ADD COLUMN half TEXT; ALTER TABLE grants ADD COLUMN half TEXT';
  try {
    for (let run = 0; run < 2; run++) {
      await assert.rejects(driver.migrate(numbered(broken)), {
        name: StoreUnusable.name,
        message:
          /^Migration 999-broken\.sql failed: column "half" of relation "grants" already exists\. What it did before stays/,
      });
    }
    await assert.rejects(
      driver.migrate(numbered(`${broken}_too`)),
      /in the middle of migration 999, which another version/,
    );
    const halves = await queryPostgres(
      url,
      "SELECT table_name FROM information_schema.columns WHERE column_name = 'half'",
    );
    assert.deepEqual(halves, [{ table_name: 'users' }]);
    assert.equal((await examineSchema(driver, migrations)).kind, 'current');
  } finally {
    await driver.close();
  }
});

test('while a backup reads the tables, a migration waits and requests continue', async () => {
  const url = await (await sharedPostgres()).newDatabase({ migrated: false });
  const driver = openPostgres(url);
  const [backup, request] = [new pg.Client(url), new pg.Client(url)];
  try {
    await driver.migrate(ofPreviousRelease);
    await Promise.all([backup.connect(), request.connect()]);
    await backup.query('BEGIN');
    await backup.query('SELECT id FROM users');
    const migrating = driver.migrate(migrations);
    for (let count = 0; count < 10; count++) {
      // The backup goes on from table to table, and ends after all of these requests: if the migration kept a lock while it waits,
      // they would wait for it forever.
      await backup.query(`SELECT id FROM ${['grants', 'clients'][count % 2]}`);
      await request.query(
        'SELECT g.id FROM grants g JOIN clients c ON c.id = g.client_id JOIN users u ON u.id = g.user_id',
      );
      assert.equal(await Promise.race([migrating, Promise.resolve('waiting')]), 'waiting');
      await request.query('SELECT pg_sleep(0.05)');
    }
    await backup.query('COMMIT');
    assert.equal(await migrating, migrations.at(-1)?.version);
    assert.deepEqual(await postgresSchema(url), schema);
  } finally {
    await Promise.all([backup.end(), request.end()]);
    await driver.close();
  }
});
