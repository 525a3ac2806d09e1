// Brings a fresh clone into working order. Plain JavaScript for Node 20: it runs before the project's own Node is there.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Installs the dependencies unless each one is there in the version that package.json pins. */
export function ensureInstalled() {
  const { dependencies, devDependencies } = readJson(join(root, 'package.json'));
  const missing = Object.entries({ ...dependencies, ...devDependencies }).filter(([name, version]) => {
    const manifest = join(root, 'node_modules', name, 'package.json');
    return !existsSync(manifest) || readJson(manifest).version !== version;
  });
  if (missing.length === 0 && existsSync(pinnedNode())) return;
  process.stderr.write('Installing what Latchkey needs; this takes a moment the first time.\n');
  // The output goes to stderr: what the caller prints on stdout is its own.
  const install = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (install.status !== 0 || !existsSync(pinnedNode())) {
    process.stderr.write('The installation failed; see above.\n');
    process.exit(1);
  }
}

/** The Node that the project pins. */
export function pinnedNode() {
  return join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
