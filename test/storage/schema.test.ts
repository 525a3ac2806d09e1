// The columns that schema.ts lists are those that the migrations create: their names, types, nullability and keys. The
// types of rows and records rest on this.

import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { sqlFor } from '../../src/storage/migrating.ts';
import * as schema from '../../src/storage/schema.ts';
import { readMigrations } from '../../src/storage/sql/sql-storage.ts';

const database = new DatabaseSync(':memory:');
for (const migration of readMigrations()) database.exec(sqlFor('embedded', migration));

const tables: schema.Table[] = Object.values(schema);

test('every table of the database is in the schema, once', () => {
  const created = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").all();
  assert.deepEqual(
    tables.map(({ name }) => name).sort(),
    created.map(({ name }) => name),
  );
});

for (const table of tables) {
  test(`${table.name} has the columns that the schema lists`, () => {
    const created = database.prepare('SELECT * FROM pragma_table_info(?)').all(table.name);
    const keyed = created.filter(({ pk }) => pk !== 0).sort((a, b) => Number(a.pk) - Number(b.pk));
    assert.deepEqual(
      Object.entries(table.columns).map(([name, { sql, nullable }]) => ({ name, sql, nullable })),
      created.map(({ name, type, notnull, pk }) => ({ name, sql: type, nullable: notnull === 0 && pk === 0 })),
    );
    assert.deepEqual(
      table.key,
      keyed.map(({ name }) => name),
    );
  });
}
