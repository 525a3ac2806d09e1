// A real Chromium, and what every page has to pass in it. `npm test` finds or installs one and sets CHROMIUM_PATH.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { atEnd } from './at-end.ts';
import { patience } from './engines/engine.ts';
import { isReleaseLane } from './lane.ts';

/**
 * The first three are a page of Chromium's own that every new window loads for its address bar: a quarter of all the time
 * that the browser tests take. The others are Playwright's list, because the last --disable-features replaces all before.
 */
const disabledFeatures = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];

const desktop = { width: 1280, height: 800 };

let shared: Promise<Browser> | undefined;

/** The one browser of this process, which is closed at its end. A context keeps a test apart from the others. */
export function sharedBrowser(): Promise<Browser> {
  if (shared === undefined) {
    const browser = launchBrowser();
    shared = browser;
    atEnd(async () => (await browser).close());
  }
  return shared;
}

export async function launchBrowser(): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: [...chromiumSwitches] });
  browser.on('context', (context) => context.setDefaultTimeout(patience));
  return browser;
}

/** A page in a browser without cookies of other tests, in which the page's policy may block nothing. */
export async function inBrowser(
  work: (page: Page, context: BrowserContext) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  const context = await (await sharedBrowser()).newContext({ viewport: desktop, ...options });
  const complaints: string[] = [];
  context.on('console', (message) => {
    if (/Content Security Policy|Refused to/i.test(message.text())) complaints.push(message.text());
  });
  try {
    await work(await context.newPage(), context);
    assert.deepEqual(complaints, [], 'nothing is blocked by the content security policy');
  } finally {
    await context.close();
  }
}

export function chromiumPath(): string {
  const path = process.env.CHROMIUM_PATH;
  if (!path) throw new Error('CHROMIUM_PATH is not set; run the tests with "npm test"');
  return path;
}

export const chromiumSwitches: readonly string[] = [
  // Without these, Chromium looks for updates and contacts its vendor at every start.
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
  `--disable-features=${disabledFeatures.join(',')}`,
  // Chromium's own sandbox does not work for root.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];

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

/** What axe finds with these options, one line for each rule that is violated. What passes is not even collected. */
const axeRun = (options: object) =>
  `axe.run(document, ${JSON.stringify({ resultTypes: ['violations'], ...options })}).then(({ violations }) =>
    violations.map(({ id, help, nodes }) => id + ': ' + help + ': ' + nodes.map(({ html }) => html).join(' ')))`;

/** Axe in the page, for tests that run it themselves. Playwright evaluates past the page's policy. */
export const addAxe = (page: Page) => page.evaluate(axeSource);

/** No accessibility violation, and nothing wider than the screen. */
export async function assertPageIsSound(page: Page, name: string): Promise<void> {
  // Playwright evaluates past the page's policy, which rightly forbids scripts.
  assert.deepEqual(await page.evaluate(`${axeSource}; ${axeRun({})}`), [], `accessibility of ${name}`);
  await assertNotTooWide(page, name);
}

/** For pages made of what test/browser/pages.test.ts checks by every rule in both lanes: until a release, just their width. */
export const assertKnownPageIsSound = isReleaseLane ? assertPageIsSound : assertNotTooWide;

/** The rules that depend on colors and width; the rest of a page is the same in every look. */
const rulesOfLooks = ['color-contrast', 'link-in-text-block', 'target-size', 'scrollable-region-focusable'];

const smallPhone = { width: 320, height: 640 };

/**
 * On a desktop in light by every rule, and on a small phone in dark by the rules that depend on the look. The page ends up as
 * it was. Until a release, just its width, as with assertKnownPageIsSound.
 */
export async function assertSoundInBothLooks(page: Page, name: string): Promise<void> {
  if (!isReleaseLane) return assertNotTooWide(page, name);
  await assertPageIsSound(page, `${name} (desktop, light)`);
  const before = page.viewportSize() ?? desktop;
  await wear(page, smallPhone, 'dark');
  // The first check has left axe in the page.
  const violations = await page.evaluate(axeRun({ runOnly: rulesOfLooks }));
  assert.deepEqual(violations, [], `accessibility of ${name} (small phone, dark)`);
  await assertNotTooWide(page, `${name} (small phone, dark)`);
  await wear(page, before, 'light');
}

async function wear(page: Page, viewport: Look['viewport'], colorScheme: Look['colorScheme']): Promise<void> {
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme });
}

export async function assertNotTooWide(page: Page, name: string): Promise<void> {
  const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  assert.equal(overflow, 0, `${name} is wider than the screen`);
}

/** Adds a virtual authenticator that verifies its user at once. Returns a function that counts its passkeys. */
export async function addFingerprintReader(page: Page): Promise<() => Promise<number>> {
  // It would also sign in by itself, where the sign-in page has passkeys offered in the email field.
  await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false');
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return async () => (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length;
}
