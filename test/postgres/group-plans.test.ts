// A change of a large group reads those it names on PostgreSQL, too, whether or not the server has counted its rows: the test asks how
// many rows each step has read.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import type { Statement } from '../../src/storage/driver.ts';
import { openPostgres } from '../../src/storage/postgres/postgres.ts';
import { sqlStorage } from '../../src/storage/sql/sql-storage.ts';
import { removeSharedPostgres, sharedPostgres } from '../harness/postgres.ts';
import { anEvent } from '../storage/records.ts';

const size = 20_000;
const named = 20;
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
      VALUES ('g', 'G', 'g', 1, 1, 9007199254740991, 's');
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
  await storage.listOtherMembers('g', 's', ids(0), { change: 1, after: '', limit: named });
  await storage.listScimMembers('g', 's', '', named);
  const changes = { add: listed(size), remove: listed(0) };
  await storage.changeScimGroup(group, { name: 'H', externalId: 'x' }, changes, [anEvent()], 2);
  await driver.close();
});
after(async () => {
  await connection?.end();
  await removeSharedPostgres();
});

for (const counted of [false, true]) {
  describe(counted ? 'with statistics' : 'without statistics', () => {
    test('no step reads many more rows than are named', async () => {
      if (counted) await connection.query('ANALYZE');
      assert.ok(statements.length > 10);
      for (const { sql, serverSql = sql, params } of statements) {
        await connection.query('BEGIN');
        const explain = { text: `EXPLAIN (ANALYZE, FORMAT JSON) ${serverSql}`, values: [...params] };
        const { rows } = await connection.query(explain);
        await connection.query('ROLLBACK');
        const [{ Plan }] = rows[0]['QUERY PLAN'];
        const most = Math.max(...stepsOf(Plan).map(rowsOf));
        assert.ok(most <= 10 * named, `${most} rows: ${serverSql}`);
      }
    });
  });
}

function stepsOf(step: Step): Step[] {
  return [step, ...(step.Plans ?? []).flatMap(stepsOf)];
}

function rowsOf(step: Step): number {
  return (step['Actual Rows'] + (step['Rows Removed by Filter'] ?? 0)) * step['Actual Loops'];
}
