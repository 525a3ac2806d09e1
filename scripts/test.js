// npm test: installs what is missing, checks style and types, then runs every test, or those that are named.
// npm run screenshots comes here too, because it needs the same browser.

import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { ensureChromium } from './chromium.js';
import { ensureInstalled, pinnedNode, root } from './prepare.js';

ensureInstalled();
const environment = {
  ...process.env,
  CHROMIUM_PATH: ensureChromium(),
  // Each file of tests is a process of its own, and most load the same modules.
  NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compile'),
};
const [first, ...rest] = process.argv.slice(2);

if (first === '--screenshots') {
  run(pinnedNode(), [join(root, 'scripts/screenshots.ts'), ...rest]);
} else if (first !== undefined) {
  test([first, ...rest]);
} else {
  run(join(root, 'node_modules/.bin/biome'), ['check', '--error-on-warnings', '.']);
  run(join(root, 'node_modules/.bin/tsc'), ['--noEmit', '-p', root]);
  test(['--test-global-setup=test/harness/global-setup.ts', 'test/**/*.test.ts']);
}

function test(files) {
  // One more than there are cores: browsers, mail and processes are waited for a good part of the time.
  const options = [`--test-concurrency=${availableParallelism() + 1}`, '--test-timeout=180000'];
  run(pinnedNode(), ['--test', ...options, ...files]);
}

function run(command, args) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env: environment });
  if (status !== 0) process.exit(status ?? 1);
}
