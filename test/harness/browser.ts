// A real Chromium. `npm test` finds one, or installs one, and says where it is.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, chromium, type Page } from 'playwright-core';

export async function launchBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH;
  if (!executablePath) throw new Error('CHROMIUM_PATH is not set; run the tests with "npm test"');
  return chromium.launch({
    executablePath,
    // Without these, Chromium looks for updates and its maker's hosts at every start.
    args: [
      ...['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
      ...['--disable-component-update', '--disable-sync', '--disable-dev-shm-usage'],
      // Chromium's own sandbox does not work for root.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  });
}

export interface Look {
  readonly name: string;
  readonly viewport: { width: number; height: number };
  readonly colorScheme: 'light' | 'dark';
}

export const looks: readonly Look[] = [
  { name: 'phone, light', viewport: { width: 360, height: 740 }, colorScheme: 'light' },
  { name: 'phone, dark', viewport: { width: 360, height: 740 }, colorScheme: 'dark' },
  { name: 'desktop, light', viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  { name: 'desktop, dark', viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
];

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeResults {
  violations: { id: string; help: string; nodes: { html: string }[] }[];
}

/** No accessibility violation, nothing wider than the screen, nothing that the content security policy has blocked. */
export async function assertPageIsSound(page: Page, name: string): Promise<void> {
  // Playwright evaluates past the page's policy, which rightly forbids scripts.
  const results = (await page.evaluate(`${axeSource}; axe.run(document)`)) as AxeResults;
  const violations = results.violations.map((violation) => {
    return `${violation.id}: ${violation.help}: ${violation.nodes.map((node) => node.html).join(' ')}`;
  });
  assert.deepEqual(violations, [], `accessibility of ${name}`);
  const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  assert.equal(overflow, 0, `${name} is wider than the screen`);
}

/** What depends on the colours and the width; the rest of a page is the same in every look. */
const rulesOfLooks = ['color-contrast', 'link-in-text-block', 'target-size', 'scrollable-region-focusable'];
const smallPhone = { width: 320, height: 640 };

/** On a desktop in light, by every rule, and on a small phone in dark, by those that depend on the look. */
export async function assertSoundInBothLooks(page: Page, name: string): Promise<void> {
  const viewport = page.viewportSize();
  await assertPageIsSound(page, name);
  await page.setViewportSize(smallPhone);
  await page.emulateMedia({ colorScheme: 'dark' });
  // The first judgement has left its rules in the page.
  const violations = await page.evaluate(`axe.run(document, { runOnly: ${JSON.stringify(rulesOfLooks)} }).then(
    ({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`);
  assert.deepEqual(violations, [], `accessibility of ${name} on a phone in the dark`);
  const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  assert.equal(overflow, 0, `${name} is wider than a phone`);
  if (viewport !== null) await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme: 'light' });
}
