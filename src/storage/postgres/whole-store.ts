// Reads and writes of a database that take as long as the whole of it: a snapshot for an export, and one transaction for what fills
// a database that nobody uses yet.

import type pg from 'pg';
import type { Row, SnapshotReader, Statement, Value } from '../driver.ts';
import type { Connections } from './connections.ts';
import { storageError } from './errors.ts';

/** A server may end transactions that take longer than a request. */
const noLimits = ['SET LOCAL statement_timeout = 0', 'SET LOCAL idle_in_transaction_session_timeout = 0'];

export function readSnapshot<Result>(
  connections: Connections,
  work: (reader: SnapshotReader) => Promise<Result>,
): Promise<Result> {
  return inTransaction(connections, 'ISOLATION LEVEL REPEATABLE READ READ ONLY', async (connection) => {
    // The snapshot is that of the first query.
    await rowsOf(connection, 'SELECT 1', []);
    return work({ read: (sql, params) => rowsOf(connection, sql, params) });
  });
}

interface FillSession extends SnapshotReader {
  write(statements: readonly Statement[]): Promise<Row[][] | undefined>;
}

export function fillDatabase<Result>(
  connections: Connections,
  work: (session: FillSession) => Promise<Result>,
): Promise<Result> {
  return inTransaction(connections, 'ISOLATION LEVEL READ COMMITTED', (connection) =>
    work({
      read: (sql, params) => rowsOf(connection, sql, params),
      write: (statements) => writePart(connection, statements),
    }),
  );
}

async function writePart(connection: pg.Client, statements: readonly Statement[]): Promise<Row[][] | undefined> {
  // All are sent before the first is answered.
  const begun = rowsOf(connection, 'SAVEPOINT part', []);
  const sent = statements.map(({ sql, serverSql = sql, params }) => rowsOf(connection, serverSql, params));
  const answers = await Promise.allSettled([begun, ...sent]);
  const rows = answers.slice(1).map((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  // The first one: those after it fail because of it.
  const failed = answers.find((answer) => answer.status === 'rejected');
  const isDone = failed === undefined && statements.every(({ mustReturn }, i) => !mustReturn || rows[i]?.length !== 0);
  await rowsOf(connection, isDone ? 'RELEASE part' : 'ROLLBACK TO part', []);
  if (failed !== undefined) throw failed.reason;
  return isDone ? rows : undefined;
}

async function rowsOf(connection: pg.Client, sql: string, params: readonly Value[]): Promise<Row[]> {
  try {
    return (await connection.query<Row>(sql, [...params])).rows;
  } catch (error) {
    throw storageError(error);
  }
}

async function inTransaction<Result>(
  connections: Connections,
  mode: string,
  work: (connection: pg.Client) => Promise<Result>,
): Promise<Result> {
  let isConnected = false;
  try {
    return await connections.withPatience(async (connection) => {
      isConnected = true;
      await rowsOf(connection, `BEGIN ${mode}`, []);
      for (const limit of noLimits) await rowsOf(connection, limit, []);
      const result = await work(connection);
      await rowsOf(connection, 'COMMIT', []);
      return result;
    }, true);
  } catch (error) {
    throw isConnected ? error : storageError(error);
  }
}
