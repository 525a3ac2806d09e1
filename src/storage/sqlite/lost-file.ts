// Detects that the database file was deleted or replaced while it's open. SQLite keeps using the open file, and everything it
// then acknowledges is lost when the process ends.

import { statSync } from 'node:fs';
import { StorageUnavailable } from '../driver.ts';

/** Milliseconds between two checks of the directory. */
const lookEvery = 1000;

export interface FileIdentity {
  readonly dev: number;
  readonly ino: number;
}

/** The function throws while the file at the path isn't the one that was opened. */
export function lostFileCheck(file: string, opened: FileIdentity): () => void {
  let lookedAt = performance.now();
  let lost = false;
  return () => {
    const now = performance.now();
    if (now - lookedAt >= lookEvery) {
      lookedAt = now;
      lost = !isThere(file, opened);
    }
    if (lost)
      throw new StorageUnavailable(`${file} was deleted or replaced; stop the service, restore it, start again`);
  };
}

function isThere(file: string, opened: FileIdentity): boolean {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    return found !== undefined && found.dev === opened.dev && found.ino === opened.ino;
  } catch {
    // The folder can't be read; the open files still work.
    return true;
  }
}
