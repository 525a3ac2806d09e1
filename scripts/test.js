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
runTests(named, env);
