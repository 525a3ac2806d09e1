// npm run histories: installs what is missing, then records what a service answers while it's being broken, and checks it.

import { ensureInstalled, projectNode, run } from './prepare.js';

ensureInstalled();
run(projectNode(), ['histories/main.ts', ...process.argv.slice(2)]);
