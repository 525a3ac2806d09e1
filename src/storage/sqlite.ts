// The embedded store: one reading connection on the event loop (look-ups of microseconds, never blocked by a writer
// thanks to the write-ahead log) and one writer thread that waits for the disk.

import { closeSync, openSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { type Driver, type Row, StorageConflict, StorageUnavailable } from './driver.ts';
import { type Connection, connect, type FailureKind, failureKind } from './sqlite-connection.ts';
import type { WriteAnswer, WriteJob } from './sqlite-writer.ts';

export interface SqliteOptions {
  /** How long a write waits for a lock that another process holds, in milliseconds. */
  readonly busyTimeout?: number;
  /** How many writes may wait before further ones are turned away. */
  readonly queueLimit?: number;
}

interface Pending {
  resolve(rows: Row[][] | undefined): void;
  reject(error: Error): void;
}

export function openSqlite(file: string, options: SqliteOptions = {}): Driver {
  const busyTimeout = options.busyTimeout ?? 2000;
  const queueLimit = options.queueLimit ?? 10_000;
  // Made before SQLite makes it, because SQLite would give it the umask's mode; its companions (-wal, -shm) inherit this.
  closeSync(openSync(file, 'a', 0o600));

  let reader: Connection | undefined;
  let writer: Worker | undefined;
  let broken: Error | undefined;
  let nextId = 1;
  const pending = new Map<number, Pending>();

  function failAll(error: Error): void {
    broken = error;
    for (const job of pending.values()) job.reject(error);
    pending.clear();
  }

  function startWriter(): Worker {
    const worker = new Worker(new URL('./sqlite-writer.ts', import.meta.url), { workerData: { file, busyTimeout } });
    worker.on('message', (answer: WriteAnswer) => {
      const job = pending.get(answer.id);
      pending.delete(answer.id);
      if (answer.kind === 'done') job?.resolve(answer.rows);
      else job?.reject(failureOf(answer.failure, answer.message));
    });
    worker.on('error', (error: Error) => failAll(new StorageUnavailable('the writer has died', { cause: error })));
    return worker;
  }

  return {
    async read(sql, params) {
      reader ??= connect(file, { busyTimeout: 20, readOnly: true });
      try {
        return reader.all(sql, params);
      } catch (error) {
        throw failureOf(failureKind(error), (error as Error).message);
      }
    },

    write(statements) {
      if (statements.length === 0) return Promise.resolve([]);
      if (broken !== undefined) return Promise.reject(broken);
      if (pending.size >= queueLimit) return Promise.reject(new StorageUnavailable('too many writes are waiting'));
      writer ??= startWriter();
      const id = nextId++;
      return new Promise((resolve, reject) => {
        pending.set(id, { resolve, reject });
        writer?.postMessage({ id, statements } satisfies WriteJob);
      });
    },

    async migrate(migrations) {
      const connection = connect(file, { busyTimeout: 10_000, readOnly: false });
      try {
        connection.database.exec('BEGIN IMMEDIATE');
        connection.database.exec('CREATE TABLE IF NOT EXISTS schema_version (version BIGINT NOT NULL)');
        const [row] = connection.all('SELECT MAX(version) AS version FROM schema_version', []);
        let version = (row?.version as number | null) ?? 0;
        for (const migration of migrations) {
          if (migration.version <= version) continue;
          connection.database.exec(migration.sql);
          connection.all('INSERT INTO schema_version (version) VALUES ($1)', [migration.version]);
          version = migration.version;
        }
        connection.database.exec('COMMIT');
        return version;
      } finally {
        connection.database.close();
      }
    },

    async close() {
      const worker = writer;
      if (worker !== undefined) {
        // Messages are taken in order, so everything that was asked for before is written before the thread ends.
        const ended = new Promise((resolve) => worker.once('exit', resolve));
        worker.postMessage('close');
        await ended;
      }
      failAll(new StorageUnavailable('the store is closed'));
      reader?.database.close();
      reader = undefined;
    },
  };
}

function failureOf(kind: FailureKind, message: string): Error {
  if (kind === 'unavailable') return new StorageUnavailable(message);
  return kind === 'conflict' ? new StorageConflict(message) : new Error(message);
}
