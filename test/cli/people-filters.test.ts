// The filters of `latchkey user list`.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { runCommand } from '../harness/command.ts';

let folder: string;
const run = (args: string[], input?: string) => runCommand(args, { LATCHKEY_DATA_DIR: join(folder, 'data') }, input);

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-filters-'));
  const create = async (name: string, ...more: string[]) => {
    const args = ['user', 'create', '--email', `${name}@example.test`, '--name', name, '--password-stdin', ...more];
    assert.equal((await run(args, 'correct horse battery\n')).status, 0);
  };
  await create('root', '--admin');
  await create('audit', '--role', 'auditor');
  await create('ends', '--expires', '6d');
  await create('gone');
  assert.equal((await run(['user', 'disable', 'gone@example.test'])).status, 0);
});
after(() => rmSync(folder, { recursive: true }));

const cases: readonly (readonly [options: string, names: readonly string[]])[] = [
  ['--role any', ['audit', 'root']],
  ['--role administrator', ['root']],
  ['--role applications', []],
  ['--status active', ['audit', 'ends', 'root']],
  ['--status disabled', ['gone']],
  ['--status pending', []],
  ['--second-factor none', ['audit', 'ends', 'gone', 'root']],
  ['--signed-in never --status active', ['audit', 'ends', 'root']],
  ['--signed-in 30d', []],
  ['--expires-within 7d', ['ends']],
  ['--expires-within 5d', []],
  ['--managed-by okta', []],
  ['--role any --search au', ['audit']],
  ['--role any --search ends', []],
];
for (const [options, names] of cases) {
  test(`user list ${options}`, async () => {
    const listed = await run(['user', 'list', '--json', ...options.split(' ')]);
    assert.equal(listed.status, 0, listed.stderr);
    const people: { name: string }[] = JSON.parse(listed.stdout);
    assert.deepEqual(people.map(({ name }) => name).toSorted(), names);
    if (names.length > 0) return;
    assert.equal((await run(['user', 'list', ...options.split(' ')])).stdout, 'No people match.\n');
  });
}

const refusals: readonly (readonly [options: readonly string[], problem: string])[] = [
  [['--role', 'root'], '--role must be one of: administrator, people, applications, auditor, any'],
  [['--status', 'waiting'], '--status must be one of: active, disabled, inactive, pending'],
  [['--second-factor', 'totp'], '--second-factor must be one of: none'],
  [['--second-factor', 'non'], '--second-factor must be one of: none. Did you mean "none"? Run'],
  [
    ['--status', 'disabeld'],
    '--status must be one of: active, disabled, inactive, pending. Did you mean "disabled"? Run',
  ],
  [['--signed-in', 'today'], '--signed-in must be never or a number of days from 1 to 3650, such as 30d'],
  [['--expires-within', '30'], '--expires-within must be a number of days from 1 to 3650, such as 30d'],
  [['--managed-by', ''], '--managed-by must not be empty'],
  [['--pending', '--role', 'any'], "--pending can't be combined with a search or a filter: use --status pending"],
];
for (const [options, problem] of refusals) {
  test(`user list ${options.join(' ')} is refused`, async () => {
    const { status, stderr } = await run(['user', 'list', ...options]);
    assert.equal(status, 2);
    assert.ok(stderr.includes(problem), stderr);
  });
}
