// The writer thread of the embedded store. It takes whatever writes have queued, runs them in one transaction, each in a
// savepoint of its own, and answers them after the one commit: the disk is waited for once for all of them, and never by
// the event loop.

import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import type { Row, Statement } from './driver.ts';
import { connect, type FailureKind, failureKind } from './sqlite-connection.ts';

export interface WriteJob {
  readonly id: number;
  readonly statements: readonly Statement[];
}

export type WriteAnswer =
  | { id: number; kind: 'done'; rows: Row[][] | undefined }
  | { id: number; kind: 'failed'; failure: FailureKind; message: string };

const groupLimit = 256;
const port = parentPort;
if (port === null) throw new Error('sqlite-writer runs as a worker thread');
const connection = connect(workerData.file, { busyTimeout: workerData.busyTimeout, readOnly: false });

port.on('message', (message: WriteJob | 'close') => {
  const jobs: WriteJob[] = [];
  let next: WriteJob | 'close' | undefined = message;
  while (next !== undefined && next !== 'close') {
    jobs.push(next);
    next = jobs.length < groupLimit ? receiveMessageOnPort(port)?.message : undefined;
  }
  if (jobs.length > 0) for (const answer of commitTogether(jobs)) port.postMessage(answer);
  if (next === 'close') {
    connection.database.close();
    port.close();
  }
});

function commitTogether(jobs: readonly WriteJob[]): WriteAnswer[] {
  const { database } = connection;
  try {
    database.exec('BEGIN IMMEDIATE');
    const answers = jobs.map(runInSavepoint);
    database.exec('COMMIT');
    return answers;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    return jobs.map((job) => failed(job, error));
  }
}

/** Throws only what concerns the whole transaction: a full disk, a lost file. */
function runInSavepoint(job: WriteJob): WriteAnswer {
  const { database } = connection;
  database.exec('SAVEPOINT job');
  try {
    const rows: Row[][] = [];
    for (const statement of job.statements) {
      const returned = connection.all(statement.sql, statement.params);
      if (statement.mustReturn === true && returned.length === 0) {
        database.exec('ROLLBACK TO job; RELEASE job');
        return { id: job.id, kind: 'done', rows: undefined };
      }
      rows.push(returned);
    }
    database.exec('RELEASE job');
    return { id: job.id, kind: 'done', rows };
  } catch (error) {
    if (failureKind(error) === 'unavailable' || !database.isTransaction) throw error;
    database.exec('ROLLBACK TO job; RELEASE job');
    return failed(job, error);
  }
}

function failed(job: WriteJob, error: unknown): WriteAnswer {
  return { id: job.id, kind: 'failed', failure: failureKind(error), message: String((error as Error).message) };
}
