// A search for two common words on PostgreSQL, with statistics from the middle of an import: of those times, the server believes
// that hardly anyone has the second word, and would read everyone who has it for each of those who have the first.

import assert from 'node:assert/strict';
import { after } from 'node:test';
import pg from 'pg';
import { openPostgres } from '../../src/storage/postgres/postgres.ts';
import { sqlStorage } from '../../src/storage/sql/sql-storage.ts';
import { releaseTest } from '../harness/lane.ts';
import { removeSharedPostgres, sharedPostgres } from '../harness/postgres.ts';
import { anEvent, aUser } from '../storage/records.ts';

after(() => removeSharedPostgres());

releaseTest('a search is answered whatever the server has counted', async () => {
  const url = await (await sharedPostgres()).newDatabase();
  const [driver, connection] = [openPostgres(url), new pg.Client({ connectionString: url })];
  await connection.connect();
  try {
    const storage = sqlStorage(driver);
    const common = (word: string) =>
      Array.from({ length: 600 }, (_, index) => {
        const words = Array.from({ length: 18 }, (_place, place) => `${word}${place}x${index}`);
        return aUser({ name: words.slice(0, 9).join(' '), givenName: words.slice(9).join(' ') });
      });
    const people = [...common('north'), ...common('south'), aUser({ name: 'North0 South' })];
    for (let first = 0; first < people.length; first += 200) {
      const some = people.slice(first, first + 200).map((user) => ({ oldId: user.id, user }));
      await storage.importUsers('test', some, 0, anEvent());
      if (first === 0) await connection.query('ANALYZE');
    }
    const { items } = await storage.pageUsers({ words: ['north', 'south'], after: undefined, limit: 50 });
    assert.deepEqual(
      items.map(({ name }) => name),
      ['North0 South'],
    );
  } finally {
    await connection.end();
    await driver.close();
  }
});
