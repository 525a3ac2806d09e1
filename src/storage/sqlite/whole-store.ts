// Reads and writes of the embedded database that take as long as the whole of it: a snapshot for an export, and one transaction for
// what fills a store that nobody uses yet.

import type { Row, SnapshotReader, Statement, Value } from '../driver.ts';
import { connect } from './connection.ts';
import { translated } from './errors.ts';

/** Writers go on meanwhile; their log grows until the end. */
export async function readSnapshot<Result>(
  file: string,
  busyTimeout: number,
  work: (reader: SnapshotReader) => Promise<Result>,
): Promise<Result> {
  const connection = connect(file, { busyTimeout, readOnly: true });
  try {
    connection.all('BEGIN', []);
    const read = translating(connection.all);
    // The snapshot is that of the first read.
    read('SELECT 1 AS one FROM sqlite_master LIMIT 1', []);
    return await work({ read });
  } finally {
    connection.database.close();
  }
}

interface FillSession extends SnapshotReader {
  write(statements: readonly Statement[]): Promise<Row[][] | undefined>;
}

export async function fillFile<Result>(
  file: string,
  busyTimeout: number,
  work: (session: FillSession) => Promise<Result>,
): Promise<Result> {
  const { all, change, database } = connect(file, { busyTimeout, readOnly: false });

  function write(statements: readonly Statement[]): Row[][] | undefined {
    const rows: Row[][] = [];
    all('SAVEPOINT part', []);
    try {
      for (const { sql, params, mustReturn, countsChanges } of statements) {
        const returned = countsChanges === true ? [] : all(sql, params);
        const count = countsChanges === true ? change(sql, params) : returned.length;
        if (mustReturn === true && count === 0) {
          all('ROLLBACK TO part', []);
          return undefined;
        }
        rows.push(returned);
      }
      return rows;
    } catch (error) {
      // A full disk may have ended the whole transaction.
      if (database.isTransaction) all('ROLLBACK TO part', []);
      throw translated(error);
    } finally {
      if (database.isTransaction) all('RELEASE part', []);
    }
  }

  try {
    const ask = translating(all);
    ask('BEGIN IMMEDIATE', []);
    const result = await work({ read: ask, write: async (statements) => write(statements) });
    ask('COMMIT', []);
    return result;
  } finally {
    // Without a commit, this rolls back.
    database.close();
  }
}

type Ask = (sql: string, params: readonly Value[]) => Row[];

function translating(ask: Ask): Ask {
  return (sql, params) => {
    try {
      return ask(sql, params);
    } catch (error) {
      throw translated(error);
    }
  };
}
