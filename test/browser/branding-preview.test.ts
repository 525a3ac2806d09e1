// The branding page shows the sign-in page and an email as they'd look, while the form is being filled in.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { FrameLocator, Page } from 'playwright-core';
import { accentColors } from '../../src/protocol/brand/accent.ts';
import { sharedBrowser } from '../harness/browser.ts';
import { consoleSite, signInPastPage } from '../harness/signed-in-browser.ts';
import { until } from '../harness/until.ts';

const site = consoleSite();
let page: Page;

before(async () => {
  const context = await (await sharedBrowser()).newContext({ viewport: { width: 1280, height: 800 } });
  page = await context.newPage();
  await signInPastPage(page, site.service, site.administrator);
  await page.goto(`${site.service.url}/admin/settings/branding`);
});
after(() => page?.context().close());

const preview = (name: string): FrameLocator => page.frameLocator(`iframe[title="${name}"]`);
/** Undefined while the preview is loaded anew. */
const backgroundOf = (frame: FrameLocator, selector: string) =>
  frame
    .locator(selector)
    .first()
    .evaluate((element) => {
      const { getComputedStyle } = globalThis as unknown as { getComputedStyle(of: unknown): Record<string, string> };
      return getComputedStyle(element)['background-color'];
    })
    .catch(() => undefined);
const hasBackground = (name: string, selector: string, color: string) =>
  until(async () => (await backgroundOf(preview(name), selector)) === color, `${color} in ${name}`);
const rgb = (hex: string) => `rgb(${[1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join(', ')})`;

test('what is typed shows in all four, and is not saved', async () => {
  assert.equal(await page.locator('iframe').count(), 4);
  const steps = (await page.evaluate('history.length')) as number;
  await page.getByLabel('Service name').fill('Harbor & <b>Sons</b>');
  await page.locator('input[name=accent]').fill('#0f766e');
  for (const name of ['Sign-in page, light', 'Sign-in page, dark']) {
    await preview(name).getByText('Harbor & <b>Sons</b>').first().waitFor();
  }
  for (const name of ['Email, light', 'Email, dark']) {
    await preview(name)
      .getByText(/^Harbor & <b>Sons<\/b>, /)
      .waitFor();
  }
  for (const theme of ['light', 'dark'] as const) {
    await hasBackground(`Sign-in page, ${theme}`, 'button.primary', rgb(accentColors('#0f766e', theme).fill));
  }
  await until(async () => {
    const [light, dark] = [preview('Sign-in page, light'), preview('Sign-in page, dark')];
    const colors = [await backgroundOf(light, 'body'), await backgroundOf(dark, 'body')];
    return !colors.includes(undefined) && colors[0] !== colors[1];
  }, 'another background in dark');
  await hasBackground('Email, light', 'body', 'rgb(255, 255, 255)');
  await hasBackground('Email, dark', 'body', 'rgb(21, 21, 24)');
  assert.equal(await page.evaluate('history.length'), steps, 'Back leads to where it led before');
  assert.equal((await site.service.running.services.settings.readFresh()).service_name, 'Latchkey');
});

test('a color that is not one leaves the stored one', async () => {
  await page.locator('input[name=accent]').fill('#0f7');
  await hasBackground('Sign-in page, light', 'button.primary', rgb(accentColors('#4338ca', 'light').fill));
});

test('nothing in a preview works, and it stays within our own pages', async () => {
  const response = await page.request.get(`${site.service.url}/admin/settings/branding/preview?page=sign-in`);
  const headers = response.headers();
  assert.match(headers['content-security-policy'] ?? '', /form-action 'none'; frame-ancestors 'self'; .*sandbox$/);
  assert.doesNotMatch(headers['content-security-policy'] ?? '', /script-src/);
  assert.equal(headers['x-frame-options'], 'SAMEORIGIN');
  const around = (await page.request.get(`${site.service.url}/admin/settings/branding`)).headers();
  assert.match(around['content-security-policy'] ?? '', /frame-ancestors 'none'/);
  const alone = await page.context().newPage();
  const opened = await alone.goto(`${site.service.url}/admin/settings/branding/preview?service_name=Made+up`);
  assert.equal(opened?.status(), 404, 'it is no page of its own');
  await alone.close();
  assert.equal(await page.locator('iframe:not([inert][sandbox=""])').count(), 0);
});
