// The overview in a browser: times in its own time zone, which it names, and figures that lead on.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { assertSoundInBothLooks } from '../harness/browser.ts';
import { consoleSite } from '../harness/signed-in-browser.ts';

const site = consoleSite();

const onOverview = (options: BrowserContextOptions, work: (page: Page) => Promise<void>) =>
  site.open('/admin', work, options);

test('the checklist leads to a page, and is gone once it is hidden', () =>
  onOverview({}, async (page) => {
    await assertSoundInBothLooks(page, 'the checklist');
    await page.getByRole('link', { name: 'Register an application' }).click();
    await page.getByRole('heading', { level: 1, name: 'New application' }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Hide checklist' }).click();
    await page.getByRole('status').getByText('Checklist hidden.').waitFor();
    assert.equal(await page.getByText('Finish setting up').count(), 0);
  }));

test('times are in the time zone of the browser, which is named; without JavaScript in UTC', async () => {
  const hour = (zone: string) =>
    new Intl.DateTimeFormat('en-GB', { hour: '2-digit', timeZone: zone }).format(
      Math.floor(site.service.clock.now() / 3_600_000) * 3_600_000,
    );
  await onOverview({ timezoneId: 'Asia/Tokyo' }, async (page) => {
    await page.getByText('Times are in your time zone (Asia/Tokyo).').waitFor();
    assert.equal(await page.getByRole('radio', { name: new RegExp(` ${hour('Asia/Tokyo')}:00: \\d+$`) }).count(), 3);
    await assertSoundInBothLooks(page, 'the overview');
    await page.getByRole('link', { name: 'Last 30 days', exact: true }).click();
    await page.getByText('Days begin and end in UTC.').waitFor();
    await page.getByRole('link', { name: 'Never signed in' }).click();
    await page.waitForURL(/\/admin\/people\?signed_in=never$/);
  });
  await onOverview({ timezoneId: 'Asia/Tokyo', javaScriptEnabled: false }, async (page) => {
    await page.getByText('Times are in UTC.', { exact: true }).waitFor();
    assert.equal(await page.getByRole('radio', { name: new RegExp(`${hour('UTC')}:00 UTC: `) }).count(), 3);
  });
});
