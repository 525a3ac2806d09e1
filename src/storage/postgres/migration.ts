// Migrates a database while instances of the previous version serve requests from it. A migration changes one table after
// the other, and a request reads several: if each held what the other waits for, PostgreSQL would fail one of them. So all
// tables are locked first, and if that takes too long, the locks are given back and the requests that waited go first.

import type pg from 'pg';
import { type Migration, type Row, StorageUnavailable } from '../driver.ts';
import { applyMigrations, type MigrationSession, readApplied } from '../migrating.ts';
import type { Connections } from './connections.ts';
import { stateOf, storageError } from './errors.ts';

/** Any number that nothing else in the database uses as a lock. */
const migrationLock = 7_288_301;
/** In milliseconds. PostgreSQL looks for deadlocks after a second. */
const lockWait = 300;
/** A backup or a forgotten transaction can hold a table for hours. */
const patience = 60_000;
const queryCanceled = '57014';

export async function migrateDatabase(
  connections: Connections,
  migrations: readonly Migration[],
  onStep?: () => void,
): Promise<number> {
  const deadline = performance.now() + patience;
  for (;;) {
    try {
      const version = await connections.withPatience((connection) => migrateOnce(connection, migrations, onStep));
      if (version !== 'in use') return version;
    } catch (error) {
      throw storageError(error);
    }
    if (performance.now() > deadline) {
      throw new StorageUnavailable(
        `another transaction has kept the tables in use for ${patience / 1000} s; is a backup running? Try again later`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, lockWait));
  }
}

async function migrateOnce(
  connection: pg.Client,
  migrations: readonly Migration[],
  onStep?: () => void,
): Promise<number | 'in use'> {
  await connection.query('BEGIN');
  // Instances that start together take turns.
  await connection.query(`SELECT pg_advisory_xact_lock(${migrationLock})`);
  if (!(await lockTables(connection, migrations))) return 'in use';
  const session: MigrationSession = {
    engine: 'server',
    run: (script) => connection.query(script),
    all: async (sql, params) => (await connection.query<Row>(sql, [...params])).rows,
    translated: storageError,
  };
  const version = await applyMigrations(session, migrations, onStep);
  await connection.query('COMMIT');
  return version;
}

/** Locks what the missing migrations change. False if something else has kept it in use. */
async function lockTables(connection: pg.Client, migrations: readonly Migration[]): Promise<boolean> {
  const { rows: tables } = await connection.query<{ name: string }>(
    'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename',
  );
  const names = tables.map(({ name }) => name);
  const applied = names.includes('schema_version')
    ? readApplied((await connection.query<Row>('SELECT version, checksum FROM schema_version')).rows)
    : [];
  const missing = migrations.filter(({ version }) => !applied.some((one) => one.version === version));
  const words = new Set(missing.flatMap(({ sql }) => sql.match(/\w+/g) ?? []));
  const changed = names.filter((name) => words.has(name));
  if (changed.length === 0) return true;
  try {
    await connection.query(`SET LOCAL statement_timeout = ${lockWait}`);
    await connection.query(`LOCK TABLE ${changed.join(', ')} IN ACCESS EXCLUSIVE MODE`);
    await connection.query('SET LOCAL statement_timeout TO DEFAULT');
    return true;
  } catch (error) {
    if (stateOf(error) === queryCanceled) return false;
    throw error;
  }
}
