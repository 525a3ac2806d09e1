// `latchkey backup FILE`: copies the embedded store while the service runs.

import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { readConfig } from '../../platform/config.ts';
import { messageOf } from '../../protocol/reading/caught-errors.ts';
import { checkCopy, copySqlite } from '../../storage/sqlite/backup.ts';
import { CommandFailed } from '../command.ts';
import { defineCommand } from '../frame/define.ts';
import { type Work, withProgress } from '../terminal/progress.ts';
import { removeLeftovers, unfinishedName } from '../unfinished-file.ts';
import { databaseFile } from './open-store.ts';

export const backup = defineCommand({
  summary: "copy the embedded store while it's in use",
  details: `The copy is a consistent snapshot that only you can read. It doesn't include the key file: keep a copy of that elsewhere.

To restore it, stop the service, replace latchkey.db in the data directory with the copy, delete latchkey.db-wal and
latchkey.db-shm, and start the service again. For PostgreSQL, use PostgreSQL's own tools.`,
  arguments: { target: { label: 'FILE', completes: 'file' } },
  examples: ['latchkey backup /var/backups/latchkey.db'],
  async run({ args: { target }, environment }) {
    const config = readConfig(environment);
    if (config.databaseUrl !== undefined)
      throw new CommandFailed('backup only works with the embedded store. For PostgreSQL, use pg_dump.');
    const source = databaseFile(config);
    if (!existsSync(source)) throw new CommandFailed(`there's no store at ${source}.`);
    if (existsSync(target)) throw new CommandFailed(`${target} already exists. Choose another file.`);
    // Renamed when it is complete, so that a partial copy never looks like a backup.
    removeLeftovers(target);
    const unfinished = unfinishedName(target);
    try {
      await withProgress(copying(source, unfinished), () => copySqlite(source, unfinished));
      await withProgress({ label: 'Checking the copy' }, () => checkCopy(unfinished));
      renameSync(unfinished, target);
    } catch (error) {
      rmSync(unfinished, { force: true });
      throw new CommandFailed(`the backup failed: ${messageOf(error)}.`);
    }
    return { text: `Copied the store to ${target}.` };
  },
});

/** The copy grows to about the size of the original and of what is still in its log. */
function copying(source: string, target: string): Work {
  const megabytes = (file: string) => Math.ceil((statSync(file, { throwIfNoEntry: false })?.size ?? 0) / 1e6);
  const count = megabytes(source) + megabytes(`${source}-wal`);
  return { label: 'Copying', total: { count, unit: 'MB' }, measure: () => megabytes(target) };
}
