// node bench/people-search.ts [PEOPLE]: how long searches for people take in both stores, and how many bytes the words of a
// person take. Everyone is inserted in the order in which they came, with all indexes in place, as a service would.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { searchedWords } from '../src/protocol/admin/search-words.ts';
import type { Driver } from '../src/storage/driver.ts';
import { openPostgres } from '../src/storage/postgres/postgres.ts';
import { insertNewWords } from '../src/storage/sql/lists/words.ts';
import { readMigrations, sqlStorage } from '../src/storage/sql/sql-storage.ts';
import { openSqlite } from '../src/storage/sqlite/sqlite.ts';
import { startPostgres } from '../test/harness/postgres.ts';
import { median } from './median.ts';

const people = Number(process.argv[2] ?? 1_000_000);
/** As many as a statement can insert before the driver's time is up. */
const portion = 10_000;
const rounds = 9;

const syllables = 'badofigahokalumenoparisotavuwize';
const spelled = (factor: number, length: number) =>
  Array.from(
    { length },
    (_, at) => `substr('${syllables}', CAST(1 + 2 * ((i * ${factor} >> ${4 * at}) & 15) AS INTEGER), 2)`,
  ).join(' || ');
const [given, family] = [spelled(7919, 3), spelled(104_729, 4)];

/** Half of them are in the north, and the other half in the south: nobody has both words. */
const rest = `i || '@' || CASE WHEN i % 2 = 0 THEN 'north' ELSE 'south' END || '.example.com'`;
const domain = 'substr(u.email, length(u.email) - 16)';
/** What `insertNewWords` makes of such a person. Their names and addresses are spelled alike. */
const words = [
  ['person', 'u.name', 'name'],
  ['person', 'u.family_name', 'name'],
  ['person_name', 'u.name', 'name'],
  ['person', 'u.email', 'email'],
  ['person', 'substr(u.email, length(u.given_name) + 2)', 'email'],
  ['person', domain, 'email'],
  ['person', `substr(${domain}, 7)`, 'email'],
  ['person', `substr(${domain}, 15)`, 'email'],
];

const searches = {
  'one letter': 'b',
  'a given name': 'badofi',
  'a rare and a common word': 'north badofiga',
  'two common words, many matches': 'south do',
  'two common words, no match': 'north south',
};

async function fill(driver: Driver, toBytes: (text: string) => string): Promise<void> {
  await driver.migrate(readMigrations());
  for (let first = 0; first < people; first += portion) {
    const numbers = `WITH RECURSIVE n(i) AS (SELECT CAST(${first} AS BIGINT) UNION ALL SELECT i + 1 FROM n
      WHERE i < ${first + portion - 1})`;
    const inserted = `INSERT INTO users (id, email, email_key, name, given_name, family_name, password_hash, generation,
        created_at, updated_at)
      ${numbers} SELECT '01' || substr(CAST(100000000000000000 + i AS TEXT), 2) || '0123456', email, email,
        given || ' ' || family, given, family, 'hash', 0, i, i
      FROM (SELECT i, ${given} || '.' || ${family} || ${rest} AS email, ${given} AS given, ${family} AS family FROM n) AS p`;
    const searchable = `INSERT INTO search_words (kind, word, ref, source) ${words
      .map(
        ([kind, word = '', source]) => `SELECT '${kind}', ${toBytes(word)}, u.id, '${source}' FROM users u
        WHERE u.created_at >= ${first} AND u.created_at < ${first + portion}`,
      )
      .join(' UNION ALL ')} ORDER BY 3`;
    for (const sql of [inserted, searchable]) await driver.write([{ sql, params: [] }]);
  }
}

/** So that the figures are those of words that a service would write. */
async function checkWords(driver: Driver): Promise<void> {
  const [user] = await driver.read(
    'SELECT id, email, name, given_name, family_name FROM users WHERE created_at = 1',
    [],
  );
  const { id, email, name, given_name: givenName, family_name: familyName } = user as Record<string, string>;
  const person = { id, email, name, givenName, familyName } as Parameters<typeof insertNewWords>[0][number];
  const stored = await driver.read('SELECT kind, word, ref, source FROM search_words WHERE ref = $1', [person.id]);
  const sorted = (rows: readonly (readonly unknown[])[]) => rows.map(String).sort();
  const values = insertNewWords([person]).flatMap(({ params }) => params);
  const expected = Array.from({ length: values.length / 4 }, (_, row) => values.slice(4 * row, 4 * row + 4));
  const found = stored.map(({ kind, word, ref, source }) => [kind, Buffer.from(word as Uint8Array), ref, source]);
  assert.deepEqual(sorted(found), sorted(expected));
}

async function measure(name: string, driver: Driver, size: string, toBytes: (text: string) => string): Promise<void> {
  const started = performance.now();
  await fill(driver, toBytes);
  await checkWords(driver);
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
await measure('embedded', openSqlite(join(folder, 'latchkey.db')), embedded, (text) => `CAST(${text} AS BLOB)`);
rmSync(folder, { recursive: true });
const postgres = await startPostgres();
try {
  const url = await postgres.newDatabase({ migrated: false });
  await measure(
    'PostgreSQL',
    openPostgres(url),
    "SELECT pg_total_relation_size('search_words') AS bytes",
    (text) => `convert_to(${text}, 'UTF8')`,
  );
} finally {
  await postgres.remove();
}
