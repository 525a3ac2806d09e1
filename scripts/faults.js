// npm run faults: installs what is missing, then puts the service through faults and reports what was lost.

import { ensureInstalled, projectNode, run } from './prepare.js';

ensureInstalled();
run(projectNode(), ['faults/main.ts', ...process.argv.slice(2)]);
