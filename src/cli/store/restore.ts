// `latchkey restore`: replaces the store with a backup, and says what was restored and what happened since.

import { existsSync, rmSync, statSync } from 'node:fs';
import { liveInstances } from '../../operations/instances/instances.ts';
import { systemClock } from '../../platform/clock.ts';
import { type Config, readConfig } from '../../platform/config.ts';
import { isoTime } from '../../protocol/iso-time.ts';
import { messageOf } from '../../protocol/reading/caught-errors.ts';
import { readDatabaseUrl } from '../../protocol/reading/database-url.ts';
import type { Driver } from '../../storage/driver.ts';
import { examineSchema } from '../../storage/migrating.ts';
import { type RevocationKind, revocationKinds } from '../../storage/restoring/ended-rows.ts';
import { readMigrations, sqlStorage } from '../../storage/sql/sql-storage.ts';
import { copySqlite } from '../../storage/sqlite/backup.ts';
import { countRows, transferTables } from '../../storage/transfer.ts';
import { CommandFailed } from '../command.ts';
import { defineCommand, jsonOption, type Said } from '../frame/define.ts';
import { summaries } from '../summaries.ts';
import { withProgress } from '../terminal/progress.ts';
import { removeLeftovers, unfinishedName } from '../unfinished-file.ts';
import { databaseFile, explainFileErrors, makeFolder, openKeys, reportWalDamage } from './open-store.ts';
import { type Present, type ReconcileOptions, reconcile, type Since, type Unknown } from './reconcile.ts';
import {
  forgetSecondNames,
  giveToOwnerOf,
  isSameFile,
  makeSingleFile,
  nameBefore,
  replaceStore,
} from './replace-store.ts';
import {
  type Contents,
  contentsOf,
  fillFromExport,
  kindOfBackup,
  requireKeysOf,
  storeOfBackup,
} from './store-of-backup.ts';
import { whenInterrupted } from './temporary-folder.ts';
import { contentsSentence } from './verify-backup.ts';

export interface RestoreOptions extends ReconcileOptions {
  readonly file: string;
  readonly dryRun: boolean;
  /** The store to ask what has happened since, if it isn't the one that is replaced: a file or the URL of a database. */
  readonly replaces: string | undefined;
}

interface Restored {
  readonly contents: Contents;
  readonly since: Since | Unknown;
  readonly warning: string | undefined;
  /** Where the store that was replaced is now. */
  readonly before: string | undefined;
}

export const restore = defineCommand({
  summary: summaries.restore,
  details: `Stop the service first. A backup of either kind replaces the embedded store all at once: if you interrupt it, you have the old
store or the new one. The old one is kept beside it as latchkey-before-restore-<time>.db. With PostgreSQL, the backup is an export,
and DATABASE_URL an empty database, which is filled in one transaction. The backup has to be complete, of a schema that this version can
read, and made with the configured keys.

Nothing that was revoked works again: all sessions, tokens, links, half-finished sign-ins and known browsers of the backup are ended,
unless you add --keep-sessions. From the store that is replaced, restore lists who was disabled or deleted since the backup, and which
roles, ways to sign in, secrets, keys, links and access were taken away. --keep-revocations takes them away from the restored store, too.
People who were deleted are deleted again in any case, and their IDs stay refused.

--dry-run does everything but the last step: use it to see that list first.`,
  arguments: { file: { label: 'FILE', completes: 'file' } },
  options: {
    'keep-revocations': { about: 'take away what was taken away since the backup' },
    'keep-sessions': { about: 'keep the sessions, tokens, links and known browsers of the backup' },
    replaces: {
      value: 'STORE',
      completes: 'file',
      about: 'ask this store what has happened since: a file, or for PostgreSQL the URL of the earlier database',
    },
    'dry-run': { about: 'check everything and say what has happened since, and change nothing' },
    ...jsonOption,
  },
  examples: [
    'latchkey restore /var/backups/latchkey/latchkey-20261117T013000Z.db --dry-run',
    'latchkey restore /var/backups/latchkey/latchkey-20261117T013000Z.db --keep-revocations',
    'DATABASE_URL=postgres://latchkey@db.example/restored latchkey restore latchkey-20261117T013000Z.jsonl --replaces postgres://latchkey@db.example/latchkey',
  ],
  async run({ args: { file }, values, environment }) {
    const config = readConfig(environment);
    const options: RestoreOptions = {
      file,
      keepSessions: values['keep-sessions'],
      keepRevocations: values['keep-revocations'],
      dryRun: values['dry-run'],
      replaces: values.replaces,
    };
    const restored = await withProgress({ label: 'Restoring' }, () =>
      config.databaseUrl === undefined ? lastOf(restoreEmbedded(config, options)) : restoreDatabase(config, options),
    );
    return said(options, restored);
  },
});

async function lastOf<Step, Result>(steps: AsyncGenerator<Step, Result>): Promise<Result> {
  for (;;) {
    const { done, value } = await steps.next();
    if (done === true) return value;
  }
}

/** Yields after each step what was done: a process that is killed there leaves the old store or the new one. */
export async function* restoreEmbedded(config: Config, options: RestoreOptions): AsyncGenerator<string, Restored> {
  const store = databaseFile(config);
  // A file that isn't a backup leaves no folder behind.
  kindOfBackup(options.file);
  makeFolder(config.dataDir);
  if (isSameFile(store, options.file)) throw new CommandFailed(`${options.file} is the store itself.`);
  forgetSecondNames(store);
  removeLeftovers(store);
  const staged = unfinishedName(store);
  const remove = () => {
    for (const end of ['', '-present', '-other'].flatMap((part) => [part, `${part}-wal`, `${part}-shm`])) {
      rmSync(staged + end, { force: true });
    }
  };
  const forget = whenInterrupted(remove);
  let old: OpenedPresent | undefined;
  let other: OpenedPresent | undefined;
  try {
    old = existsSync(store) ? await openPresent(store, `${staged}-present`) : undefined;
    other = options.replaces === undefined ? undefined : await openOther(options.replaces, `${staged}-other`);
    const driver = await storeOfBackup(options.file, staged);
    let restored: Omit<Restored, 'before'>;
    try {
      yield 'made a store of the backup';
      const stores = [other, old].flatMap((store) => (store === undefined ? [] : [store.present]));
      restored = await reconciled(config, driver, stores, options);
      yield 'brought it up to what has happened since';
    } finally {
      await driver.close();
    }
    makeSingleFile(staged);
    giveToOwnerOf(old === undefined ? config.dataDir : store, staged);
    yield 'merged its log';
    await old?.close();
    const before = old === undefined ? undefined : nameBefore(store, new Date());
    if (!options.dryRun) {
      const steps = replaceStore(store, staged, before ?? '');
      for (;;) {
        const { done, value } = explainFileErrors(`can't replace ${store}`, () => steps.next());
        if (done === true) break;
        yield value;
      }
    }
    return { ...restored, before };
  } finally {
    await old?.close();
    await other?.close();
    forget();
    remove();
  }
}

const nothing: Present = { kind: 'unknown', reason: "there isn't one" };

async function reconciled(
  config: Config,
  driver: Driver,
  [present = nothing, ...others]: readonly Present[],
  options: RestoreOptions,
) {
  const keys = await openKeys(config, { storage: sqlStorage(driver), clock: systemClock, ifMissing: 'refuse' });
  const warning = await requireKeysOf(options.file, driver, keys);
  // Before deletions are carried over, which are events, too.
  const { newestEventAt } = await contentsOf(driver);
  const since = await driver.fill((filling) => reconcile(filling, present, others, keys, options));
  return { warning, since, contents: { ...(await contentsOf(driver)), newestEventAt } };
}

async function restoreDatabase(config: Config, options: RestoreOptions): Promise<Restored> {
  if (kindOfBackup(options.file) === 'copy') {
    throw new CommandFailed(
      `${options.file} is a copy of an embedded store. Restore it without DATABASE_URL, with LATCHKEY_DATA_DIR set to a new folder, and ` +
        'move that store with "latchkey export" and "latchkey import".',
    );
  }
  const { openPostgres } = await import('../../storage/postgres/postgres.ts');
  const driver = openPostgres(config.databaseUrl ?? '');
  const other = options.replaces === undefined ? undefined : await openOther(options.replaces, '');
  try {
    await requireEmpty(driver);
    await driver.migrate(readMigrations());
    let restored: Omit<Restored, 'before'> | undefined;
    try {
      await driver.fill(async (filling) => {
        await fillFromExport(filling, options.file);
        // Within the transaction, a nested one is part of it.
        const nested: Driver = { ...filling, fill: (work) => work(filling) };
        restored = await reconciled(config, nested, [other?.present ?? notNamed], options);
        if (options.dryRun) throw new DryRun();
      });
    } catch (error) {
      if (!(error instanceof DryRun)) throw error;
    }
    if (restored === undefined) throw new Error('nothing was restored');
    return { ...restored, before: undefined };
  } finally {
    await driver.close();
    await other?.close();
  }
}

const notNamed: Present = { kind: 'unknown', reason: "it wasn't named (--replaces)" };

/** Undoes the transaction. */
class DryRun extends Error {}

const notEmpty = "the database isn't empty. Restore into a new one, and give instances its DATABASE_URL then.";

async function requireEmpty(driver: Driver): Promise<void> {
  if ((await driver.appliedMigrations()).length === 0) {
    const { isUntouched } = await import('./rehearsal/database-copy.ts');
    if (await isUntouched(driver)) return;
    throw new CommandFailed(`${notEmpty} Something else is in it.`);
  }
  const state = await examineSchema(driver, readMigrations());
  if (state.kind !== 'current') throw new CommandFailed('the database has another schema. Use an empty one.');
  await requireStopped(driver);
  for (const table of transferTables) {
    if (table.name !== 'counters' && (await countRows(driver, table)) > 0) {
      throw new CommandFailed(notEmpty);
    }
  }
}

async function requireStopped(driver: Driver): Promise<void> {
  const { instances } = await liveInstances({ storage: sqlStorage(driver) });
  if (instances.length === 0) return;
  throw new CommandFailed(
    `Latchkey is running on this store: ${instances.map(({ id }) => id).join(', ')}. Stop it first. (One that was killed counts as ` +
      'running for 30 seconds.)',
  );
}

interface OpenedPresent {
  readonly present: Present;
  close(): Promise<void>;
}

/** The store, which nobody may use. An older schema is brought up to date in a copy. */
async function openPresent(file: string, copy: string): Promise<OpenedPresent> {
  const { openSqlite } = await import('../../storage/sqlite/sqlite.ts');
  let driver: Driver | undefined;
  try {
    reportWalDamage(file);
    driver = openSqlite(file);
    const state = await examineSchema(driver, readMigrations());
    if (state.kind === 'unusable') throw new Error(state.sentence);
    if (state.kind === 'behind') {
      await driver.close();
      await copySqlite(file, copy);
      driver = openSqlite(copy);
      await driver.migrate(readMigrations());
    }
    await requireStopped(driver);
    const opened = driver;
    return { present: { kind: 'readable', reader: opened }, close: () => opened.close() };
  } catch (error) {
    await driver?.close();
    if (error instanceof CommandFailed) throw error;
    const present = { kind: 'unknown', reason: `it can't be read (${messageOf(error)})` } as const;
    return { present, close: async () => {} };
  }
}

async function openOther(place: string, copy: string): Promise<OpenedPresent> {
  if (readDatabaseUrl(place).kind === 'invalid') {
    if (statSync(place, { throwIfNoEntry: false }) === undefined)
      throw new CommandFailed(`there's no store at ${place}.`);
    return openPresent(place, copy);
  }
  const { openPostgres } = await import('../../storage/postgres/postgres.ts');
  const driver = openPostgres(place);
  try {
    const state = await examineSchema(driver, readMigrations());
    if (state.kind === 'current' || state.kind === 'newer') {
      await requireStopped(driver);
      return { present: { kind: 'readable', reader: driver }, close: () => driver.close() };
    }
    throw new Error('it has another schema');
  } catch (error) {
    await driver.close();
    if (error instanceof CommandFailed) throw error;
    const present = { kind: 'unknown', reason: `it can't be read (${messageOf(error)})` } as const;
    return { present, close: async () => {} };
  }
}

/** Of each kind, for people; programs get all. */
const mostNamed = 20;

function said(options: RestoreOptions, { contents, since, warning, before }: Restored): Said {
  const { file, dryRun, keepSessions, keepRevocations } = options;
  const kept = !dryRun && before !== undefined ? [`The store that it replaces is kept as ${before}.`] : [];
  const sessions = keepSessions
    ? 'Sessions, tokens, links and known browsers of the backup go on working.'
    : 'All sessions, tokens, links, half-finished sign-ins and known browsers are ended: everyone signs in again.';
  const lines = [
    `${dryRun ? 'Would restore' : 'Restored'} ${file}: ${contentsSentence(contents)}.`,
    ...kept,
    sessions,
    ...(warning === undefined ? [] : [warning]),
    ...sinceLines(since, keepRevocations),
  ];
  return {
    text: lines.join('\n'),
    json: { ...json(options, contents, since), kept_as: dryRun ? null : (before ?? null) },
  };
}

function sinceLines(since: Since | Unknown, keepRevocations: boolean): string[] {
  if (since.kind === 'unknown') {
    return [
      `Nothing is known about what has happened since the backup, because the store that it replaces can't tell: ${since.reason}. Who was ` +
        'deleted or disabled since then is back.',
    ];
  }
  const named = (names: readonly { readonly name: string }[]) => {
    const shown = names.slice(0, mostNamed).map(({ name }) => name);
    const more = names.length - shown.length;
    return more > 0 ? `${shown.join(', ')} and ${more.toLocaleString('en')} more` : shown.join(', ');
  };
  const revoked = Object.entries(revocationKinds).flatMap(([kind, title]) => {
    const found = since.revocations.get(kind as RevocationKind);
    return found === undefined ? [] : [`  ${title}: ${named(found)}`];
  });
  const deleted =
    since.deleted.length === 0 ? [] : [`Deleted since the backup, and again now: ${named(since.deleted)}`];
  const lacking = since.lacksDeleted
    ? ['Some people may have been deleted who are back now: the key that recognizes their IDs is missing.']
    : [];
  if (revoked.length === 0) return [...deleted, ...lacking, 'Nothing else was taken away since the backup.'];
  const heading = keepRevocations
    ? 'Taken away since the backup, and from the restored store, too:'
    : 'Taken away since the backup, and back now (--keep-revocations would take it away again):';
  return [...deleted, ...lacking, heading, ...revoked];
}

function json(
  { file, dryRun, keepSessions, keepRevocations }: RestoreOptions,
  contents: Contents,
  since: Since | Unknown,
) {
  const { people, applications, newestEventAt, schema } = contents;
  return {
    file,
    dry_run: dryRun,
    schema,
    people,
    applications,
    newest_event_at: newestEventAt === null ? null : isoTime(newestEventAt),
    sessions_kept: keepSessions,
    since_backup:
      since.kind === 'unknown'
        ? { known: false, reason: since.reason }
        : {
            known: true,
            deleted: since.deleted,
            deletions_incomplete: since.lacksDeleted,
            applied: keepRevocations,
            ...Object.fromEntries(
              Object.keys(revocationKinds).map((kind) => [kind, since.revocations.get(kind as RevocationKind) ?? []]),
            ),
          },
  };
}
