// npm run coverage: runs every test and prints which lines of src/ none of them reaches.

import { ensureChromium } from './chromium.js';
import { runTests } from './node-test.js';
import { ensureInstalled } from './prepare.js';

ensureInstalled();
const coverage = ['--experimental-test-coverage', '--test-coverage-include=src/**/*.ts', '--test-coverage-include-all'];
const reporters = ['--test-reporter=dot', '--test-reporter-destination=stderr'];
const lines = ['--test-reporter=./scripts/uncovered.js', '--test-reporter-destination=stdout'];
runTests([...coverage, ...reporters, ...lines, ...process.argv.slice(2)], { CHROMIUM_PATH: ensureChromium() });
