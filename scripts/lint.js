// npm run lint: formatting and lint rules, without changing a file.

import { ensureInstalled, runTool } from './prepare.js';

ensureInstalled();
runTool('biome', ['check', '--error-on-warnings', '.']);
