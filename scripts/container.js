// npm run container: builds the image of deploy/Dockerfile, starts it, and signs in to it (scripts/container.ts).

import { ensureInstalled, projectNode, run } from './prepare.js';

ensureInstalled();
run(projectNode(), ['scripts/container.ts', ...process.argv.slice(2)]);
