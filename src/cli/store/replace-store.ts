// Puts a complete new store in the place of the embedded one. Each step leaves either the old store or the new one there, whole, also
// if the process is killed right after it: the old one's log is merged into it before anything has its name, and a single rename
// decides.

import {
  chownSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { syncFolder } from '../../platform/durable-file.ts';
import { codeOf, messageOf } from '../../protocol/reading/caught-errors.ts';
import { CommandFailed } from '../command.ts';

/** A database whose log is part of it: one file. */
export function makeSingleFile(file: string): void {
  const database = new DatabaseSync(file);
  try {
    database.exec('PRAGMA journal_mode = DELETE');
  } finally {
    database.close();
  }
  sync(file);
}

/** Root restores for the user whose service it is, who couldn't open a store of root's. */
export function giveToOwnerOf(other: string, file: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(other);
  chownSync(file, uid, gid);
}

function sync(file: string): void {
  const descriptor = openSync(file, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

const beforeRestore = 'latchkey-before-restore-';

/** A name that's free. */
export function nameBefore(file: string, time: Date): string {
  const name = `${beforeRestore}${time.toISOString().replace(/\.\d+|[-:]/g, '')}`;
  for (let number = 1; ; number++) {
    const place = join(dirname(file), `${name}${number === 1 ? '' : `-${number}`}.db`);
    if (!existsSync(place)) return place;
  }
}

/**
 * `next` is a single file that nobody uses. Yields what was done, after each step. The old store is locked meanwhile, so nobody writes
 * to what is no longer the store; one that is damaged is kept with its log.
 */
export function* replaceStore(file: string, next: string, before: string): Generator<string> {
  const old = existsSync(file) ? lockAlone(file) : undefined;
  yield 'merged the log of the old store';
  try {
    if (existsSync(file)) {
      keep(file, before);
      if (old === undefined && existsSync(`${file}-wal`)) keep(`${file}-wal`, `${before}-wal`);
      syncFolder(dirname(file));
      yield 'kept the old store';
    }
    // The log of a damaged store would be taken for the new one's.
    for (const ending of ['-wal', '-shm']) rmSync(file + ending, { force: true });
    renameSync(next, file);
    yield 'put the new store in its place';
    syncFolder(dirname(file));
    yield 'synced the folder';
  } finally {
    old?.close();
  }
}

const damaged = [11 /* CORRUPT */, 26 /* NOTADB */];

/** Its mode can only be changed while nobody else has it open. Undefined if it's damaged. */
function lockAlone(file: string): DatabaseSync | undefined {
  const database = new DatabaseSync(file);
  try {
    database.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    if (error instanceof Error && 'errcode' in error && damaged.includes(Number(error.errcode) & 0xff))
      return undefined;
    throw new CommandFailed(`another process uses ${file} (${messageOf(error)}). Stop it first.`);
  }
}

function keep(file: string, before: string): void {
  try {
    linkSync(file, before);
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(codeOf(error) ?? '')) throw error;
    // Some network and removable file systems have no hard links.
    copyFileSync(file, before);
    sync(before);
  }
}

/** A restore that was killed after it kept the store, and before it replaced it, leaves a second name of the store. */
export function forgetSecondNames(file: string): void {
  for (const name of readdirSync(dirname(file))) {
    const other = join(dirname(file), name);
    if (name.startsWith(beforeRestore) && isSameFile(file, other)) rmSync(other);
  }
}

export function isSameFile(one: string, other: string): boolean {
  const [first, second] = [one, other].map((each) => statSync(each, { throwIfNoEntry: false }));
  return first !== undefined && second !== undefined && first.dev === second.dev && first.ino === second.ino;
}
