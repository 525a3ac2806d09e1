// npm run test:fast: style, types, the pure rules, and storage and HTTP on the embedded store. No browser, no PostgreSQL.

import { runTests } from './node-test.js';
import { ensureInstalled, runTool } from './prepare.js';

ensureInstalled();
runTool('biome', ['check', '--error-on-warnings', '.']);
runTool('tsc', ['--noEmit']);
runTests(['--fast']);
