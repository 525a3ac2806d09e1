// npm test: installs what is missing, then runs the tests that don't wait for a release and checks style and types; or runs
// the tests that are named, whatever they wait for.

import { ensureChromium } from './chromium.js';
import { runTests, runTestsAndChecks } from './node-test.js';
import { ensureInstalled } from './prepare.js';

ensureInstalled();
const env = { CHROMIUM_PATH: ensureChromium() };
const named = process.argv.slice(2);
if (named.length > 0) runTests(named, env);
await runTestsAndChecks(['--quick'], env);
