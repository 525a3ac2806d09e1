// What a restore does with each table, from the schema: a table or a mark that it doesn't know fails here, and not after a disaster.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Driver, SnapshotReader } from '../../src/storage/driver.ts';
import {
  carryDeletedIds,
  carryRevokedTokens,
  endEverything,
  forgetProcesses,
} from '../../src/storage/restoring/ending.ts';
import { revocationsSince } from '../../src/storage/restoring/since-backup.ts';
import * as schema from '../../src/storage/schema.ts';
import { readMigrations } from '../../src/storage/sql/sql-storage.ts';
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts';
import { accessTables } from '../../src/storage/users/what-ends-sql.ts';

const folder = mkdtempSync(join(tmpdir(), 'latchkey-restoring-'));
const tables: schema.Table[] = Object.values(schema);
let driver: Driver;
/** All that's asked of the stores. */
const asked: string[] = [];

/** What a restore leaves as it was in the backup, and why nobody gets in by it who couldn't. */
const asInBackup: Record<string, string> = {
  access_requests: 'asking for access gives none',
  attributes: 'a setting',
  brand_images: 'a setting',
  counters: 'numbers that are given once',
  events: 'what happened',
  hourly_totals: 'what happened',
  imported_people: 'where people came from',
  logos: 'a setting',
  pictures: 'part of the profile',
  review_applications: 'what a review is about',
  review_items: 'decisions, which end memberships and places on lists',
  reviews: 'what a review is about',
  search_words: 'made of other tables',
  settings: 'said to be as in the backup',
  sign_in_failures: 'of a moment',
  unsearchable: 'made of other tables',
  upstream_icons: 'a setting',
  webhook_deliveries: 'what waits for endpoints, which may be disabled',
};

before(async () => {
  driver = openSqlite(join(folder, 'latchkey.db'));
  await driver.migrate(readMigrations());
  // Something to compare, so that everything is asked that depends on it.
  await driver.write(
    [
      `INSERT INTO users (id, email, email_key, name, password_hash, generation, created_at, updated_at)
        VALUES ('u', 'a@a.example', 'a@a.example', 'Ada', '', 0, 1, 1)`,
      `INSERT INTO webhook_endpoints (id, url, description, types, created_at, updated_at, failures, dropped, resting_until,
        claimed_until) VALUES ('w', 'https://hooks.example', '', '*', 1, 1, 0, 0, 0, 0)`,
    ].map((sql) => ({ sql, params: [] })),
  );
  const reader: SnapshotReader = {
    read(sql, params) {
      asked.push(sql);
      return driver.read(sql, params);
    },
  };
  for await (const _ of revocationsSince(reader, reader, 1, true)) assert.fail('a store differs from itself');
  await carryDeletedIds(driver, reader);
  await carryRevokedTokens(driver, reader);
});
after(async () => {
  await driver.close();
  rmSync(folder, { recursive: true });
});

const compared = () => new Set(Array.from(asked.join('\n').matchAll(/FROM (\w+)/g), ([, name = '']) => name));
const ended = new Set(
  [...endEverything(1), ...forgetProcesses].map(({ sql }) => /^(?:DELETE FROM|UPDATE) (\w+)/.exec(sql)?.[1] ?? sql),
);

test('every table is ended, compared or left for a reason', () => {
  const unknown = tables.filter(({ name }) => !ended.has(name) && !compared().has(name) && !(name in asInBackup));
  assert.deepEqual(
    unknown.map(({ name }) => name),
    [],
  );
  const twice = Object.keys(asInBackup).filter((name) => ended.has(name) || compared().has(name));
  assert.deepEqual(twice, []);
  assert.ok(Object.keys(asInBackup).every((name) => tables.some((table) => table.name === name)));
});

test('all by which people get in, or keep what they got, is ended or compared', () => {
  const left = Object.values(accessTables).flatMap((names) => names.filter((name: string) => name in asInBackup));
  assert.deepEqual(left, ['access_requests']);
});

test('whatever marks a row as no longer in force is compared', () => {
  const marks = tables.flatMap(({ name, columns }) =>
    Object.keys(columns)
      .filter((column) => /^(?:disabled|revoked|retired|suspended|ended|trusted)_(?:at|by|until)$/.test(column))
      .map((column) => ({ name, column })),
  );
  assert.ok(marks.length > 10);
  for (const { name, column } of marks) {
    const isCompared = asked.some((sql) => new RegExp(`FROM ${name}\\b`).test(sql) && sql.includes(column));
    assert.ok(isCompared, `${name}.${column}`);
  }
});
