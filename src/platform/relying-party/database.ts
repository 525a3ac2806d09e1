// The file of a gate or a bridge: one database in its folder, which all its processes on a machine share.

import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export type Database = DatabaseSync;

/** `patience` is how many milliseconds to wait for another process that writes. */
export function openDatabase(file: string, schema: string, patience: number): Database {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // Before anything is in it. The files that SQLite adds have the same mode.
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
  const database = new DatabaseSync(file, { timeout: patience });
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; ${schema}`);
  return database;
}

/** In one transaction that is on disk when it's over: a sign-out has to survive a power cut. Undone if it returns false. */
export function durably<Result>(database: Database, write: () => Result): Result {
  database.exec('PRAGMA synchronous = FULL; BEGIN IMMEDIATE');
  try {
    const result = write();
    database.exec(result === false ? 'ROLLBACK' : 'COMMIT');
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  } finally {
    database.exec('PRAGMA synchronous = NORMAL');
  }
}
