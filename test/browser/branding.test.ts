// The brand in a real browser: many random accents with axe, and a page with everything that a brand can have.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { changeSettings } from '../../src/operations/settings/change-settings.ts';
import { accentColors, accentStylesheet } from '../../src/protocol/brand/accent.ts';
import { contrast } from '../../src/protocol/brand/color.ts';
import { png } from '../harness/account.ts';
import { addAxe, assertSoundInBothLooks, sharedBrowser } from '../harness/browser.ts';
import { isReleaseLane } from '../harness/lane.ts';
import { requester, startTestService, type TestService } from '../harness/service.ts';

let service: TestService;
let browser: Browser;
before(async () => {
  browser = await sharedBrowser();
  service = await startTestService();
});
after(() => service?.stop());

/** What is drawn in the accent or on its tint, and the class of what it stands in. */
const inAccent = [
  ['button.primary'],
  ['main p a'],
  ['.notice.info'],
  ['.badge.accent'],
  ['.chip[aria-current]'],
  ['.navigation a[aria-current]', 'navigation'],
  ['.tabs a[aria-current]', 'tabs'],
];

const count = isReleaseLane ? 200 : 20;

test(`axe finds nothing with ${count} random accents, in light and dark`, async () => {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(`${service.url}/dev/components`);
    await addAxe(page);
    const accents = Array.from({ length: count }, () => `#${randomBytes(3).toString('hex')}`);
    const sheets = accents.map((accent, index) => accentStylesheet(accent).replace(':root', `.with-${index}`));
    // All at once, each in a box of its own, because running axe takes longer than what it looks at.
    const found = (await page.evaluate(`(async () => {
      const example = document.createElement('div');
      const chosen = ${JSON.stringify(inAccent)}.flatMap(([selector, around = '']) => {
        const element = document.querySelector(selector);
        if (element === null) return [];
        const place = document.createElement('div');
        place.className = around;
        place.append(element.cloneNode(true));
        return [place];
      });
      const focused = document.createElement('p');
      focused.className = 'focused';
      example.append(...chosen, focused);
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(${JSON.stringify(sheets.join('\n'))} + '.box { background: var(--ground); color: var(--ink) } .focused { outline: 2px solid var(--focus) }');
      document.adoptedStyleSheets = [sheet];
      const boxes = ['light', 'dark'].flatMap((theme) => ${JSON.stringify(accents)}.map((accent, index) => {
        const box = example.cloneNode(true);
        box.className = 'box with-' + index;
        box.style.colorScheme = theme;
        box.title = accent + ' ' + theme;
        return box;
      }));
      document.body.replaceChildren(...boxes);
      const { violations, passes } = await axe.run(document, { runOnly: ['color-contrast'] });
      return {
        problems: violations.flatMap(({ nodes }) => nodes.map(({ target, failureSummary }) => target + failureSummary)),
        passed: passes.flatMap(({ nodes }) => nodes).length,
        chosen: chosen.length,
        fills: boxes.map((box) => getComputedStyle(box.querySelector('.primary')).backgroundColor),
        tabs: boxes.map((box) => getComputedStyle(box.querySelector('.tabs > a')).borderBlockEndColor),
        rings: boxes.map((box) => ({
          ring: getComputedStyle(box.querySelector('.focused')).outlineColor,
          surfaces: [box, box.querySelector('.notice')].map((each) => getComputedStyle(each).backgroundColor),
        })),
      };
    })()`)) as Found;
    assert.deepEqual(found.problems, [], accents.join(' '));
    assert.ok(
      found.chosen === inAccent.length && found.passed >= 2 * count * found.chosen,
      `${found.passed} texts, ${found.chosen} each`,
    );
    const expected = (['light', 'dark'] as const).flatMap((theme) =>
      accents.map((accent) => rgbOf(accentColors(accent, theme).fill)),
    );
    assert.deepEqual(found.fills, expected, 'each accent was in force');
    assert.deepEqual(found.tabs, expected, 'the line below the current tab has the contrast of the fill');
    for (const { ring, surfaces } of found.rings) {
      for (const surface of surfaces) assert.ok(contrast(hexOf(ring), hexOf(surface)) >= 3, `${ring} on ${surface}`);
    }
  } finally {
    await context.close();
  }
});

interface Found {
  readonly problems: string[];
  readonly passed: number;
  readonly chosen: number;
  readonly fills: string[];
  readonly tabs: string[];
  readonly rings: { readonly ring: string; readonly surfaces: string[] }[];
}

const hexOf = (rgb: string) => `#${Buffer.from((rgb.match(/\d+/g) ?? []).map(Number)).toString('hex')}`;
const rgbOf = (hex: string) => `rgb(${Buffer.from(hex.slice(1), 'hex').join(', ')})`;

test('a page with a logo, links and a message loads without axe or CSP violations', async () => {
  const { services } = service.running;
  await changeSettings(
    services,
    {
      service_name: 'Acme',
      accent: '#ffd400',
      sign_in_message: 'For everyone at Acme.',
      support_url: 'mailto:help@acme.example',
      terms_url: 'https://acme.example/terms',
    },
    requester,
  );
  for (const image of ['logo', 'favicon'] as const) await changeSettings(services, { [image]: png }, requester);
  const context = await browser.newContext();
  const complaints: string[] = [];
  context.on('console', (message) => complaints.push(message.text()));
  try {
    const page = await context.newPage();
    await page.goto(`${service.url}/sign-in`);
    const logo = page.getByRole('img', { name: 'Acme' });
    assert.equal(await logo.evaluate((image) => 'naturalWidth' in image && image.naturalWidth), 1);
    const fill = rgbOf(accentColors('#ffd400', 'light').fill);
    assert.equal(await page.evaluate("getComputedStyle(document.querySelector('.primary')).backgroundColor"), fill);
    await assertSoundInBothLooks(page, 'sign-in with a brand');
    assert.deepEqual(complaints, []);
  } finally {
    await context.close();
  }
});
