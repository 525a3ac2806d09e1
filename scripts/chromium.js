// Finds Chromium where systems keep it, or installs it. Plain JavaScript for Node 20.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { root } from './prepare.js';

const commands = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const places = [
  '/usr/lib/chromium/chromium',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** The path of a Chromium; exits with an explanation when there is none and none can be had. */
export function ensureChromium() {
  const found = findChromium() ?? installFromDebian() ?? installWithPlaywright();
  if (found !== undefined) return found;
  process.stderr.write(
    'The browser tests need Chromium. None was found and none could be installed. Install it (Debian: apt-get install ' +
      'chromium), or set CHROMIUM_PATH to one.\n',
  );
  process.exit(1);
}

function findChromium() {
  const configured = process.env.CHROMIUM_PATH;
  if (configured) {
    if (existsSync(configured)) return configured;
    process.stderr.write(`CHROMIUM_PATH is set to ${configured}, where there is nothing.\n`);
    process.exit(1);
  }
  const folders = (process.env.PATH ?? '').split(delimiter);
  const candidates = [
    ...commands.flatMap((command) => folders.map((folder) => join(folder, command))),
    ...places,
    playwrightsOwn(),
  ];
  return candidates.find((candidate) => candidate && existsSync(candidate));
}

function playwrightsOwn() {
  return createRequire(import.meta.url)('playwright-core').chromium.executablePath();
}

function installFromDebian() {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined;
  process.stderr.write('Installing Chromium from Debian for the browser tests.\n');
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const options = { stdio: ['ignore', 'ignore', 'inherit'], env: environment };
  spawnSync('apt-get', ['update', '-qq'], options);
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-dejavu-core'], options);
  return findChromium();
}

function installWithPlaywright() {
  process.stderr.write('Installing Chromium with Playwright for the browser tests.\n');
  const installer = join(root, 'node_modules/playwright-core/cli.js');
  spawnSync(process.execPath, [installer, 'install', 'chromium'], { stdio: ['ignore', 2, 2], timeout: 300_000 });
  return findChromium();
}
