// npm run typecheck: the types of everything, the tests included.

import { ensureInstalled, runTool } from './prepare.js';

ensureInstalled();
runTool('tsc', ['--noEmit']);
