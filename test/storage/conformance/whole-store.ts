// What takes as long as the whole store: reading it as of one moment, and filling it in one transaction.

import assert from 'node:assert/strict';
import { StorageConflict } from '../../../src/storage/storage.ts';
import { type Rule, storedUser } from '../records.ts';

const count = 'SELECT COUNT(*) AS n FROM users';

const insertFact = (name: string) => ({
  sql: 'INSERT INTO service_facts (name, value) VALUES ($1, $2) RETURNING name',
  params: [name, 'x'],
});
const changeNothing = { sql: "UPDATE service_facts SET value = 'y' WHERE name = 'nothing' RETURNING name", params: [] };

export function wholeStoreRules(rule: Rule): void {
  rule('a snapshot sees the store as of one moment, while others write', async (storage, driver) => {
    await storedUser(storage);
    await driver.snapshot(async (reader) => {
      await storedUser(storage);
      assert.equal((await reader.read(count, []))[0]?.n, 1);
      await storedUser(storage);
      assert.equal((await reader.read(count, []))[0]?.n, 1);
    });
    assert.equal((await driver.read(count, []))[0]?.n, 3);
  });

  rule('a store is filled as a whole', async (_, driver) => {
    const facts = async () => (await driver.read("SELECT name FROM service_facts WHERE value = 'x'", [])).length;
    await driver.fill(async (filling) => {
      await filling.write([insertFact('one')]);
      assert.equal((await filling.read("SELECT 1 AS one FROM service_facts WHERE name = 'one'", [])).length, 1);
      // A part that fails, or lacks a row, leaves what was written before.
      await assert.rejects(filling.write([insertFact('two'), insertFact('one')]), StorageConflict);
      assert.equal(await filling.write([insertFact('three'), { ...changeNothing, mustReturn: true }]), undefined);
      await filling.write([insertFact('four')]);
      assert.equal(await facts(), 0, 'nobody else sees any of it before the end');
    });
    assert.equal(await facts(), 2);
  });

  rule('a store whose filling fails stays as it was', async (_, driver) => {
    const failed = driver.fill(async (filling) => {
      await filling.write([insertFact('one')]);
      throw new RangeError('enough');
    });
    await assert.rejects(failed, RangeError);
    assert.equal((await driver.read("SELECT 1 AS one FROM service_facts WHERE name = 'one'", [])).length, 0);
  });
}
