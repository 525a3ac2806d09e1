// npm run screenshots: pictures of every page, into the folder that is named or a temporary one.

import { ensureChromium } from './chromium.js';
import { testEnvironment } from './node-test.js';
import { ensureInstalled, projectNode, run } from './prepare.js';

ensureInstalled();
const env = { ...testEnvironment(), CHROMIUM_PATH: ensureChromium() };
run(projectNode(), ['scripts/screenshots.ts', ...process.argv.slice(2)], env);
