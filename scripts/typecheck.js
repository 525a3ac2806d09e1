// npm run typecheck: the types of everything, the tests included.

import { checkTypes, ensureInstalled, run } from './prepare.js';

ensureInstalled();
run(...checkTypes);
