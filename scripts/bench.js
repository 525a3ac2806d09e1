// npm run bench: installs what is missing, the peer included, then measures.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled, projectNode, root, run } from './prepare.js';

ensureInstalled();
if (!existsSync(join(root, 'bench/node_modules/oidc-provider'))) {
  run('npm', ['ci', '--prefix', 'bench', '--no-audit', '--no-fund', '--loglevel=error']);
}
run(projectNode(), ['bench/main.ts']);
