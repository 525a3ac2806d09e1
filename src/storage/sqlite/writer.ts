// The writer thread of the embedded database. It takes all writes that have queued up, runs them in one transaction,
// each in a savepoint of its own when it has more than one statement, and answers them after the commit. So they all
// wait for the disk once, and the event loop never does.

import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import type { Row, Statement } from '../driver.ts';
import { commitFailureKind, connect, type FailureKind, failureKind, isBusy, messageOf } from './connection.ts';

/** A statement with the number of its text. Texts are sent once, because copying one costs more than running it. */
export type NumberedStatement = Omit<Statement, 'sql'> & { readonly text: number };

export interface WriterOptions {
  readonly file: string;
  readonly busyTimeout: number;
}

export interface WriteJob {
  readonly id: number;
  readonly statements: readonly NumberedStatement[];
}

export interface WriteBatch {
  /** Texts that no earlier batch had; they get the next numbers. */
  readonly newTexts: readonly string[];
  readonly jobs: readonly WriteJob[];
}

export type WriteAnswer =
  | { id: number; kind: 'done'; rows: Row[][] | undefined }
  | { id: number; kind: 'failed'; failure: FailureKind; message: string };

const groupLimit = 256;
/** Milliseconds, on average, between attempts to write while another process does. */
const retryAfter = 0.5;
const port = parentPort;
if (port === null) throw new Error('the writer runs as a worker thread');
const { file, busyTimeout }: WriterOptions = workerData;
const connection = connect(file, { busyTimeout, readOnly: false });
// SQLite would wait for a lock in steps of up to 100 ms and miss its turn; `begin` waits in shorter ones.
connection.database.exec('PRAGMA busy_timeout = 0');
const pause = new Int32Array(new SharedArrayBuffer(4));
const texts: string[] = [];
// An answer to nothing, which says that the file could be opened.
port.postMessage([] satisfies WriteAnswer[]);

port.on('message', (message: WriteBatch | 'close') => {
  const jobs: WriteJob[] = [];
  let next: WriteBatch | 'close' | undefined = message;
  while (next !== undefined && next !== 'close') {
    texts.push(...next.newTexts);
    jobs.push(...next.jobs);
    next = jobs.length < groupLimit ? receiveMessageOnPort(port)?.message : undefined;
  }
  if (jobs.length > 0) port.postMessage(commitTogether(jobs));
  if (next === 'close') {
    connection.database.close();
    port.close();
  }
});

function commitTogether(jobs: readonly WriteJob[]): WriteAnswer[] {
  let kindOf = failureKind;
  try {
    begin();
    const answers = jobs.map(run);
    kindOf = commitFailureKind;
    connection.all('COMMIT', []);
    return answers;
  } catch (error) {
    if (connection.database.isTransaction) connection.all('ROLLBACK', []);
    return jobs.map((job) => failed(job, error, kindOf(error)));
  }
}

/** Another process may be writing, which takes about as long as a disk takes to sync. */
function begin(): void {
  const deadline = performance.now() + busyTimeout;
  for (;;) {
    try {
      connection.all('BEGIN IMMEDIATE', []);
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      Atomics.wait(pause, 0, 0, retryAfter * (0.5 + Math.random()));
    }
  }
}

/** Throws only errors that concern the whole transaction: a full disk, a lost file. */
function run(job: WriteJob): WriteAnswer {
  // A single statement is atomic by itself.
  const alone = job.statements.length === 1;
  if (!alone) connection.all('SAVEPOINT job', []);
  try {
    const rows: Row[][] = [];
    for (const statement of job.statements) {
      const returned = connection.all(texts[statement.text] ?? '', statement.params);
      if (statement.mustReturn === true && returned.length === 0) {
        if (!alone) undo();
        return { id: job.id, kind: 'done', rows: undefined };
      }
      rows.push(returned);
    }
    if (!alone) connection.all('RELEASE job', []);
    return { id: job.id, kind: 'done', rows };
  } catch (error) {
    if (failureKind(error) === 'unavailable' || !connection.database.isTransaction) throw error;
    if (!alone) undo();
    return failed(job, error, failureKind(error));
  }
}

function undo(): void {
  connection.all('ROLLBACK TO job', []);
  connection.all('RELEASE job', []);
}

function failed(job: WriteJob, error: unknown, failure: FailureKind): WriteAnswer {
  return { id: job.id, kind: 'failed', failure, message: messageOf(error) };
}
