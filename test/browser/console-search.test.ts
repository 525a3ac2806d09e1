// The console's search by keyboard, as a dialog on every page, and as a page without JavaScript.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { assertPageIsSound } from '../harness/browser.ts';
import { consoleSite } from '../harness/signed-in-browser.ts';

const site = consoleSite();
before(async () => {
  await site.service.newUser({ name: 'Annie Easley', password: null });
  await site.service.newClient({ name: 'Annual report' });
});

const inConsole = (work: (page: Page) => Promise<void>, options?: BrowserContextOptions) =>
  site.open('/admin/people', work, options);

const dialogOn = (page: Page) => page.getByRole('dialog', { name: 'Search the console' });
const focused = (page: Page) =>
  page.evaluate<string>('document.activeElement.textContent.trim().replace(/\\s+/g, " ")');

describe('the search', () => {
  test('opens with a slash, finds while somebody types, and leads on with the arrow keys and Enter', () =>
    inConsole(async (page) => {
      await page.keyboard.press('/');
      await dialogOn(page).waitFor();
      await page.keyboard.type('ann');
      await dialogOn(page).getByRole('link', { name: 'Annual report' }).waitFor();
      await assertPageIsSound(page, 'the search in a dialog');
      await page.keyboard.press('ArrowDown');
      assert.match(await focused(page), /^Annie Easley /);
      await page.keyboard.press('ArrowDown');
      assert.match(await focused(page), /^Annual report /);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Annual report' }).waitFor();
    }));

  test('Ctrl-K opens it, also from a field, Enter opens the first result, and Escape closes it', () =>
    inConsole(async (page) => {
      await page.getByRole('searchbox', { name: 'Search' }).focus();
      await page.keyboard.press('/');
      assert.equal(await page.getByRole('searchbox', { name: 'Search' }).inputValue(), '/');
      assert.equal(await dialogOn(page).count(), 0);
      await page.keyboard.press('Control+k');
      await dialogOn(page).waitFor();
      await page.keyboard.press('Escape');
      await dialogOn(page).waitFor({ state: 'hidden' });
      await page.keyboard.press('Control+k');
      await page.keyboard.type('easley');
      await dialogOn(page).getByRole('link', { name: 'Annie Easley' }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Annie Easley' }).waitFor();
    }));

  test('asks once for what is typed in one go, and drops an answer that comes too late', () =>
    inConsole(async (page) => {
      const asked: string[] = [];
      await page.route('**/admin/search?*', async (route) => {
        const text = new URL(route.request().url()).searchParams.get('q') ?? '';
        asked.push(text);
        if (text === 'ann') await new Promise((resolve) => setTimeout(resolve, 600));
        await route.continue().catch(() => {});
      });
      await page.keyboard.press('/');
      await page.keyboard.type('ann');
      while (asked.length === 0) await page.waitForTimeout(20);
      await page.keyboard.type('ual');
      await dialogOn(page).getByRole('link', { name: 'Annual report' }).waitFor();
      await page.waitForTimeout(700);
      assert.deepEqual(asked, ['ann', 'annual']);
      assert.equal(await dialogOn(page).getByRole('link', { name: 'Annie Easley' }).count(), 0);
    }));

  test('is a page without JavaScript, which the navigation leads to', () =>
    inConsole(
      async (page) => {
        await page.getByRole('navigation').getByRole('link', { name: 'Search' }).click();
        await page.getByRole('heading', { level: 1, name: 'Search' }).waitFor();
        await page.getByRole('searchbox', { name: 'Search the console' }).fill('ann');
        await page.keyboard.press('Enter');
        await page.getByRole('link', { name: /^Annie Easley/ }).click();
        await page.getByRole('heading', { level: 1, name: 'Annie Easley' }).waitFor();
      },
      { javaScriptEnabled: false },
    ));
});
