// Opens the store that the configuration names, and sees that its schema fits.

import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from '../platform/config.ts';
import type { Driver } from '../storage/driver.ts';
import { readMigrations } from '../storage/sql/sql-storage.ts';
import { StorageUnavailable } from '../storage/storage.ts';
import { CommandFailed } from './command.ts';

export interface StoreOptions {
  /** How long a write waits for another process's lock on the embedded store, in milliseconds. */
  readonly busyTimeout?: number;
  /** For commands: a store that was not there is perhaps not the one that was meant. */
  readonly tellOfNewStore?: boolean;
}

/** Loads the one driver that is needed. */
export async function openStore(config: Config, options: StoreOptions = {}): Promise<Driver> {
  if (config.databaseUrl !== undefined)
    return (await import('../storage/postgres/postgres.ts')).openPostgres(config.databaseUrl);
  const { openSqlite } = await import('../storage/sqlite/sqlite.ts');
  return explained(`The data directory ${config.dataDir} cannot be used`, () => {
    makeFolder(config.dataDir);
    const file = databaseFile(config);
    if (options.tellOfNewStore && !existsSync(file)) {
      process.stderr.write(`Made a new, empty store in ${config.dataDir}.\n`);
    }
    const driver = openSqlite(file, options);
    chmodSync(file, 0o600);
    return driver;
  });
}

export function databaseFile(config: Config): string {
  return join(config.dataDir, 'latchkey.db');
}

/** The embedded store belongs to this process's machine and is migrated here; a shared one is migrated on purpose. */
export async function ensureSchema(config: Config, driver: Driver): Promise<void> {
  const migrations = readMigrations();
  const needed = migrations.at(-1)?.version ?? 0;
  if (config.databaseUrl === undefined) {
    await driver.migrate(migrations).catch((error: Error) => {
      if (error instanceof StorageUnavailable) throw error;
      throw new CommandFailed(`${databaseFile(config)} cannot be used: ${error.message}.`);
    });
    return;
  }
  const version = await driver.schemaVersion();
  if (version < needed) {
    throw new CommandFailed(
      `The database is at schema version ${version}, and this Latchkey needs version ${needed}. Run "latchkey migrate".`,
    );
  }
}

/** Turns a fault of the file system into a sentence. */
export function explained<Result>(complaint: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw new CommandFailed(`${complaint}: ${(error as Error).message}.`);
  }
}

/** Step by step: where a folder cannot be made at all (/proc), Node's own recursive way may never come back. */
export function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
}
