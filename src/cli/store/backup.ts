// `latchkey backup`: copies the embedded store while the service runs, to a file or as one of several into a folder.

import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Config, readConfig } from '../../platform/config.ts';
import { messageOf } from '../../protocol/reading/caught-errors.ts';
import { lastBackupName } from '../../protocol/resources/settings.ts';
import { checkCopy, copySqlite, noteCopy } from '../../storage/sqlite/backup.ts';
import { CommandFailed, UsageError } from '../command.ts';
import { defineCommand } from '../frame/define.ts';
import { summaries } from '../summaries.ts';
import { type Work, withProgress } from '../terminal/progress.ts';
import { removeLeftovers, writeCompletely } from '../unfinished-file.ts';
import { databaseFile } from './open-store.ts';

export const backup = defineCommand({
  summary: summaries.backup,
  details: `The copy is a consistent snapshot that only you can read. It doesn't include the key file: keep a copy of that elsewhere.

For a folder that exists, the copy is called latchkey-<time>.db, with the time in UTC. --keep deletes older copies with such
a name from that folder once the new one is complete, so that you can run this every night.

To restore it, stop the service, replace latchkey.db in the data directory with the copy, delete latchkey.db-wal and
latchkey.db-shm, and start the service again. For PostgreSQL, use PostgreSQL's own tools.`,
  arguments: { target: { label: 'FILE|FOLDER/', completes: 'file' } },
  options: {
    keep: { value: 'N', about: 'keep the newest N copies in FOLDER/, and delete older ones' },
    replace: { about: 'replace FILE if it exists' },
  },
  examples: [
    'latchkey backup /var/backups/latchkey.db',
    'latchkey backup /var/backups/latchkey/ --keep 14',
    'latchkey backup /var/backups/latchkey.db --replace',
  ],
  async run({ args: { target }, values: { keep, replace }, environment }) {
    const config = readConfig(environment);
    if (config.databaseUrl !== undefined)
      throw new CommandFailed('backup only works with the embedded store. For PostgreSQL, use pg_dump.');
    const source = databaseFile(config);
    if (!existsSync(source)) throw new CommandFailed(`there's no store at ${source}.`);
    const isFolder = target.endsWith('/') || statSync(target, { throwIfNoEntry: false })?.isDirectory() === true;
    if (isFolder && replace) throw new UsageError('--replace is for a file, not for a folder');
    if (!isFolder && keep !== undefined) throw new UsageError('--keep is for a folder: end it with a slash');
    const kept = readKeep(keep);
    if (!isFolder) {
      requireReplaceable(config, target, replace);
      await copyTo(source, target);
      return { text: `Copied the store to ${target}.` };
    }
    if (!statSync(target, { throwIfNoEntry: false })?.isDirectory()) {
      throw new CommandFailed(`there's no folder ${target}. Create it first.`);
    }
    removeAbandoned(target);
    const name = copyName(new Date());
    const file = join(target, name);
    requireReplaceable(config, file, false);
    await copyTo(source, file);
    // By a clock that was set back, the new copy looks older than others: it's kept in any case.
    const others = copiesIn(target).filter((other) => other !== name);
    const older =
      kept === undefined
        ? []
        : others
            .sort()
            .reverse()
            .slice(kept - 1);
    for (const other of older) removeCopy(join(target, other));
    const deleted =
      older.length === 0 ? '' : ` Deleted ${older.length === 1 ? '1 older copy' : `${older.length} older copies`}.`;
    return { text: `Copied the store to ${file}.${deleted}` };
  },
});

function readKeep(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new UsageError('--keep must be a whole number of at least 1');
  return Number(text);
}

/** Sorted by name, copies are sorted by time. */
function copyName(time: Date): string {
  return `latchkey-${time.toISOString().replace(/\.\d+|[-:]/g, '')}.db`;
}

const isCopyName = (name: string) => /^latchkey-\d{8}T\d{6}Z\.db$/.test(name);

function copiesIn(folder: string): string[] {
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map(({ name }) => name).filter(isCopyName);
}

/** With the files that SQLite makes beside a copy when someone looks into it. */
function removeCopy(file: string): void {
  for (const ending of ['', '-wal', '-shm']) rmSync(file + ending, { force: true });
}

/** What killed backups have left. Each had another name, so the next one doesn't remove them by itself. */
function removeAbandoned(folder: string): void {
  for (const name of readdirSync(folder)) {
    const [copy = ''] = name.split('.unfinished');
    if (copy !== name && isCopyName(copy)) removeLeftovers(join(folder, copy));
  }
}

async function copyTo(source: string, target: string): Promise<void> {
  try {
    await writeCompletely(target, async (unfinished) => {
      await withProgress(copying(source, unfinished), () => copySqlite(source, unfinished));
      await withProgress({ label: 'Checking the copy' }, () => checkCopy(unfinished));
    });
  } catch (error) {
    throw new CommandFailed(`the backup failed: ${messageOf(error)}.`);
  }
  try {
    noteCopy(source, lastBackupName, Date.now());
  } catch {
    // Only the console's checklist needs it. The backup may run as a user who can't write to the store, and the copy is complete.
  }
}

/** Whatever name they're given by, the store and its keys can't be replaced with a copy. */
function requireReplaceable(config: Config, target: string, replace: boolean): void {
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

/** The copy grows to about the size of the original and of what is still in its log. */
function copying(source: string, target: string): Work {
  const megabytes = (file: string) => Math.ceil((statSync(file, { throwIfNoEntry: false })?.size ?? 0) / 1e6);
  const count = megabytes(source) + megabytes(`${source}-wal`);
  return { label: 'Copying', total: { count, unit: 'MB' }, measure: () => megabytes(target) };
}
