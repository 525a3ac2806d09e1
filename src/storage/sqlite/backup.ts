// A copy of the embedded store as of one moment, made while others read and write it.

import { closeSync, openSync } from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';

export async function backupSqlite(source: string, target: string): Promise<void> {
  closeSync(openSync(target, 'wx', 0o600));
  const database = new DatabaseSync(source, { readOnly: true });
  try {
    // In one step: between steps a writer would make the copy start anew, and a busy service would never let it end.
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
