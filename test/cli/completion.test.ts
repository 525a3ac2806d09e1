// Completion in the shells themselves: a real bash and a real zsh on a terminal, where keys are typed, and a real fish that
// is asked what it would offer.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { createGroup } from '../../src/operations/groups/groups.ts';
import { cleanEnvironment, root, runCommand } from '../harness/command.ts';
import { ensureDebianPackages } from '../harness/debian-packages.ts';
import { firstUntilRelease, releaseTest } from '../harness/lane.ts';
import { requester, startTestService, type TestClient, type TestService } from '../harness/service.ts';
import { openTerminal } from '../harness/terminal.ts';

let folder: string;
let service: TestService;
let client: TestClient;
let environment: Record<string, string>;

/** A name that a shell would run if it weren't quoted. */
const hostileGroup = 'Team $(touch pwned) `touch pwned`; "x" \'y\'';

/** The same, without quotes. */
const quotableGroup = 'Quoted $(touch pwned) `touch pwned`; \\';

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-completion-'));
  writeFileSync(join(folder, 'a-logo.png'), '');
  service = await startTestService();
  client = await service.newClient({ name: 'Photos' });
  await service.newUser({ email: 'zoe@example.test' });
  await createGroup(service.running.services, { name: hostileGroup }, requester);
  await createGroup(service.running.services, { name: 'Turned' }, requester);
  await createGroup(service.running.services, { name: quotableGroup }, requester);
  const database = new DatabaseSync(join(service.dataDir, 'latchkey.db'), { timeout: 10_000 });
  database.prepare("UPDATE groups SET name = ? WHERE name = 'Turned'").run('Turned\u202e');
  database.close();
  environment = { LATCHKEY_BASE_URL: service.url, LATCHKEY_DATA_DIR: service.dataDir };
});
after(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** What is typed before the tab, and what the line is after it. CLIENT stands for the beginning of the client's ID. */
const completed = [
  ['./latchkey clie', './latchkey client '],
  ['./latchkey client create --redir', './latchkey client create --redirect-uri '],
  ['./latchkey client create --access lis', './latchkey client create --access listed '],
  ['./latchkey client create --access=lis', './latchkey client create --access=listed '],
  ['./latchkey settings set second_f', './latchkey settings set second_factor '],
  ['./latchkey client show CLIENT', './latchkey client show CLIENT… '],
  ['./latchkey user disable zoe@exa', './latchkey user disable zoe@example.test '],
  ['./latchkey settings set logo FOLDER/a-l', './latchkey settings set logo FOLDER/a-logo.png '],
] as const;

const shells = [
  { name: 'bash', start: 'bash --norc -i', prompt: '% ', packages: {} },
  // With EDITOR=vi, as npm sets it, zsh would take the keys for those of vi.
  { name: 'zsh', start: 'zsh -f -i -o emacs', prompt: '%% ', packages: { zsh: '/usr/bin/zsh' } },
] as const;

for (const { name, start, prompt, packages } of firstUntilRelease(shells)) {
  const skip = ensureDebianPackages(packages) ?? false;

  test(`${name} completes commands, options, values, ids and files`, { skip }, async () => {
    const terminal = openTerminal(start, { columns: 200, environment: { ...environment, PS1: prompt } });
    await terminal.until(/% /);
    terminal.type(`source <(./latchkey completion ${name})\n`);
    // Typed by the line editor once it's ready again; the shell puts "ready" together itself.
    terminal.type('echo rea""dy\n');
    await terminal.until(/ready/);
    for (const [typed, line] of firstUntilRelease(completed)) {
      const filled = (text: string) =>
        text.replace('CLIENT…', client.id).replace('CLIENT', client.id.slice(0, -2)).replace('FOLDER', folder);
      terminal.type(filled(typed));
      terminal.type('\t');
      // Printed by the shell: the line as it is now, with marks around it.
      terminal.type('\u0001printf "<%s>" \u0005\n');
      const words = filled(line)
        .trim()
        .split(' ')
        .map((word) => `<${word}>`);
      const printed = await terminal.until(/<\.\/latchkey>.*\n?/);
      assert.ok(printed.startsWith(words.join('')), terminal.shown());
    }
    terminal.type("./latchkey group show Te\t\u0001printf '<%s>' \u0005\n");
    assert.match(await terminal.until(/<show><.*\n?/), /<Team \$\(touch pwned\) `touch pwned`; "x" 'y'>/);
    assert.equal(existsSync(join(root, 'pwned')), false);
    terminal.type('exit\n');
    await terminal.ended;
  });
}

releaseTest('bash completes inside quotes, and what it inserts stays quoted', async () => {
  const terminal = openTerminal('bash --norc -i', { columns: 200, environment: { ...environment, PS1: '% ' } });
  await terminal.until(/% /);
  terminal.type('source <(./latchkey completion bash)\necho rea""dy\n');
  await terminal.until(/ready/);
  for (const quote of ['"', "'"]) {
    terminal.type(`./latchkey group show ${quote}Quo\t\u0001printf '<%s>' \u0005\n`);
    assert.ok((await terminal.until(/<show><.*\n?/)).includes(`<${quotableGroup}>`), terminal.shown());
  }
  terminal.type('exit\n');
  await terminal.ended;
  assert.equal(existsSync(join(root, 'pwned')), false);
});

releaseTest('fish completes commands, options, values, ids and files', (t) => {
  const missing = ensureDebianPackages({ fish: '/usr/bin/fish' });
  if (missing !== undefined) return t.skip(missing);
  const lines = [
    ...completed.map(([typed, line]) => [typed, line] as const),
    ['./latchkey group show Te', `./latchkey group show ${hostileGroup}`] as const,
  ];
  const filled = (text: string) =>
    text.replace('CLIENT…', client.id).replace('CLIENT', client.id.slice(0, -2)).replace('FOLDER', folder);
  const script = ['./latchkey completion fish | source', 'for line in $argv; complete -C $line; echo ==; end'].join(
    '\n',
  );
  const { stdout, stderr, status } = spawnSync(
    'fish',
    ['--no-config', '-c', script, ...lines.map(([typed]) => filled(typed))],
    {
      cwd: root,
      env: { ...cleanEnvironment(environment), HOME: folder },
      encoding: 'utf8',
    },
  );
  assert.equal(status, 0, stderr);
  const offered = stdout.split('==\n').slice(0, -1);
  for (const [index, [typed, line]] of lines.entries()) {
    const before = filled(typed).lastIndexOf(' ') + 1;
    const offers = (offered[index] ?? '')
      .trim()
      .split('\n')
      .map((offer) => offer.split('\t')[0]);
    assert.deepEqual(offers, [filled(line).slice(before).trim()], typed);
  }
});

test("completion offers what matches, and nothing if there's no store", async () => {
  const offers = async (words: string[], where = environment) => {
    const { status, stdout, stderr } = await runCommand(['__complete', ...words], where);
    assert.deepEqual([status, stderr], [0, '']);
    return stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => line.split('\t')[0]);
  };
  const groups = await offers(['group', 'show', '']);
  assert.deepEqual(groups, [quotableGroup, hostileGroup], 'a name that turns text around is left out');
  assert.deepEqual(await offers(['user', 'show', '']), [], 'nobody is listed before something is typed');
  const option = ['client', 'update', 'x', '--redirect-uri', 'https://a.example', '--na'];
  assert.deepEqual(await offers(option), ['--name']);
  const used = await offers(['client', 'create', '--name', 'x', '--name']);
  assert.deepEqual(used, [], 'an option that can be given once');
  assert.deepEqual(await offers(['client', 'create', '--', '--na']), []);
  assert.deepEqual(await offers(['nonsense', '']), []);
  const missing = join(folder, 'missing');
  assert.deepEqual(await offers(['client', 'show', ''], { LATCHKEY_DATA_DIR: missing }), []);
  assert.equal(existsSync(missing), false);
  assert.deepEqual(await offers(['client', 'show', ''], { LATCHKEY_WORKERS: 'many' }), []);
});
