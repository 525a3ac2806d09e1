// The thread that checks a copy of the embedded database. It fails if the copy is damaged.

import { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';

const copy = new DatabaseSync(workerData as string);
try {
  const [row] = copy.prepare('PRAGMA integrity_check').all();
  if (row?.integrity_check !== 'ok') throw new Error('the copy is damaged');
} finally {
  copy.close();
}
