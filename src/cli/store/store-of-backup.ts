// Makes a store of a backup, and checks it on the way: whether it's whole, of a schema that this version can read, and has as many
// rows as it should.

import { chmodSync, closeSync, constants, copyFileSync, createReadStream, openSync, readSync, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { tryToOpen } from '../../operations/backups/opened-secrets.ts';
import type { ServiceKeys } from '../../platform/keys.ts';
import { messageOf } from '../../protocol/reading/caught-errors.ts';
import type { Driver, SnapshotReader } from '../../storage/driver.ts';
import { examineSchema, versionOf } from '../../storage/migrating.ts';
import { readMigrations, sqlStorage } from '../../storage/sql/sql-storage.ts';
import { checkCopy } from '../../storage/sqlite/backup.ts';
import { StorageConflict } from '../../storage/storage.ts';
import { countRows, transferTables } from '../../storage/transfer.ts';
import { CommandFailed, readingFile } from '../command.ts';
import { withProgress } from '../terminal/progress.ts';
import { importLines, incomplete } from './import-lines.ts';

export type BackupKind = 'copy' | 'export';

/** By how it begins. */
export function kindOfBackup(file: string): BackupKind {
  const beginning = Buffer.alloc(16);
  readingFile(file, () => {
    const descriptor = openSync(file, 'r');
    readSync(descriptor, beginning, 0, 16, 0);
    closeSync(descriptor);
  });
  const text = beginning.toString('latin1');
  if (text === 'SQLite format 3\0') return 'copy';
  if (text.startsWith('{"latchkey_expor')) return 'export';
  throw new CommandFailed(`${file} is no backup of Latchkey: neither a copy of the embedded store nor an export.`);
}

/** Into a file that doesn't exist. The caller closes the driver. */
export async function storeOfBackup(file: string, target: string): Promise<Driver> {
  if (kindOfBackup(file) === 'copy') return storeOfCopy(file, target);
  const { openSqlite } = await import('../../storage/sqlite/sqlite.ts');
  const driver = openSqlite(target);
  try {
    await driver.migrate(readMigrations());
    await driver.fill((filling) => fillFromExport(filling, file));
    return driver;
  } catch (error) {
    await driver.close();
    throw error;
  }
}

/** `driver` has an empty store of the current schema, and the transaction that is undone if the export isn't whole. */
export async function fillFromExport(driver: Driver, file: string): Promise<void> {
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });
  let announced: Readonly<Record<string, number>>;
  let schema: number | undefined;
  try {
    const imported = await importLines(driver, lines);
    if (!imported.ended) throw new CommandFailed(incomplete);
    ({ announced, schema } = imported);
  } catch (error) {
    if (error instanceof CommandFailed) throw new CommandFailed(`${file}: ${error.message}`);
    if (!(error instanceof StorageConflict)) throw error;
    throw new CommandFailed(`${file} is damaged: it has two rows with the same key (${error.message}).`);
  }
  // Earlier versions didn't read as of one moment, so their counts differ a little.
  if (schema !== undefined) requireSame(file, announced, await countsOf(driver));
}

async function storeOfCopy(file: string, target: string): Promise<Driver> {
  // A copy that someone has looked into may have a log of its own.
  for (const ending of ['', '-wal']) {
    const size = statSync(file + ending, { throwIfNoEntry: false })?.size ?? 0;
    if (ending !== '' && size === 0) continue;
    readingFile(file, () => copyFileSync(file + ending, target + ending, constants.COPYFILE_FICLONE));
    chmodSync(target + ending, 0o600);
  }
  try {
    await withProgress({ label: 'Checking the copy' }, () => checkCopy(target));
  } catch (error) {
    throw new CommandFailed(`${file} is damaged: ${messageOf(error)}.`);
  }
  const { openSqlite } = await import('../../storage/sqlite/sqlite.ts');
  const driver = openSqlite(target);
  try {
    const migrations = readMigrations();
    const applied = await driver.appliedMigrations();
    if (applied.length === 0) throw new CommandFailed(`${file} is a database of something else.`);
    const state = await examineSchema(driver, migrations);
    if (state.kind === 'unusable') throw new CommandFailed(state.sentence);
    if (state.kind === 'newer') {
      const known = versionOf(migrations.map(({ version }) => ({ version, checksum: '' })));
      const todo = 'Restore it with that version, or with the same.';
      throw new CommandFailed(
        `${file} has schema version ${state.version}, and this version of Latchkey knows version ${known}. ${todo}`,
      );
    }
    const names = (await driver.read("SELECT name FROM sqlite_master WHERE type = 'table'", [])).map(
      ({ name }) => name,
    );
    const before = await countsOf(
      driver,
      transferTables.filter(({ name }) => names.includes(name)),
    );
    await driver.migrate(migrations);
    requireSame(file, before, await countsOf(driver));
    return driver;
  } catch (error) {
    await driver.close();
    throw error;
  }
}

/** What a migration may make anew. */
export const derived = ['search_words', 'unsearchable', 'counters'];

function requireSame(
  file: string,
  expected: Readonly<Record<string, number>>,
  found: Readonly<Record<string, number>>,
): void {
  for (const [table, count] of Object.entries(expected)) {
    if (derived.includes(table) || found[table] === count) continue;
    throw new CommandFailed(
      `${file} isn't whole: it should have ${count} rows of ${table}, but has ${found[table] ?? 0}.`,
    );
  }
}

export async function countsOf(reader: SnapshotReader, tables = transferTables): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of tables) counts[table.name] = await countRows(reader, table);
  return counts;
}

export interface Contents {
  readonly schema: number;
  readonly people: number;
  readonly applications: number;
  /** When the newest event took place; null if there's none. */
  readonly newestEventAt: number | null;
  readonly rows: number;
}

export async function contentsOf(driver: Driver): Promise<Contents> {
  const counts = await countsOf(driver);
  const [newest] = await driver.read('SELECT MAX(at) AS at FROM events', []);
  return {
    schema: versionOf(await driver.appliedMigrations()),
    people: counts.users ?? 0,
    applications: counts.clients ?? 0,
    newestEventAt: (newest?.at as number | null | undefined) ?? null,
    rows: Object.values(counts).reduce((sum, count) => sum + count, 0),
  };
}

/** Refuses keys that aren't those of the backup. Returns a warning about single secrets. */
export async function requireKeysOf(file: string, driver: Driver, keys: ServiceKeys): Promise<string | undefined> {
  const { sealed, lost, hasOtherKeys } = await tryToOpen({ storage: sqlStorage(driver), keys });
  if (hasOtherKeys || (sealed > 0 && lost === sealed)) {
    throw new CommandFailed(
      `the configured keys don't open ${file}: it was made with others. Use the keys of that time (LATCHKEY_KEYS_FILE or ` +
        'LATCHKEY_KEYS), or add them after the newest one.',
    );
  }
  if (lost === 0) return undefined;
  return `${lost} of ${sealed} encrypted secrets can't be opened: the key they were encrypted with is missing.`;
}
