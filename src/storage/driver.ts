// What sql/ needs from a database engine. A driver knows its engine and nothing about Latchkey's tables.

import type { Eventual } from '../protocol/eventual.ts';

export type Value = string | number | null | Uint8Array;
export type Row = Readonly<Record<string, Value>>;

export interface Statement {
  /** SQL that every engine understands, with parameters `$1`, `$2`, … */
  readonly sql: string;
  /** How it's written for a database server, if that's different: one has several writers at a time, and functions of ours. */
  readonly serverSql?: string;
  /**
   * The statement for several sets of parameters, for an engine to which each statement is expensive. Its parameters are arrays,
   * and a set's first parameter is the `id` of the row that it changes and returns.
   */
  readonly batchSql?: string;
  readonly params: readonly Value[];
  /** Roll back the whole write when this statement returns no row. */
  readonly mustReturn?: boolean;
  /** On the embedded engine, `sql` returns nothing, which spares it half the work: what counts there is whether it changes a row. */
  readonly countsChanges?: boolean;
}

/** The numbers of locks on a database server that belong to no row. Nothing else in the database uses them. */
export const advisoryLocks = { migrationRun: 7_288_301, migrationStep: 7_288_302, names: 7_288_303 } as const;

/** As migrations name them. */
export type Engine = 'embedded' | 'server';

export interface Migration {
  readonly version: number;
  readonly file: string;
  readonly sql: string;
}

export interface AppliedMigration {
  readonly version: number;
  readonly checksum: string;
}

export interface Driver {
  /** Texts for a database server are for `server` only. */
  readonly engine: Engine;
  /** SQL for the time by the engine's clock, in milliseconds since 1970. It's the same clock for all instances. */
  readonly timeSql: string;
  /**
   * Sees every write that was acknowledged before the call, by any process. An engine may answer, or throw, at once. With `anew`, a
   * server plans the query for these parameters, however often it has been asked with others.
   */
  read(sql: string, params: readonly Value[], anew?: boolean): Eventual<Row[]>;
  /**
   * All statements or none, durable once answered; undefined when a `mustReturn` statement returned no row. Rejects with
   * `OutcomeUnknown` if it may have taken place, and with any other error if it has not.
   */
  write(statements: readonly Statement[]): Promise<Row[][] | undefined>;
  /** The migrations that were applied; none if there's no schema yet. */
  appliedMigrations(): Promise<AppliedMigration[]>;
  /** Migrates the schema, under a lock, and returns its version. Calls `onStep` after each migration. */
  migrate(migrations: readonly Migration[], onStep?: () => void): Promise<number>;
  /** For reads that all see the store as of one moment, however long they take, while others write to it. */
  snapshot<Result>(work: (reader: SnapshotReader) => Promise<Result>): Promise<Result>;
  /**
   * One transaction of any size, for what fills a store that nobody uses yet: all of it or nothing. Reads of the driver that `work`
   * gets see what it has written.
   */
  fill<Result>(work: (driver: Driver) => Promise<Result>): Promise<Result>;
  /** Whether some tables can be on other servers: queries have a text for that. */
  isSpread?(): boolean;
  /** Moves them there, or back. */
  spread?(where: 'out' | 'back'): Promise<Spreading>;
  /** Asks each of the other servers. */
  otherServers?(): Promise<OtherServers>;
  /** What is waiting and running right now. */
  load(): DriverLoad;
  close(): Promise<void>;
}

export interface Spreading {
  /** False if they were there already. */
  readonly moved: boolean;
  /** How many servers hold them now. */
  readonly servers: number;
  /** For how many milliseconds nobody could write. */
  readonly longestWait: number;
}

export interface OtherServers {
  readonly servers: readonly OtherServer[];
  /** After how many milliseconds a transaction over several of them is decided that was interrupted; undefined without servers. */
  readonly recoveryInterval: number | undefined;
}

export interface OtherServer {
  readonly name: string;
  /** Undefined if it answers. */
  readonly problem: string | undefined;
  /** Its transactions that have waited for a decision for more than five seconds. */
  readonly undecided: number;
}

/** Reads as `Driver.read` does. */
export interface SnapshotReader {
  read(sql: string, params: readonly Value[]): Eventual<Row[]>;
}

export interface DriverLoad {
  readonly waitingReads: number;
  readonly waitingWrites: number;
  /** Those to a database server; an embedded database has none. */
  readonly connections: ConnectionLoad | undefined;
}

export interface ConnectionLoad {
  readonly most: number;
  readonly open: number;
  readonly idle: number;
  /** How many statements wait for one. */
  readonly waiting: number;
}

/**
 * Why something was sent again: another process was writing, two transactions collided, a pooler has forgotten a prepared
 * statement, the answer was lost, or a batch failed as a whole and what it carried was sent one by one.
 */
export const retryReasons = ['busy', 'collision', 'lost_name', 'lost_answer', 'failed_batch'] as const;
export type RetryReason = (typeof retryReasons)[number];

/** Notified of what a driver does, for metrics. */
export interface DriverObserver {
  /** How many reads or writes shared a round trip, and how many milliseconds it took. */
  batch(operation: 'read' | 'write', size: number, milliseconds: number): void;
  retried(reason: RetryReason, times?: number): void;
  /** A change was stored, together with the event that records it. */
  changed(): void;
}

export const nobody: DriverObserver = { batch: () => {}, retried: () => {}, changed: () => {} };

/**
 * The database cannot be reached, is locked, is full or refuses access; trying again later makes sense. Nothing was
 * changed, unless it is an `OutcomeUnknown`. What this means for each request is in docs/monitoring.md.
 */
export class StorageUnavailable extends Error {
  override name: string = 'StorageUnavailable';
}

/**
 * The write was sent and its answer was lost: it has taken place as a whole, will do so in a moment, or not at all. A
 * driver never repeats such a write, as only its caller knows whether that does harm. A read never ends like this.
 */
export class OutcomeUnknown extends StorageUnavailable {
  override name = 'OutcomeUnknown';
}

/** The write would break a uniqueness constraint of the schema. Nothing was changed. */
export class StorageConflict extends Error {
  override name = 'StorageConflict';
}

/** A text that not every engine can hold or compare: it has a zero byte. Nothing was read or changed. */
export class UnusableText extends Error {
  override name = 'UnusableText';
}

/** An operator has to do something before the store can be used. The message is one or more whole sentences for them. */
export class StoreUnusable extends Error {
  override name = 'StoreUnusable';
}
