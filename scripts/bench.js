// npm run bench: installs what is missing, the peer included, then measures.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled, pinnedNode, root } from './prepare.js';

ensureInstalled();
if (!existsSync(join(root, 'bench/node_modules/oidc-provider'))) {
  const options = { cwd: join(root, 'bench'), stdio: ['ignore', 2, 2] };
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], options);
  if (status !== 0) process.exit(status ?? 1);
}
const { status } = spawnSync(pinnedNode(), [join(root, 'bench/main.ts')], { cwd: root, stdio: 'inherit' });
process.exit(status ?? 1);
