// The one table of pages. `npm run screenshots` takes pictures of each, and test/browser/pages.test.ts runs axe on each before
// a release, and until then on a few.

import { accountPages } from './account-pages.ts';
import { busyPages } from './busy-pages.ts';
import { consolePages } from './console-pages.ts';
import { demoPages } from './demo-pages.ts';
import { emailCodePages } from './email-code-pages.ts';
import { docsPages, newServicePages } from './other-pages.ts';
import { ownerPages } from './owner-pages.ts';
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
  busyPages,
  ownerPages,
  demoPages,
  docsPages,
];

/**
 * The pages that `npm test` checks: together, they have every part that any page has. Before a release, pages.test.ts goes to
 * all pages and names the parts that are missing here.
 */
export const checkedUntilRelease: readonly string[] = [
  'sign-in',
  'profile',
  'your-apps',
  'consent',
  'outbox',
  'components',
  'recovery-codes',
  'security-with-factors',
  'connected-apps',
  'activity',
  'set-up-second-factor',
  'sign-in-providers',
  'sign-in-with-a-brand',
  'console-overview-empty',
  'console-applications',
  'console-new-application',
  'console-application-program',
  'console-group',
  'console-access-people',
  'console-access-request-allow',
  'console-search',
  'console-invitations',
  'console-person',
  'console-disable',
  'console-events',
  'console-provider-kinds',
  'console-settings',
  'console-branding',
  'docs-search',
  'docs-errors',
];

/** The parts that wait for a release, and why. */
export const lateParts: Readonly<Record<string, string>> = {
  '.read-only': 'a field like the others, of somebody from a directory',
  '.claim': 'names and values that break anywhere, of what an identity provider sent',
  '.type-list': 'checkboxes, which /dev/components has, in columns',
  '.unless-linked': 'hides fields',
  '.in-a-minute': 'hides a button at first',
  'input number': 'a text field with arrows',
  '.one': 'hides one part or the other on phones',
  '.depth-3': 'another indentation in the contents of a document',
};

/** The demo has an application's pages, not ours. */
export const lateSites: readonly Site[] = [demoPages];
