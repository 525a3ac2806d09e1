// The writer thread of the embedded database. It takes all writes that have queued up, runs them in one transaction,
// and answers them after the commit. So they all wait for the disk once, and the event loop never does.

import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../protocol/reading/caught-errors.ts';
import type { Row } from '../driver.ts';
import { commitFailureKind, connect, type FailureKind, failureKind, isBusy } from './connection.ts';
import { jobsIn, type WriteBatch, type WriteJob } from './write-batch.ts';

export interface WriterOptions {
  readonly file: string;
  readonly busyTimeout: number;
  /** The page cache, in KB; SQLite's default is 2,000. */
  readonly pageCache?: number | undefined;
}

export type ToWriter = WriteBatch | { readonly forget: number } | 'close';

/** `opened` comes first and says that the file could be opened. */
export type FromWriter = 'opened' | WriteAnswers;

/** The answers to one source, in two arrays of the same length. */
export interface WriteAnswers {
  readonly source: number;
  readonly ids: number[];
  readonly outcomes: WriteOutcome[];
  readonly again: Again;
}

/** How often the writer had to wait for another process that was writing, and whether it had to begin anew because a job had to be undone. */
export type Again = Partial<Record<'busy' | 'failed_batch', number>>;

/** The rows of each statement; undefined if one returned none and had to. */
export type WriteOutcome = Row[][] | undefined | WriteFailure;

export interface WriteFailure {
  readonly failure: FailureKind;
  readonly message: string;
}

const groupLimit = 256;
/** Milliseconds, on average, between attempts to write while another process does. */
const retryAfter = 0.5;
const port = parentPort;
if (port === null) throw new Error('the writer runs as a worker thread');
const post = (message: FromWriter) => port.postMessage(message);
const { file, busyTimeout, pageCache }: WriterOptions = workerData;
const connection = connect(file, { busyTimeout, readOnly: false });
// SQLite would wait for a lock in steps of up to 100 ms and miss its turn; `begin` waits in shorter ones.
connection.database.exec('PRAGMA busy_timeout = 0');
// Bulk writes change the same pages again and again, so checkpoints are less frequent.
if (pageCache !== undefined)
  connection.database.exec(`PRAGMA cache_size = -${pageCache}; PRAGMA wal_autocheckpoint = 16000`);
const pause = new Int32Array(new SharedArrayBuffer(4));
const textsOf = new Map<number, string[]>();
post('opened');

port.on('message', (message: ToWriter) => {
  const jobs: WriteJob[] = [];
  let next: ToWriter | undefined = message;
  while (next !== undefined && next !== 'close') {
    if ('forget' in next) textsOf.delete(next.forget);
    else jobs.push(...received(next));
    next = jobs.length < groupLimit ? receiveMessageOnPort(port)?.message : undefined;
  }
  if (jobs.length > 0) {
    const { outcomes, again } = commitTogether(jobs);
    answer(jobs, outcomes, again);
  }
  if (next === 'close') {
    connection.database.close();
    port.close();
  }
});

function received(batch: WriteBatch): WriteJob[] {
  let texts = textsOf.get(batch.source);
  if (texts === undefined) {
    texts = [];
    textsOf.set(batch.source, texts);
  }
  texts.push(...batch.newTexts);
  return jobsIn(batch, texts);
}

/** One message per source; the first one says what was done again. */
function answer(jobs: readonly WriteJob[], outcomes: readonly WriteOutcome[], again: Again): void {
  const answers = new Map<number, WriteAnswers>();
  for (const [index, { source, id }] of jobs.entries()) {
    let own = answers.get(source);
    if (own === undefined) {
      own = { source, ids: [], outcomes: [], again: answers.size === 0 ? again : {} };
      answers.set(source, own);
    }
    own.ids.push(id);
    own.outcomes.push(outcomes[index]);
  }
  for (const own of answers.values()) post(own);
}

function commitTogether(jobs: readonly WriteJob[]): { outcomes: WriteOutcome[]; again: Again } {
  let kindOf = failureKind;
  const again: Again = {};
  try {
    again.busy = begin();
    let outcomes = runAll(jobs, jobs.length === 1 ? 'transaction' : 'nothing');
    if (outcomes === undefined) {
      connection.all('ROLLBACK', []);
      again.failed_batch = 1;
      again.busy += begin();
      outcomes = runAll(jobs, 'savepoint');
    }
    kindOf = commitFailureKind;
    if (connection.database.isTransaction) connection.all('COMMIT', []);
    return { outcomes: outcomes ?? [], again };
  } catch (error) {
    if (connection.database.isTransaction) connection.all('ROLLBACK', []);
    return { outcomes: jobs.map(() => failed(error, kindOf(error))), again };
  }
}

/** Another process may be writing, which takes about as long as a disk takes to sync. Returns how often it had to wait. */
function begin(): number {
  const deadline = performance.now() + busyTimeout;
  for (let retries = 0; ; retries++) {
    try {
      connection.all('BEGIN IMMEDIATE', []);
      return retries;
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      Atomics.wait(pause, 0, 0, retryAfter * (0.5 + Math.random()));
    }
  }
}

/**
 * What a job that fails midway can undo. A savepoint makes SQLite copy every page that it changes, so jobs that share a
 * transaction run without one until a job needs it. One that fails with its first statement has changed nothing.
 */
type Undo = 'transaction' | 'savepoint' | 'nothing';

/** Undefined if a job has to be undone and can't. */
function runAll(jobs: readonly WriteJob[], undo: Undo): WriteOutcome[] | undefined {
  const outcomes: WriteOutcome[] = [];
  for (const job of jobs) {
    const outcome = run(job, undo);
    if (outcome === 'half done') return undefined;
    outcomes.push(outcome);
  }
  return outcomes;
}

/** Throws only errors that concern the whole transaction: a full disk, a lost file. */
function run({ statements }: WriteJob, undo: Undo): WriteOutcome | 'half done' {
  // A single statement is atomic by itself.
  const nested = undo === 'savepoint' && statements.length > 1;
  if (nested) connection.all('SAVEPOINT job', []);
  const rows: Row[][] = [];
  const undone = <Outcome>(outcome: Outcome): Outcome | 'half done' => {
    if (nested) leaveSavepoint();
    else if (rows.length > 0) {
      if (undo === 'nothing') return 'half done';
      connection.all('ROLLBACK', []);
    }
    return outcome;
  };
  try {
    for (const { sql, params, mustReturn, countsChanges } of statements) {
      const returned = countsChanges === true ? [] : connection.all(sql, params);
      const count = countsChanges === true ? connection.change(sql, params) : returned.length;
      if (mustReturn === true && count === 0) return undone(undefined);
      rows.push(returned);
    }
  } catch (error) {
    if (failureKind(error) === 'unavailable' || !connection.database.isTransaction) throw error;
    return undone(failed(error, failureKind(error)));
  }
  if (nested) connection.all('RELEASE job', []);
  return rows;
}

function leaveSavepoint(): void {
  connection.all('ROLLBACK TO job', []);
  connection.all('RELEASE job', []);
}

function failed(error: unknown, failure: FailureKind): WriteFailure {
  return { failure, message: messageOf(error) };
}
