// Lists of more people than are counted or sorted: totals say so, and a list that is read to its end is whole.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { PeopleFilters } from '../../src/protocol/admin/people-filters.ts';
import { readMigrations, sqlStorage } from '../../src/storage/sql/sql-storage.ts';
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts';
import type { PagePosition, UserQuery } from '../../src/storage/storage.ts';

const people = 24_000;
const folder = mkdtempSync(join(tmpdir(), 'latchkey-large-'));
const driver = openSqlite(join(folder, 'latchkey.db'));
const storage = sqlStorage(driver);

before(async () => {
  await driver.migrate(readMigrations());
  const numbers = `WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < ${people})`;
  const id = `'u' || (${people} + i)`;
  const write = (sql: string) => driver.write([{ sql, params: [] }]);
  // Half belong to a directory, half never signed in, and 24 are both. They are the oldest.
  await write(`${numbers} INSERT INTO users (id, email, email_key, name, password_hash, generation, created_at, updated_at,
      last_sign_in_at, managed_by)
    SELECT ${id}, i || '@example.test', i || '@example.test', 'Name' || i, 'hash', 0, i, i,
      CASE WHEN i <= 24 OR i % 2 = 0 THEN 0 ELSE i END, CASE WHEN i <= 24 OR i % 2 = 1 THEN 'okta' END FROM s`);
  for (const kind of ['person', 'person_name']) {
    await write(`${numbers} INSERT INTO search_words (kind, word, ref, source)
      SELECT '${kind}', CAST('name' || i AS BLOB), ${id}, 'name' FROM s`);
  }
});
after(async () => {
  await driver.close();
  rmSync(folder, { recursive: true });
});

async function readToTheEnd(query: Partial<UserQuery>, by: PeopleFilters = {}) {
  const ids: string[] = [];
  let [pages, truncated] = [0, 0];
  let from: PagePosition | undefined;
  do {
    const page = await storage.pageUsers({ words: [], after: from, limit: 50, ...query, filter: { by, now: 1 } });
    ids.push(...page.items.map((user) => user.id));
    pages++;
    if (page.truncated) truncated++;
    from = page.next;
  } while (from !== undefined && pages < 50);
  return { ids, pages, truncated };
}

describe('totals', () => {
  const first = { words: [], after: undefined, limit: 1, total: true };
  const more = { count: 10_000, more: true };
  const rare: PeopleFilters = { managedBy: 'okta', signedIn: 'never' };
  const cases: Record<string, readonly [query: Partial<UserQuery>, by: PeopleFilters, total: object]> = {
    everyone: [{}, {}, more],
    'a common word': [{ words: ['name'] }, {}, more],
    'a rarer word': [{ words: ['name23'] }, {}, { count: 1111, more: false }],
    'a filter': [{}, { managedBy: 'okta' }, more],
    'filters that many meet, but few both': [{}, rare, { count: 24, more: false }],
    // Of 11,111 who have such a word, the last ones aren't compared.
    'the same with a word': [{ words: ['name1'] }, rare, { count: 4, more: true }],
    // 12,000 belong to the directory: more than are read to sort them, but not too many to count.
    'a filter with an order of its own': [{ order: { by: 'name', descending: false } }, { managedBy: 'okta' }, more],
  };
  for (const [name, [query, by, total]] of Object.entries(cases)) {
    test(name, async () => {
      assert.deepEqual((await storage.pageUsers({ ...first, ...query, filter: { by, now: 1 } })).total, total);
    });
  }
});

describe('people who meet two filters that many meet', () => {
  for (const by of ['created', 'name', 'last_sign_in'] as const) {
    test(`are all found by ${by}, on pages that end early`, async () => {
      const order = { by, descending: true };
      const { ids, pages, truncated } = await readToTheEnd({ order }, { managedBy: 'okta', signedIn: 'never' });
      assert.equal(new Set(ids).size, 24);
      assert.equal(ids.length, 24);
      assert.ok(truncated > 0 && pages < 6, `${pages} pages, ${truncated} of which end early`);
    });
  }

  test('one filter alone never ends a page early in its own order', async () => {
    const { items, truncated } = await storage.pageUsers({
      words: [],
      after: undefined,
      limit: 50,
      filter: { by: { signedIn: 'never' }, now: 1 },
    });
    assert.deepEqual([items.length, truncated], [50, undefined]);
  });
});
