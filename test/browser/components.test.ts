// The page that shows every component in every state, in light and dark, on a phone and a desktop.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { assertPageIsSound, looks, sharedBrowser } from '../harness/browser.ts';
import { releaseTest } from '../harness/lane.ts';
import { startTestService, type TestService } from '../harness/service.ts';

let service: TestService;
let browser: Browser;
before(async () => {
  browser = await sharedBrowser();
  service = await startTestService();
});
after(() => service?.stop());

async function open(work: (page: Page) => Promise<void>, options: object = {}): Promise<void> {
  const context = await browser.newContext(options);
  try {
    const page = await context.newPage();
    await page.goto(`${service.url}/dev/components`);
    await work(page);
  } finally {
    await context.close();
  }
}

for (const { name, viewport, colorScheme } of looks) {
  releaseTest(`screenshots of all components (${name})`, async () => {
    await open(
      async (page) => {
        await assertPageIsSound(page, `components (${name})`);
        const picture = await page.screenshot({ fullPage: true });
        assert.ok(picture.length > 50_000, 'there is something to see');
      },
      { viewport, colorScheme },
    );
  });
}

releaseTest('an open menu and an open dialog have their picture taken', async () => {
  await open(async (page) => {
    const menu = page.locator('.menu:not([open]) > summary', { hasText: 'More' });
    const [closed, shown] = [await page.screenshot(), page.locator('main')];
    await menu.click();
    const withMenu = await shown.screenshot();
    await page.getByRole('link', { name: 'Delete person' }).click();
    await page.getByRole('dialog', { name: 'Components' }).waitFor();
    await assertPageIsSound(page, 'open dialog');
    const withDialog = await page.screenshot();
    assert.ok(withMenu.length > 50_000 && !withDialog.equals(closed), 'the menu and the dialog are to be seen');
  });
});

test('a menu and the bars of a chart work without JavaScript', async () => {
  await open(
    async (page) => {
      await page.locator('summary', { hasText: 'More' }).first().click();
      await page.getByRole('button', { name: 'Disable account' }).first().waitFor();

      const bars = page.getByRole('radiogroup').first();
      const tips = bars.locator('.tip:visible');
      assert.equal(await tips.count(), 0);
      await bars.locator('label').nth(3).hover();
      assert.deepEqual(await tips.allTextContents(), ['5 May, 3:00: 12']);
      await page.mouse.move(0, 0);
      await bars.getByRole('radio').nth(11).focus();
      await page.keyboard.press('ArrowRight');
      assert.deepEqual(await tips.allTextContents(), ['5 May, 12:00: 21']);
    },
    { javaScriptEnabled: false },
  );
});

test('right-to-left pages are mirrored, including arrows', async () => {
  await open(async (page) => {
    await page.evaluate("document.documentElement.dir = 'rtl'");
    const [side, main] = [await page.locator('.side').boundingBox(), await page.locator('main').boundingBox()];
    assert.ok(side && main && side.x >= main.x + main.width);
    const flipped = await page.evaluate("getComputedStyle(document.querySelector('.pager .pointing')).transform");
    assert.equal(flipped, 'matrix(-1, 0, 0, 1, 0, 0)');
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    assert.equal(await page.evaluate(overflow), 0);
  });
});
