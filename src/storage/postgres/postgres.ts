// PostgreSQL, for many instances on one database. Every query and every transition of a grant is one statement, so most
// requests take one round trip; several statements are one transaction.

import type pg from 'pg';
import type { Driver, Row } from '../driver.ts';
import { applyMigrations, type MigrationSession, readApplied } from '../migrating.ts';
import { Connections } from './connections.ts';
import { isCollision, stateOf, storageError } from './errors.ts';
import { ReadBatches } from './read-batches.ts';
import { WriteBatches } from './write-batches.ts';

export interface PostgresOptions {
  /** How long connecting, and an answer, may take, in milliseconds. */
  readonly timeout?: number;
}

/** Any number that nothing else in the database uses as a lock. */
const migrationLock = 7_288_301;
const attempts = 3;

export function openPostgres(url: string, options: PostgresOptions = {}): Driver {
  const connections = new Connections(url, options.timeout ?? 5000);
  const reads = new ReadBatches(connections);
  const singleWrites = new WriteBatches(connections, (statement) =>
    repeatOnCollision(() => connections.write(statement)),
  );

  return {
    read: (sql, params) => reads.read(sql, params),

    async write(statements) {
      const [only] = statements;
      if (only === undefined) return [];
      if (statements.length > 1) return repeatOnCollision(() => connections.transact(statements));
      const rows = await singleWrites.write(only);
      return only.mustReturn === true && rows.length === 0 ? undefined : [rows];
    },

    async appliedMigrations() {
      try {
        // All columns, because a schema of an earlier version has no checksums.
        return readApplied(await connections.askOnce('SELECT * FROM schema_version'));
      } catch (error) {
        if (stateOf(error) === '42P01') return [];
        throw storageError(error);
      }
    },

    async migrate(migrations, onStep) {
      try {
        return await connections.withPatience(async (connection) => {
          await connection.query('BEGIN');
          // Instances that start together take turns.
          await connection.query(`SELECT pg_advisory_xact_lock(${migrationLock})`);
          const version = await applyMigrations(migrationSession(connection), migrations, onStep);
          await connection.query('COMMIT');
          return version;
        });
      } catch (error) {
        throw storageError(error);
      }
    },

    close: () => connections.close(),
  };
}

async function repeatOnCollision<Result>(write: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write();
    } catch (error) {
      if (attempt === attempts || !isCollision(error)) throw storageError(error);
    }
  }
}

function migrationSession(connection: pg.Client): MigrationSession {
  const asking = async <Result>(answer: Promise<Result>) => {
    try {
      return await answer;
    } catch (error) {
      throw storageError(error);
    }
  };
  return {
    run: async (script) => {
      await asking(connection.query(script));
    },
    all: async (sql, params) => (await asking(connection.query<Row>(sql, [...params]))).rows,
    columnsOf: async (table) => {
      const { fields } = await asking(connection.query(`SELECT * FROM ${table} LIMIT 0`));
      return fields.map(({ name }) => name);
    },
  };
}
