// Looks at the files of an embedded store, past the service.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** What SQLite finds damaged in the database of this data directory. */
export function damageIn(dataDir: string): string[] {
  const database = new DatabaseSync(join(dataDir, 'latchkey.db'));
  try {
    const found = database.prepare('PRAGMA integrity_check').all();
    return found.map((row) => String(row.integrity_check)).filter((line) => line !== 'ok');
  } finally {
    database.close();
  }
}

/** The keys of this data directory, newest first. */
export function keysIn(dataDir: string): string[] {
  return readFileSync(join(dataDir, 'keys'), 'utf8').trim().split('\n');
}
