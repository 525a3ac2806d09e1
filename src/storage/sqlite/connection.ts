// Shared by the reading connection and the writer thread of the embedded database: prepared statements, and what SQLite's
// errors mean.

import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { Row, Value } from '../driver.ts';

export interface Connection {
  readonly database: DatabaseSync;
  all(sql: string, params: readonly Value[]): Row[];
  /** Returns how many rows a statement without any of its own has changed. */
  change(sql: string, params: readonly Value[]): number;
}

/** `busyTimeout` is how long a call may wait for another process's write lock; it blocks the calling thread. */
export function connect(file: string, options: { busyTimeout: number; readOnly: boolean }): Connection {
  const database = new DatabaseSync(file, { timeout: options.busyTimeout, readOnly: options.readOnly });
  if (!options.readOnly) database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
  const prepared = new Map<string, { statement: StatementSync; toRow: RowMaker }>();

  function prepare(sql: string) {
    const statement = database.prepare(withPositions(sql));
    statement.setReturnArrays(true);
    const entry = { statement, toRow: rowMaker(statement.columns().map(({ name }) => name)) };
    prepared.set(sql, entry);
    return entry;
  }

  return {
    database,
    all(sql, params) {
      const { statement, toRow } = prepared.get(sql) ?? prepare(sql);
      const rows: unknown[] = statement.all(...params);
      return rows.map(toRow);
    },
    change(sql, params) {
      const { statement } = prepared.get(sql) ?? prepare(sql);
      return Number(statement.run(...params).changes);
    },
  };
}

/**
 * To SQLite `$1` is a name; `?1` is the same parameter by its position, and `?` is the next one. Where they come in order,
 * it's the last: the others are looked up one by one in a list, which takes longer than inserting a hundred rows.
 */
function withPositions(sql: string): string {
  const places = /\$(\d+)/g;
  const inOrder = Array.from(sql.matchAll(places)).every(([, number], index) => Number(number) === index + 1);
  return sql.replace(places, inOrder ? '?' : '?$1');
}

type RowMaker = (values: unknown) => Row;

/**
 * A function that lists the columns in one object literal, so that all rows of a query have one shape. An object that is
 * filled column by column ends up as a dictionary, and so do those that SQLite would return: with thirty columns, making
 * and reading it costs as much as the query. The names come from our own SQL.
 */
function rowMaker(names: readonly string[]): RowMaker {
  const columns = names.map((name, index) => `${JSON.stringify(name)}: values[${index}]`);
  return new Function('values', `return { ${columns.join(', ')} };`) as RowMaker;
}

export type FailureKind = 'unavailable' | 'unknown' | 'conflict' | 'fault';

/**
 * Locked, full, unreadable: temporary conditions, or ones an operator fixes; the statement itself is fine. A read that the
 * disk fails (EIO) is CORRUPT to SQLite.
 */
const passing = new Set([
  5 /* BUSY */, 6 /* LOCKED */, 8 /* READONLY */, 10 /* IOERR */, 11 /* CORRUPT */, 13 /* FULL */, 14 /* CANTOPEN */,
  26 /* NOTADB */,
]);
const uniqueness = new Set([1555 /* CONSTRAINT_PRIMARYKEY */, 2067 /* CONSTRAINT_UNIQUE */]);

export function failureKind(error: unknown): FailureKind {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
  if (typeof code !== 'number') return 'fault';
  if (passing.has(code & 0xff)) return 'unavailable';
  return uniqueness.has(code) ? 'conflict' : 'fault';
}

export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === 5;
}

/**
 * A commit whose data didn't reach the disk for sure is undone, but after a crash the write-ahead log may still hold it.
 */
export function commitFailureKind(error: unknown): FailureKind {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
  return code === 10 /* IOERR */ || code === 11 /* CORRUPT */ ? 'unknown' : failureKind(error);
}
