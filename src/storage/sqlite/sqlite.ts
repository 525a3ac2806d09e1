// The embedded database: one reading connection on the event loop (its queries take microseconds, and thanks to the
// write-ahead log no writer blocks them) and a writer that waits for the disk: a thread of this process, or that of
// another one.

import { closeSync, fstatSync, openSync } from 'node:fs';
import {
  type Driver,
  type DriverObserver,
  nobody,
  OutcomeUnknown,
  type Row,
  StorageUnavailable,
  type Value,
} from '../driver.ts';
import { applyMigrations, readApplied } from '../migrating.ts';
import { type Connection, connect } from './connection.ts';
import { storageError, translated } from './errors.ts';
import { lostFileCheck } from './lost-file.ts';
import { fillFile, readSnapshot } from './whole-store.ts';
import { BatchBuilder } from './write-batch.ts';
import type { WriteAnswers } from './writer.ts';
import { type StartWriter, startWriterThread, type Writer, type WriterLoss } from './writer-thread.ts';

/** Milliseconds that a write waits for another process's lock by default. */
export const defaultBusyTimeout = 2000;

export interface SqliteOptions {
  /** How long a write waits for a lock that another process holds, in milliseconds. */
  readonly busyTimeout?: number;
  /** The writer's page cache, in KB. */
  readonly pageCache?: number | undefined;
  /** How many writes may wait before further ones fail as unavailable. */
  readonly queueLimit?: number;
  /** Starts a writer in another process, in place of a thread of this one. */
  readonly startWriter?: StartWriter | undefined;
  readonly observer?: DriverObserver | undefined;
}

/** Milliseconds that a start waits for a lock that another process holds. */
const patience = 10_000;

/** However long a turn of the event loop takes, a snapshot serves no more reads than this. */
const snapshotLimit = 64;

interface Pending {
  readonly since: number;
  resolve(rows: Row[][] | undefined): void;
  reject(error: Error): void;
}

export function openSqlite(file: string, options: SqliteOptions = {}): Driver {
  const busyTimeout = options.busyTimeout ?? defaultBusyTimeout;
  const queueLimit = options.queueLimit ?? 10_000;
  const observer = options.observer ?? nobody;
  const startWriter: StartWriter =
    options.startWriter ?? ((events) => startWriterThread({ file, busyTimeout, pageCache: options.pageCache }, events));
  // Created before SQLite does it, which would use the umask's mode. Its companions (-wal, -shm) inherit the mode.
  const created = openSync(file, 'a', 0o600);
  const requireFile = lostFileCheck(file, fstatSync(created));
  closeSync(created);

  let reader: Connection | undefined;
  let readsInSnapshot = 0;
  let snapshotTurn = 0;
  let writer: Writer | undefined;
  let writersStarted = 0;
  let queued = new BatchBuilder(writersStarted);
  let closed = false;
  let nextId = 1;
  const pending = new Map<number, Pending>();
  let allAnswered = () => {};

  /**
   * Taking and releasing SQLite's read lock costs as much as a query, so the reads of one turn of the event loop share
   * one snapshot. A read in the next turn, or after a write of this process, sees everything that was committed before
   * it. A turn begins with the news from outside; setImmediate alone would carry the snapshot of a timer across that.
   */
  function readInSnapshot(sql: string, params: readonly Value[]): Row[] {
    reader ??= connect(file, { busyTimeout: 20, readOnly: true });
    const turn = performance.nodeTiming.uvMetricsInfo.loopCount;
    if (turn !== snapshotTurn) endSnapshot();
    if (readsInSnapshot === 0) {
      reader.all('BEGIN', []);
      snapshotTurn = turn;
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

  function startNextWriter(): Writer {
    // The next writer has no statement texts yet.
    queued = new BatchBuilder(++writersStarted);
    return startWriter({ answered: settle, lost: failPending });
  }

  function settle({ ids, outcomes, again }: WriteAnswers): void {
    // A caller that gets one of these responses must see its own write.
    endSnapshot();
    const now = performance.now();
    observer.batch('write', ids.length, now - (pending.get(ids[0] ?? 0)?.since ?? now));
    for (const reason of ['busy', 'failed_batch'] as const) {
      const times = again[reason] ?? 0;
      if (times > 0) observer.retried(reason, times);
    }
    for (const [index, id] of ids.entries()) {
      const job = pending.get(id);
      const outcome = outcomes[index];
      pending.delete(id);
      if (outcome !== undefined && 'failure' in outcome) job?.reject(storageError(outcome.failure, outcome.message));
      else job?.resolve(outcome);
    }
    if (pending.size === 0) allAnswered();
  }

  /** When the writer dies, or cannot open the file, its queue is lost; the next write starts another. */
  function failPending({ opened, message }: WriterLoss): void {
    writer = undefined;
    const error = opened
      ? new OutcomeUnknown('the writer has died', { cause: new Error(message) })
      : new StorageUnavailable(message);
    for (const job of pending.values()) job.reject(error);
    pending.clear();
    allAnswered();
  }

  function sendQueued(): void {
    if (writer !== undefined && !queued.isEmpty) writer.send(queued.take());
  }

  let closing: Promise<void> | undefined;

  async function closeAll(): Promise<void> {
    closed = true;
    endSnapshot();
    // The reader first: the last connection to close checkpoints the write-ahead log, which a reader may not do.
    reader?.database.close();
    reader = undefined;
    sendQueued();
    if (pending.size > 0) {
      await new Promise<void>((resolve) => {
        allAnswered = resolve;
      });
    }
    await writer?.close();
  }

  const driver: Driver = {
    engine: 'embedded',
    timeSql: "CAST(unixepoch('subsec') * 1000 AS BIGINT)",

    read(sql, params) {
      if (closed) throw new StorageUnavailable('the store is closed');
      requireFile();
      try {
        return readInSnapshot(sql, params);
      } catch (error) {
        throw translated(error);
      }
    },

    async write(statements) {
      if (statements.length === 0) return [];
      if (closed) throw new StorageUnavailable('the store is closed');
      if (pending.size >= queueLimit) throw new StorageUnavailable('too many writes are waiting');
      requireFile();
      writer ??= startNextWriter();
      const id = nextId++;
      return new Promise((resolve, reject) => {
        pending.set(id, { since: performance.now(), resolve, reject });
        // All writes of one turn of the event loop go to the writer as one message.
        if (queued.isEmpty) setImmediate(sendQueued);
        queued.add(id, statements);
      });
    },

    async appliedMigrations() {
      requireFile();
      let connection: Connection | undefined;
      try {
        // The first look at the store: another process may be recovering its log after a crash.
        connection = connect(file, { busyTimeout: patience, readOnly: true });
        const tables = connection.all("SELECT name FROM sqlite_master WHERE name = 'schema_version'", []);
        return tables.length === 0
          ? []
          : readApplied(connection.all('SELECT version, checksum FROM schema_version', []));
      } catch (error) {
        throw translated(error);
      } finally {
        connection?.database.close();
      }
    },

    async migrate(migrations, onStep) {
      endSnapshot();
      // Statements that were prepared on the earlier schema would answer with its columns.
      reader?.database.close();
      reader = undefined;
      let connection: Connection | undefined;
      try {
        connection = connect(file, { busyTimeout: patience, readOnly: false });
        connection.database.exec('BEGIN IMMEDIATE');
        const { database, all } = connection;
        const session = {
          engine: 'embedded',
          run: (script: string) => database.exec(script),
          all,
          translated,
        } as const;
        const version = await applyMigrations(session, migrations, onStep);
        connection.database.exec('COMMIT');
        return version;
      } catch (error) {
        throw translated(error);
      } finally {
        connection?.database.close();
      }
    },

    snapshot(work) {
      requireFile();
      return readSnapshot(file, patience, work);
    },

    fill(work) {
      requireFile();
      // The caller must see what was written.
      return fillFile(file, patience, (session) => work({ ...driver, ...session })).finally(endSnapshot);
    },

    // Reads run immediately, so none wait.
    load: () => ({ waitingReads: 0, waitingWrites: pending.size, connections: undefined }),

    close() {
      closing ??= closeAll();
      return closing;
    },
  };
  return driver;
}
