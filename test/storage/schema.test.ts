// The columns that schema.ts lists are those that the migrations create: their names, types, nullability and keys. The
// types of rows and records rest on this.

import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { whatEnds } from '../../src/protocol/account/what-ends.ts';
import { sqlFor } from '../../src/storage/migrating.ts';
import * as schema from '../../src/storage/schema.ts';
import { readMigrations } from '../../src/storage/sql/sql-storage.ts';
import { accessTables } from '../../src/storage/users/what-ends-sql.ts';

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

/** What a row says about a user that isn't access to their account, with what it is instead. */
const notAccess: Record<string, string> = {
  events: 'what happened',
  group_members: 'given by administrators, and checked with every use',
  imported_people: 'where they came from',
  pictures: 'part of the profile',
  review_items: 'what a review was about, without their name once they are deleted',
  webhook_deliveries: 'what endpoints are told',
};

test("every table with a user's rows, or what they made, has a column in the table of what ends what", () => {
  const madeForOthers = { api_keys: 'api_keys', scim_tokens: 'scim_tokens', sign_up_links: 'sign_up_links' };
  const columns: Record<string, string> = {
    ...madeForOthers,
    ...Object.fromEntries(
      Object.entries(accessTables).flatMap(([column, names]) => names.map((name) => [name, column])),
    ),
  };
  const ended = new Set(Object.values(whatEnds).flatMap((ends) => Object.keys(ends)));
  const owned = tables.filter((table) => 'user_id' in table.columns || 'created_by' in table.columns);
  for (const { name } of owned) {
    const column = columns[name];
    assert.ok(name in notAccess || (column !== undefined && ended.has(column)), name);
  }
  for (const name of [...Object.keys(columns), ...Object.keys(notAccess)]) {
    assert.ok(
      owned.some((table) => table.name === name),
      name,
    );
  }
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
