// Copies the embedded database as of one moment, while other processes read and write it.

import { closeSync, openSync } from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';

export async function backupSqlite(source: string, target: string): Promise<void> {
  closeSync(openSync(target, 'wx', 0o600));
  const database = new DatabaseSync(source, { readOnly: true });
  try {
    // In one step: a write between two steps restarts the copy, and on a busy service it would never finish.
    await backup(database, target, { rate: 2 ** 31 - 1 });
  } finally {
    database.close();
  }
  const copy = new DatabaseSync(target);
  try {
    const [row] = copy.prepare('PRAGMA integrity_check').all();
    if (row?.integrity_check !== 'ok') throw new Error('the copy is damaged');
  } finally {
    copy.close();
  }
}
