// How long requests have to wait for a lock while a copy is migrated: ten times a second, what a request that changes something asks
// for first.

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Driver } from '../../../storage/driver.ts';

const every = 100;

export interface LockWaits {
  /** The longest, in milliseconds. */
  stop(): Promise<number>;
}

/** In a thread of its own, because a migration of the embedded store keeps this one busy. */
export async function watchFile(file: string): Promise<LockWaits> {
  const thread = new Worker(new URL('../../../storage/sqlite/lock-probe.ts', import.meta.url), { workerData: file });
  await once(thread, 'message');
  return {
    async stop() {
      const answered = once(thread, 'message');
      thread.postMessage('stop');
      const [longest] = await answered;
      await thread.terminate();
      return longest;
    },
  };
}

/** What most requests read or change, and the column of their key. */
const used = [
  ['users', 'id'],
  ['clients', 'id'],
  ['sessions', 'digest'],
  ['grants', 'id'],
  ['events', 'id'],
] as const;

/** `driver` is closed in the end. Each as a request does it: the lock of a table that is written, and that of one row, one table after the other. */
export function watchDatabase(driver: Driver): LockWaits {
  const running = new Set<Promise<void>>();
  let longest = 0;
  const request = async () => {
    const started = performance.now();
    try {
      for (const [table, key] of used) {
        await driver.write([
          { sql: `LOCK TABLE ${table} IN ROW EXCLUSIVE MODE`, params: [] },
          {
            sql: `SELECT 1 AS one FROM ${table} WHERE ${key} = (SELECT ${key} FROM ${table} LIMIT 1) FOR UPDATE`,
            params: [],
          },
        ]);
      }
    } finally {
      // One that fails has waited, too.
      longest = Math.max(longest, performance.now() - started);
    }
  };
  const timer = setInterval(() => {
    const one = request().catch(() => {});
    running.add(one);
    one.finally(() => running.delete(one));
  }, every);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(running);
      await driver.close();
      return longest;
    },
  };
}
