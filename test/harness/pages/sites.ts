// The one table of pages. `npm run screenshots` takes pictures of each, and test/browser/pages.test.ts runs axe on each.

import { accountPages } from './account-pages.ts';
import { consolePages } from './console-pages.ts';
import { demoPages } from './demo-pages.ts';
import { emailCodePages } from './email-code-pages.ts';
import { docsPages, newServicePages } from './other-pages.ts';
import { passwordlessPages } from './passwordless-pages.ts';
import type { Site } from './site.ts';
import { upstreamPages } from './upstream-pages.ts';

export const sites: readonly Site[] = [
  accountPages,
  upstreamPages,
  emailCodePages,
  passwordlessPages,
  newServicePages,
  consolePages,
  demoPages,
  docsPages,
];
