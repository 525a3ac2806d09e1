// `latchkey migrate --rehearse`: an upgrade on a copy of the store. The copy is migrated and the new version is started on it, with
// nothing that could go out; a person of its own signs in and out, and every list is read. Then the copy is removed.

import type { AddressInfo } from 'node:net';
import type { Config } from '../../../platform/config.ts';
import { messageOf } from '../../../protocol/reading/caught-errors.ts';
import { type Driver, type Migration, StoreUnusable } from '../../../storage/driver.ts';
import { examineSchema, versionOf } from '../../../storage/migrating.ts';
import { readMigrations } from '../../../storage/sql/sql-storage.ts';
import { CommandFailed, UsageError } from '../../command.ts';
import { type RunningService, startService } from '../../compose.ts';
import { countsOf } from '../store-of-backup.ts';
import { findFailingRow } from './failing-row.ts';
import {
  addedIn,
  columnsOf,
  keptTables,
  requireCounts,
  type StoreCopy,
  type Take,
  withFileCopy,
} from './store-copy.ts';
import { Walk } from './walk.ts';
import { makeWayIn } from './way-in.ts';

export interface Step {
  readonly name: string;
  /** In milliseconds. */
  readonly took: number;
  /** Why it failed. */
  readonly problem: string | undefined;
}

export interface GoingBack {
  /** Whether the version that the store has now can run on the new schema. */
  readonly possible: boolean;
  /** Tables and columns that it doesn't know. */
  readonly unknown: readonly string[];
}

export interface Rehearsal {
  readonly steps: readonly Step[];
  /** Schema versions; undefined if it didn't get that far. */
  readonly before: number | undefined;
  readonly after: number | undefined;
  readonly made: string | undefined;
  /** In milliseconds. */
  readonly longestLockWait: number | undefined;
  /** The largest size of the copy, in bytes. */
  readonly disk: number | undefined;
  readonly goingBack: GoingBack | undefined;
}

/** A step has failed, and is noted. */
class Stopped extends Error {}

type Found = { -readonly [Key in Exclude<keyof Rehearsal, 'steps'>]: Rehearsal[Key] };

export async function rehearse(
  config: Config,
  target: string | undefined,
  migrations: readonly Migration[] = readMigrations(),
): Promise<Rehearsal> {
  const steps: Step[] = [];
  const found: Found = {
    before: undefined,
    after: undefined,
    made: undefined,
    longestLockWait: undefined,
    disk: undefined,
    goingBack: undefined,
  };
  const take: Take = async (name, work) => {
    const started = performance.now();
    const note = (problem?: string) => steps.push({ name, took: Math.round(performance.now() - started), problem });
    try {
      const result = await work();
      note();
      return result;
    } catch (error) {
      if (error instanceof CommandFailed || error instanceof UsageError) throw error;
      note(messageOf(error));
      throw new Stopped();
    }
  };
  try {
    const onCopy = (copy: StoreCopy) => rehearseOn(copy, migrations, take, found);
    if (config.databaseUrl !== undefined) {
      const { withDatabaseCopy } = await import('./database-copy.ts');
      await withDatabaseCopy(config, target, migrations, take, onCopy);
    } else {
      if (target !== undefined) throw new UsageError('--copy is for PostgreSQL: leave it out');
      await withFileCopy(config, take, onCopy);
    }
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
  }
  return { steps, ...found };
}

async function rehearseOn(copy: StoreCopy, migrations: readonly Migration[], take: Take, found: Found): Promise<void> {
  const { driver } = copy;
  const measure = async () => {
    found.disk = Math.max(found.disk ?? 0, await copy.size());
  };
  found.made = copy.made;
  await measure();
  await take('compare the copy', async () => {
    requireCounts(copy.counts, await countsOf(driver, await keptTables(driver)));
    const state = await examineSchema(driver, migrations);
    if (state.kind === 'unusable') throw new CommandFailed(state.sentence);
    if (state.kind === 'newer') throw new CommandFailed(`${state.sentence} There's nothing to rehearse.`);
  });
  const before = await columnsOf(driver);
  found.before = versionOf(await driver.appliedMigrations());
  await take('migrate', async () => {
    const locks = await copy.watchLocks();
    try {
      found.after = await driver.migrate(migrations);
      await measure();
    } catch (error) {
      const row = await findFailingRow(driver, migrations);
      throw row === undefined ? error : new StoreUnusable(`${messageOf(error)} It fails on ${row}.`, { cause: error });
    } finally {
      found.longestLockWait = Math.round(await locks.stop());
    }
  });
  await take('compare counts', async () =>
    requireCounts(copy.counts, await countsOf(driver, await keptTables(driver))),
  );
  found.goingBack = {
    possible: (await oldestSchema(driver)) <= found.before,
    unknown: addedIn(before, await columnsOf(driver)),
  };
  const baseUrl = await storedBaseUrl(driver);
  const running = await take('start', () =>
    startService(silent(copy.config, baseUrl), { silent: true, ifMissing: 'refuse', logger: false }),
  );
  try {
    await walk(running, take);
  } finally {
    await running.stop();
  }
  await measure();
}

async function walk({ app, services }: RunningService, take: Take): Promise<void> {
  const wayIn = await take('make a way in', () => makeWayIn(services));
  const { port } = app.server.address() as AddressInfo;
  const person = new Walk(port, services.issuer, wayIn);
  await take('sign in', () => person.signIn());
  await take('authorize', () => person.authorize());
  await take('exchange', () => person.exchange());
  await take('refresh', () => person.refresh());
  await take('userinfo', () => person.userinfo());
  await take('revoke', () => person.revoke());
  await take('read every list', () => person.readLists());
  await take('sign out', () => person.signOut());
}

async function oldestSchema(driver: Driver): Promise<number> {
  const [row] = await driver.read("SELECT value FROM service_facts WHERE name = 'oldest_schema'", []);
  return Number(row?.value ?? 0);
}

async function storedBaseUrl(driver: Driver): Promise<string | undefined> {
  const [row] = await driver.read("SELECT value FROM service_facts WHERE name = 'base_url'", []);
  return row === undefined ? undefined : String(row.value);
}

/** On a port of this machine that nobody knows, and without anything that leads elsewhere. */
function silent(config: Config, baseUrl = config.baseUrl): Config {
  return {
    ...config,
    baseUrl,
    host: '127.0.0.1',
    port: 0,
    backups: undefined,
    metrics: undefined,
    workers: 1,
    drainSeconds: 0,
    docs: 'off',
    email: { kind: 'none' },
  };
}
