// What administrators read stays fast on PostgreSQL: each page of a list walks an index from where it begins, and sorts
// nothing. The test asks for the plans, because few rows are fast with any plan.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import type { PeopleFilters } from '../../src/protocol/admin/people-filters.ts';
import type { Value } from '../../src/storage/driver.ts';
import { walksOnly } from '../../src/storage/postgres/look-up.ts';
import { openPostgres } from '../../src/storage/postgres/postgres.ts';
import { sqlStorage } from '../../src/storage/sql/sql-storage.ts';
import type { PagePosition, Storage } from '../../src/storage/storage.ts';
import { removeSharedPostgres, sharedPostgres } from '../harness/postgres.ts';
import { startTestService } from '../harness/service.ts';
import { until } from '../harness/until.ts';

const people = 20_000;
const word: PagePosition = [Buffer.from('name1').toString('hex'), 'u1'];
const time: PagePosition = ['5000', 'u1'];
const limit = 50;
const day = 24 * 60 * 60 * 1000;

const lists: Record<string, (storage: Storage) => Promise<unknown>> = {
  'people, first page': (storage) => storage.pageUsers({ words: [], after: undefined, limit }),
  'people, a later page': (storage) => storage.pageUsers({ words: [], after: time, limit }),
  'people, an earlier page': (storage) => storage.pageUsers({ words: [], after: undefined, before: time, limit }),
  'people by name': (storage) =>
    storage.pageUsers({ words: [], order: { by: 'name', descending: false }, after: word, limit }),
  'people by name, backwards': (storage) =>
    storage.pageUsers({ words: [], order: { by: 'name', descending: false }, after: undefined, before: word, limit }),
  'people by last sign-in': (storage) =>
    storage.pageUsers({ words: [], order: { by: 'last_sign_in', descending: true }, after: time, limit }),
  'people by last sign-in, first page': (storage) =>
    storage.pageUsers({ words: [], order: { by: 'last_sign_in', descending: true }, after: undefined, limit }),
  'a search': (storage) => storage.pageUsers({ words: ['name1'], after: undefined, limit }),
  'a later page of a search': (storage) => storage.pageUsers({ words: ['name'], after: word, limit }),
  'an earlier page of a search': (storage) =>
    storage.pageUsers({ words: ['name'], after: undefined, before: word, limit }),
  'a search for common words': (storage) => storage.pageUsers({ words: ['name', 'example'], after: undefined, limit }),
  'a search for several words': (storage) =>
    storage.pageUsers({ words: ['name1234', 'example'], after: undefined, limit }),
  'people who are likely meant, sorted': (storage) => storage.findUsersNamed(['name', 'example'], 'beginning', 5),
  'people who are likely meant by a whole word, sorted': (storage) => storage.findUsersNamed(['name1'], 'whole', 5),
  // Whom the server expects to be few: it must not begin with looking for them among everyone.
  'a search for common words among people who meet filters': (storage) =>
    storage.pageUsers({
      words: ['name', 'example'],
      after: undefined,
      limit,
      filter: { by: { secondFactor: 'none' }, now: 1 },
    }),
  'people who wait for approval': (storage) => storage.pageWaiting({ after: undefined, limit }),
  'people who wait, a later page': (storage) => storage.pageWaiting({ after: time, limit }),
  'people who wait too long': (storage) => storage.listOverdue(5000, limit),
  ...Object.fromEntries(
    Object.entries({
      'with any role': { role: 'any' },
      'with a role': { role: 'auditor' },
      'who are disabled': { status: 'disabled' },
      'without a second factor': { secondFactor: 'none' },
      'who never signed in': { signedIn: 'never' },
      'of a directory': { managedBy: 'okta' },
    } as const satisfies Record<string, PeopleFilters>).flatMap(([name, by]) => {
      const page = (after: PagePosition | undefined) => (storage: Storage) =>
        storage.pageUsers({ words: [], after, limit, total: true, filter: { by, now: 1 } });
      return [
        [`people ${name}`, page(undefined)],
        [`people ${name}, a later page`, page(time)],
      ];
    }),
  ),
  'people whose access ends': (storage) =>
    storage.pageUsers({
      words: [],
      after: time,
      limit,
      total: true,
      order: { by: 'expires', descending: false },
      filter: { by: { expiresWithin: 1 }, now: 1 },
    }),
  'people who signed in lately': (storage) =>
    storage.pageUsers({
      words: [],
      after: time,
      limit,
      total: true,
      order: { by: 'last_sign_in', descending: true },
      filter: { by: { signedIn: 1 }, now: day + people - people / 50 },
    }),
  'few people, with a common word, sorted': (storage) =>
    storage.pageUsers({
      words: ['example'],
      after: undefined,
      limit,
      total: true,
      filter: { by: { role: 'any' }, now: 1 },
    }),
  'few people, by name, sorted': (storage) =>
    storage.pageUsers({
      words: [],
      after: word,
      limit,
      order: { by: 'name', descending: false },
      filter: { by: { role: 'any', signedIn: 'never' }, now: 1 },
    }),
  invitations: (storage) => storage.pageInvitations({ after: undefined, limit }, 0),
  'events, towards newer ones': (storage) => storage.findEvents({ fromId: 'e5', kind: 'signed_in' }, limit, 'oldest'),
};

let connection: pg.Client;
let url: string;
const asked = new Map<string, { sql: string; params: readonly Value[]; anew?: boolean | undefined }[]>();

before(async () => {
  url = await (await sharedPostgres()).newDatabase();
  connection = new pg.Client({ connectionString: url });
  await connection.connect();
  await connection.query(`
    INSERT INTO users (id, email, email_key, name, password_hash, generation, created_at, updated_at, last_sign_in_at, pending_since,
        disabled_at, roles, managed_by, expires_at, has_factor)
      SELECT 'u' || i, i || '@example.test', i || '@example.test', 'Name' || i, 'hash', 0, i, i,
        CASE WHEN i % 50 = 0 THEN 0 ELSE i END, CASE WHEN i % 20 = 0 THEN i END,
        CASE WHEN i % 50 = 1 THEN i END, CASE WHEN i % 1000 = 2 THEN 'auditor' END, CASE WHEN i % 50 = 3 THEN 'okta' END,
        CASE WHEN i % 50 = 4 THEN i + 80000000 END, CASE WHEN i % 7 = 5 THEN 0 ELSE 1 END FROM generate_series(1, ${people}) AS i;
    INSERT INTO search_words (kind, word, ref, source)
      SELECT 'person', CAST('name' || i AS BYTEA), 'u' || i, 'name' FROM generate_series(1, ${people}) AS i
      UNION ALL SELECT 'person', CAST('example.test' AS BYTEA), 'u' || i, 'email' FROM generate_series(1, ${people}) AS i
      UNION ALL SELECT 'person_name', CAST('name' || i AS BYTEA), 'u' || i, 'name' FROM generate_series(1, ${people}) AS i;
    INSERT INTO links (digest, purpose, detail, expires_at, email_key)
      SELECT 'l' || i, CASE WHEN i % 10 = 0 THEN 'invite' ELSE 'sign_up' END, '{"email":"g@example.test"}', i, 'g' || i
        FROM generate_series(1, ${people}) AS i;
    INSERT INTO events (id, at, kind, address, request_id, detail)
      SELECT 'e' || i, i, CASE WHEN i % 3 = 0 THEN 'signed_in' ELSE 'signed_out' END, '', '', '{}'
        FROM generate_series(1, ${people}) AS i;
    ANALYZE`);
  const driver = openPostgres(url);
  let name = '';
  const storage = sqlStorage({
    ...driver,
    read(sql: string, params: readonly Value[], anew?: boolean) {
      asked.set(name, [...(asked.get(name) ?? []), { sql, params, anew }]);
      return driver.read(sql, params, anew);
    },
  });
  for (const [each, ask] of Object.entries(lists)) {
    name = each;
    await ask(storage);
  }
  await driver.close();
});
after(async () => {
  await connection?.end();
  await removeSharedPostgres();
});

describe('lists on PostgreSQL', () => {
  for (const name of Object.keys(lists)) {
    test(`${name}: walks an index and sorts nothing`, async () => {
      for (const { sql, params, anew } of asked.get(name) ?? assert.fail(name)) {
        await connection.query('BEGIN');
        if (anew) await connection.query(walksOnly(5000));
        const { rows } = await connection.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`, [...params]);
        await connection.query('ROLLBACK');
        const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
        // A few people are sorted once they were read.
        if (!name.endsWith('sorted')) assert.doesNotMatch(plan, /Sort/, plan);
        assert.doesNotMatch(plan, /Seq Scan on (users|search_words|links|events)|Hash (Semi |Anti )?Join/, plan);
      }
    });
  }

  test('a filter is planned for what it finds, whatever others have found', async () => {
    const reads = async () => {
      const sql = "SELECT seq_tup_read AS rows, idx_scan AS looks FROM pg_stat_user_tables WHERE relname = 'users'";
      const { rows } = await connection.query<Record<'rows' | 'looks', string>>(sql);
      return { rows: Number(rows[0]?.rows), looks: Number(rows[0]?.looks) };
    };
    const before = await reads();
    const service = await startTestService({ DATABASE_URL: url });
    const signedInAfter = (time: number) => {
      const filter = { by: { signedIn: 1 }, now: day + time };
      return service.running.services.storage.pageUsers({ words: [], after: undefined, limit, filter });
    };
    // After five times that find many, a server would take a plan that finds many, whatever it's asked for.
    for (let time = 0; time < 6; time++) await signedInAfter(people - 4000);
    for (let time = 0; time < 20; time++) await signedInAfter(people);
    // A server counts what a connection has read once that's over.
    await service.stop();
    await until(async () => (await reads()).looks > before.looks, 'it is counted');
    assert.ok((await reads()).rows < before.rows + 10 * people, 'the one person is not looked for among everyone');
  });

  test('a list is not compiled, whatever a server expects it to cost', async () => {
    await connection.query('BEGIN');
    await connection.query(walksOnly(5000));
    const { rows } = await connection.query('SHOW jit');
    await connection.query('ROLLBACK');
    assert.deepEqual(rows, [{ jit: 'off' }]);
  });

  test('of a large group on a list, no more members are read than are listed and counted', async () => {
    const members = 40_000;
    const lasting = Number.MAX_SAFE_INTEGER;
    // In no order, and next to many small groups: a server that knows them expects few members.
    await connection.query(`
      INSERT INTO users (id, email, email_key, name, password_hash, generation, created_at, updated_at, last_sign_in_at)
        SELECT 'm' || i, i || '@m', i || '@m', 'M', '', 0, i, i, i FROM generate_series(1, ${members}) AS i;
      INSERT INTO groups (id, name, name_key, created_at, updated_at, ended_by)
        SELECT 'g' || i, 'g' || i, 'g' || i, 1, 1, ${lasting} FROM generate_series(0, 500) AS i;
      INSERT INTO group_members (group_id, user_id, began_with, ended_by)
        SELECT g, 'm' || i, 0, ${lasting} FROM (
          SELECT 'g0' AS g, i FROM generate_series(1, ${members}) AS i
          UNION ALL SELECT 'g' || i % 500 + 1, i FROM generate_series(1, ${members / 8}) AS i) AS m ORDER BY md5(g || i);
      INSERT INTO clients (id, name, is_public, redirect_uris, scopes, generation, created_at, updated_at, access)
        VALUES ('c', 'C', 0, '[]', '', 0, 1, 1, 'listed');
      INSERT INTO client_access (client_id, kind, subject_id, began_with, ended_by) VALUES ('c', 'group', 'g0', 0, ${lasting});
      ANALYZE`);
    const read = async () => {
      const of = "FROM pg_stat_user_indexes WHERE relname = 'group_members'";
      const { rows } = await connection.query<{ n: string }>(`SELECT SUM(idx_tup_read) AS n ${of}`);
      return Number(rows[0]?.n);
    };
    const before = await read();
    const driver = openPostgres(url);
    const storage = sqlStorage(driver);
    const client = { id: 'c', access: 'listed', generation: 0, revokedAt: null } as const;
    const query = {
      words: [],
      after: undefined,
      limit,
      total: true,
      order: { by: 'last_sign_in', descending: true },
    } as const;
    const page = await storage.pagePeopleWithAccess(client, { ...query, filter: { by: {}, now: 1 } });
    assert.deepEqual([page.items.length, page.total], [limit, { count: 10_000, more: true }]);
    await driver.close();
    const others = 'FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()';
    const isOver = async () => (await connection.query(`SELECT 1 ${others}`)).rows.length === 0;
    await until(isOver, 'it is counted');
    // To know whether they're few, for the total, and those who are looked at for the page.
    const most = 2 * 10_002 + 10 * limit;
    const rows = (await read()) - before;
    assert.ok(rows > 0 && rows <= most, `${rows} members`);
  });
});
