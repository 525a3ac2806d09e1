// Finds the row on which a migration fails, in a store that nobody else uses: the failing statement is tried with fewer and fewer rows
// of its table, and every try is rolled back.

import type { Driver, Migration, Row, SnapshotReader, Statement } from '../../../storage/driver.ts';
import { versionOf } from '../../../storage/migrating.ts';
import { embeddedStatementsOf, nextName, statementsOf, stepsOf } from '../../../storage/postgres/migration-steps.ts';

/** Names the row, or the two that collide, by table and key. Undefined if it isn't a row that the migration fails on. */
export async function findFailingRow(driver: Driver, migrations: readonly Migration[]): Promise<string | undefined> {
  const before = versionOf(await driver.appliedMigrations());
  try {
    await driver.fill(async (filling) => {
      for (const migration of migrations.filter(({ version }) => version > before)) {
        for (const sql of await leftOf(filling, migration)) {
          if (await works(filling, [statement(sql)])) await filling.write([statement(sql)]);
          else throw new Found(await rowIn(filling, sql));
        }
      }
      throw new Found(undefined);
    });
  } catch (error) {
    if (error instanceof Found) return error.row;
  }
  return undefined;
}

/** Rolls back everything that was tried. */
class Found extends Error {
  readonly row: string | undefined;

  constructor(row: string | undefined) {
    super('found');
    this.row = row;
  }
}

/** What hasn't been done yet: on a server, the steps before the failing one stay. */
async function leftOf(driver: Driver, migration: Migration): Promise<string[]> {
  if (driver.engine === 'embedded') return embeddedStatementsOf(migration);
  const [row] = await driver.read("SELECT value FROM service_facts WHERE name = 'migration'", []);
  const { version = 0, step = 0 } = row === undefined ? {} : JSON.parse(String(row.value));
  return stepsOf(migration)
    .slice(version === migration.version ? step : 0)
    .flatMap((each) => {
      if (each.kind === 'change') return statementsOf({ ...migration, sql: each.sql });
      if (each.kind === 'fill') return [each.within('')];
      if (each.kind === 'drop') return [`DROP INDEX ${each.name}`];
      // Without what a try that failed has left.
      return [`DROP INDEX IF EXISTS ${nextName(each.name)}`, each.build.replace('CONCURRENTLY ', '')];
    });
}

const statement = (sql: string, params: Statement['params'] = []): Statement => ({ sql, params });

/** Whether the statements can be executed; they're undone either way. */
async function works(driver: Driver, statements: readonly Statement[]): Promise<boolean> {
  const undone: Statement = { sql: 'SELECT 1 AS one WHERE 1 = 0', params: [], mustReturn: true };
  return driver.write([...statements, undone]).then(
    () => true,
    () => false,
  );
}

const tableOf =
  /^(?:UPDATE|ALTER TABLE) (\w+)|^CREATE (?:UNIQUE )?INDEX \w+ ON (\w+)|^(?:INSERT|CREATE TABLE)[\s\S]*?\sFROM (\w+)/;

async function rowIn(driver: Driver, sql: string): Promise<string | undefined> {
  const table = tableOf.exec(sql)?.slice(1).find(Boolean);
  if (table === undefined) return undefined;
  const [first, ...others] = await keyOf(driver, table);
  if (first === undefined) return undefined;
  const rows = await driver.read(`SELECT DISTINCT ${first} AS key FROM ${table} ORDER BY ${first}`, []);
  const keyAt = (index: number) => rows[index]?.key ?? '';
  const fails = async (low: number, high: number) => {
    const without = statement(`DELETE FROM ${table} WHERE ${first} < $1 OR ${first} > $2`, [keyAt(low), keyAt(high)]);
    return !(await works(driver, [without, statement(sql)]));
  };
  if (rows.length === 0 || !(await fails(0, rows.length - 1))) return undefined;
  // It fails with more rows if it fails with fewer: the first end that is enough, and then the last beginning.
  const high = await firstOf(0, rows.length - 1, (index) => fails(0, index));
  const low = high - (await firstOf(0, high, (index) => fails(high - index, high)));
  const named = async (index: number) => {
    const found = await driver.read(
      `SELECT ${[first, ...others].join(', ')} FROM ${table} WHERE ${first} = $1 LIMIT 1`,
      [keyAt(index)],
    );
    return Object.entries(found[0] ?? ({} as Row))
      .map(([column, value]) => `${column} ${JSON.stringify(value)}`)
      .join(', ');
  };
  const [one, other] = [await named(high), await named(low)];
  return low === high ? `the row of ${table} with ${one}` : `the rows of ${table} with ${other} and with ${one}`;
}

/** The smallest number that passes, if all larger ones do. */
async function firstOf(from: number, to: number, passes: (number: number) => Promise<boolean>): Promise<number> {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (await passes(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

const keySql = {
  embedded: 'SELECT name FROM pragma_table_info($1) WHERE pk > 0 ORDER BY pk',
  server: `SELECT a.attname::text AS name FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
    WHERE i.indrelid = to_regclass($1) AND i.indisprimary ORDER BY array_position(i.indkey::int[], a.attnum::int)`,
} as const;

async function keyOf({ engine, read }: SnapshotReader & Pick<Driver, 'engine'>, table: string): Promise<string[]> {
  return (await read(keySql[engine], [table])).map(({ name }) => String(name));
}
