// A migration on a database that is in use: it takes its turn, and nobody waits until it's done.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { openPostgres } from '../../src/storage/postgres/postgres.ts';
import { readMigrations } from '../../src/storage/sql/sql-storage.ts';
import { removeSharedPostgres, sharedPostgres } from '../harness/postgres.ts';

after(removeSharedPostgres);

const migrations = readMigrations();

test('while a backup reads the tables, a migration waits and requests continue', async () => {
  const url = await (await sharedPostgres()).newDatabase({ migrated: false });
  const driver = openPostgres(url);
  const [backup, request] = [new pg.Client(url), new pg.Client(url)];
  try {
    await driver.migrate(migrations.filter(({ version }) => version <= 9));
    await Promise.all([backup.connect(), request.connect()]);
    await backup.query('BEGIN');
    await backup.query('SELECT id FROM users');
    const migrating = driver.migrate(migrations);
    for (let count = 0; count < 10; count++) {
      // Tables that the migration locks before the one that it can't have. The backup ends after all of these requests, so
      // the first one would wait forever if the migration kept its locks while it waits.
      await request.query(
        'SELECT g.id FROM grants g JOIN clients c ON c.id = g.client_id JOIN users u ON u.id = g.user_id',
      );
      assert.equal(await Promise.race([migrating, Promise.resolve('waiting')]), 'waiting');
      await request.query('SELECT pg_sleep(0.05)');
    }
    await backup.query('COMMIT');
    assert.equal(await migrating, migrations.at(-1)?.version);
  } finally {
    await Promise.all([backup.end(), request.end()]);
    await driver.close();
  }
});
