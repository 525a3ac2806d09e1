// `latchkey passwords build-filter`, and what commands do with the filter.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { breachedPasswords } from '../../src/platform/breached-passwords/breached-passwords.ts';
import { publishedList, sha1, temporaryFolder, writeFilter } from '../harness/breaches.ts';
import { runCommand, startCommand } from '../harness/command.ts';
import { isReleaseLane } from '../harness/lane.ts';
import { until } from '../harness/until.ts';

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
const build = (args: readonly string[], input?: string) =>
  runCommand(['passwords', 'build-filter', ...args], {}, input);
const unfinished = () => readdirSync(folder).filter((name) => name.includes('unfinished'));

async function found(file: string, list: readonly string[]): Promise<boolean[]> {
  const breaches = breachedPasswords(file);
  try {
    return await Promise.all(list.map((each) => breaches.has(each)));
  } finally {
    await breaches.close();
  }
}

test('a filter is built from a list, then replaced by one from another list', async () => {
  const passwords = Array.from({ length: 2000 }, (_, number) => `password ${number}`);
  writeFileSync(at('list'), publishedList(passwords));
  const { status, stdout, stderr } = await build([at('list'), at('filter')]);
  assert.deepEqual([status, stderr], [0, '']);
  assert.match(stdout, /^Wrote .*filter: 2,000 passwords, 0\.0 MB\.\nAbout 1 in [0-9,]+ other passwords is refused/);
  assert.deepEqual(await found(at('filter'), ['password 0', 'password 1999', 'password 2000']), [true, true, false]);

  const counted = `${sha1('often').toString('hex')}:30\n${sha1('once').toString('hex')}:2\n`
    .split('\n')
    .sort()
    .join('\n');
  const again = await build(['-', at('filter'), '--min-count', '3', '--json'], counted);
  assert.equal(again.status, 0, again.stderr);
  assert.equal(JSON.parse(again.stdout).passwords, 1);
  assert.deepEqual(await found(at('filter'), ['often', 'once', 'password 0']), [true, false, false]);
  assert.deepEqual(unfinished(), []);
});

test('a filter of an earlier version is refused with the command that builds it again, and replaced by it', async () => {
  const old = at('old-filter');
  writeFileSync(old, `latchkey breached passwords 1\n{"hashes":1}\n${' '.repeat(8192)}`);
  const refused = await runCommand(['serve'], { LATCHKEY_DATA_DIR: at('data'), LATCHKEY_BREACHED_PASSWORDS: old });
  assert.equal(refused.status, 1);
  assert.ok(refused.stderr.includes(`Build it again: "latchkey passwords build-filter pwnedpasswords.txt ${old}".`));
  assert.equal((await build(['-', old], publishedList(['one']))).status, 0);
  assert.deepEqual(await found(old, ['one', 'two']), [true, false]);
});

test('a filter is built from a folder of ranges, and missing ranges are counted', async () => {
  mkdirSync(at('ranges'));
  for (const password of ['one', 'two', 'three']) {
    const hash = sha1(password).toString('hex').toUpperCase();
    writeFileSync(join(at('ranges'), `${hash.slice(0, 5)}.txt`), `${hash.slice(5)}:7`);
  }
  const { status, stderr } = await build([at('ranges'), at('of-ranges')]);
  assert.equal(status, 0, stderr);
  assert.match(stderr, /^1,048,573 of 1,048,576 ranges have no file\.\n$/);
  assert.deepEqual(await found(at('of-ranges'), ['one', 'two', 'three', 'four']), [true, true, true, false]);
});

test('bad input is refused with one sentence, and nothing is written or replaced', async () => {
  const list = publishedList(['one', 'two', 'three']);
  const lines = list.split('\r\n').filter(Boolean);
  writeFilter(at('kept'), [sha1('kept')]);
  const kept = readFileSync(at('kept'));
  writeFileSync(at('unsorted'), lines.reverse().join('\n'));
  writeFileSync(at('sorted'), list);
  const cases: { args: string[]; status: number; problem: RegExp }[] = [
    { args: [at('unsorted'), at('kept')], status: 1, problem: /line 2 is not in order: .*LC_ALL=C sort/ },
    { args: [at('nowhere'), at('kept')], status: 1, problem: /no such file/ },
    { args: [at('sorted'), at('kept'), '--min-count', '99'], status: 1, problem: /has no hashes/ },
    { args: [at('sorted'), at('kept'), '--min-count', '-1'], status: 2, problem: /min-count/ },
    { args: [at('kept'), at('sorted')], status: 1, problem: /sorted is not a file that .*It's left alone/ },
  ];
  for (const { args, status, problem } of cases) {
    const result = await build(args);
    assert.equal(result.status, status, result.stderr);
    assert.match(result.stderr, problem);
  }
  assert.deepEqual(readFileSync(at('kept')), kept);
  assert.equal(readFileSync(at('sorted'), 'utf8'), list);
  assert.deepEqual(unfinished(), []);
});

test('a stopped or killed build leaves no filter, and the next one cleans up', async () => {
  const list = publishedList(['one', 'two']);
  for (const signal of isReleaseLane ? (['SIGTERM', 'SIGKILL'] as const) : (['SIGKILL'] as const)) {
    const building = startCommand(['passwords', 'build-filter', '-', at('killed')], {});
    building.stdin?.write(list);
    await until(() => unfinished().length === 1, 'the build has begun');
    building.kill(signal);
    // Its input stays open: the build can't have come to its end.
    await once(building, 'exit');
    assert.ok(!readdirSync(folder).includes('killed'));
    assert.equal(unfinished().length, signal === 'SIGTERM' ? 0 : 1);
  }
  assert.equal((await build(['-', at('killed')], list)).status, 0);
  assert.deepEqual(unfinished(), []);
  assert.deepEqual(await found(at('killed'), ['one']), [true]);
});

test('commands that set a password check it; others work without the filter', async () => {
  const filter = at('used');
  writeFilter(filter, [sha1('purple monkey dishwasher')]);
  const environment = { LATCHKEY_DATA_DIR: at('data'), LATCHKEY_BREACHED_PASSWORDS: filter };
  const create = ['user', 'create', '--email', 'ada@example.test', '--name', 'Ada', '--password-stdin'];
  const refused = await runCommand(create, environment, 'purple monkey dishwasher\n');
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /the password is known from a data breach: choose one that is used nowhere else\./);
  assert.equal((await runCommand(create, environment, 'a phrase of my own\n')).status, 0);
  const set = ['user', 'set-password', 'ada@example.test', '--password-stdin'];
  assert.equal((await runCommand(set, environment, 'purple monkey dishwasher\n')).status, 1);

  truncateSync(filter, 5000);
  const unchecked = await runCommand(set, environment, 'another phrase of mine\n');
  assert.equal(unchecked.status, 1);
  assert.match(unchecked.stderr, /LATCHKEY_BREACHED_PASSWORDS: .*used is cut short: copy it or build it again\.\n$/);
  assert.equal((await runCommand(['user', 'list'], environment)).status, 0);

  const served = await runCommand(['serve'], { ...environment, LATCHKEY_PORT: '0' });
  assert.equal(served.status, 1);
  assert.match(served.stderr, /LATCHKEY_BREACHED_PASSWORDS: .*used is cut short/);
  const examined = await runCommand(['doctor', '--json'], environment);
  const findings = (JSON.parse(examined.stdout) as { about: string; state: string; text: string }[]).filter(
    ({ about }) => about === 'breached passwords',
  );
  assert.deepEqual(
    findings.map(({ state, text }) => [state, text.includes('is cut short')]),
    [['problem', true]],
  );
});
