// `latchkey backup` every night: into a folder that keeps some copies, or over the same file; and `export --output`.

import assert from 'node:assert/strict';
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { runCommand } from '../harness/command.ts';

const folder = mkdtempSync(join(tmpdir(), 'latchkey-backup-'));
const data = join(folder, 'data');
const environment = { LATCHKEY_DATA_DIR: data };
before(async () => {
  assert.equal((await runCommand(['group', 'create', 'Staff'], environment)).status, 0);
});
after(() => rmSync(folder, { recursive: true, force: true }));

const run = (...words: string[]) => runCommand(words, environment);

function groupsIn(file: string): unknown[] {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return database.prepare('SELECT name FROM groups ORDER BY name').all();
  } finally {
    database.close();
  }
}

async function failsWith(pattern: RegExp, status: number, ...words: string[]): Promise<void> {
  const result = await run(...words);
  assert.match(result.stderr, pattern);
  assert.equal(result.status, status, result.stderr);
}

function newFolder(name: string, files: readonly string[]): string {
  const made = join(folder, name);
  mkdirSync(made, { mode: 0o700 });
  for (const file of files) writeFileSync(join(made, file), 'old');
  return `${made}/`;
}

test('two backups within a second are two files', async () => {
  const busy = join(folder, 'busy');
  mkdirSync(busy, { mode: 0o700 });
  for (let count = 0; count < 3; count++) assert.equal((await run('backup', `${busy}/`)).status, 0);
  assert.equal(readdirSync(busy).length, 3);
});

test('a folder keeps the newest copies, and files of others', async () => {
  const foreign = ['latchkey.db', 'latchkey-20260101T000000Z.db.gz', 'latchkey-2026.db', 'notes.txt'];
  const old = ['latchkey-20260103T000000Z.db', 'latchkey-20260101T000000Z.db', 'latchkey-20260102T000000Z.db'];
  // What SQLite leaves when someone has looked into a copy.
  const target = newFolder('nightly', [...foreign, ...old, `${old[1]}-wal`, `${old[1]}-shm`]);
  mkdirSync(join(target, 'latchkey-20250101T000000Z.db'));
  const { status, stdout, stderr } = await run('backup', target, '--keep', '2');
  assert.equal(status, 0, stderr);
  const made =
    /^Copied the store to (\S+)\. Deleted 2 older copies\.\nThe keys aren't in it: they're in \S+\/keys\./.exec(
      stdout,
    )?.[1] ?? '';
  assert.match(made, /\/nightly\/latchkey-2\d{7}T\d{6}Z\.db$/);
  assert.equal(statSync(made).mode & 0o777, 0o600);
  const kept = [...foreign, 'latchkey-20250101T000000Z.db', 'latchkey-20260103T000000Z.db', made.slice(target.length)];
  assert.deepEqual(readdirSync(target).sort(), kept.sort());
  assert.equal(groupsIn(made).length, 1);
});

test('the store notes when it was last copied, which the console shows, and only if it was', async () => {
  const noted = () => {
    const database = new DatabaseSync(join(data, 'latchkey.db'), { readOnly: true, timeout: 10_000 });
    try {
      return Number(database.prepare("SELECT value FROM settings WHERE name = 'last_backup'").get()?.value ?? 0);
    } finally {
      database.close();
    }
  };
  const before = Date.now();
  assert.equal((await run('backup', join(folder, 'noted.db'))).status, 0);
  const first = noted();
  assert.ok(first >= before && first <= Date.now());
  await failsWith(/already exists/, 1, 'backup', join(folder, 'noted.db'));
  assert.equal(noted(), first);
  assert.equal((await run('backup', join(folder, 'noted.db'), '--replace')).status, 0);
  assert.ok(noted() > first);
});

test('the new copy is never the one that is deleted, whatever the clock says', async () => {
  const target = newFolder('future', ['latchkey-29990101T000000Z.db']);
  assert.equal((await run('backup', target, '--keep', '1')).status, 0);
  const [left, ...others] = readdirSync(target);
  assert.deepEqual(others, []);
  assert.doesNotMatch(left ?? '', /2999/);
});

test('without --keep nothing is deleted, except what killed backups have left', async () => {
  const old = 'latchkey-20260101T000000Z.db';
  const leftovers = [`${old}.unfinished-4194305`, `${old}.unfinished-4194305-journal`];
  const target = newFolder('all', [old, 'other.unfinished-4194305', ...leftovers]);
  // Without a slash, because it exists.
  assert.equal((await run('backup', target.slice(0, -1))).status, 0);
  const left = readdirSync(target).sort();
  assert.deepEqual(left.slice(0, 1).concat(left.slice(2)), [old, 'other.unfinished-4194305']);
});

test('a failed backup deletes nothing', async () => {
  const target = newFolder('failing', ['latchkey-20260101T000000Z.db', 'latchkey-20260102T000000Z.db']);
  const broken = join(folder, 'broken');
  mkdirSync(broken);
  writeFileSync(join(broken, 'latchkey.db'), 'not a database, but long enough to look like one at first sight');
  const { status } = await runCommand(['backup', target, '--keep', '1'], { LATCHKEY_DATA_DIR: broken });
  assert.equal(status, 1);
  assert.equal(readdirSync(target).length, 2);
});

test('--replace overwrites an earlier copy, but neither the store nor its keys', async () => {
  const target = join(folder, 'copy.db');
  writeFileSync(target, 'old', { mode: 0o644 });
  await failsWith(/copy\.db already exists\. Choose another file, or add --replace\./, 1, 'backup', target);
  assert.equal((await run('backup', target, '--replace')).status, 0);
  assert.equal(groupsIn(target).length, 1);
  assert.equal(statSync(target).mode & 0o777, 0o600);
  const another = join(folder, 'another-name.db');
  linkSync(join(data, 'latchkey.db'), another);
  const keys = readFileSync(join(data, 'keys'));
  for (const inUse of [join(data, 'latchkey.db'), join(data, 'keys'), another, '/dev/null']) {
    await failsWith(/isn't a backup/, 1, 'backup', inUse, '--replace');
  }
  assert.deepEqual(readFileSync(join(data, 'keys')), keys);
  rmSync(another);
});

test('what makes no sense is refused', async () => {
  const target = newFolder('refused', []);
  await failsWith(/--keep is for a folder/, 2, 'backup', join(folder, 'x.db'), '--keep', '3');
  await failsWith(/--replace is for a file/, 2, 'backup', target, '--replace');
  for (const keep of ['0', '-1', '1.5', 'all']) await failsWith(/--keep/, 2, 'backup', target, `--keep=${keep}`);
  await failsWith(/there's no folder .*\/missing\/\. Create it first\./, 1, 'backup', join(folder, 'missing/'));
  assert.deepEqual(readdirSync(target), []);
  assert.equal(existsSync(join(folder, 'missing')), false);
});

test('export --output writes a new file that only its owner can read', async () => {
  const target = join(folder, 'latchkey.jsonl');
  const { status, stdout } = await run('export', '--output', target);
  assert.deepEqual([status, stdout], [0, '']);
  assert.equal(statSync(target).mode & 0o777, 0o600);
  const piped = await run('export');
  assert.equal(readFileSync(target, 'utf8'), piped.stdout);
  await failsWith(/latchkey\.jsonl already exists/, 1, 'export', '--output', target);
  assert.equal(readFileSync(target, 'utf8'), piped.stdout);
  await failsWith(/the export failed: ENOENT/, 1, 'export', '--output', join(folder, 'missing', 'x.jsonl'));
});
