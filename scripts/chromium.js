// Finds Chromium where systems keep it, or installs it. Plain JavaScript that Node 20 understands.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { root } from './prepare.js';

// The headless shell first: the same engine without a browser around it takes half the CPU.
const commands = [
  'chromium-headless-shell',
  'chrome-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
];
const places = [
  '/usr/lib/chromium/chromium',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** The path of a Chromium; exits with an explanation if there is none and none can be installed. */
export function ensureChromium() {
  const found = findChromium() ?? installFromDebian() ?? installWithPlaywright();
  if (found !== undefined) return found;
  process.stderr.write(
    'The browser tests need Chromium, and none was found or could be installed. Install one (Debian: apt-get install ' +
      'chromium-headless-shell) or set CHROMIUM_PATH.\n',
  );
  process.exit(1);
}

function findChromium() {
  const configured = process.env.CHROMIUM_PATH;
  if (configured) {
    if (existsSync(configured)) return configured;
    process.stderr.write(`CHROMIUM_PATH is ${configured}, but there is no such file.\n`);
    process.exit(1);
  }
  const folders = (process.env.PATH ?? '').split(delimiter);
  const candidates = [
    ...commands.flatMap((command) => folders.map((folder) => join(folder, command))),
    ...places,
    playwrightChromium(),
  ];
  return candidates.find((candidate) => candidate && existsSync(candidate));
}

function playwrightChromium() {
  return createRequire(import.meta.url)('playwright-core').chromium.executablePath();
}

function installFromDebian() {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined;
  process.stderr.write('Installing Chromium from Debian for the browser tests.\n');
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const options = { stdio: ['ignore', 'ignore', 'inherit'], env: environment };
  const install = (name) =>
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name, 'fonts-dejavu-core'], options);
  spawnSync('apt-get', ['update', '-qq'], options);
  // Older releases have the whole browser only.
  if (install('chromium-headless-shell').status !== 0) install('chromium');
  return findChromium();
}

function installWithPlaywright() {
  process.stderr.write('Installing Chromium with Playwright for the browser tests.\n');
  const installer = join(root, 'node_modules/playwright-core/cli.js');
  spawnSync(process.execPath, [installer, 'install', 'chromium'], { stdio: ['ignore', 2, 2], timeout: 300_000 });
  return findChromium();
}
