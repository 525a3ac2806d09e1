// Looking after the store: `latchkey migrate` brings its schema up to date, and `latchkey sweep` says whether expired data is
// deleted.

import { confirmClock, findSweepPause } from '../../operations/housekeeping/upkeep.ts';
import { readConfig } from '../../platform/config.ts';
import { isoTime } from '../../protocol/iso-time.ts';
import { versionOf } from '../../storage/migrating.ts';
import { readMigrations } from '../../storage/sql/sql-storage.ts';
import { markUnsearchable } from '../../storage/transfer.ts';
import { UsageError } from '../command.ts';
import { defineCommand, jsonOption } from '../frame/define.ts';
import { pauseReasons } from '../service/background.ts';
import { summaries } from '../summaries.ts';
import { withProgress } from '../terminal/progress.ts';
import { localTime, shownTime } from '../terminal/times.ts';
import { defineStoreCommand } from '../with-services.ts';
import { openStore } from './open-store.ts';

export const migrate = defineCommand({
  summary: summaries.migrate,
  details: `PostgreSQL needs this before the first start and after an upgrade; the embedded store does it by itself. The
previous version can keep serving in the meantime. It's safe to run it on several machines at once, and to run it again after
it was interrupted: it continues where it left off.

--rehearse tries the upgrade on a copy, while the service runs, and changes nothing in the store: it migrates the copy, starts this
version on it without sending any email or webhook, signs a person of its own in and out, reads every list and compares counts. It says how
long each step took, how long requests would wait for a lock, what it needed on disk, and what going back would lose. The copy of the
embedded store is made in TMPDIR, and that of a PostgreSQL database in the empty one that --copy names, with pg_dump and pg_restore if
they're installed. The exit status is 0 only if every check passed.

With Citus, --distribute moves the events of a PostgreSQL store to the workers, and says how long writes were blocked;
--undistribute moves them back. Both are safe to repeat. See docs/scaling.md.

If you've gone back to an older version for a while, use --reindex when you're on this one again: people and applications
that the older version added or renamed may be missing in searches and lists by name until then.`,
  options: {
    rehearse: { about: 'try it on a copy, and change nothing' },
    copy: { value: 'URL', about: 'with --rehearse and PostgreSQL: the empty database for the copy' },
    distribute: { about: 'with PostgreSQL and Citus: move the events to the workers' },
    undistribute: { about: 'move them back into one database' },
    reindex: { about: 'index all people and applications again for search' },
    ...jsonOption,
  },
  examples: [
    'latchkey migrate',
    'latchkey migrate --rehearse',
    'DATABASE_URL=postgres://latchkey@db.example/latchkey latchkey migrate',
  ],
  async run({ environment, values }) {
    const config = readConfig(environment);
    const { rehearse, ...changes } = values;
    const change = (['distribute', 'undistribute', 'reindex'] as const).filter((name) => changes[name]);
    if (change.length > 1) throw new UsageError(`use --${change[0]} without --${change[1]}`);
    if (rehearse) {
      if (change[0] !== undefined) throw new UsageError(`--rehearse changes nothing: use it without --${change[0]}`);
      const { sayRehearsal } = await import('./rehearsal/said.ts');
      return sayRehearsal(config, values.copy);
    }
    if (values.copy !== undefined) throw new UsageError('--copy is for --rehearse: use them together');
    const driver = await openStore(config);
    try {
      const before = versionOf(await driver.appliedMigrations());
      const migrations = readMigrations();
      const work = { label: 'Migrating', total: { count: migrations.length - before, unit: 'migrations' } };
      const version = await withProgress(work, (progress) => driver.migrate(migrations, () => progress.add(1)));
      const text = `The schema is ${before === version ? 'already' : 'now'} at version ${version}.`;
      if (values.distribute || values.undistribute) {
        const { distribute } = await import('./distribute.ts');
        const { json, text: said } = await distribute(driver, values.distribute ? 'out' : 'back', version);
        return { json: { before, version, ...json }, text: `${text} ${said}` };
      }
      if (!values.reindex) return { json: { before, version }, text };
      await markUnsearchable(driver);
      return {
        json: { before, version, reindexes: true },
        text: `${text} The running service indexes everything again within a few minutes.`,
      };
    } finally {
      await driver.close();
    }
  },
});

export const sweep = defineStoreCommand({
  summary: summaries.sweep,
  details: `The service stops deleting when the clock jumps, or when most grants and sessions would be deleted at once, because a
wrong clock would delete them permanently. It continues once the clock is right again. Use --resume to confirm that the clock
is right: after a month of downtime, for example, most of them really have expired.`,
  options: { resume: { about: 'confirm that the clock is right, so that deletion resumes' } },
  examples: ['latchkey sweep', 'latchkey sweep --resume'],
  async run({ services, values }) {
    const pause = await findSweepPause(services);
    const resumes = pause !== undefined && values.resume;
    if (resumes) await confirmClock(services);
    const paused = pause && { since: isoTime(pause.since), reason: pause.reason };
    const json = { paused: paused ?? null, resumes };
    if (pause === undefined) return { json, text: 'Not paused. Expired data is being deleted.' };
    const now = process.stdout.isTTY ? localTime(services.clock.now()) : isoTime(services.clock.now());
    const since = `Paused since ${shownTime(pause.since)}: ${pauseReasons[pause.reason]}.`;
    const next = resumes
      ? `Confirmed that it's ${now}. Deletion resumes within a minute.`
      : `This machine's clock says ${now}. If that's right, run "latchkey sweep --resume".`;
    return { json, text: `${since}\n${next}` };
  },
});
