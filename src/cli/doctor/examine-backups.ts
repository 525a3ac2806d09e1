// What `latchkey doctor` says about scheduled backups.

import { statSync } from 'node:fs';
import type { Config } from '../../platform/config.ts';
import { isoTime } from '../../protocol/iso-time.ts';
import { type BackupProblem, type BackupState, backupProblems } from '../../protocol/scheduled-backups.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

const about = 'backups';

export function* examineBackups({ backups }: Config, state: BackupState | undefined, now: number): Generator<Finding> {
  if (backups !== undefined) {
    const folder = statSync(backups.folder, { throwIfNoEntry: false });
    if (!folder?.isDirectory()) yield problem(about, `there's no folder ${backups.folder} (LATCHKEY_BACKUP_FOLDER).`);
    else if ((folder.mode & 0o077) !== 0) {
      yield problem(about, `other users can read ${backups.folder}, so none are made there. Run "chmod 700" on it.`);
    }
  }
  if (state === undefined) {
    if (backups !== undefined)
      yield warning(about, 'none was made by schedule yet. The running service makes the first.');
    return;
  }
  const last = state.succeededAt === null ? 'none was made yet' : `the newest is from ${isoTime(state.succeededAt)}`;
  const texts: Record<BackupProblem, Finding> = {
    backup_failed: problem(about, `the last one on ${state.host} failed: ${state.reason} ${last}.`),
    backup_overdue: problem(
      about,
      `${last}, though there should be one every ${state.hours} hours. See the log of ${state.host}.`,
    ),
    backup_on_store_disk: warning(about, `${state.folder} is on the disk of the store, and would be lost with it.`),
  };
  const problems = backupProblems(state, now);
  for (const found of problems) yield texts[found];
  if (problems.length === 0) yield ok(about, `${last}, ${Math.ceil(state.size / 1e6)} MB in ${state.folder}.`);
}
