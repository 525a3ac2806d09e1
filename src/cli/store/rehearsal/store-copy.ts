// A copy of the store to rehearse on, which goes when the rehearsal ends. The original is only read.

import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../../platform/config.ts';
import { type Driver, type SnapshotReader, StoreUnusable } from '../../../storage/driver.ts';
import { checkCopy, copySqlite } from '../../../storage/sqlite/backup.ts';
import { transferTables } from '../../../storage/transfer.ts';
import { CommandFailed } from '../../command.ts';
import { databaseFile, noStore } from '../open-store.ts';
import { countsOf, derived } from '../store-of-backup.ts';
import { inTemporaryFolder } from '../temporary-folder.ts';
import { type LockWaits, watchFile } from './lock-waits.ts';

export type Counts = Readonly<Record<string, number>>;

export interface StoreCopy {
  /** Leads to the copy. */
  readonly config: Config;
  readonly driver: Driver;
  /** Of the original's tables, as of the moment of the copy. */
  readonly counts: Counts;
  /** How the copy was made, if there's more than one way. */
  readonly made: string | undefined;
  /** In bytes. */
  size(): Promise<number>;
  watchLocks(): Promise<LockWaits>;
}

/** Measures a step, and notes how it went. */
export type Take = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;

export async function withFileCopy<Result>(
  config: Config,
  take: Take,
  work: (copy: StoreCopy) => Promise<Result>,
): Promise<Result> {
  const source = databaseFile(config);
  if (!existsSync(source)) throw new CommandFailed(noStore(config));
  const { openSqlite } = await import('../../../storage/sqlite/sqlite.ts');
  return inTemporaryFolder('latchkey-rehearsal-', async (folder) => {
    const at = { ...config, dataDir: folder };
    const file = databaseFile(at);
    await take('copy the store', async () => {
      await copySqlite(source, file);
      await checkCopy(file);
    });
    const driver = openSqlite(file);
    try {
      return await work({
        config: at,
        driver,
        counts: await countsOf(driver, await keptTables(driver)),
        made: undefined,
        size: async () => readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0),
        watchLocks: () => watchFile(file),
      });
    } finally {
      await driver.close();
    }
  });
}

/** Those of this version that the store has, and that no migration makes anew. */
export async function keptTables(reader: SnapshotReader & Pick<Driver, 'engine'>) {
  const names = new Set((await columnsOf(reader)).map(({ table }) => table));
  return transferTables.filter(({ name }) => names.has(name) && !derived.includes(name));
}

interface Column {
  readonly table: string;
  readonly column: string;
}

const columnsSql = {
  embedded: `SELECT m.name AS "table", p.name AS "column" FROM sqlite_master m, pragma_table_info(m.name) p
    WHERE m.type = 'table' ORDER BY m.name, p.cid`,
  // Views have columns there, too.
  server: `SELECT c.table_name AS "table", c.column_name AS "column" FROM information_schema.columns c
    JOIN information_schema.tables t ON t.table_schema = c.table_schema AND t.table_name = c.table_name
    WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE' AND c.is_generated = 'NEVER'
    ORDER BY c.table_name, c.ordinal_position`,
} as const;

export async function columnsOf({ engine, read }: SnapshotReader & Pick<Driver, 'engine'>): Promise<Column[]> {
  const rows = await read(columnsSql[engine], []);
  return rows.map(({ table, column }) => ({ table: String(table), column: String(column) }));
}

/** What the version before doesn't know, as `table` or `table.column`. */
export function addedIn(before: readonly Column[], after: readonly Column[]): string[] {
  const tables = new Set(before.map(({ table }) => table));
  const columns = new Set(before.map(({ table, column }) => `${table}.${column}`));
  const names = after
    .filter(({ table, column }) => !columns.has(`${table}.${column}`))
    .map(({ table, column }) => (tables.has(table) ? `${table}.${column}` : table));
  return [...new Set(names)];
}

export function requireCounts(expected: Counts, found: Counts): void {
  for (const [table, count] of Object.entries(expected)) {
    if (found[table] === count) continue;
    throw new StoreUnusable(`${table} had ${count} rows, and has ${found[table] ?? 'none'} now`);
  }
}
