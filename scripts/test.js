// npm test: installs what is missing, checks style and types, then runs every test, or those that are named.
// npm run screenshots comes here too, because it needs the same browser.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureChromium } from './chromium.js';
import { ensureInstalled, pinnedNode, root } from './prepare.js';

ensureInstalled();
const environment = { ...process.env, CHROMIUM_PATH: ensureChromium() };
const [first, ...rest] = process.argv.slice(2);

if (first === '--screenshots') {
  run(pinnedNode(), [join(root, 'scripts/screenshots.ts'), ...rest]);
} else if (first !== undefined) {
  test([first, ...rest]);
} else {
  run(join(root, 'node_modules/.bin/biome'), ['check', '--error-on-warnings', '.']);
  run(join(root, 'node_modules/.bin/tsc'), ['--noEmit', '-p', root]);
  test(['test/**/*.test.ts']);
}

function test(files) {
  const options = ['--test-concurrency=2', '--test-timeout=180000'];
  run(pinnedNode(), ['--test', ...options, ...files]);
}

function run(command, args) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env: environment });
  if (status !== 0) process.exit(status ?? 1);
}
