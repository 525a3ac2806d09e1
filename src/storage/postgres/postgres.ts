// PostgreSQL, for many instances on one database. Every query and every transition of a grant is one statement, so most
// requests take one round trip; several statements are one transaction.

import { createHash } from 'node:crypto';
import pg from 'pg';
import { type Driver, type Row, type Statement, StorageUnavailable, type Value } from '../driver.ts';
import { applyMigrations, type MigrationSession, readApplied } from '../migrating.ts';
import { connectionOf } from './connecting.ts';
import { answerOf, isCollision, stateOf, storageError } from './errors.ts';

export interface PostgresOptions {
  readonly connections?: number;
  /** How long connecting, and a statement, may take, in milliseconds. */
  readonly timeout?: number;
}

/** Any number that nothing else in the database uses as a lock. */
const migrationLock = 7_288_301;
const bigint = 20;
const attempts = 3;

export function openPostgres(url: string, options: PostgresOptions = {}): Driver {
  const timeout = options.timeout ?? 5000;
  const pool = new pg.Pool({
    ...connectionOf(url),
    max: options.connections ?? 10,
    connectionTimeoutMillis: timeout,
    statement_timeout: timeout,
    query_timeout: timeout,
    keepAlive: true,
    onConnect: requirePrimary,
    types: {
      // Times and counts fit into a number; pg would return strings.
      getTypeParser: (oid: number) => (oid === bigint ? Number : pg.types.getTypeParser(oid)),
    },
  });
  // The pool replaces an idle connection that breaks; without a listener the process would exit.
  pool.on('error', () => {});

  const names = new Map<string, string>();
  /** A statement is prepared once on each connection, under a name derived from its text. */
  function prepared({ sql, params }: { sql: string; params: readonly Value[] }) {
    let name = names.get(sql);
    if (name === undefined) {
      name = createHash('sha256').update(sql).digest('base64url').slice(0, 22);
      names.set(sql, name);
    }
    return { name, text: sql, values: [...params] };
  }

  async function writeTogether(statements: readonly Statement[]): Promise<Row[][] | undefined> {
    return withConnection(pool, async (connection) => {
      await connection.query('BEGIN');
      const results: Row[][] = [];
      for (const statement of statements) {
        const { rows } = await connection.query<Row>(prepared(statement));
        if (statement.mustReturn === true && rows.length === 0) {
          await connection.query('ROLLBACK');
          return undefined;
        }
        results.push(rows);
      }
      await answerOf(connection.query('COMMIT'));
      return results;
    });
  }

  async function writeOne(statement: Statement): Promise<Row[][] | undefined> {
    const { rows } = await withConnection(pool, (connection) => {
      return answerOf(connection.query<Row>(prepared(statement)));
    });
    return statement.mustReturn === true && rows.length === 0 ? undefined : [rows];
  }

  return {
    async read(sql, params) {
      try {
        return (await pool.query<Row>(prepared({ sql, params }))).rows;
      } catch (error) {
        throw storageError(error);
      }
    },

    async write(statements) {
      const [only] = statements;
      if (only === undefined) return [];
      for (let attempt = 1; ; attempt++) {
        try {
          return await (statements.length === 1 ? writeOne(only) : writeTogether(statements));
        } catch (error) {
          if (attempt === attempts || !isCollision(error)) throw storageError(error);
        }
      }
    },

    async appliedMigrations() {
      try {
        // All columns, because a schema of an earlier version has no checksums.
        return readApplied((await pool.query<Row>('SELECT * FROM schema_version')).rows);
      } catch (error) {
        if (stateOf(error) === '42P01') return [];
        throw storageError(error);
      }
    },

    async migrate(migrations) {
      try {
        return await withConnection(pool, async (connection) => {
          // Instances that start together take turns, and a long migration must not time out.
          await connection.query('SET statement_timeout = 0');
          await connection.query('BEGIN');
          await connection.query(`SELECT pg_advisory_xact_lock(${migrationLock})`);
          const version = await applyMigrations(migrationSession(connection), migrations);
          await connection.query('COMMIT');
          await connection.query(`SET statement_timeout = ${timeout}`);
          return version;
        });
      } catch (error) {
        throw storageError(error);
      }
    },

    async close() {
      if (!pool.ended) await pool.end();
    },
  };
}

function migrationSession(connection: pg.PoolClient): MigrationSession {
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

/**
 * A standby shows what was true a moment ago: a revoked token would work, and a new one wouldn't. Asking once is enough, as
 * a primary that becomes a standby closes its connections.
 */
async function requirePrimary(connection: pg.ClientBase): Promise<void> {
  const { rows } = await connection.query<Row>('SELECT CASE WHEN pg_is_in_recovery() THEN 1 ELSE 0 END AS standby');
  if (rows[0]?.standby !== 0)
    throw new StorageUnavailable('PostgreSQL is a standby; DATABASE_URL must lead to the primary');
}

/** A connection that has failed is closed, because its transaction may be in any state. */
async function withConnection<Result>(
  pool: pg.Pool,
  work: (connection: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const connection = await pool.connect();
  const ignore = () => {};
  connection.on('error', ignore);
  let failed = true;
  try {
    const result = await work(connection);
    failed = false;
    return result;
  } finally {
    connection.off('error', ignore);
    connection.release(failed);
  }
}
