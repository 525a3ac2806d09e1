// node scripts/settings-reference.ts: brings the generated parts of docs/settings.md up to date. A test says when it's
// needed.

import { readFileSync, writeFileSync } from 'node:fs';
import { withGeneratedParts } from '../src/cli/service/settings-reference.ts';

const file = new URL('../docs/settings.md', import.meta.url);
writeFileSync(file, withGeneratedParts(readFileSync(file, 'utf8')));
