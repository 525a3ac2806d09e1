// What the reads and writes of one turn of the event loop have in common on their way to PostgreSQL, and what not: each of
// them succeeds or fails by itself.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  type Driver,
  nobody,
  type RetryReason,
  type Row,
  StorageConflict,
  StorageUnavailable,
} from '../../src/storage/driver.ts';
import { openPostgres } from '../../src/storage/postgres/postgres.ts';
import { queryPostgres, startPostgres, type TestPostgres } from '../harness/postgres.ts';

let postgres: TestPostgres;
let url: string;
let driver: Driver;
let retried: RetryReason[] = [];

before(async () => {
  postgres = await startPostgres({ settings: ['shared_preload_libraries=pg_stat_statements'] });
  url = await postgres.newDatabase();
  await queryPostgres(url, 'CREATE EXTENSION pg_stat_statements');
  driver = openPostgres(url, { observer: { ...nobody, retried: (reason) => retried.push(reason) } });
});
after(async () => {
  await driver?.close();
  await postgres?.remove();
});

const insert = (name: string) => ({
  sql: 'INSERT INTO service_facts (name, value) VALUES ($1, $2)',
  params: [name, `value of ${name}`],
});
/** Changes a fact that has this value. */
const change = (name: string, from: string, to: string) => ({
  sql: 'UPDATE service_facts SET value = $3 WHERE name = $1 AND value = $2 RETURNING name AS id',
  batchSql: `UPDATE service_facts SET value = batch.p3
    FROM unnest($1::TEXT[], $2::TEXT[], $3::TEXT[]) AS batch(p1, p2, p3) WHERE name = batch.p1 AND value = batch.p2
    RETURNING name AS id`,
  params: [name, from, to],
  mustReturn: true,
});
const factByName = 'SELECT name, value FROM service_facts WHERE name = $1';
const storedValue = async (name: string) => (await driver.read(factByName, [name]))[0]?.value;
const names = (count: number, prefix: string) => Array.from({ length: count }, (_, index) => `${prefix}${index}`);

/** How often each statement was carried out during the work. */
async function callsDuring(work: () => Promise<unknown>): Promise<{ query: string; calls: number }[]> {
  await queryPostgres(url, 'SELECT pg_stat_statements_reset()');
  await work();
  const rows = await queryPostgres(url, 'SELECT query, calls::int AS calls FROM pg_stat_statements');
  return rows.map(({ query, calls }) => ({ query: String(query), calls: Number(calls) }));
}

const callsOf = (calls: { query: string; calls: number }[], pattern: RegExp) =>
  calls.filter(({ query }) => pattern.test(query)).reduce((sum, each) => sum + each.calls, 0);

describe('reads', () => {
  test('of one turn are one statement, and each gets its own rows', async () => {
    await Promise.all(names(100, 'read').map((name) => driver.write([insert(name)])));
    let answers: Row[][] = [];
    const calls = await callsDuring(async () => {
      const asked = [...names(100, 'read'), 'nobody', 'read7'];
      answers = await Promise.all(asked.map((name) => driver.read(factByName, [name])));
    });
    assert.equal(callsOf(calls, /service_facts/), 1);
    assert.deepEqual(
      answers.map(([row]) => row?.value),
      [...names(100, 'read').map((name) => `value of ${name}`), undefined, 'value of read7'],
    );
    assert.deepEqual(answers.map((rows) => rows.length).slice(-2), [0, 1]);
  });

  test('with parameters of several types, and several rows each', async () => {
    const sql = 'SELECT name FROM service_facts WHERE name >= $1 AND length(value) = CAST($2 AS BIGINT)';
    const [few = [], none = []] = await Promise.all([
      driver.read(sql, ['read97', 'value of read97'.length]),
      driver.read(sql, ['read97', 3]),
    ]);
    assert.deepEqual(few.map(({ name }) => name).sort(), ['read97', 'read98', 'read99']);
    assert.deepEqual(none, []);
  });

  test('with an ORDER BY keep their order', async () => {
    const sql = 'SELECT name FROM service_facts WHERE name LIKE $1 ORDER BY name DESC';
    const answers = await Promise.all([driver.read(sql, ['read9%']), driver.read(sql, ['read8%'])]);
    assert.deepEqual(
      answers.map(([row]) => row?.name),
      ['read99', 'read89'],
    );
  });

  test('fail individually', async () => {
    const answers = await Promise.allSettled(
      ['read1', 'zero\0byte', 'read2'].map((name) => driver.read(factByName, [name])),
    );
    assert.deepEqual(
      answers.map((answer) => (answer.status === 'fulfilled' ? answer.value[0]?.name : 'failed')),
      ['read1', 'failed', 'read2'],
    );
  });
});

describe('writes', () => {
  test('of one turn are committed together', async () => {
    retried = [];
    const calls = await callsDuring(() => Promise.all(names(50, 'write').map((name) => driver.write([insert(name)]))));
    assert.equal(callsOf(calls, /^INSERT INTO service_facts/), 50);
    assert.equal(callsOf(calls, /^COMMIT/), 1);
    assert.deepEqual(retried, []);
  });

  test('fail individually, which is counted', async () => {
    retried = [];
    const wanted = ['new1', 'write3', 'new2', 'zero\0byte', 'new3'];
    const answers = await Promise.allSettled(wanted.map((name) => driver.write([insert(name)])));
    assert.deepEqual(
      answers.map(({ status }) => status === 'fulfilled'),
      [true, false, true, false, true],
    );
    assert.ok(answers[1]?.status === 'rejected' && answers[1].reason instanceof StorageConflict);
    assert.ok(retried.includes('failed_batch'));
    const stored = await queryPostgres(url, "SELECT name FROM service_facts WHERE name LIKE 'new%' ORDER BY name");
    assert.deepEqual(
      stored.map(({ name }) => name),
      ['new1', 'new2', 'new3'],
    );
  });

  test("with an unmet mustReturn don't affect the others", async () => {
    const update = (name: string) => ({
      sql: 'UPDATE service_facts SET value = $2 WHERE name = $1 RETURNING name',
      params: [name, 'changed'],
      mustReturn: true,
    });
    const answers = await Promise.all(['write1', 'nobody', 'write2'].map((name) => driver.write([update(name)])));
    assert.deepEqual(
      answers.map((answer) => answer !== undefined),
      [true, false, true],
    );
    const changed = await queryPostgres(url, "SELECT name FROM service_facts WHERE value = 'changed' ORDER BY name");
    assert.deepEqual(
      changed.map(({ name }) => name),
      ['write1', 'write2'],
    );
  });

  describe('with a text for several of them', () => {
    test('of one turn are one statement, and each knows whether it took place', async () => {
      await Promise.all(names(20, 'many').map((name) => driver.write([insert(name)])));
      const wanted = [...names(20, 'many'), 'nobody'];
      let answers: (Row[][] | undefined)[] = [];
      const calls = await callsDuring(async () => {
        answers = await Promise.all(
          wanted.map((name) => driver.write([change(name, name === 'many3' ? 'other' : `value of ${name}`, 'new')])),
        );
      });
      assert.equal(callsOf(calls, /^UPDATE service_facts/), 1);
      assert.equal(callsOf(calls, /^(BEGIN|COMMIT)/), 0);
      assert.deepEqual(
        wanted.filter((_, index) => answers[index] === undefined),
        ['many3', 'nobody'],
      );
      assert.equal(await storedValue('many3'), 'value of many3');
      assert.equal(await storedValue('many4'), 'new');
    });

    test('of two for the same row, one takes place', async () => {
      await driver.write([insert('contested')]);
      const values = names(5, 'winner');
      const answers = await Promise.all(
        values.map((to) => driver.write([change('contested', 'value of contested', to)])),
      );
      const winners = values.filter((_, index) => answers[index] !== undefined);
      assert.equal(winners.length, 1);
      assert.equal(await storedValue('contested'), winners[0]);
    });

    test('fail individually', async () => {
      await Promise.all(['good', 'bad'].map((name) => driver.write([insert(name)])));
      const answers = await Promise.allSettled([
        driver.write([change('good', 'value of good', 'better')]),
        driver.write([change('bad', 'value of bad', 'zero\0byte')]),
      ]);
      assert.deepEqual(
        answers.map(({ status }) => status),
        ['fulfilled', 'rejected'],
      );
      assert.equal(await storedValue('good'), 'better');
    });
  });
});

// All kinds at once and with the timeout of a real service: PostgreSQL has to answer that it has canceled something before
// the driver gives up on it, and of a shorter timeout, busy cores would leave too little for that.
test('what takes too long is canceled by PostgreSQL and changes nothing, and later reads and writes succeed', async () => {
  await Promise.all(['held1', 'held2', 'held3'].map((name) => driver.write([insert(name)])));
  const blocker = await lockTable('service_facts');
  const reads = names(5, 'held').map((name) => driver.read(factByName, [name]));
  const writes = names(3, 'late').map((name) => driver.write([insert(name)]));
  const batched = ['held1', 'held2'].map((name) => driver.write([change(name, `value of ${name}`, 'late')]));
  for (const answer of await Promise.allSettled([...reads, ...writes, ...batched])) {
    assert.ok(answer.status === 'rejected');
    assert.equal(answer.reason.constructor, StorageUnavailable);
  }
  await blocker.release();
  const late = "SELECT name FROM service_facts WHERE name LIKE 'late%' OR value = 'late'";
  assert.deepEqual(await queryPostgres(url, late), [], 'the answer said that nothing was changed');
  assert.deepEqual([await storedValue('held1'), await storedValue('held3')], ['value of held1', 'value of held3']);
  await Promise.all(names(3, 'after').map((name) => driver.write([insert(name)])));
  const stored = await queryPostgres(url, "SELECT name FROM service_facts WHERE name LIKE 'after%'");
  assert.equal(stored.length, 3);
});

/** Nobody else reads or writes the table until it is released. */
async function lockTable(table: string) {
  const { default: pg } = await import('pg');
  const connection = new pg.Client({ connectionString: url });
  await connection.connect();
  await connection.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
  return {
    release: async () => {
      await connection.query('COMMIT');
      await connection.end();
    },
  };
}
