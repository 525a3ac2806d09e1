// The thread that asks for the lock of a writer ten times a second, as requests would, while another thread migrates the same
// database. Told to stop, it answers with the longest time that it waited, in milliseconds.

import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { HOUR } from '../../protocol/durations.ts';

const database = new DatabaseSync(workerData as string, { timeout: HOUR });
let longest = 0;
const timer = setInterval(() => {
  const started = performance.now();
  database.exec('BEGIN IMMEDIATE; ROLLBACK');
  longest = Math.max(longest, performance.now() - started);
}, 100);
parentPort?.once('message', () => {
  clearInterval(timer);
  database.close();
  parentPort?.postMessage(longest);
});
parentPort?.postMessage('ready');
