// A change of a large group reads those it names on PostgreSQL, too, and a page of its members no more than a page, whenever the server
// counted its rows: the test asks how many rows each step has read.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import type { Statement } from '../../src/storage/driver.ts';
import { openPostgres } from '../../src/storage/postgres/postgres.ts';
import { sqlStorage } from '../../src/storage/sql/sql-storage.ts';
import { removeSharedPostgres, sharedPostgres } from '../harness/postgres.ts';
import { anEvent } from '../storage/records.ts';

const size = 20_000;
const named = 20;
const page = 10 * named;
const ids = (from: number) => Array.from({ length: named }, (_, index) => `m${100_000 + from + index}`);
const group = {
  id: 'g',
  name: 'G',
  externalId: null,
  managedBy: 's',
  createdAt: 1,
  updatedAt: 1,
  protectedSince: null,
};

interface Step {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Step[];
}

let connection: pg.Client;
const statements: Statement[] = [];

before(async () => {
  const url = await (await sharedPostgres()).newDatabase();
  connection = new pg.Client({ connectionString: url });
  await connection.connect();
  await connection.query(`
    INSERT INTO groups (id, name, name_key, created_at, updated_at, ended_by, managed_by)
      VALUES ('g', 'G', 'g', 1, 1, 9007199254740991, 's'), ('o', 'O', 'o', 1, 1, 9007199254740991, NULL);
    INSERT INTO users (id, email, email_key, name, password_hash, generation, created_at, updated_at)
      SELECT 'a' || i, i || '@o', i || '@o', 'O', '', 0, i, 1 FROM generate_series(1, 500) AS i;
    INSERT INTO group_members (group_id, user_id, began_with, ended_by)
      SELECT 'o', 'a' || i, 0, 9007199254740991 FROM generate_series(1, 500) AS i;
    INSERT INTO users (id, email, email_key, name, password_hash, generation, created_at, updated_at, managed_by)
      SELECT 'm' || 100000 + i, i || '@m', i || '@m', 'M', '', 0, i, 1, 's' FROM generate_series(0, ${size + named}) AS i;
    INSERT INTO group_members (group_id, user_id, began_with, ended_by)
      SELECT 'g', 'm' || 100000 + i, 0, 9007199254740991 FROM generate_series(0, ${size - 1}) AS i`);
  const driver = openPostgres(url);
  const storage = sqlStorage({
    ...driver,
    read(sql, params) {
      statements.push({ sql, params });
      return driver.read(sql, params);
    },
    // Each statement is executed by the test, and rolled back.
    async write(given) {
      statements.push(...given);
      return [];
    },
  });
  const listed = (from: number) => ids(from).map((id) => ({ id, event: anEvent({ userId: id }) }));
  await storage.findNamedMembers('g', 's', [...ids(0), ...ids(size)]);
  await storage.findOtherWithRole('g', 's', ids(0));
  await storage.listOtherMembers('g', 's', ids(0), { change: 1, after: ids(size / 2)[0] ?? '', limit: page });
  await storage.listScimMembers('g', 's', ids(size / 2)[0] ?? '', page);
  const changes = { add: listed(size), remove: listed(0) };
  await storage.changeScimGroup(group, { name: 'H', externalId: 'x' }, changes, [anEvent()], 2);
  await driver.close();
});
after(async () => {
  await connection?.end();
  await removeSharedPostgres();
});

/** What the server knows of the tables, which may be from before they were filled. */
const states: Record<string, () => Promise<unknown>> = {
  'without statistics': async () => {},
  'with statistics from before the import': () => countedWhenFew('m', 'users', 'group_members'),
  'with statistics of the first people': () => countedWhenFew('m100010', 'users', 'group_members'),
  'with statistics of the first members': () => countedWhenFew('m100010', 'group_members'),
  'with statistics of people before there were members': () => countedWhenFew('m100010', 'users'),
  'with statistics': () => connection.query('ANALYZE'),
};

/**
 * These tables are counted with a few rows, as at the beginning of an import, and all others as they are. Nothing is deleted: VACUUM keeps
 * deleted rows while the server is counting a table by itself, and plans would read those, too.
 */
async function countedWhenFew(from: string, ...tables: string[]) {
  await connection.query(`
    ANALYZE;
    CREATE TABLE all_users AS SELECT * FROM users;
    CREATE TABLE all_members AS SELECT * FROM group_members;
    TRUNCATE users, group_members CASCADE;
    INSERT INTO users SELECT * FROM all_users WHERE id < '${from}';
    INSERT INTO group_members SELECT * FROM all_members WHERE user_id < '${from}'`);
  for (const table of tables) await connection.query(`VACUUM ANALYZE ${table}`);
  await connection.query(`
    INSERT INTO users SELECT * FROM all_users WHERE id >= '${from}';
    INSERT INTO group_members SELECT * FROM all_members WHERE user_id >= '${from}';
    DROP TABLE all_users, all_members`);
  for (const table of ['users', 'group_members']) {
    if (!tables.includes(table)) await connection.query(`ANALYZE ${table}`);
  }
}

for (const [name, prepare] of Object.entries(states)) {
  test(`${name}, no step reads many more rows than are named`, async () => {
    await prepare();
    assert.ok(statements.length > 10);
    for (const { sql, serverSql = sql, params } of statements) {
      await connection.query('BEGIN');
      const explain = { text: `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${serverSql}`, values: [...params] };
      const { rows } = await connection.query(explain);
      await connection.query('ROLLBACK');
      const [{ Plan }] = rows[0]['QUERY PLAN'];
      const most = Math.max(...stepsOf(Plan).map(rowsOf));
      assert.ok(most <= page, `${most} rows: ${serverSql}`);
      // Of an index, also entries that match nothing are read.
      const blocks = Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks'];
      assert.ok(blocks <= 20 * page, `${blocks} blocks: ${serverSql}`);
    }
  });
}

function stepsOf(step: Step): Step[] {
  return [step, ...(step.Plans ?? []).flatMap(stepsOf)];
}

function rowsOf(step: Step): number {
  return (step['Actual Rows'] + (step['Rows Removed by Filter'] ?? 0)) * step['Actual Loops'];
}
