// npm test: installs what is missing, checks style and types, then runs every test, or the ones that are named.

import { ensureChromium } from './chromium.js';
import { runTests } from './node-test.js';
import { ensureInstalled, runTool } from './prepare.js';

ensureInstalled();
const env = { CHROMIUM_PATH: ensureChromium() };
const named = process.argv.slice(2);
if (named.length === 0) {
  runTool('biome', ['check', '--error-on-warnings', '.']);
  runTool('tsc', ['--noEmit']);
}
const everything = ['--test-global-setup=test/harness/global-setup.ts', 'test/**/*.test.ts'];
runTests(named.length > 0 ? named : everything, env);
