// Migrates a database while instances of the previous version serve requests from it, one step after the other. A step waits for a
// table for less time than anyone notices, because requests that come meanwhile wait behind it, and what comes next is stored with
// each: a run that ends early, however it ends, is continued by the next.

import pg from 'pg';
import { MINUTE } from '../../protocol/durations.ts';
import { messageOf } from '../../protocol/reading/caught-errors.ts';
import { advisoryLocks, type Migration, type Row, StorageUnavailable, StoreUnusable } from '../driver.ts';
import {
  applyMigrations,
  checksumOf,
  judgeSchema,
  type MigrationSession,
  readApplied,
  versionOf,
} from '../migrating.ts';
import type { Connections } from './connections.ts';
import { isCollision, stateOf, storageError } from './errors.ts';
import { type MigrationStep, nextName, serverStatements, stepsOf } from './migration-steps.ts';

/** In milliseconds. PostgreSQL looks for deadlocks after a second. */
const lockWait = 300;
/** For locks that no request waits for. PostgreSQL ends an automatic vacuum that has one after a second. */
const quietWait = 5000;
/** A backup or a forgotten transaction can hold a table for hours. */
const patience = MINUTE;
/** In milliseconds: a batch keeps its rows for so long, or gives them back. */
const batchWait = 800;
const [smallestBatch, firstBatch, largestBatch] = [10, 200, 5000];
/** No lock in time, and no time left. */
const isLate = /^(55P03|57014)$/;

const storedPlace = "SELECT value FROM service_facts WHERE name = 'migration'";

/** What comes next: the step of the migration, and in a fill the key, in hexadecimal, up to which it's done. */
interface Place {
  readonly version: number;
  readonly checksum: string;
  readonly step: number;
  readonly after: string;
}

export async function migrateDatabase(
  connections: Connections,
  migrations: readonly Migration[],
  onStep: () => void = () => {},
): Promise<number> {
  try {
    return await connections.withPatience(async (turn) => {
      await takeTurn(turn);
      return connections.withPatience((connection, isOwnProcess) =>
        migrate({ connection, isOwnProcess, isSpread: connections.isSpread }, migrations, onStep),
      );
    });
  } catch (error) {
    throw storageError(error);
  }
}

/**
 * Instances that start together take turns, each for as long as its connection lasts. They don't wait within a statement, because
 * PostgreSQL builds no index while an earlier statement is running, or a transaction of which all statements see the same.
 */
export async function takeTurn(connection: pg.Client): Promise<void> {
  for (;;) {
    await connection.query('BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL idle_in_transaction_session_timeout = 0');
    const { rows } = await connection.query<{ taken: boolean }>(
      `SELECT pg_try_advisory_xact_lock(${advisoryLocks.migrationRun}) AS taken`,
    );
    if (rows[0]?.taken === true) return;
    await connection.query('ROLLBACK');
    await rest(lockWait);
  }
}

interface Session {
  readonly connection: pg.Client;
  readonly isOwnProcess: boolean;
  /** Whether some tables can be on other servers. */
  readonly isSpread: boolean;
}

async function migrate(session: Session, migrations: readonly Migration[], onStep: () => void): Promise<number> {
  const { connection, isOwnProcess } = session;
  // Behind a pooler, the next client would get a setting of the session: an index then waits for as long as it takes.
  if (isOwnProcess) await connection.query(`SET lock_timeout = ${patience}; SET statement_timeout = 0`);
  if (await createSchema(connection, migrations, onStep)) return migrations.at(-1)?.version ?? 0;
  const applied = await readVersions(connection);
  const state = judgeSchema(applied, migrations, 0);
  if (state.kind === 'unusable') throw new StoreUnusable(state.sentence);
  for (const migration of migrations) {
    if (applied.some(({ version }) => version === migration.version)) continue;
    await new Run(session, migration).finish();
    onStep();
  }
  return Math.max(versionOf(applied), migrations.at(-1)?.version ?? 0);
}

/** An empty database isn't in use, so that's one transaction. False if it isn't empty. */
async function createSchema(connection: pg.Client, migrations: readonly Migration[], onStep: () => void) {
  await connection.query('BEGIN');
  const isEmpty = (await readVersions(connection)).length === 0;
  const session: MigrationSession = {
    engine: 'server',
    run: (script) => connection.query(script),
    all: async (sql, params) => (await connection.query<Row>(sql, [...params])).rows,
    translated: storageError,
  };
  if (isEmpty) await applyMigrations(session, migrations, onStep);
  await connection.query('COMMIT');
  return isEmpty;
}

async function readVersions(connection: pg.Client) {
  const { rows } = await connection.query("SELECT to_regclass('schema_version') IS NOT NULL AS exists");
  if (rows[0]?.exists !== true) return [];
  return readApplied((await connection.query<Row>('SELECT version, checksum FROM schema_version')).rows);
}

/** What's left of one migration. */
class Run {
  readonly #connection: pg.Client;
  readonly #isSpread: boolean;
  readonly #migration: Migration;
  readonly #start: Place;
  #batchSize = firstBatch;

  constructor({ connection, isSpread }: Session, migration: Migration) {
    this.#connection = connection;
    this.#isSpread = isSpread;
    this.#migration = migration;
    this.#start = { version: migration.version, checksum: checksumOf(migration), step: 0, after: '' };
  }

  async finish(): Promise<void> {
    const steps = stepsOf(this.#migration);
    /** From the first try that was late: what was done before may have taken hours. */
    let deadline: number | undefined;
    for (;;) {
      const stored = await this.#stored();
      if (stored === 'done') return;
      const place = this.#placeOf(stored);
      try {
        const step = steps[place.step];
        if (step === undefined) await this.#record(stored);
        else await this.#take(step, place, stored);
        deadline = undefined;
      } catch (error) {
        // After an error within a transaction, it's still open.
        if (error instanceof pg.DatabaseError) await this.#connection.query('ROLLBACK');
        this.#resize(Number.POSITIVE_INFINITY);
        deadline ??= performance.now() + patience;
        await this.#waitAfter(error, deadline);
      }
    }
  }

  async #waitAfter(error: unknown, deadline: number): Promise<void> {
    if (!isLate.test(stateOf(error) ?? '') && !isCollision(error)) {
      const known = storageError(error);
      if (known instanceof StorageUnavailable) throw known;
      const sentence = `Migration ${this.#migration.file} failed: ${known.message}. What it did before stays, and the next run continues there.`;
      throw new StoreUnusable(sentence, { cause: error });
    }
    if (performance.now() > deadline) {
      throw new StorageUnavailable(
        `another transaction has kept a table in use for ${patience / 1000} s; is a backup running? Try again later: the ` +
          'migration continues where it left off',
      );
    }
    await rest(lockWait);
  }

  async #stored(): Promise<string | null | 'done'> {
    const { rows } = await this.#connection.query<{ place: string | null; is_done: boolean }>(
      `SELECT (${storedPlace}) AS place, EXISTS (SELECT 1 FROM schema_version WHERE version = ${this.#start.version}) AS is_done`,
    );
    return rows[0]?.is_done === true ? 'done' : (rows[0]?.place ?? null);
  }

  #placeOf(stored: string | null): Place {
    const place: Place = stored === null ? this.#start : JSON.parse(stored);
    const { version, checksum } = this.#start;
    if (place.version === version && place.checksum === checksum) return place;
    throw new StoreUnusable(
      `The database is in the middle of migration ${place.version}, which another version of Latchkey began. Run "latchkey migrate" ` +
        'of that version first.',
    );
  }

  async #take(step: MigrationStep, place: Place, stored: string | null): Promise<void> {
    const next = { ...place, step: place.step + 1, after: '' };
    if (step.kind === 'change') return this.#transact(stored, step.sql, moveTo(next), step.table);
    if (step.kind === 'fill') return this.#fill(step, place, stored, next);
    if (step.kind === 'drop') {
      await this.#connection.query(`DROP INDEX CONCURRENTLY IF EXISTS ${step.name}`);
      return this.#transact(stored, '', moveTo(next));
    }
    await this.#build(step);
    const drop = step.replaces ? `DROP INDEX ${step.name};` : '';
    const swap = `${drop} ALTER INDEX ${nextName(step.name)} RENAME TO ${step.name}`;
    return this.#transact(stored, swap, moveTo(next), step.table);
  }

  /** Some rows, and a rest for as long as they took. */
  async #fill(step: MigrationStep & { kind: 'fill' }, place: Place, stored: string | null, next: Place): Promise<void> {
    const isAfter = `${step.key} > ${this.#connection.escapeLiteral(Buffer.from(place.after, 'hex').toString())}`;
    const { rows } = await this.#connection.query<{ last: string | null }>(
      `SELECT MAX(place) AS last FROM
        (SELECT ${step.key} AS place FROM ${step.table} WHERE ${isAfter} ORDER BY ${step.key} LIMIT ${Math.floor(this.#batchSize)}) AS batch`,
    );
    const last = rows[0]?.last ?? null;
    if (last === null) return this.#transact(stored, '', moveTo(next));
    const batch = `SET LOCAL statement_timeout = ${batchWait};
      ${step.within(`AND ${isAfter} AND ${step.key} <= ${this.#connection.escapeLiteral(last)}`)}`;
    const started = performance.now();
    await this.#transact(stored, batch, moveTo({ ...place, after: Buffer.from(last).toString('hex') }));
    const took = performance.now() - started;
    this.#resize(took);
    await rest(took);
  }

  /** So that a batch takes about a fifth of a second, on any machine. */
  #resize(took: number): void {
    const factor = took > 300 ? 0.5 : took < 120 ? 2 : 1;
    this.#batchSize = Math.min(largestBatch, Math.max(smallestBatch, this.#batchSize * factor));
  }

  /** Whatever is left of an earlier try goes, unless the server has completed it after its client had gone. */
  async #build({ name, table, build }: MigrationStep & { kind: 'index' }): Promise<void> {
    await this.#connection.query(
      `BEGIN; SET LOCAL lock_timeout = ${patience}; LOCK TABLE ${table} IN SHARE UPDATE EXCLUSIVE MODE; COMMIT`,
    );
    const { rows } = await this.#connection.query<{ indisvalid: boolean }>(
      `SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('${nextName(name)}')`,
    );
    if (rows[0]?.indisvalid === true) return;
    try {
      await this.#connection.query(`DROP INDEX CONCURRENTLY IF EXISTS ${nextName(name)}`);
      await this.#connection.query(build);
    } catch (error) {
      // Behind a pooler, what the role has set applies.
      if (stateOf(error) !== '57014') throw error;
      const sentence =
        `PostgreSQL ended the building of the index ${name} (${messageOf(error)}). Set the statement_timeout of the role to 0 and try ` +
        'again: the migration continues where it left off';
      throw new StorageUnavailable(sentence, { cause: error });
    }
  }

  #record(stored: string | null): Promise<void> {
    const { version, checksum } = this.#start;
    const recorded = `INSERT INTO schema_version (version, checksum) VALUES (${version}, '${checksum}')`;
    return this.#transact(stored, recorded, "DELETE FROM service_facts WHERE name = 'migration'");
  }

  /**
   * In one message, so that locks are held for no longer than the server needs, whatever becomes of this process. A table is first
   * locked in a way that keeps nobody from it but an automatic vacuum, which PostgreSQL only ends for someone who waits for a second.
   * A message about tables on other servers can have only one statement.
   */
  async #transact(stored: string | null, sql: string, note: string, table?: string): Promise<void> {
    const transaction = `
      BEGIN;
      SET LOCAL lock_timeout = ${quietWait};
      SELECT pg_advisory_xact_lock(${advisoryLocks.migrationStep});
      DO $check$ BEGIN
        IF (${storedPlace}) IS DISTINCT FROM ${stored === null ? 'NULL' : `'${stored}'`}
          OR EXISTS (SELECT 1 FROM schema_version WHERE version = ${this.#start.version}) THEN
          RAISE EXCEPTION 'another process has taken this step' USING ERRCODE = '40001';
        END IF;
      END $check$;
      ${table === undefined ? '' : `LOCK TABLE ${table} IN SHARE UPDATE EXCLUSIVE MODE;`}
      SET LOCAL lock_timeout = ${lockWait};
      ${sql};
      ${note};
      COMMIT`;
    const messages = this.#isSpread ? serverStatements(transaction) : [transaction];
    for (const message of messages) await this.#connection.query(message);
  }
}

function moveTo(place: Place): string {
  return `INSERT INTO service_facts (name, value) VALUES ('migration', '${JSON.stringify(place)}')
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`;
}

export function rest(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
