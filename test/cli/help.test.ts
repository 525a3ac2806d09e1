// The help, which is made from the same tables as the reading of arguments: what it says is what there is.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { commandNames, findCommand, loadCommand, requireRunnable } from '../../src/cli/commands.ts';
import { readWords } from '../../src/cli/frame/define.ts';
import { type AnyCommand, isGroup } from '../../src/cli/frame/spec.ts';
import { closest } from '../../src/cli/frame/suggest.ts';
import { runCommand } from '../harness/command.ts';

/** Every command and subcommand by its full name. */
const commands = new Map<string, AnyCommand>();
for (const name of commandNames) {
  const command = await loadCommand(name);
  assert.ok(command);
  commands.set(name, command);
  if (isGroup(command))
    for (const [each, sub] of Object.entries(command.commands)) commands.set(`${name} ${each}`, sub);
}

/** What bash makes of the examples: the words of each `latchkey` in them, one example after the other. */
function wordsOf(examples: readonly string[]): string[][][] {
  // One write for each: the two ends of a pipe run at the same time.
  const script = `
    latchkey() { local IFS=$'\\037'; printf '%s\\036' "$*" >&3; }
    for example in "$@"; do eval "$example" </dev/null >/dev/null; printf '\\035' >&3; done`;
  const withoutFiles = examples.map((example) => example.replace(/([<>]) \S+/g, '$1/dev/null'));
  const stdio = ['ignore', 'pipe', 'pipe', 'pipe'] as const;
  const { output, status } = spawnSync('bash', ['-c', script, 'bash', ...withoutFiles], { stdio: [...stdio] });
  assert.equal(status, 0, String(output[2]));
  const perExample = String(output[3]).split('\u001d').slice(0, -1);
  return perExample.map((text) =>
    text
      .split('\u001e')
      .slice(0, -1)
      .map((words) => words.split('\u001f')),
  );
}

test('every command and subcommand has a summary and examples that parse', () => {
  const all = [...commands].flatMap(([name, { examples }]) => examples.map((example) => ({ name, example })));
  const words = wordsOf(all.map(({ example }) => example));
  assert.equal(words.length, all.length);
  for (const [index, { name, example }] of all.entries()) {
    const used = (words[index] ?? []).map(([first = '', ...rest]) => {
      const command = commands.get(first);
      assert.ok(command, example);
      const { path, command: runnable, words: given } = requireRunnable(findCommand(first, command, rest));
      readWords(given, runnable);
      return path.join(' ');
    });
    assert.ok(
      used.some((each) => each === name || each.startsWith(`${name} `)),
      `${name}: ${example}`,
    );
  }
  for (const [name, { summary, examples }] of commands) {
    assert.ok(examples.length > 0, `${name} has no example`);
    assert.match(summary, /^[a-z].*[^.]$/, name);
  }
});

test('every deletion takes --yes, and what can be undone never does', () => {
  const found = new Set<string>();
  for (const [name, command] of commands) {
    const [, verb = ''] = name.split(' ');
    if (isGroup(command) || !/^(delete|revoke|restore|disable|enable)$/.test(verb)) continue;
    assert.equal(Object.hasOwn(command.options ?? {}, 'yes'), verb === 'delete', name);
    found.add(verb);
  }
  assert.equal(found.size, 5);
});

test("an option's help is a phrase, not a sentence", () => {
  for (const [name, command] of commands) {
    const options = isGroup(command) ? command.own?.options : command.options;
    for (const [option, { about }] of Object.entries(options ?? {})) {
      assert.match(about, /^["a-z].*[^.]$/, `${name} --${option}`);
    }
  }
});

test('each kind of help explains', async () => {
  const [overview, group, subcommand, asked] = await Promise.all([
    runCommand(['--help'], {}),
    runCommand(['client', '--help'], {}),
    runCommand(['client', 'create', '--help'], {}),
    runCommand(['help', 'client', 'create'], {}),
  ]);
  for (const { status, stderr, stdout } of [overview, group, subcommand, asked]) {
    assert.deepEqual([status, stderr], [0, '']);
    assert.match(stdout, /^Usage: latchkey /);
    assert.match(stdout, /^Examples:\n {2}latchkey /m);
    assert.doesNotMatch(stdout, /\u001b/);
  }
  for (const name of commandNames) assert.match(overview.stdout, new RegExp(`^  ${name} +\\S`, 'm'), name);
  for (const name of ['create', 'retire-secret', 'disallow']) {
    assert.match(group.stdout, new RegExp(`^  ${name} +\\S`, 'm'), name);
  }
  assert.match(subcommand.stdout, /^Usage: latchkey client create --name NAME --redirect-uri URI \[options\]$/m);
  assert.match(subcommand.stdout, /^ {2}--access everyone\|listed +\S/m);
  assert.equal(asked.stdout, subcommand.stdout);
  const settings = await runCommand(['settings', '--help'], {});
  assert.match(settings.stdout, /^ {2}second_factor +who needs.*everyone/m);
  assert.match(settings.stdout, /1 to 720/);
});

for (const [typed, status, complaint] of [
  [
    ['client', 'create', '--name', 'X', '--redirect-uri', 'https://x.example/', '--access', 'liste'],
    1,
    'the access must be everyone or listed. Did you mean "listed"?',
  ],
  [
    ['events', 'export', '--format', 'jsnol'],
    2,
    '--format must be one of: jsonl, ocsf. Did you mean "jsonl"? Run "latchkey events export --help" for usage.',
  ],
  [
    ['user', 'create', '--email', 'a@example.test', '--name', 'A', '--role', 'people', '--role', 'auditer'],
    1,
    'a role must be one of administrator, people, applications, auditor. Did you mean "auditor"?',
  ],
  [
    ['client', 'import', 'x.json', '--from', 'keyclaok'],
    2,
    '--from must be one of: keycloak auth0. Did you mean "keycloak"? Run "latchkey client import --help" for usage.',
  ],
  [
    ['client', 'import', 'x.json', '--from', 'okta'],
    2,
    '--from must be one of: keycloak auth0. Run "latchkey client import --help" for usage.',
  ],
] as const) {
  test(`the value "${typed.at(-1)}" is refused with the one that was meant, if there is one`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-values-'));
    try {
      const result = await runCommand(typed, { LATCHKEY_DATA_DIR: folder });
      assert.equal(result.status, status);
      assert.equal(result.stdout, '');
      assert.equal(result.stderr.split('\n').at(-2), `latchkey: ${complaint}`);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}

for (const [typed, complaint] of [
  [['clinet', 'list'], 'unknown command "clinet". Did you mean "client"? Run "latchkey --help" for a list.'],
  [['nonsense'], 'unknown command "nonsense". Run "latchkey --help" for a list.'],
  [['user', 'lsit'], 'unknown command "user lsit". Did you mean "list"? Run "latchkey user --help" for usage.'],
  [
    ['client', 'create', '--nmae', 'x'],
    'unknown option "--nmae". Did you mean "--name"? Run "latchkey client create --help" for usage.',
  ],
  [
    ['events', 'exprot'],
    'unknown command "events exprot". Did you mean "export"? Run "latchkey events --help" for usage.',
  ],
  [
    ['help', 'client', 'craete'],
    'unknown command "client craete". Did you mean "create"? Run "latchkey client --help" for usage.',
  ],
  [['--hlep'], 'unknown command "--hlep". Did you mean "--help"? Run "latchkey --help" for a list.'],
  [['client', 'create', '--name'], '--name needs a value. Run "latchkey client create --help" for usage.'],
  [
    ['events', '--limit', '-1'],
    '--limit needs a value (for one that begins with a hyphen: --limit=-1). Run "latchkey events --help" for usage.',
  ],
  [['events', '--limit', ''], '--limit must be from 0 to 10000. Run "latchkey events --help" for usage.'],
  [['client', 'list', '--json=x'], '--json takes no value. Run "latchkey client list --help" for usage.'],
  [['user', 'list', '-x'], 'unknown option "-x". Run "latchkey user list --help" for usage.'],
  [['\u001b[2J'], 'unknown command "\\u001b[2J". Run "latchkey --help" for a list.'],
] as const) {
  test(`"latchkey ${JSON.stringify(typed.join(' ')).slice(1, -1)}" gets a suggestion`, async () => {
    const { status, stdout, stderr } = await runCommand(typed, {});
    assert.deepEqual([status, stdout, stderr], [2, '', `latchkey: ${complaint}\n`]);
  });
}

test('a suggestion is a similar word, a synonym, or the only completion', () => {
  const known = ['create', 'list', 'show', 'delete', 'rotate-secret', 'retire-secret', '--redirect-uri', '--redact'];
  for (const [typed, expected] of [
    ['craete', 'create'],
    ['creat', 'create'],
    ['Lsit', 'list'],
    ['rm', 'delete'],
    ['rotate', 'rotate-secret'],
    ['rotate-secrets', 'rotate-secret'],
    ['--redirect', '--redirect-uri'],
    ['x', undefined],
    ['', undefined],
    ['constructor', undefined],
    ['__proto__', undefined],
    ['d'.repeat(10_000), undefined],
  ] as const) {
    assert.equal(closest(typed, known), expected, typed.slice(0, 20));
  }
});
