// Opens the configured store and makes sure that its schema is the one this version needs, and opens the keys next to it. New
// keys are made only where nothing depends on the ones that are missing.

import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import { syncFolder } from '../../platform/durable-file.ts';
import { isEmptyKeyFile, type LoadedKeys, loadKeys, replaceEmptyKeyFile } from '../../platform/key-file.ts';
import { isSystemError, messageOf } from '../../protocol/reading/caught-errors.ts';
import type { Driver, DriverObserver } from '../../storage/driver.ts';
import { examineSchema } from '../../storage/migrating.ts';
import { readMigrations } from '../../storage/sql/sql-storage.ts';
import { findWalDamage, type WalDamage } from '../../storage/sqlite/wal-damage.ts';
import type { StartWriter } from '../../storage/sqlite/writer-thread.ts';
import { type Storage, StorageUnavailable, StoreUnusable } from '../../storage/storage.ts';
import { CommandFailed } from '../command.ts';

export interface StoreOptions {
  /** How long a write waits for another process's lock on the embedded store, in milliseconds. */
  readonly busyTimeout?: number;
  /** At most so much memory for pages that the embedded store's writer changes, in KB. */
  readonly pageCache?: number | undefined;
  /**
   * For commands: a store or key file that doesn't exist may not be the one that was meant. A store is announced when it's
   * created, or neither is created at all.
   */
  readonly ifMissing?: 'announce' | 'refuse' | undefined;
  /** For a worker: how it reaches the embedded store's writer. */
  readonly startWriter?: StartWriter | undefined;
  /** Takes a sentence about changes that were lost; printed on standard error if left out. */
  readonly reportLoss?: (sentence: string) => void;
  readonly observer?: DriverObserver;
}

/** Loads only the driver that is needed. */
export async function openStore(config: Config, options: StoreOptions = {}): Promise<Driver> {
  if (config.databaseUrl !== undefined)
    return (await import('../../storage/postgres/postgres.ts')).openPostgres(config.databaseUrl, options);
  const { openSqlite } = await import('../../storage/sqlite/sqlite.ts');
  return explainFileErrors(`can't use the data directory ${config.dataDir}`, () => {
    const file = databaseFile(config);
    // Not existsSync, which would also be false for a folder that can't be read.
    if (options.ifMissing !== undefined && statSync(file, { throwIfNoEntry: false }) === undefined) {
      if (options.ifMissing === 'refuse') throw new CommandFailed(noStore(config));
      process.stderr.write(`Created a new, empty store in ${config.dataDir}.\n`);
    }
    makeFolder(config.dataDir);
    reportWalDamage(file, options.reportLoss);
    const driver = openSqlite(file, options);
    chmodSync(file, 0o600);
    return driver;
  });
}

/** Before the store is opened, because SQLite then starts the log over. */
export function reportWalDamage(
  file: string,
  report: (sentence: string) => void = (sentence) => void process.stderr.write(`${sentence}\n`),
): void {
  const damage = findWalDamage(file);
  if (damage !== undefined) report(lossSentence(file, damage));
}

function lossSentence(file: string, { frame, commitsAfter }: WalDamage): string {
  const [commits, are] = commitsAfter === 1 ? ['a commit', 'is'] : [`${commitsAfter} commits`, 'are'];
  const lost = `${commits} after frame ${frame} can't be read and ${are} lost`;
  const what = frame === 0 ? 'any changes in it are lost' : lost;
  return `The write-ahead log ${file}-wal is damaged: ${what}. Check the disk, and consider restoring a backup.`;
}

export function databaseFile(config: Config): string {
  return join(config.dataDir, 'latchkey.db');
}

export function noStore({ dataDir }: Config): string {
  return `there's no store in ${dataDir}. Check LATCHKEY_DATA_DIR.`;
}

/**
 * The embedded store belongs to this machine and is migrated here. A shared database is only migrated on request. Returns a
 * sentence if the schema is newer than this version.
 */
export async function ensureSchema(config: Config, driver: Driver): Promise<string | undefined> {
  const isEmbedded = config.databaseUrl === undefined;
  const migrations = readMigrations();
  try {
    const state = await examineSchema(driver, migrations);
    if (state.kind === 'unusable') throw new CommandFailed(state.sentence);
    if (isEmbedded) await driver.migrate(migrations);
    else if (state.kind === 'behind') {
      throw new CommandFailed(
        `the database has schema version ${state.version}, but this version of Latchkey needs ${state.needed}. ` +
          'Run "latchkey migrate".',
      );
    }
    return state.kind === 'newer' ? state.sentence : undefined;
  } catch (error) {
    const isExplained = [CommandFailed, StorageUnavailable, StoreUnusable].some((kind) => error instanceof kind);
    if (!isEmbedded || isExplained) throw error;
    throw new CommandFailed(`can't use ${databaseFile(config)}: ${messageOf(error)}.`);
  }
}

/** Turns a file system error into a sentence for the operator. */
export function explainFileErrors<Result>(complaint: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new CommandFailed(`${complaint}: ${messageOf(error)}.`);
  }
}

/**
 * Creates parents one by one: where a folder can't be created at all (/proc), Node's recursive mkdir may never return.
 */
export function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Several processes start at once.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
  syncFolder(dirname(folder));
}

export async function openKeys(
  config: Config,
  { storage, clock, ifMissing }: { storage: Storage; clock: Clock } & Pick<StoreOptions, 'ifMissing'>,
): Promise<LoadedKeys> {
  const { keysFile } = config;
  const complaint = `can't use the keys in ${keysFile}`;
  const isMissing = () => statSync(keysFile, { throwIfNoEntry: false }) === undefined;
  if (ifMissing === 'refuse' && config.keys === undefined && explainFileErrors(complaint, isMissing)) {
    const todo =
      "Use the service's LATCHKEY_DATA_DIR, LATCHKEY_KEYS_FILE or LATCHKEY_KEYS, or copy its key file there.";
    throw new CommandFailed(`there's no key file ${keysFile}. ${todo}`);
  }
  if (config.keys === undefined && explainFileErrors(complaint, () => isEmptyKeyFile(keysFile))) {
    if (!(await storage.isEmpty())) throw new CommandFailed(emptyKeyFile(keysFile));
    explainFileErrors(complaint, () => replaceEmptyKeyFile(keysFile));
  }
  return explainFileErrors(complaint, () => {
    if (config.keys === undefined) makeFolder(dirname(keysFile));
    return loadKeys(config, clock);
  });
}

/** What an empty key file next to a store in use means, and what to do about it. */
export function emptyKeyFile(file: string): string {
  return (
    `the key file ${file} is empty, but the store has data. Restore the file from your backup. If you have no backup, ` +
    'delete the file, and the next start creates a new key: people then have to set up authenticator apps again, ' +
    'queued emails are lost, and access tokens and open forms stop working. Everything else is kept.'
  );
}

/** Why nothing works that the newest key has signed. */
export function retiredKey({ keys, keysFile }: Config): string {
  const place = keys === undefined ? keysFile : 'LATCHKEY_KEYS';
  return (
    `The newest key in ${place} was retired as compromised, so nothing it signs is accepted. Give this instance the ` +
    'same keys as the others.'
  );
}
