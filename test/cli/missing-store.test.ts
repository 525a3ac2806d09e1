// A mistyped data directory or key file: only commands that put something into a new store create one. All others say that
// there's none.

import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { commandsByHeading } from '../../src/cli/commands.ts';
import { type Command, isGroup } from '../../src/cli/frame/spec.ts';
import { runCommand } from '../harness/command.ts';
import { removeSharedPostgres, sharedPostgres } from '../harness/postgres.ts';

const folder = mkdtempSync(join(tmpdir(), 'latchkey-missing-'));
after(async () => {
  await removeSharedPostgres();
  rmSync(folder, { recursive: true, force: true });
});

/** Those that can be the first command of a new service, and those that don't use the store. Every other one is tried. */
const others = new Set([
  'serve',
  'gate serve',
  'gate check-config',
  'gate schema',
  'bridge serve',
  'bridge check-config',
  'bridge schema',
  'bridge keys',
  'demo',
  'setup-link',
  'doctor',
  'client create',
  'client import',
  'user create',
  'user invite',
  'user import',
  'sign-up-link create',
  'group create',
  'attribute create',
  'api-key create',
  'scim-token create',
  'upstream create',
  'webhook create',
  'settings set',
  'apply',
  'migrate',
  'import',
  'restore',
  'keys rotate',
  'passwords build-filter',
]);

async function allCommands(): Promise<[string, Command][]> {
  const loaders = Object.values(commandsByHeading).flatMap((commands) => Object.entries(commands));
  const found: [string, Command][] = [];
  for (const [name, load] of loaders) {
    const command = await load();
    if (!isGroup(command)) found.push([name, command]);
    else {
      for (const [sub, inner] of Object.entries(command.commands)) found.push([`${name} ${sub}`, inner]);
      if (command.own !== undefined) found.push([name, command.own]);
    }
  }
  return found;
}

/** The words of an example up to a pipe, without quotes. */
function wordsOf(example: string): string[] {
  const [command = ''] = example.split(/ [|>]/);
  return [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '').slice(1);
}

const missing = join(folder, 'mistyped', 'data');
const environment = { LATCHKEY_DATA_DIR: missing };

const noStore = /^latchkey: there's no store (in|at) .*mistyped\/data/;
const noKeys = /^latchkey: there's no key file .*mistyped\/keys\. Use the service's /;

async function refused(words: readonly string[], reason = noStore, settings = environment): Promise<void> {
  const { status, stdout, stderr } = await runCommand(words, settings, 'correct horse battery staple');
  // Its status 1 is an answer.
  const failure = words.slice(0, 2).join(' ') === 'client check' ? 2 : 1;
  assert.deepEqual([status, stdout], [failure, ''], `${words.join(' ')}: ${stderr}`);
  assert.match(stderr, reason, words.join(' '));
  assert.equal(existsSync(join(folder, 'mistyped')), false, words.join(' '));
}

/** Each command that needs something in the store, as its first example has it. */
async function commandsOnStore(): Promise<[string, string[]][]> {
  const commands = (await allCommands()).filter(([name]) => !others.has(name) && !name.startsWith('completion '));
  assert.ok(commands.length > 40, `${commands.length} commands`);
  return commands.map(([name, { examples }]) => [name, wordsOf(examples[0] ?? `latchkey ${name}`)]);
}

test('no command that needs something in the store creates one', async () => {
  for (const [, words] of await commandsOnStore()) await refused(words);
  await refused(['keys', 'rotate', '--compromised']);
});

test('no such command creates a key file, whichever the store', async () => {
  const existing = { LATCHKEY_DATA_DIR: join(folder, 'existing') };
  assert.equal((await runCommand(['group', 'create', 'Staff'], existing)).status, 0);
  const mistyped = { ...existing, LATCHKEY_KEYS_FILE: join(folder, 'mistyped', 'keys') };
  const withoutKeys = new Set(['backup', 'export']);
  for (const [name, words] of await commandsOnStore()) {
    if (!withoutKeys.has(name)) await refused(words, noKeys, mistyped);
  }
  await refused(['keys', 'rotate', '--compromised'], noKeys, mistyped);
  const { status, stderr } = await runCommand(['export', '--output', join(folder, 'export.jsonl')], mistyped);
  assert.equal(status, 0, stderr);
  assert.equal(existsSync(join(folder, 'mistyped')), false);
});

test('with PostgreSQL, neither a key file nor a folder for it is created', async () => {
  const database = { DATABASE_URL: await (await sharedPostgres()).newDatabase() };
  assert.equal((await runCommand(['migrate'], { ...environment, ...database })).status, 0);
  await refused(['user', 'list'], /there's no key file .*mistyped\/data\/keys\./, { ...environment, ...database });
});

test('neither do doctor and completion, which have nothing to refuse', async () => {
  for (const words of [['doctor'], ['completion', 'bash'], ['__complete', 'user', 'show', '']]) {
    await runCommand(words, environment);
    assert.equal(existsSync(join(folder, 'mistyped')), false, words.join(' '));
  }
});

test('neither does exporting what apply takes, and a dry run shows what it would do to an empty store', async () => {
  await refused(['apply', '--export']);
  const file = join(folder, 'latchkey.json');
  writeFileSync(file, '{"groups": [{"name": "Staff"}]}');
  const people = join(folder, 'people.csv');
  writeFileSync(people, 'email\nada@example.test\n');
  for (const [words, shown] of [
    [['apply', '-f', file], /\+ group "Staff"/],
    [['user', 'import', people, '--from', 'csv'], /Would import 1 person/],
  ] as const) {
    const { status, stdout, stderr } = await runCommand([...words, '--dry-run'], {
      ...environment,
      LATCHKEY_KEYS_FILE: join(folder, 'mistyped', 'keys'),
    });
    assert.equal(status, 0, stderr);
    assert.match(stdout, shown);
    assert.equal(stderr, `There's no store in ${missing} yet, and a dry run doesn't create it.\n`);
    assert.equal(existsSync(join(folder, 'mistyped')), false);
  }
});

test('a backup that is mistyped is restored nowhere', async () => {
  const { status, stderr } = await runCommand(['restore', join(folder, 'mistyped.db')], environment);
  assert.deepEqual([status, existsSync(missing)], [1, false], stderr);
});

test('the first command of a new service creates the store, and says so', async () => {
  const { status, stderr } = await runCommand(['group', 'create', 'Staff'], environment);
  assert.deepEqual([status, stderr], [0, `Created a new, empty store in ${missing}.\n`]);
  assert.equal((await runCommand(['group', 'list'], environment)).status, 0);
});
