// npm run release: builds the files of a release and tries them (scripts/release.ts).

import { ensureInstalled, projectNode, run } from './prepare.js';

ensureInstalled();
run(projectNode(), ['scripts/release.ts', ...process.argv.slice(2)]);
