// Brings a fresh clone into working order and runs the project's tools. Plain JavaScript that Node 20 understands: it
// runs before the project's own Node is installed.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Installs the dependencies unless each one is there in the version that package.json pins. Running the service takes
 * less than working on it: `npm start` works in a release, which has no tools.
 */
export function ensureInstalled({ tools = true } = {}) {
  const { dependencies, optionalDependencies, devDependencies } = readJson(join(root, 'package.json'));
  const needed = { ...dependencies, ...optionalDependencies, ...(tools ? devDependencies : {}) };
  const missing = Object.entries(needed).filter(([name, version]) => {
    const manifest = join(root, 'node_modules', name, 'package.json');
    return !existsSync(manifest) || readJson(manifest).version !== version;
  });
  if (missing.length === 0 && existsSync(pinnedNode())) return;
  process.stderr.write('Installing dependencies. This takes a moment the first time.\n');
  // The output goes to stderr: stdout belongs to the caller.
  const omitted = tools ? [] : ['--omit=dev'];
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  const install = spawnSync('npm', ['ci', '--prefer-offline', ...omitted, ...quiet], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (install.status !== 0 || !existsSync(pinnedNode())) {
    process.stderr.write('Installing the dependencies failed; see above.\n');
    process.exit(1);
  }
}

/** The Node that runs the project: the pinned one, or with LATCHKEY_NODE=system the one that is first in the PATH. */
export function projectNode() {
  return process.env.LATCHKEY_NODE === 'system' ? process.execPath : pinnedNode();
}

/** The checks of style and types: a command, its arguments and its environment. */
export const checkStyle = [tool('biome'), ['check', '--error-on-warnings', '.'], process.env];

/**
 * With one checker: four take twice the CPU, because each looks at what they share. GOGC lets it take more memory, and so less
 * CPU. What hasn't changed since the last time is skipped.
 */
export const checkTypes = [
  tool('tsc'),
  ['--noEmit', '--checkers', '1', '--incremental', '--tsBuildInfoFile', 'node_modules/.cache/types.tsbuildinfo'],
  { ...process.env, GOGC: '400' },
];

function tool(name) {
  return join(root, 'node_modules/.bin', name);
}

/** Runs a command in the project's folder, and exits with its status when it fails. */
export function run(command, args, env = process.env) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env });
  if (status !== 0) process.exit(status ?? 1);
}

function pinnedNode() {
  return join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
