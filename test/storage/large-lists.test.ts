// Lists of more people than are counted or sorted: totals say so, and a list that is read to its end is whole.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { clientAccessPart, readAllowed } from '../../src/operations/clients/access-list.ts';
import type { PeopleFilters } from '../../src/protocol/admin/people-filters.ts';
import type { Value } from '../../src/storage/driver.ts';
import { lasting } from '../../src/storage/groups/access-conditions.ts';
import { readMigrations, sqlStorage } from '../../src/storage/sql/sql-storage.ts';
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts';
import type { PagePosition, UserQuery } from '../../src/storage/storage.ts';
import { aClient, anEvent } from './records.ts';

const people = 24_000;
/** Of them, who uses an application, is on its list, and has an identity at the same provider. */
const listed = 10_005;
const folder = mkdtempSync(join(tmpdir(), 'latchkey-large-'));
const driver = openSqlite(join(folder, 'latchkey.db'));
let asked: { sql: string; params: readonly Value[] }[] = [];
const storage = sqlStorage({
  ...driver,
  read(sql, params) {
    asked.push({ sql, params });
    return driver.read(sql, params);
  },
});

before(async () => {
  await driver.migrate(readMigrations());
  const numbers = `WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < ${people})`;
  const id = `'u' || (${people} + i)`;
  const write = (sql: string) => driver.write([{ sql, params: [] }]);
  // Half belong to a directory, half never signed in, and 24 are both. They are the oldest.
  await write(`${numbers} INSERT INTO users (id, email, email_key, name, password_hash, generation, created_at, updated_at,
      last_sign_in_at, managed_by, expires_at)
    SELECT ${id}, i || '@example.test', i || '@example.test', 'Name' || i, 'hash', 0, i, i,
      CASE WHEN i <= 24 OR i % 2 = 0 THEN 0 ELSE i END, CASE WHEN i <= 24 OR i % 2 = 1 THEN 'okta' END,
      CASE WHEN i > 12000 THEN i END FROM s`);
  for (const kind of ['person', 'person_name']) {
    await write(`${numbers} INSERT INTO search_words (kind, word, ref, source)
      SELECT '${kind}', CAST('name' || i AS BLOB), ${id}, 'name' FROM s`);
  }
  const client = aClient();
  await storage.createClient({ ...client, id: 'app' }, undefined, anEvent());
  await write(`INSERT INTO consents (user_id, client_id, client_generation, scopes, granted_at, last_used_at)
    SELECT id, 'app', 0, 'openid', 1, 1 FROM users WHERE created_at <= ${listed}`);
  await write(`INSERT INTO client_access (client_id, kind, subject_id, began_with, ended_by, expires_at, end_notices)
    SELECT 'app', 'person', id, 0, ${lasting}, NULL, 0 FROM users WHERE created_at <= ${listed}`);
  await write(`INSERT INTO identities (issuer, subject, user_id, linked_at)
    SELECT 'https://company.example', id, id, 1 FROM users WHERE created_at <= ${listed}`);
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
      assert.ok(truncated > 0 && pages < (by === 'name' ? 11 : 6), `${pages} pages, ${truncated} of which end early`);
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

describe('pages and counts', () => {
  const plans = async (call: () => Promise<unknown>) => {
    asked = [];
    await call();
    const rows = await Promise.all(asked.map(({ sql, params }) => driver.read(`EXPLAIN QUERY PLAN ${sql}`, params)));
    return rows.map((steps) => steps.map(({ detail }) => String(detail)).join('; '));
  };
  const position = (place: string | number): PagePosition => [String(place), `u${people}`];
  const word = Buffer.from('name2').toString('hex');

  test('a search with a filter that many meet reads and counts only as many words as are looked up', async () => {
    const filter = { by: { managedBy: 'okta' }, now: 1 };
    for (const after of [undefined, position(word)]) {
      const steps = await plans(() => storage.pageUsers({ words: ['name'], after, limit: 50, total: true, filter }));
      const walks = steps.filter((step) => /SEARCH w .*SEARCH u /.test(step));
      assert.equal(walks.length, 2, steps.join('\n'));
      for (const step of walks) assert.match(step, /\(word,ref\)<\(\?,\?\)\)/);
    }
  });

  test('later pages of a range begin where the earlier one ended', async () => {
    const by: PeopleFilters = { signedIn: 30 };
    const order = { by: 'last_sign_in', descending: false } as const;
    const last = { after: position(20_001), limit: 50, words: [] };
    const [, steps = ''] = await plans(() => storage.pageUsers({ ...last, order, filter: { by, now: 1 } }));
    assert.match(steps, /\(\(last_sign_in_at,id\)>\(\?,\?\)\)/);
  });

  test('positions outside the range of a list lead to its ends', async () => {
    const words = ['name23'];
    const [first] = (await storage.pageUsers({ words, after: undefined, limit: 50 })).items;
    for (const [place, found] of [
      ['00', first?.id],
      ['ff', undefined],
    ] as const) {
      const { items } = await storage.pageUsers({ words, after: position(place), limit: 50 });
      assert.equal(items[0]?.id, found, place);
    }
  });

  test('people whose access ends are listed in that order, whatever else they meet', async () => {
    const by: PeopleFilters = { managedBy: 'okta', expiresWithin: 60 };
    const order = { by: 'expires', descending: false } as const;
    const page = await storage.pageUsers({ words: [], after: undefined, limit: 2, order, filter: { by, now: 1 } });
    assert.deepEqual(
      page.items.map(({ expiresAt }) => expiresAt),
      [12_001, 12_003],
    );
  });

  test('more than 10,000 people are not counted', async () => {
    const more = { count: 10_000, more: true };
    assert.deepEqual(await storage.countConnectedUsers('app'), more);
    assert.deepEqual(await storage.countUpstreamPeople('https://company.example'), {
      all: more,
      withoutOtherWay: { count: 0, more: true },
    });
  });

  test('the list of an application is read in parts', async () => {
    const found: string[] = [];
    const lengths: number[] = [];
    let cursor: string | undefined;
    do {
      const part = await clientAccessPart({ storage }, 'app', cursor);
      assert.ok(part.kind === 'done');
      found.push(...part.allowed.people.map(({ id }) => id));
      lengths.push(part.allowed.people.length);
      cursor = part.next;
    } while (cursor !== undefined);
    assert.deepEqual(lengths, [10_000, 5]);
    assert.equal(new Set(found).size, listed);
    assert.equal((await readAllowed({ storage }, 'app')).people.length, listed);
  });
});
