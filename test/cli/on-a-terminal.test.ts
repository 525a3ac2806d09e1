// What commands show on a terminal, and that a pipe gets none of it.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { displayWidth } from '../../src/cli/terminal/width.ts';
import { createApiKey } from '../../src/operations/api-keys/api-keys.ts';
import { createGroup } from '../../src/operations/groups/groups.ts';
import { newWaiting } from '../harness/approval.ts';
import { runCommand } from '../harness/command.ts';
import { releaseTest } from '../harness/lane.ts';
import {
  freePort,
  requester,
  startTestService,
  type TestClient,
  type TestService,
  type TestUser,
} from '../harness/service.ts';
import { openTerminal, quoted, runOnTerminal } from '../harness/terminal.ts';

let service: TestService;
let environment: Record<string, string>;
let ada: TestUser;
let photos: TestClient;
/** Has control characters in its name. */
let hostile: TestClient;

before(async () => {
  service = await startTestService();
  environment = { LATCHKEY_BASE_URL: service.url, LATCHKEY_DATA_DIR: service.dataDir, TZ: 'Europe/Zurich' };
  ada = await service.newUser({ email: 'ada@example.test', name: 'Ada' });
  photos = await service.newClient({ name: '写真 📷 é' });
  hostile = await service.newClient({ name: 'Hostile' });
  await service.newUser({ email: `${'long'.repeat(12)}@example.test`, name: 'Zoë 안녕하세요' });
  await createApiKey(service.running.services, { name: 'Key', permission: 'read', days: 90 }, requester);
  const database = new DatabaseSync(join(service.dataDir, 'latchkey.db'), { timeout: 10_000 });
  database.prepare('UPDATE clients SET name = ? WHERE id = ?').run('a\u001b[31m\u009b2J\rforged', hostile.id);
  database.close();
});
after(() => service.stop());

const lines = (shown: string) => shown.split('\n').slice(0, -1).map(stripVTControlCharacters);
/** Every control sequence that isn't a style. */
const commanding = /\u001b(?!\[[\d;]*m)|[\u0000-\u0008\u000b-\u001a\u007f-\u009f]/;

test('a list has colors, columns by display width, and no control characters', async () => {
  const { status, shown } = await runOnTerminal(['client', 'list'], { columns: 120, environment });
  assert.equal(status, 0);
  assert.match(shown, /\u001b\[1mCLIENT_ID/);
  assert.match(shown, /\u001b\[32mactive/);
  assert.doesNotMatch(shown, commanding);
  assert.match(shown, /a\\u001b\[31m\\u009b2J\\u000dforged/);
  const [heading = '', ...rows] = lines(shown);
  for (const row of rows) assert.ok(row.slice(heading.indexOf('TYPE')).startsWith('confidential'), row);
});

test('a narrow terminal shows each row as a block with all columns', async () => {
  const { shown } = await runOnTerminal(['client', 'list'], { columns: 40, environment });
  assert.ok(lines(shown).includes(`CLIENT_ID  ${photos.id}`), shown);
  assert.ok(lines(shown).includes('NAME       写真 📷 é'), shown);
  const help = await runOnTerminal(['client', 'create', '--help'], { columns: 40 });
  const [text = ''] = help.shown.split('Examples:');
  for (const line of lines(text)) assert.ok(displayWidth(line) <= 40, line);
});

test('cells of a list are cut to the width of the terminal, and IDs are not', async () => {
  const { shown } = await runOnTerminal(['user', 'list'], { columns: 80, environment });
  const [heading = '', ...rows] = lines(shown);
  const row = rows.find((each) => each.includes(ada.id)) ?? '';
  assert.equal(row.indexOf('ada@example.test'), heading.indexOf('EMAIL'));
  assert.ok(
    rows.some((each) => / {2}longlong\w+… {2}Zoë 안녕하세요$/.test(each)),
    shown,
  );
  assert.ok(row.startsWith(ada.id), row);
  for (const line of lines(shown)) assert.ok(displayWidth(line) <= 80, line);
});

test('a list has 50 rows on a terminal, and its last line says how many more there are; a pipe gets all', async () => {
  const [name, names] = ['Crew', Array.from({ length: 53 }, (_, index) => `Group ${String(index).padStart(2, '0')}`)];
  for (const each of [name, ...names]) await createGroup(service.running.services, { name: each }, requester);
  const shown = lines((await runOnTerminal(['group', 'list'], { environment })).shown);
  assert.equal(shown.length, 1 + 50 + 1);
  assert.equal(shown.at(-1), '… and 4 more. Use --limit to see them.');
  assert.equal(lines((await runOnTerminal(['group', 'list', '--limit', '54'], { environment })).shown).length, 55);
  const piped = await runCommand(['group', 'list'], environment);
  assert.deepEqual([piped.stdout.split('\n').length, piped.stderr], [1 + 54 + 1, '']);
  const few = await runCommand(['user', 'list', '--limit', '1', '--json'], environment);
  assert.equal(JSON.parse(few.stdout).length, 1);
  assert.equal(few.stderr, '… and 1 more. Use --limit to see them.\n');
  const refused = await runCommand(['api-key', 'list', '--limit', '0'], environment);
  assert.deepEqual([refused.status, refused.stdout], [2, '']);
});

test('terminals get relative times with the date; programs get ISO 8601', async () => {
  const { shown } = await runOnTerminal(['user', 'show', ada.id], { environment });
  assert.match(
    shown,
    /created\S* +\S*\d+ (second|minute)s? ago \(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \+0[12]:00\)|just now/,
  );
  const keys = await runOnTerminal(['api-key', 'list'], { columns: 120, environment });
  assert.match(keys.shown, /in 90 days +never +Key/);
  const piped = await runCommand(['user', 'show', ada.id], environment);
  assert.match(piped.stdout, /^created +\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/m);
  const json = await runOnTerminal(['user', 'show', ada.id, '--json'], { environment });
  assert.equal(JSON.parse(json.shown).email, 'ada@example.test');
});

for (const [name, settings, onTerminal, colored] of [
  ['a pipe', {}, false, false],
  ['a pipe with FORCE_COLOR', { FORCE_COLOR: '1' }, false, true],
  ['a terminal with NO_COLOR', { NO_COLOR: '1' }, true, false],
  ['a terminal that is dumb', { TERM: 'dumb' }, true, false],
] as const) {
  test(`${name} ${colored ? 'gets colors' : 'gets no colors'}`, async () => {
    const all = { ...environment, ...settings };
    const shown = onTerminal
      ? (await runOnTerminal(['client', 'list'], { environment: all })).shown
      : (await runCommand(['client', 'list'], all)).stdout;
    assert.equal(/\u001b\[\d/.test(shown), colored, shown);
  });
}

test('on a terminal, delete says what will be lost and asks; only "yes" deletes', async () => {
  const person = await service.newUser({ email: 'gone@example.test', name: 'Gone' });
  const answered = (keys: string) => runOnTerminal(['user', 'delete', person.id], { environment }, keys);
  for (const keys of ['yesterday\n', '\n', '\u0004', '\u0003']) {
    const { status, shown } = await answered(keys);
    assert.match(
      stripVTControlCharacters(shown),
      /This deletes Gone <gone@example\.test>.*It can't be undone\.\nDelete Gone <gone@example\.test>\? \[y\/N\] /,
    );
    assert.notEqual(status, 0, JSON.stringify(keys));
    assert.match(stripVTControlCharacters(shown), /^latchkey: nothing was deleted/m, 'on a line of its own');
  }
  assert.equal((await runCommand(['user', 'show', person.id], environment)).status, 0);
  const { status, shown } = await answered('Yes\n');
  assert.equal(status, 0);
  assert.match(shown, /Deleted gone@example\.test\./);
});

releaseTest('delete asks on a terminal even if its errors go to a file', async () => {
  const person = await service.newUser({ email: 'kept@example.test', name: 'Kept' });
  const command = `./latchkey user delete ${person.id} 2>${join(service.dataDir, 'errors')}`;
  const terminal = openTerminal(`sh -c ${quoted(command)}`, { environment });
  await terminal.until(/Delete Kept <kept@example\.test>\? \[y\/N\] /);
  terminal.type('n\n');
  assert.equal(await terminal.ended, 1);
  assert.equal((await runCommand(['user', 'show', person.id], environment)).status, 0);
});

test('delete deletes the person it asked about, even if their email address now belongs to someone else', async () => {
  const asked = await service.newUser({ email: 'old@example.test', name: 'Asked' });
  const terminal = openTerminal('./latchkey user delete old@example.test', { environment });
  await terminal.until(/\[y\/N\] /);
  const rename = await runCommand(['user', 'update', asked.id, '--email', 'new@example.test'], environment);
  assert.equal(rename.status, 0, rename.stderr);
  const heir = await service.newUser({ email: 'old@example.test', name: 'Heir' });
  terminal.type('y\n');
  assert.equal(await terminal.ended, 0);
  assert.equal((await runCommand(['user', 'show', heir.id], environment)).status, 0);
  assert.equal((await runCommand(['user', 'show', asked.id], environment)).status, 1);
});

test('delete lists what else is deleted, accepts --yes, and says without a terminal that it will need that', async () => {
  const run = (args: string) => runCommand(args.split(' '), environment);
  await run('group create Crew');
  await run(`group add Crew ${ada.id}`);
  const asked = await runOnTerminal(['group', 'delete', 'Crew'], { environment }, 'no\n');
  assert.match(asked.shown, /This deletes the group "Crew", with 1 member\. It can't be undone\./);
  assert.equal(asked.status, 1);
  assert.equal((await runOnTerminal(['group', 'delete', 'Crew', '--yes'], { environment })).status, 0);
  const client = await service.newClient({ name: 'Gone' });
  const notice = 'The next release will need --yes to delete something without a terminal.\n';
  for (const action of ['revoke', 'restore']) assert.equal((await run(`client ${action} ${client.id}`)).stderr, '');
  const { status, stdout, stderr } = await run(`client delete ${client.id}`);
  assert.deepEqual([status, stdout, stderr], [0, 'Deleted "Gone".\n', notice]);
  await run('group create Crew');
  assert.equal((await run('group delete Crew --yes')).stderr, '');
  const unknown = await runOnTerminal(['client', 'delete', 'unknown'], { environment });
  assert.equal(unknown.status, 1);
  assert.match(unknown.shown, /there is no application "unknown"/);
});

test('declining people, an application or a webhook that is deleted, and apply --prune ask too', async () => {
  const waiting = [await newWaiting(service), await newWaiting(service)];
  const [one = '', other = ''] = waiting.map(({ email }) => email);
  const file = join(service.dataDir, 'pruned.json');
  const webhook = { id: 'audit', url: 'https://hooks.example/audit' };
  const own = { id: 'own', url: 'https://photos.example/hook', client_id: photos.id };
  writeFileSync(file, JSON.stringify({ webhooks: [webhook, own] }));
  assert.equal((await runCommand(['apply', '-f', file], environment)).status, 0);
  writeFileSync(file, JSON.stringify({ settings: { session_hours: 12 }, webhooks: [] }));
  for (const [command, question, otherwise] of [
    [
      `user decline ${one} ${other}`,
      `This deletes the accounts of ${one} and ${other}. It can't be undone.`,
      'nothing was deleted.',
    ],
    [`client delete ${photos.id}`, `with 1 webhook. It can't be undone.\nDelete "写真 📷 é"?`, 'nothing was deleted.'],
    ['webhook delete audit', 'Delete the webhook to https://hooks.example/audit?', 'nothing was deleted.'],
    [`apply -f ${file} --prune`, 'Delete 2 webhooks?', 'nothing was changed.'],
  ] as const) {
    const answered = await runOnTerminal(command.split(' '), { environment }, 'n\n');
    assert.equal(answered.status, 1, command);
    const shown = stripVTControlCharacters(answered.shown);
    assert.ok(shown.includes(question) && shown.includes(`latchkey: ${otherwise}`), shown);
  }
  assert.equal((await runCommand(['client', 'show', photos.id], environment)).status, 0);
  assert.equal((await runCommand(['webhook', 'show', 'audit'], environment)).status, 0);
  assert.equal((await runCommand(['settings', 'get', 'session_hours'], environment)).stdout, '24\n');
});

test('slow commands show the time remaining on a terminal and clear it at the end', async () => {
  const folder = join(service.dataDir, 'rotating');
  const settings = { LATCHKEY_DATA_DIR: folder };
  assert.equal((await runCommand(['group', 'create', 'Staff'], settings)).status, 0);
  await runCommand(['keys', 'rotate'], settings);
  const { status, shown } = await runOnTerminal(['keys', 'retire'], { columns: 100, environment: settings });
  assert.equal(status, 0, shown);
  assert.match(shown, /\rWaiting until every instance uses the new key {2}█+░+ {2}\d+% {2}\d s left\u001b\[K/);
  assert.match(shown, /\r\u001b\[KRetired the old key\./);
});

releaseTest('export and import show on a terminal how much they moved', async () => {
  const copy = join(service.dataDir, 'copy');
  const file = join(service.dataDir, 'export.jsonl');
  const settings = { environment };
  const exported = openTerminal(`sh -c ${quoted(`./latchkey export > ${file}`)}`, settings);
  assert.equal(await exported.ended, 0);
  assert.match(exported.shown(), /Exported \d+ rows\./);
  const imported = openTerminal(`sh -c ${quoted(`./latchkey import < ${file}`)}`, {
    environment: { LATCHKEY_DATA_DIR: copy },
  });
  assert.equal(await imported.ended, 0);
  assert.match(imported.shown(), /Imported \d+ rows\./);
});

/** The settings of a service that logs everything. */
const served = async (name: string) => ({
  LATCHKEY_LOG_LEVEL: 'debug',
  LATCHKEY_BASE_URL: `http://localhost:${await freePort()}`,
  LATCHKEY_DATA_DIR: join(service.dataDir, name),
});

test('serve logs text on a terminal', async () => {
  const settings = await served('text');
  const terminal = openTerminal('./latchkey serve', { environment: settings });
  await terminal.until(/\d\d:\d\d:\d\d\S* \S*INFO \S* Latchkey is running at http:\/\/localhost:\d+/);
  await fetch(`${settings.LATCHKEY_BASE_URL}/sign-in`);
  await terminal.until(/DEBUG\S* GET \/sign-in \S*200\S* \d+ ms\S* {2}\S+-1/);
  terminal.type('\u0003');
  assert.equal(await terminal.ended, 0);
});

releaseTest('serve logs JSON on a terminal if set', async () => {
  const environment = { ...(await served('json')), LATCHKEY_LOG_FORMAT: 'json' };
  const terminal = openTerminal('./latchkey serve', { environment });
  await terminal.until(/\{"level":30,.*"msg":"Latchkey is running at http:\/\/localhost:\d+"\}/);
  terminal.type('\u0003');
  assert.equal(await terminal.ended, 0);
});
