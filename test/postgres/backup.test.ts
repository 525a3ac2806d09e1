// `latchkey backup` of PostgreSQL: an export of one moment, made while instances serve.

import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { runCommand } from '../harness/command.ts';
import { removeSharedPostgres, sharedPostgres } from '../harness/postgres.ts';
import { startTestService, type TestService } from '../harness/service.ts';

const folder = mkdtempSync(join(tmpdir(), 'latchkey-postgres-backup-'));
let service: TestService;
let environment: Record<string, string>;

before(async () => {
  const DATABASE_URL = await (await sharedPostgres()).newDatabase();
  environment = { DATABASE_URL, LATCHKEY_KEYS_FILE: join(folder, 'keys') };
  service = await startTestService(environment);
});
after(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
  await removeSharedPostgres();
});

const linesOf = (file: string) =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

test('the backup is of one moment, though people are added meanwhile', async () => {
  let isOver = false;
  // Before its snapshot, however soon that is.
  await service.newUser();
  const adding = (async () => {
    do await service.newUser();
    while (!isOver);
  })();
  const { status, stdout, stderr } = await runCommand(['backup', `${folder}/`, '--keep', '3'], environment);
  isOver = true;
  await adding;
  assert.equal(status, 0, stderr);
  const [, file = '', held] = /^Copied the store to (\S+)\. It held its snapshot for ([\d.]+) s\.\n/.exec(stdout) ?? [];
  assert.match(file, /\/latchkey-\d{8}T\d{6}Z\.jsonl$/);
  assert.ok(Number(held) >= 0);
  assert.match(stdout, /The keys aren't in it: they're in .*\/keys\. Keep a copy of them apart from it\./);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const [header, ...rows] = linesOf(file);
  assert.deepEqual(rows.pop(), { end: true });
  for (const [table, count] of Object.entries(header.counts)) {
    assert.equal(rows.filter((row) => row.table === table).length, count, table);
  }
  assert.ok(header.counts.users > 0);
  // Each person was created together with an event.
  const created = rows.filter(({ table, row }) => table === 'events' && row.kind === 'user_created');
  assert.equal(created.length, header.counts.users);
});

test('a folder keeps the newest, of either kind', async () => {
  for (const name of ['latchkey-20260101T000000Z.db', 'latchkey-20260102T000000Z.jsonl']) {
    writeFileSync(join(folder, name), 'old');
  }
  const { status, stderr } = await runCommand(['backup', `${folder}/`, '--keep', '2'], environment);
  assert.equal(status, 0, stderr);
  const left = readdirSync(folder).filter((name) => name.startsWith('latchkey-'));
  assert.equal(left.length, 2);
  assert.ok(left.every((name) => !name.includes('2026010')));
});

test('a folder that others can read is refused', async () => {
  chmodSync(folder, 0o750);
  const { status, stderr } = await runCommand(['backup', `${folder}/`], environment);
  chmodSync(folder, 0o700);
  assert.equal(status, 1);
  assert.match(stderr, /other users can read .*\. Run "chmod 700" on it/);
});
