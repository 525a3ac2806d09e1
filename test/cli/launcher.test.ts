// ./latchkey without the Node that the project pins: it takes the one on the PATH, if that is new enough.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { cleanEnvironment, root } from '../harness/command.ts';

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-launcher-'));
  cpSync(join(root, 'latchkey'), join(folder, 'latchkey'));
  mkdirSync(join(folder, 'node_modules/fastify'), { recursive: true });
});
after(() => rmSync(folder, { recursive: true, force: true }));

/** A folder with a `node` that reports the version to code it runs, and prints its arguments when asked to run a file. */
function fakeNode(version: string): string {
  const bin = join(folder, `bin-${version}`);
  mkdirSync(bin);
  const preload = join(bin, 'version.cjs');
  const versions = `{ value: { ...process.versions, node: '${version}' } }`;
  writeFileSync(preload, `Object.defineProperty(process, 'versions', ${versions});\n`);
  const script = `#!/bin/sh
case "$1" in
  -e | -p) exec "${process.execPath}" --require "${preload}" "$@" ;;
  *) echo "ran $*" ;;
esac
`;
  writeFileSync(join(bin, 'node'), script, { mode: 0o755 });
  return bin;
}

function launch(bin: string, more: Record<string, string> = {}) {
  const environment = cleanEnvironment({ PATH: [bin, '/usr/bin', '/bin'].join(delimiter), ...more });
  return spawnSync(join(folder, 'latchkey'), ['client', 'list'], { env: environment, encoding: 'utf8' });
}

for (const version of ['18.20.8', '20.20.2', '22.22.0', '23.11.1', '24.0.0', '24.6.0', '24.6.99']) {
  test(`Node ${version} is refused with one sentence`, () => {
    const { status, stdout, stderr } = launch(fakeNode(version));
    assert.equal(
      stderr,
      'latchkey: Node.js 24.7 or newer is required. Run "npm ci" in the Latchkey folder to install it.\n',
    );
    assert.equal(status, 1);
    assert.equal(stdout, '');
  });
}

for (const version of ['24.7.0', '24.10.0', '25.0.0', '26.10.0', '100.0.0']) {
  test(`Node ${version} runs the command line`, () => {
    const { status, stdout, stderr } = launch(fakeNode(version));
    assert.equal(stderr, '');
    assert.match(stdout, /^ran .*\/src\/cli\/main\.ts client list\n$/);
    assert.equal(status, 0);
  });
}

test('without Node the message is the same', () => {
  // A PATH with what the launcher itself uses, and nothing else.
  const bin = join(folder, 'bin-without-node');
  mkdirSync(bin);
  for (const tool of ['dirname', 'readlink']) symlinkSync(join('/usr/bin', tool), join(bin, tool));
  const result = spawnSync('/bin/sh', [join(folder, 'latchkey')], { env: { PATH: bin }, encoding: 'utf8' });
  assert.match(result.stderr, /^latchkey: Node\.js 24\.7 or newer is required\./);
  assert.equal(result.status, 1);
});

test('the pinned Node is preferred, unless LATCHKEY_NODE=system asks for the one on the PATH', () => {
  const bin = fakeNode('30.0.0');
  const pinned = join(folder, 'node_modules/node/bin/node');
  mkdirSync(dirname(pinned), { recursive: true });
  writeFileSync(pinned, '#!/bin/sh\necho "pinned"\n', { mode: 0o755 });
  assert.equal(launch(bin, { LATCHKEY_NODE: '' }).stdout, 'pinned\n');
  assert.match(launch(bin, { LATCHKEY_NODE: 'system' }).stdout, /^ran /);
  rmSync(join(folder, 'node_modules/node'), { recursive: true });
});

test('package.json declares the same minimum', () => {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  assert.deepEqual(engines, { node: '>=24.7.0' });
});
