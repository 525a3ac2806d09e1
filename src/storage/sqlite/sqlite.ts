// The embedded store: one reading connection on the event loop (look-ups of microseconds, never blocked by a writer
// thanks to the write-ahead log) and one writer thread that waits for the disk.

import { closeSync, openSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { type Driver, type Row, type Statement, StorageConflict, StorageUnavailable, type Value } from '../driver.ts';
import { type Connection, connect, type FailureKind, failureKind } from './connection.ts';
import type { WriteAnswer, WriteBatch, WriteJob } from './writer.ts';

export interface SqliteOptions {
  /** How long a write waits for a lock that another process holds, in milliseconds. */
  readonly busyTimeout?: number;
  /** How many writes may wait before further ones are turned away. */
  readonly queueLimit?: number;
}

/** However long a turn of the event loop is, a snapshot serves no more reads than this. */
const snapshotLimit = 64;

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
  let readsInSnapshot = 0;
  let writer: Worker | undefined;
  let closed = false;
  let nextId = 1;
  const pending = new Map<number, Pending>();
  let queued: WriteJob[] = [];
  let newTexts: string[] = [];
  /** The texts that the present writer has, or is about to get. */
  const textNumbers = new Map<string, number>();

  /**
   * Taking and giving back SQLite's read lock costs as much as a look-up, so that the reads of one turn of the event loop
   * share one. A request of the next turn, or one that follows a write of this process, sees what was committed before.
   */
  function readInSnapshot(sql: string, params: readonly Value[]): Row[] {
    reader ??= connect(file, { busyTimeout: 20, readOnly: true });
    if (readsInSnapshot === 0) {
      reader.all('BEGIN', []);
      setImmediate(endSnapshot);
    }
    try {
      const rows = reader.all(sql, params);
      if (++readsInSnapshot === snapshotLimit) endSnapshot();
      return rows;
    } catch (error) {
      endSnapshot();
      throw error;
    }
  }

  function endSnapshot(): void {
    if (reader?.database.isTransaction) reader.all('COMMIT', []);
    readsInSnapshot = 0;
  }

  function failPending(error: Error): void {
    for (const job of pending.values()) job.reject(error);
    pending.clear();
  }

  function startWriter(): Worker {
    const worker = new Worker(new URL('./writer.ts', import.meta.url), { workerData: { file, busyTimeout } });
    worker.on('message', (answers: readonly WriteAnswer[]) => {
      // What is acknowledged from here on is seen from here on.
      endSnapshot();
      for (const answer of answers) {
        const job = pending.get(answer.id);
        pending.delete(answer.id);
        if (answer.kind === 'done') job?.resolve(answer.rows);
        else job?.reject(storageError(answer.failure, answer.message));
      }
    });
    // A writer that cannot open the file, or dies, takes its queue along; the next write starts another.
    worker.on('error', (error: Error) => {
      writer = undefined;
      queued = [];
      newTexts = [];
      textNumbers.clear();
      failPending(new StorageUnavailable('the writer has died', { cause: error }));
    });
    return worker;
  }

  function numbered({ sql, ...rest }: Statement) {
    let text = textNumbers.get(sql);
    if (text === undefined) {
      text = textNumbers.size;
      textNumbers.set(sql, text);
      newTexts.push(sql);
    }
    return { ...rest, text };
  }

  function sendQueued(): void {
    if (queued.length === 0) return;
    writer?.postMessage({ newTexts, jobs: queued } satisfies WriteBatch);
    queued = [];
    newTexts = [];
  }

  let closing: Promise<void> | undefined;

  async function closeAll(): Promise<void> {
    closed = true;
    endSnapshot();
    // The reader first: the last connection to close folds the write-ahead log away, and a reader may not write.
    reader?.database.close();
    reader = undefined;
    const worker = writer;
    if (worker === undefined) return;
    // Messages are taken in order, so everything that was asked for before is written before the thread ends.
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    sendQueued();
    worker.postMessage('close');
    await ended;
    failPending(new StorageUnavailable('the store is closed'));
  }

  return {
    async read(sql, params) {
      if (closed) throw new StorageUnavailable('the store is closed');
      try {
        return readInSnapshot(sql, params);
      } catch (error) {
        throw storageError(failureKind(error), (error as Error).message);
      }
    },

    write(statements) {
      if (statements.length === 0) return Promise.resolve([]);
      if (closed) return Promise.reject(new StorageUnavailable('the store is closed'));
      if (pending.size >= queueLimit) return Promise.reject(new StorageUnavailable('too many writes are waiting'));
      writer ??= startWriter();
      const id = nextId++;
      return new Promise((resolve, reject) => {
        pending.set(id, { resolve, reject });
        // What this turn of the event loop writes goes to the writer as one message.
        if (queued.length === 0) setImmediate(sendQueued);
        queued.push({ id, statements: statements.map(numbered) });
      });
    },

    async schemaVersion() {
      const tables = await this.read("SELECT name FROM sqlite_master WHERE name = 'schema_version'", []);
      if (tables.length === 0) return 0;
      const [row] = await this.read('SELECT MAX(version) AS version FROM schema_version', []);
      return (row?.version as number | null) ?? 0;
    },

    async migrate(migrations) {
      endSnapshot();
      let connection: Connection | undefined;
      try {
        connection = connect(file, { busyTimeout: 10_000, readOnly: false });
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
      } catch (error) {
        throw storageError(failureKind(error), (error as Error).message);
      } finally {
        connection?.database.close();
      }
    },

    close() {
      closing ??= closeAll();
      return closing;
    },
  };
}

function storageError(kind: FailureKind, message: string): Error {
  if (kind === 'unavailable') return new StorageUnavailable(message);
  return kind === 'conflict' ? new StorageConflict(message) : new Error(message);
}
