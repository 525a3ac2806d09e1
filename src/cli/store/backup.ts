// `latchkey backup`: copies the store while the service runs, to a file or as one of several into a folder.

import { statSync } from 'node:fs';
import { type Config, readConfig } from '../../platform/config.ts';
import { MINUTE, SECOND } from '../../protocol/durations.ts';
import { UsageError } from '../command.ts';
import { defineCommand } from '../frame/define.ts';
import { summaries } from '../summaries.ts';
import { duration } from '../terminal/times.ts';
import { backUpInto, backUpTo, requireReplaceable } from './make-backup.ts';
import { contentsSentence, verifyBackup } from './verify-backup.ts';

export const backup = defineCommand({
  summary: summaries.backup,
  details: `A backup is the store as of one moment, in a file that only you can read. From the embedded store it's a database, and from
PostgreSQL an export, as "latchkey export" writes it; instances keep serving. It doesn't include the keys: keep a copy of them
elsewhere.

In a folder, which only you may be able to read, the backup is called latchkey-<time>.db or .jsonl, with the time in UTC. --keep
deletes older ones with such a name from that folder once the new one is complete, so that you can run this every night.

--verify makes no backup. It restores FILE into a temporary store (in TMPDIR), checks that nothing is missing or damaged and that
the configured keys open it, and says what is in it.`,
  arguments: { target: { label: 'FILE|FOLDER/', completes: 'file' } },
  options: {
    keep: { value: 'N', about: 'keep the newest N backups in FOLDER/, and delete older ones' },
    replace: { about: 'replace FILE if it exists' },
    verify: { about: 'restore the backup FILE into a temporary store, and check it' },
  },
  examples: [
    'latchkey backup /var/backups/latchkey.db',
    'latchkey backup /var/backups/latchkey/ --keep 14',
    'latchkey backup /var/backups/latchkey.db --replace',
    'latchkey backup --verify /var/backups/latchkey.db',
  ],
  async run({ args: { target }, values: { keep, replace, verify }, environment }) {
    const config = readConfig(environment);
    if (verify) {
      if (keep !== undefined || replace) throw new UsageError('--verify makes no backup: use it alone');
      const { warning, ...contents } = await verifyBackup(config, target);
      const opened = warning === undefined ? ', and the configured keys open them' : '';
      const rows = `All ${contents.rows.toLocaleString('en')} rows are there${opened}.`;
      const about = `${target} can be restored: ${contentsSentence(contents)}. ${rows}`;
      return { text: warning === undefined ? about : `${about}\n${warning}` };
    }
    const isFolder = target.endsWith('/') || statSync(target, { throwIfNoEntry: false })?.isDirectory() === true;
    if (isFolder && replace) throw new UsageError('--replace is for a file, not for a folder');
    if (!isFolder && keep !== undefined) throw new UsageError('--keep is for a folder: end it with a slash');
    const kept = readKeep(keep);
    if (!isFolder) {
      requireReplaceable(config, target, replace);
      const { heldFor } = await backUpTo(config, target);
      return { text: `Copied the store to ${target}.${snapshotSentence(heldFor)}${keysSentence(config)}` };
    }
    const { file, deleted, heldFor } = await backUpInto(config, target, kept);
    const older = deleted === 0 ? '' : ` Deleted ${deleted === 1 ? '1 older copy' : `${deleted} older copies`}.`;
    return { text: `Copied the store to ${file}.${older}${snapshotSentence(heldFor)}${keysSentence(config)}` };
  },
});

function readKeep(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new UsageError('--keep must be a whole number of at least 1');
  return Number(text);
}

/** Meanwhile, PostgreSQL can't clean up what changes leave behind, and a migration waits. */
function snapshotSentence(heldFor: number | undefined): string {
  if (heldFor === undefined) return '';
  const time = heldFor < MINUTE ? `${(heldFor / SECOND).toFixed(1)} s` : duration(heldFor);
  return ` It held its snapshot for ${time}.`;
}

function keysSentence({ keys, keysFile }: Config): string {
  const place = keys === undefined ? `in ${keysFile}` : 'those in LATCHKEY_KEYS';
  return `\nThe keys aren't in it: they're ${place}. Keep a copy of them apart from it.`;
}
