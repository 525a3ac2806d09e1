// Writes small files that have to survive a power cut and a full disk. The text goes to a temporary file in the same
// folder, which takes the file's name only once it's on disk, so that a reader finds the old text or the new one and
// never a part of it.

import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { MINUTE } from '../protocol/durations.ts';
import { codeOf } from '../protocol/reading/caught-errors.ts';

const unfinishedMark = '.unfinished-';
/** Writing takes milliseconds: a temporary file this old belongs to a process that was killed. */
const abandonedAfter = MINUTE;

/** False if the file exists already, perhaps because another process has created it in the meantime. */
export function createFile(file: string, text: string): boolean {
  return writeThen(file, text, (unfinished) => {
    try {
      linkSync(unfinished, file);
      return true;
    } catch (error) {
      const code = codeOf(error) ?? '';
      if (code === 'EEXIST') return false;
      if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(code)) throw error;
      // Some network and removable file systems have no hard links.
      if (existsSync(file)) return false;
      renameSync(unfinished, file);
      return true;
    }
  });
}

/** Replaces the target of a symbolic link, not the link. */
export function replaceFile(file: string, text: string): void {
  const target = realpathSync(file);
  writeThen(target, text, (unfinished) => renameSync(unfinished, target));
}

/** Deletes temporary files that killed processes have left beside the file. They're readable by the owner alone. */
export function removeAbandonedFiles(file: string): void {
  const folder = dirname(file);
  try {
    for (const name of readdirSync(folder)) {
      if (!name.startsWith(basename(file) + unfinishedMark)) continue;
      const unfinished = join(folder, name);
      if (Date.now() - statSync(unfinished).mtimeMs > abandonedAfter) rmSync(unfinished, { force: true });
    }
  } catch {
    // The folder may be one that only an administrator can list or change.
  }
}

/** Syncs a folder: without this, a created or renamed file can be gone after a power cut. */
export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } catch (error) {
    // Some network file systems can't sync a folder, and don't need to.
    if (codeOf(error) !== 'EINVAL') throw error;
  } finally {
    closeSync(descriptor);
  }
}

function writeThen<Result>(file: string, text: string, finish: (unfinished: string) => Result): Result {
  const unfinished = `${file}${unfinishedMark}${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(unfinished, text, { mode: 0o600, flag: 'wx', flush: true });
    const result = finish(unfinished);
    rmSync(unfinished, { force: true });
    syncFolder(dirname(file));
    return result;
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}
