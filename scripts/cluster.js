// npm run cluster: installs what is missing, then makes a cluster of databases fail over under load and reports what was lost.

import { ensureInstalled, projectNode, run } from './prepare.js';

ensureInstalled();
run(projectNode(), ['cluster/main.ts', ...process.argv.slice(2)]);
