// `latchkey backup --verify`: what can be restored, and what can't.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { runCommand } from '../harness/command.ts';

const folder = mkdtempSync(join(tmpdir(), 'latchkey-verify-test-'));
const environment = { LATCHKEY_DATA_DIR: join(folder, 'data') };
const file = (name: string) => join(folder, name);
const run = (...words: string[]) => runCommand(words, environment);

before(async () => {
  for (const words of [
    ['user', 'create', '--email', 'ada@a.example', '--name', 'Ada'],
    // Its secret is sealed.
    ['webhook', 'create', 'https://hooks.example/x'],
    ['backup', file('copy.db')],
    ['export', '--output', file('export.jsonl')],
  ]) {
    const { status, stderr } = await run(...words);
    assert.equal(status, 0, stderr);
  }
});
after(() => rmSync(folder, { recursive: true }));

const verify = (name: string, others: Record<string, string> = {}) =>
  runCommand(['backup', '--verify', file(name)], { ...environment, ...others });

const temporary = () =>
  readdirSync(tmpdir()).filter((name) => name.startsWith('latchkey-verify-') && !folder.endsWith(name));

for (const name of ['copy.db', 'export.jsonl']) {
  test(`${name} can be restored, and leaves nothing behind`, async () => {
    const left = temporary();
    const { status, stdout, stderr } = await verify(name);
    assert.equal(status, 0, stderr);
    assert.match(
      stdout,
      /can be restored: 1 person, 0 applications, newest event 20\S+Z\. All \d+ rows are there, and the/,
    );
    assert.deepEqual(temporary(), left);
  });

  test(`${name} can't be restored with other keys`, async () => {
    const { status, stderr } = await verify(name, { LATCHKEY_KEYS: randomBytes(32).toString('base64url') });
    assert.equal(status, 1);
    assert.match(stderr, /the configured keys don't open .*: it was made with others/);
  });
}

test('secrets of a key that is missing are counted', async () => {
  const data = { LATCHKEY_DATA_DIR: join(folder, 'rotated') };
  for (const words of [
    ['webhook', 'create', 'https://hooks.example/x'],
    ['keys', 'rotate'],
    ['webhook', 'create', 'https://hooks.example/y'],
    ['backup', file('rotated.db')],
  ]) {
    const { status, stderr } = await runCommand(words, data);
    assert.equal(status, 0, stderr);
  }
  const [newest = ''] = readFileSync(join(folder, 'rotated/keys'), 'utf8').split('\n');
  const { status, stdout } = await verify('rotated.db', { LATCHKEY_KEYS: newest });
  assert.equal(status, 0);
  assert.match(
    stdout,
    /All \d+ rows are there\.\n1 of 2 encrypted secrets can't be opened: the key .* is missing\.\n$/,
  );
});

const exported = () => readFileSync(file('export.jsonl'), 'utf8');

for (const [what, make, complaint] of [
  ['an export that was cut', () => exported().slice(0, -300), /bad: line \d+ isn't valid JSON/],
  ['an export without its end', () => exported().replace('{"end":true}\n', ''), /bad: the export is incomplete/],
  [
    'an export that lacks a row',
    () => exported().replace(/^.*"table":"users".*\n/m, ''),
    /isn't whole: it should have 1 rows of users, but has 0/,
  ],
  [
    'an export of a newer version',
    () => exported().replace(/"schema":\d+/, '"schema":9999'),
    /schema version 9999, from a newer version/,
  ],
  ['something else', () => 'hello', /is no backup of Latchkey/],
  [
    'a database of something else',
    () => {
      const database = new DatabaseSync(file('other.db'));
      database.exec('CREATE TABLE x (y)');
      database.close();
      return readFileSync(file('other.db'));
    },
    /is a database of something else/,
  ],
  [
    'a copy of a newer version',
    () => {
      writeFileSync(file('newer.db'), readFileSync(file('copy.db')));
      const database = new DatabaseSync(file('newer.db'));
      database.exec("PRAGMA journal_mode = DELETE; INSERT INTO schema_version VALUES (9999, 'x')");
      database.close();
      return readFileSync(file('newer.db'));
    },
    /has schema version 9999, and this version of Latchkey knows version \d+/,
  ],
] as const) {
  test(`${what} is refused`, async () => {
    writeFileSync(file('bad'), make());
    const { status, stderr } = await verify('bad');
    assert.equal(status, 1);
    assert.match(stderr, complaint);
  });
}

test('a damaged copy is refused', async () => {
  writeFileSync(file('damaged.db'), readFileSync(file('copy.db')));
  const descriptor = openSync(file('damaged.db'), 'r+');
  // Every page but the first.
  for (let page = 1; page < 20; page++) writeSync(descriptor, randomBytes(2000), 0, 2000, page * 4096);
  closeSync(descriptor);
  const { status, stderr } = await verify('damaged.db');
  assert.equal(status, 1);
  assert.match(stderr, /damaged\.db is damaged/);
});

test('a missing file, and options that make a backup, are refused', async () => {
  assert.match((await verify('missing')).stderr, /can't read .*missing: ENOENT/);
  const { status, stderr } = await run('backup', '--verify', file('copy.db'), '--replace');
  assert.match(stderr, /--verify makes no backup: use it alone/);
  assert.equal(status, 2);
});
