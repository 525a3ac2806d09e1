// Copies the embedded database as of one moment, while other processes read and write it.

import { closeSync, openSync } from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';

export async function copySqlite(source: string, target: string): Promise<void> {
  closeSync(openSync(target, 'wx', 0o600));
  const database = new DatabaseSync(source, { readOnly: true });
  try {
    // In one step: a write between two steps restarts the copy, and on a busy service it would never finish.
    await backup(database, target, { rate: 2 ** 31 - 1 });
  } finally {
    database.close();
  }
}

/** Notes in the store that it was copied, without migrating it. */
export function noteCopy(source: string, name: string, now: number): void {
  const database = new DatabaseSync(source, { timeout: 5000 });
  try {
    const note = `INSERT INTO settings (name, value, updated_at) VALUES ($name, $value, $now)
      ON CONFLICT (name) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at`;
    database.prepare(note).run({ $name: name, $value: String(now), $now: now });
  } finally {
    database.close();
  }
}

/** Reads the whole copy in a thread, because a large one takes a while and the caller may show progress. */
export async function checkCopy(target: string): Promise<void> {
  const thread = new Worker(new URL('./check-copy.ts', import.meta.url), { workerData: target });
  await new Promise<void>((resolve, reject) => {
    thread.once('error', reject);
    thread.once('exit', () => resolve());
  });
}
