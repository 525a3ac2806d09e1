// npm run compatibility: signs in with the client libraries and software that the tests leave out, after installing them
// (scripts/compatibility.ts).

import { ensureChromium } from './chromium.js';
import { ensureInstalled, projectNode, run } from './prepare.js';

ensureInstalled();
run(projectNode(), ['scripts/compatibility.ts', ...process.argv.slice(2)], {
  ...process.env,
  CHROMIUM_PATH: ensureChromium(),
});
