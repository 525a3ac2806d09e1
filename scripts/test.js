// npm test: installs what is missing, checks style and types, then runs every test, or those that are named.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureChromium } from './chromium.js';
import { ensureInstalled, pinnedNode, root } from './prepare.js';

ensureInstalled();
const environment = { ...process.env, CHROMIUM_PATH: ensureChromium() };
const named = process.argv.slice(2);

if (named.length === 0) {
  run(join(root, 'node_modules/.bin/biome'), ['check', '--error-on-warnings', '.']);
  run(join(root, 'node_modules/.bin/tsc'), ['--noEmit', '-p', root]);
}
run(pinnedNode(), [
  '--test',
  '--test-concurrency=2',
  '--test-timeout=180000',
  '--test-force-exit',
  ...(named.length > 0 ? named : ['test/**/*.test.ts']),
]);

function run(command, args) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env: environment });
  if (status !== 0) process.exit(status ?? 1);
}
