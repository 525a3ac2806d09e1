// Fills a store of either engine with people as the service would have stored them, each with a given name, a family name and an
// email address, and the words that they're found by.

import assert from 'node:assert/strict';
import type { Driver } from '../src/storage/driver.ts';
import { insertNewWords } from '../src/storage/sql/lists/words.ts';

/** What one statement inserts: the embedded store writes it as a whole, and a server may have to look for them without an index. */
const portions = { embedded: 2000, server: 100_000 };

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

/** The ID of the person with a number, from 0 on, as SQL. */
export const personId = (number: string) =>
  `'01' || substr(CAST(100000000000000000 + ${number} AS TEXT), 2) || '0123456'`;

/**
 * They were created in the order of their numbers, a millisecond after each other, from `since` on. Other columns can be given as SQL in
 * which `i` is the number.
 */
export async function fillPeople(
  driver: Driver,
  people: number,
  since: number,
  other: Readonly<Record<string, string>> = {},
): Promise<void> {
  const [names, values] = [Object.keys(other), Object.values(other)].map((list) =>
    list.map((each) => `, ${each}`).join(''),
  );
  const bytes = (text: string) =>
    driver.engine === 'server' ? `convert_to(${text}, 'UTF8')` : `CAST(${text} AS BLOB)`;
  const portion = portions[driver.engine];
  for (let first = 0; first < people; first += portion) {
    const last = Math.min(first + portion, people) - 1;
    const numbers = `WITH RECURSIVE n(i) AS (SELECT CAST(${first} AS BIGINT) UNION ALL SELECT i + 1 FROM n
      WHERE i < ${last})`;
    const inserted = `INSERT INTO users (id, email, email_key, name, given_name, family_name, password_hash, generation,
        created_at, updated_at${names})
      ${numbers} SELECT ${personId('i')}, email, email, given || ' ' || family, given, family, 'hash', 0,
        ${since} + i, ${since} + i${values}
      FROM (SELECT i, ${given} || '.' || ${family} || ${rest} AS email, ${given} AS given, ${family} AS family FROM n) AS p`;
    const searchable = `INSERT INTO search_words (kind, word, ref, source) ${words
      .map(
        ([kind, word = '', source]) => `SELECT '${kind}', ${bytes(word)}, u.id, '${source}' FROM users u
        WHERE u.created_at BETWEEN ${since + first} AND ${since + last}`,
      )
      .join(' UNION ALL ')} ORDER BY 3`;
    for (const sql of [inserted, searchable]) await driver.write([{ sql, params: [] }]);
  }
  await checkWords(driver, since);
}

/** So that the figures are those of words that a service would write. */
async function checkWords(driver: Driver, since: number): Promise<void> {
  const [user] = await driver.read(
    'SELECT id, email, name, given_name, family_name FROM users WHERE created_at = $1 LIMIT 1',
    [since],
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
