// node bench/people-search.ts [PEOPLE]: how long searches for people take in both stores, and how many bytes the words of a
// person take. Everyone is inserted in the order in which they came, with all indexes in place, as a service would.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { searchedWords } from '../src/protocol/admin/search-words.ts';
import type { Driver } from '../src/storage/driver.ts';
import { openPostgres } from '../src/storage/postgres/postgres.ts';
import { readMigrations, sqlStorage } from '../src/storage/sql/sql-storage.ts';
import { openSqlite } from '../src/storage/sqlite/sqlite.ts';
import { startPostgres } from '../test/harness/postgres.ts';
import { fillPeople } from './filled-people.ts';
import { median } from './median.ts';

const people = Number(process.argv[2] ?? 1_000_000);
const rounds = 9;

const searches = {
  'one letter': 'b',
  'a given name': 'badofi',
  'a rare and a common word': 'north badofiga',
  'two common words, many matches': 'south do',
  'two common words, no match': 'north south',
};

async function measure(name: string, driver: Driver, size: string): Promise<void> {
  const started = performance.now();
  await driver.migrate(readMigrations());
  await fillPeople(driver, people, 1);
  // PostgreSQL does this by itself after a while; nobody does it in the embedded store.
  if (name === 'PostgreSQL') await driver.write([{ sql: 'ANALYZE', params: [] }]);
  process.stderr.write(`${name}: filled in ${Math.round((performance.now() - started) / 1000)} s\n`);
  const storage = sqlStorage(driver);
  const [row] = await driver.read(size, []);
  console.log(`${name}, ${people} people: ${Math.round(Number(row?.bytes) / people)} bytes of words for each`);
  for (const [what, typed] of Object.entries(searches)) {
    const [times, cpuTimes]: [number[], number[]] = [[], []];
    let found = '';
    for (let round = 0; round < rounds; round++) {
      const [from, cpu] = [performance.now(), process.cpuUsage()];
      const page = await storage.pageUsers({ words: searchedWords(typed), after: undefined, limit: 50 });
      times.push(performance.now() - from);
      cpuTimes.push(process.cpuUsage(cpu).user / 1000);
      found = `${page.items.length} found${'truncated' in page ? ', truncated' : ''}`;
    }
    // The embedded store reads in this process.
    console.log(`  ${what}: ${median(times).toFixed(1)} ms (${median(cpuTimes).toFixed(1)} of CPU here), ${found}`);
  }
  await storage.close();
}

const folder = mkdtempSync(join(tmpdir(), 'latchkey-search-'));
const embedded = "SELECT SUM(pgsize) AS bytes FROM dbstat WHERE name LIKE '%search_words%'";
await measure('embedded', openSqlite(join(folder, 'latchkey.db')), embedded);
rmSync(folder, { recursive: true });
const postgres = await startPostgres();
try {
  const url = await postgres.newDatabase({ migrated: false });
  await measure('PostgreSQL', openPostgres(url), "SELECT pg_total_relation_size('search_words') AS bytes");
} finally {
  await postgres.remove();
}
