// ./latchkey, the shell script: which program it runs, and with which settings of the C library.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, test } from 'node:test';
import { root } from '../harness/command.ts';

const folder = mkdtempSync(join(tmpdir(), 'latchkey-launcher-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** A Node that is new enough, and says how it was called. */
mkdirSync(join(folder, 'bin'));
const node = '#!/bin/sh\n[ "$1" = -e ] && exit 0\necho "$@"\nenv | grep -E "^(MALLOC_|GLIBC_)" | sort\n';
writeFileSync(join(folder, 'bin/node'), node, { mode: 0o755 });
mkdirSync(join(folder, 'app/node_modules/fastify'), { recursive: true });
cpSync(join(root, 'latchkey'), join(folder, 'app/latchkey'));

function launch(args: readonly string[], environment: Record<string, string> = {}): string[] {
  const PATH = [join(folder, 'bin'), '/usr/bin', '/bin'].join(delimiter);
  const env = { PATH, LATCHKEY_NODE: 'system', ...environment };
  const { stdout, stderr } = spawnSync(join(folder, 'app/latchkey'), args, { env, encoding: 'utf8' });
  assert.equal(stderr, '');
  return stdout.trimEnd().split('\n');
}

const allocator = [
  'GLIBC_TUNABLES=glibc.malloc.hugetlb=1',
  'MALLOC_ARENA_MAX=1',
  'MALLOC_MMAP_THRESHOLD_=1048576',
  'MALLOC_TRIM_THRESHOLD_=131072',
];

test('the service runs with settings that return memory to the system, and other commands without', () => {
  for (const name of ['serve', 'demo']) assert.deepEqual(launch([name]).slice(1), allocator, name);
  for (const args of [['client', 'list'], ['--help'], []]) assert.deepEqual(launch(args).slice(1), [], args.join(' '));
});

test('the gate has a smaller young generation, one arena, and no huge pages', () => {
  const [program, ...settings] = launch(['gate', 'serve']);
  assert.deepEqual(settings, ['MALLOC_ARENA_MAX=1', 'MALLOC_TRIM_THRESHOLD_=131072']);
  assert.match(program ?? '', /^--max-semi-space-size=2 \S+ gate serve$/);
  assert.match(launch(['serve'])[0] ?? '', /^--max-semi-space-size=8 /);
});

test("the operator's own settings win, each for itself", () => {
  for (const line of allocator) {
    const [name = ''] = line.split('=');
    const expected = allocator.map((each) => (each === line ? `${name}=7` : each));
    assert.deepEqual(launch(['serve'], { [name]: '7' }).slice(1), expected);
    // The C library would take an empty one for zero, which makes everything many times slower.
    if (name.startsWith('MALLOC')) assert.deepEqual(launch(['serve'], { [name]: '' }).slice(1), allocator);
  }
});

test('a checkout runs its sources, and a release its bundle', () => {
  const program = () => launch(['client', 'list', '--json'])[0];
  assert.match(program() ?? '', /^--max-semi-space-size=8 \S+\/app\/src\/cli\/start\.ts client list --json$/);
  mkdirSync(join(folder, 'app/src/bundle'), { recursive: true });
  writeFileSync(join(folder, 'app/src/bundle/main.js'), '');
  assert.match(program() ?? '', /^--max-semi-space-size=8 \S+\/app\/src\/bundle\/main\.js client list --json$/);
});

test('a checkout runs its sources as they are, even if size and time of a changed file are as before', () => {
  const checkout = join(folder, 'check#out');
  mkdirSync(checkout);
  for (const name of ['latchkey', 'package.json', 'src']) {
    cpSync(join(root, name), join(checkout, name), { recursive: true, filter: (from) => !from.endsWith('/bundle') });
  }
  symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'));
  const help = () => {
    const env = { PATH: process.env.PATH, NODE_COMPILE_CACHE: join(folder, 'cache') };
    const { stdout, stderr } = spawnSync(join(checkout, 'latchkey'), ['--help'], { env, encoding: 'utf8' });
    assert.equal(stderr, '');
    return stdout;
  };
  for (let start = 0; start < 2; start++) assert.match(help(), /^ {2}serve +run the service$/m);
  const file = join(checkout, 'src/cli/summaries.ts');
  const { atime, mtime } = statSync(file);
  writeFileSync(file, readFileSync(file, 'utf8').replace('run the service', 'run this edited'));
  utimesSync(file, atime, mtime);
  assert.match(help(), /^ {2}serve +run this edited$/m);
});
