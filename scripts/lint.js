// npm run lint: formatting and lint rules, without changing a file.

import { checkStyle, ensureInstalled, run } from './prepare.js';

ensureInstalled();
run(...checkStyle);
