// npm run bench: installs what is missing, the peers included if they are measured, then measures.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled, projectNode, root, run } from './prepare.js';

const args = process.argv.slice(2);
ensureInstalled();
const measuresPeers = !args.some((arg) => ['--quick', '--no-peers', 'scim', '--only=scim'].includes(arg));
const hasPeers = ['oidc-provider', 'better-auth'].every((name) => existsSync(join(root, 'bench/node_modules', name)));
if (measuresPeers && !hasPeers) {
  run('npm', ['ci', '--prefix', 'bench', '--no-audit', '--no-fund', '--loglevel=error']);
}
run(projectNode(), ['bench/main.ts', ...args]);
