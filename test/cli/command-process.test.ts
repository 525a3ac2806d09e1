// Most tests run commands one after another in one process (test/harness/command-process.ts). That is only right as long as
// a command does the same there as in a process of its own.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type CommandResult, runCommand, runInOwnProcess } from '../harness/command.ts';
import { firstUntilRelease } from '../harness/lane.ts';
import { runOnPretendedTerminal, runOnRealTerminal } from '../harness/terminal.ts';

const folder = mkdtempSync(join(tmpdir(), 'latchkey-commands-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const create = ['user', 'create', '--email', 'ada@example.test', '--name', 'Ada', '--password-stdin'];
const commands: readonly (readonly [args: readonly string[], input: string, status: number])[] = [
  [create, 'correct horse battery\n', 0],
  [['user', 'disable', 'nobody@example.test'], '', 1],
  [['nonsense'], '', 2],
  [['events', '--kind', 'user_created'], '', 0],
  [['client', 'create', '--help'], '', 0],
  [[], '', 2],
  [['--version'], '', 0],
  [create, 'correct horse battery\n', 1],
  [['apply', '-f', '-'], '{"settings":{"session_hours":12}}', 0],
  [['apply', '-f', '-'], 'none', 1],
  [['settings', 'get', 'session_hours'], '', 0],
  [['__complete', 'latchkey', 'us'], '', 0],
];

/** Without what is different each time: ids, times, keys and the folder. */
const comparable = ({ status, stdout, stderr }: CommandResult) => ({
  status,
  lines: [stdout, stderr].map((text) =>
    text.replaceAll(/\b[\w-]{20,}\b|\d{4}-\d\d-\d\dT[\d:.]+Z|\d{10,}|cli-\w+-\d+/g, '…').split('\n'),
  ),
});

test('a command behaves the same in the shared process as in its own', async () => {
  for (const [index, [args, input, status]] of firstUntilRelease(commands, 2).entries()) {
    const environments = ['shared', 'own'].map((name) => ({ LATCHKEY_DATA_DIR: join(folder, name) }));
    const [shared, own] = await Promise.all([
      runCommand(args, environments[0] ?? {}, input),
      runInOwnProcess(args, environments[1] ?? {}, input),
    ]);
    const name = `${index}: ${args.join(' ')}`;
    assert.equal(own.status, status, `${name}: ${own.stderr}`);
    assert.deepEqual(
      comparable({ ...shared, stderr: shared.stderr.replaceAll('/shared', '/own') }),
      comparable(own),
      name,
    );
  }
});

test('a command shows the same where a terminal is pretended as on a real one', async () => {
  const environment = { LATCHKEY_DATA_DIR: join(folder, 'shown'), TZ: 'Europe/Zurich' };
  await runCommand(create, environment, 'correct horse battery\n');
  const shown: readonly (readonly [args: readonly string[], columns: number, keys?: string])[] = [
    [['user', 'delete', 'ada@example.test'], 80, 'no\n'],
    [['user', 'list'], 120],
    [['user', 'create', '--help'], 50],
    [['user', 'list'], 40],
    [['user', 'show', 'nobody@example.test'], 80],
    [['user', 'delete', 'ada@example.test'], 80, '\u0003'],
  ];
  for (const [args, columns, keys] of firstUntilRelease(shown)) {
    const pretended = await runOnPretendedTerminal(args, { columns, environment }, keys);
    assert.deepEqual(pretended, await runOnRealTerminal(args, { columns, environment }, keys), args.join(' '));
  }
});

test("commands at the same time wait for each other; one that sets Node's variables gets its own process", async () => {
  const environment = { LATCHKEY_DATA_DIR: join(folder, 'both') };
  const versions = await Promise.all(Array.from({ length: 3 }, () => runCommand(['--version'], environment)));
  assert.equal(new Set(versions.map(({ stdout }) => stdout)).size, 1);
  const failed = await runCommand(['--version'], { ...environment, NODE_OPTIONS: '--no-such-option' });
  assert.notEqual(failed.status, 0);
});
