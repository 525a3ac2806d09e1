// Makes a backup of the configured store while it's in use: a copy of the embedded database, or an export from PostgreSQL. For
// `latchkey backup`, and for the service, which makes them by schedule.

import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Config } from '../../platform/config.ts';
import { SECOND } from '../../protocol/durations.ts';
import { messageOf } from '../../protocol/reading/caught-errors.ts';
import { lastBackupName } from '../../protocol/resources/settings.ts';
import { checkCopy, copySqlite, noteCopy } from '../../storage/sqlite/backup.ts';
import { noteCopied } from '../../storage/transfer.ts';
import { CommandFailed } from '../command.ts';
import { type Work, withProgress } from '../terminal/progress.ts';
import { removeLeftovers, writeCompletely } from '../unfinished-file.ts';
import { databaseFile } from './open-store.ts';
import { exportToFile, withStore } from './transfer.ts';

export interface MadeBackup {
  readonly file: string;
  /** How many older ones were deleted. */
  readonly deleted: number;
  /** For how many milliseconds PostgreSQL held a snapshot; undefined for the embedded store. */
  readonly heldFor: number | undefined;
}

/**
 * `keep` is how many are left of those in the folder, with the new one. With `notes`, the store says when it was made: the service,
 * which would wait for that, notes more.
 */
export async function backUpInto(
  config: Config,
  folder: string,
  keep: number | undefined,
  notes = true,
): Promise<MadeBackup> {
  requirePrivate(folder);
  removeAbandoned(folder);
  const name = unusedName(config, folder);
  const file = join(folder, name);
  const { heldFor } = await backUpTo(config, file, notes);
  // By a clock that was set back, the new backup looks older than others: it's kept in any case.
  const others = backupsIn(folder).filter((other) => other !== name);
  const older =
    keep === undefined
      ? []
      : others
          .sort()
          .reverse()
          .slice(keep - 1);
  for (const other of older) removeBackup(join(folder, other));
  return { file, deleted: older.length, heldFor };
}

/** What exists at the target is replaced: whether it may be is for `requireReplaceable` to say. */
export async function backUpTo(config: Config, target: string, notes = true): Promise<Pick<MadeBackup, 'heldFor'>> {
  if (config.databaseUrl !== undefined) {
    return withStore(config, 'refuse', async (driver) => {
      const { heldFor } = await exportToFile(driver, target, 'the backup failed');
      if (notes) await noteCopied(driver, Date.now());
      return { heldFor };
    });
  }
  const source = databaseFile(config);
  if (!existsSync(source)) throw new CommandFailed(`there's no store at ${source}.`);
  try {
    await writeCompletely(target, async (unfinished) => {
      await withProgress(copying(source, unfinished), () => copySqlite(source, unfinished));
      await withProgress({ label: 'Checking the copy' }, () => checkCopy(unfinished));
    });
  } catch (error) {
    throw new CommandFailed(`the backup failed: ${messageOf(error)}.`);
  }
  try {
    if (notes) noteCopy(source, lastBackupName, Date.now());
  } catch {
    // Only the console's checklist needs it. The backup may run as a user who can't write to the store, and the copy is complete.
  }
  return { heldFor: undefined };
}

/** Whatever name they're given by, the store and its keys can't be replaced with a backup. */
export function requireReplaceable(config: Config, target: string, replace: boolean): void {
  const existing = statSync(target, { throwIfNoEntry: false });
  if (existing === undefined) return;
  if (!replace) throw new CommandFailed(`${target} already exists. Choose another file, or add --replace.`);
  const store = databaseFile(config);
  const inUse = [store, `${store}-wal`, `${store}-shm`, config.keysFile].some((file) => {
    const found = statSync(file, { throwIfNoEntry: false });
    return found !== undefined && found.dev === existing.dev && found.ino === existing.ino;
  });
  if (inUse || !existing.isFile()) throw new CommandFailed(`${basename(target)} isn't a backup. Choose another file.`);
}

/** Users who can read the folder learn when there are backups; those who can write to it can replace them. */
function requirePrivate(folder: string): void {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (!found?.isDirectory()) throw new CommandFailed(`there's no folder ${folder}. Create it first.`);
  if ((found.mode & 0o077) !== 0) {
    throw new CommandFailed(`other users can read ${folder}. Run "chmod 700" on it, or choose another folder.`);
  }
}

/** Sorted by name, backups are sorted by time. */
function backupName({ databaseUrl }: Config, time: Date): string {
  const ending = databaseUrl === undefined ? 'db' : 'jsonl';
  return `latchkey-${time.toISOString().replace(/\.\d+|[-:]/g, '')}.${ending}`;
}

/** Two within a second have names a second apart. */
function unusedName(config: Config, folder: string): string {
  const free = (time: number): string => {
    const name = backupName(config, new Date(time));
    return existsSync(join(folder, name)) ? free(time + SECOND) : name;
  };
  return free(Date.now());
}

const isBackupName = (name: string) => /^latchkey-\d{8}T\d{6}Z\.(?:db|jsonl)$/.test(name);

function backupsIn(folder: string): string[] {
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map(({ name }) => name).filter(isBackupName);
}

/** With the files that SQLite makes beside a copy when someone looks into it. */
function removeBackup(file: string): void {
  for (const ending of ['', '-wal', '-shm']) rmSync(file + ending, { force: true });
}

/** What killed backups have left. Each had another name, so the next one doesn't remove them by itself. */
function removeAbandoned(folder: string): void {
  for (const name of readdirSync(folder)) {
    const [backup = ''] = name.split('.unfinished');
    if (backup !== name && isBackupName(backup)) removeLeftovers(join(folder, backup));
  }
}

/** The copy grows to about the size of the original and of what is still in its log. */
function copying(source: string, target: string): Work {
  const megabytes = (file: string) => Math.ceil((statSync(file, { throwIfNoEntry: false })?.size ?? 0) / 1e6);
  const count = megabytes(source) + megabytes(`${source}-wal`);
  return { label: 'Copying', total: { count, unit: 'MB' }, measure: () => megabytes(target) };
}
