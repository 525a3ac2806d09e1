// npm run bench: installs what is missing, the peers included, then measures.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled, projectNode, root, run } from './prepare.js';

ensureInstalled();
if (['oidc-provider', 'better-auth'].some((name) => !existsSync(join(root, 'bench/node_modules', name)))) {
  run('npm', ['ci', '--prefix', 'bench', '--no-audit', '--no-fund', '--loglevel=error']);
}
run(projectNode(), ['bench/main.ts']);
