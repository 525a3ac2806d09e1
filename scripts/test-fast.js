// npm run test:fast: style, types, the pure rules, and storage and HTTP on the embedded store. No browser, no PostgreSQL.

import { runTestsAndChecks } from './node-test.js';
import { ensureInstalled } from './prepare.js';

ensureInstalled();
await runTestsAndChecks(['--fast']);
