// npm run test:release: installs what is missing, then runs every test, the HTTP suites on both engines, and checks style and
// types. With --timings it also writes test/timings.json.

import { ensureChromium } from './chromium.js';
import { runTestsAndChecks } from './node-test.js';
import { ensureInstalled } from './prepare.js';

ensureInstalled();
await runTestsAndChecks(process.argv.slice(2), { CHROMIUM_PATH: ensureChromium() });
