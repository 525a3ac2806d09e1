// A batch looks up or changes rows by their keys, whatever PostgreSQL knows about its tables, and so does what changes some of many
// emails. The test asks for the plans, because few rows are fast with any plan.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import type { Statement, Value } from '../../src/storage/driver.ts';
import { lookUpsOnly } from '../../src/storage/postgres/look-up.ts';
import { openPostgres } from '../../src/storage/postgres/postgres.ts';
import { batchText } from '../../src/storage/postgres/read-batches.ts';
import { sqlStorage } from '../../src/storage/sql/sql-storage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { removeSharedPostgres, sharedPostgres } from '../harness/postgres.ts';
import { aClient, aGrant, aUser, exchangeOf } from '../storage/records.ts';

/** What requests read, one row at a time. */
const lookUps: Record<string, (storage: Storage) => unknown> = {
  findTokenHolder: (storage) => storage.findTokenHolder('g1', 't1', Date.now()),
  findClientAndGrant: (storage) => storage.findClientAndGrant('c1', 'g1', Date.now()),
  findClientAndRefreshable: (storage) => storage.findClientAndRefreshable('c1', 'g1', Date.now()),
  findAuthorizationContext: (storage) => storage.findAuthorizationContext('c1', 's1', Date.now()),
  findRememberedApproval: (storage) => storage.findRememberedApproval('c1', 's1', Date.now()),
  findClient: (storage) => storage.findClient('c1'),
  findUser: (storage) => storage.findUser('u1'),
  findUserByEmail: (storage) => storage.findUserByEmail('u1@people.example'),
  findUserByUsername: (storage) => storage.findUserByUsername('u1'),
  hasAccess: (storage) => storage.hasAccess('c1', 'u1', Date.now()),
  findSession: (storage) => storage.findSession('s1', Date.now()),
  findLink: (storage) => storage.findLink('l1', 'reset_password', 0),
};

/** What requests write, one row at a time. */
const changes: Record<string, (storage: Storage) => unknown> = {
  issueCode: (storage) => storage.issueCode(aGrant(aUser(), aClient()), Date.now()),
  consumeCode: (storage) => storage.consumeCode(exchangeOf(aGrant(aUser(), aClient()))),
};

let connection: pg.Client;
/** Of emails, what changes the first ones of an index. */
const ofEmails: Statement[] = [];
const limit = 10;
const later = Date.now() + 24 * 60 * 60 * 1000;
const texts = new Map<string, { many: string; types: number }>();

before(async () => {
  const url = await (await sharedPostgres()).newDatabase();
  connection = new pg.Client({ connectionString: url });
  await connection.connect();
  const driver = openPostgres(url);
  let name = '';
  const storage = sqlStorage({
    ...driver,
    read(sql: string, params: readonly Value[]) {
      const text = batchText(sql, params);
      if (text !== undefined) texts.set(name, { many: text.many, types: params.length });
      return driver.read(sql, params);
    },
    write(statements) {
      const [{ batchSql = '', params = [] } = {}] = statements;
      texts.set(name, { many: batchSql, types: params.length });
      return driver.write(statements);
    },
  });
  for (const [each, ask] of Object.entries({ ...lookUps, ...changes })) {
    name = each;
    await ask(storage);
  }
  const noting = sqlStorage({
    ...driver,
    async write(statements) {
      ofEmails.push(...statements);
      return [[]];
    },
  });
  await noting.claimEmails(Date.now(), later, limit);
  await noting.hastenEmails(Date.now(), limit);
  await driver.close();
});
after(async () => {
  await connection?.end();
  await removeSharedPostgres();
});

/** The plan that PostgreSQL keeps for a prepared statement, whichever values it gets. */
async function planOf(name: string): Promise<string> {
  const { many, types } = texts.get(name) ?? assert.fail(`${name} is no batch`);
  const lists = Array.from({ length: types }, () => "'{1,2,3}'").join(', ');
  await connection.query(`BEGIN; ${lookUpsOnly(1000)}; PREPARE batch AS ${many}`);
  const { rows } = await connection.query(`EXPLAIN EXECUTE batch (${lists})`);
  await connection.query('COMMIT; DEALLOCATE batch');
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

async function fill(grants: number): Promise<void> {
  await connection.query(`
    INSERT INTO users (id, email, email_key, name, password_hash, generation, created_at, updated_at)
      SELECT 'u' || n, 'u' || n || '@people.example', 'u' || n || '@people.example', 'Person', 'h', 0, n, n
      FROM generate_series(1, ${grants}) n ON CONFLICT DO NOTHING;
    INSERT INTO clients (id, name, is_public, redirect_uris, scopes, generation, created_at, updated_at)
      SELECT 'c' || n, 'App', 0, '[]', 'openid', 0, n, n FROM generate_series(1, ${Math.ceil(grants / 10)}) n
      ON CONFLICT DO NOTHING;
    INSERT INTO grants (id, user_id, user_generation, client_id, client_generation, scopes, redirect_uri, code_challenge,
        auth_time, amr, code_digest, code_expires_at, delete_after)
      SELECT 'g' || n, 'u' || n, 0, 'c1', 0, 'openid', 'x', 'x', n, 'pwd', 'd' || n, n, n
      FROM generate_series(1, ${grants}) n ON CONFLICT DO NOTHING;
    INSERT INTO sessions (digest, user_id, user_generation, created_at, last_seen_at, auth_time, amr)
      SELECT 's' || n, 'u' || n, 0, n, n, n, 'pwd' FROM generate_series(1, ${grants}) n ON CONFLICT DO NOTHING;
    INSERT INTO consents (user_id, client_id, client_generation, scopes, granted_at, last_used_at)
      SELECT 'u' || n, 'c1', 0, 'openid', n, n FROM generate_series(1, ${grants}) n ON CONFLICT DO NOTHING;
    INSERT INTO groups (id, name, name_key, created_at, updated_at, ended_by)
      SELECT 'gr' || n, 'Group', 'group ' || n, n, n, ${Number.MAX_SAFE_INTEGER}
      FROM generate_series(1, ${Math.ceil(grants / 10)}) n ON CONFLICT DO NOTHING;
    INSERT INTO group_members (group_id, user_id, began_with, ended_by)
      SELECT 'gr1', 'u' || n, n, ${Number.MAX_SAFE_INTEGER} FROM generate_series(1, ${grants}) n ON CONFLICT DO NOTHING;
    INSERT INTO client_access (client_id, kind, subject_id, began_with, ended_by)
      SELECT 'c1', 'person', 'u' || n, n, ${Number.MAX_SAFE_INTEGER} FROM generate_series(1, ${grants}) n
      ON CONFLICT DO NOTHING;
    INSERT INTO client_access (client_id, kind, subject_id, began_with, ended_by)
      SELECT 'c1', 'group', 'gr' || n, n, ${Number.MAX_SAFE_INTEGER} FROM generate_series(1, ${Math.ceil(grants / 10)}) n
      ON CONFLICT DO NOTHING`);
}

const states: [string, () => Promise<unknown>][] = [
  ['an empty store', async () => {}],
  ['a few rows that were counted', async () => fill(5).then(() => connection.query('ANALYZE'))],
  ['a store that has grown since', () => fill(20_000)],
  ['a large store that was counted', () => connection.query('ANALYZE')],
];
for (const [state, prepare] of states) {
  describe(`batches on ${state}`, () => {
    before(prepare);
    for (const name of Object.keys({ ...lookUps, ...changes })) {
      test(`${name} uses an index and scans no table`, async () => {
        const plan = await planOf(name);
        // A hashed subplan reads all rows, and consents are found by their person: an application may have very many.
        assert.doesNotMatch(plan, /Seq Scan|[Hh]ash|Merge Join|consents_by_client/);
        assert.match(plan, /Function Scan on (batch|unnest)/);
        assert.match(plan, /Index (Only )?Scan/);
        // Reading an index from its beginning to its end has no condition.
        for (const step of name in changes ? plan.split(/(?=->)/) : []) {
          if (/^-> +Index/.test(step)) assert.match(step, /Index Cond/, plan);
        }
      });
    }
  });
}

interface Step {
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Step[];
}

describe('of 3,000 emails that are due, only those that are claimed or made due are read', () => {
  const size = 3000;
  const add = (count: number, at: number) => `INSERT INTO mails (id, sealed, created_at, attempts, next_attempt_at)
    SELECT 'm' || ${at} || '-' || n, 'sealed', 0, 0, ${at} FROM generate_series(1, ${count}) n`;
  const fill = [add(size, 0), add(size, later)];
  const known: Record<string, readonly [statements: readonly string[], most: number]> = {
    'nothing was counted': [fill, limit],
    'none were counted': [['VACUUM ANALYZE mails', ...fill], limit],
    'some that wait were counted': [[add(100, later - 1), 'ANALYZE mails', ...fill], limit],
    'all were counted': [[...fill, 'ANALYZE mails'], limit],
    // All are read, but only once.
    'one was counted': [[add(1, 1), 'ANALYZE mails', ...fill], 2 * size + 1],
  };
  for (const [state, [prepare, allowed]] of Object.entries(known)) {
    test(state, async () => {
      await connection.query('TRUNCATE mails');
      for (const sql of prepare) await connection.query(sql);
      assert.equal(ofEmails.length, 2);
      for (const { sql, serverSql = sql, params } of ofEmails) {
        await connection.query('BEGIN');
        const { rows } = await connection.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${serverSql}`, [...params]);
        await connection.query('ROLLBACK');
        const most = Math.max(...stepsOf(rows[0]['QUERY PLAN'][0].Plan).map(rowsOf));
        assert.ok(most <= allowed, `${most} rows: ${serverSql}`);
      }
    });
  }

  const stepsOf = (step: Step): Step[] => [step, ...(step.Plans ?? []).flatMap(stepsOf)];
  const rowsOf = (step: Step) => (step['Actual Rows'] + (step['Rows Removed by Filter'] ?? 0)) * step['Actual Loops'];
});
