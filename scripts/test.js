// npm test: installs what is missing, then runs the tests that don't wait for a release and checks style and types; or runs
// the tests that are named, whatever they wait for. With --timings it also writes test/timings.json.

import { ensureChromium } from './chromium.js';
import { runTests, runTestsAndChecks } from './node-test.js';
import { ensureInstalled } from './prepare.js';

ensureInstalled();
const env = { CHROMIUM_PATH: ensureChromium() };
const given = process.argv.slice(2);
if (given.some((each) => each !== '--timings')) runTests(given, env);
await runTestsAndChecks(['--quick', ...given], env);
