// Webhooks in a real browser: created with the keyboard alone, tested, looked at, and deleted after a question.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertNotTooWide } from '../harness/browser.ts';
import { consoleSite } from '../harness/signed-in-browser.ts';
import { until } from '../harness/until.ts';
import { allowLoopback, type Receiver, startReceiver } from '../harness/webhooks.ts';

const site = consoleSite(allowLoopback);
let receiver: Receiver;
before(async () => {
  receiver = await startReceiver();
});
after(() => receiver?.stop());

const reaches = (page: Page, heading: string) =>
  page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const says = (page: Page, text: string) => page.locator('[role=status]').filter({ hasText: text }).waitFor();

test('an administrator creates, tests and deletes a webhook by keyboard', () =>
  site.open('/admin/webhooks', async (page) => {
    await page.getByRole('link', { name: 'New webhook' }).focus();
    await page.keyboard.press('Enter');
    await reaches(page, 'New webhook');
    await page.getByLabel('URL', { exact: true }).focus();
    await page.keyboard.type(receiver.url);
    // Past the description and the choice of all types to the list, which opens.
    for (let steps = 0; steps < 3; steps++) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('user.disabled').waitFor();
    await page.getByLabel('URL', { exact: true }).focus();
    await page.keyboard.press('Enter');
    await reaches(page, 'Copy your signing secret');
    await page.getByRole('link', { name: "I've saved my secret" }).click();

    await press(page, 'Send test message');
    await says(page, 'Test message queued.');
    const delivered = async () => {
      await page.reload();
      return (await page.getByText('HTTP 204').count()) > 0;
    };
    await until(delivered, 'the test message is delivered');
    await page.locator('summary', { hasText: 'webhook.test' }).press('Enter');
    await page.getByText('"type": "webhook.test"').waitFor();
    await page.setViewportSize({ width: 320, height: 700 });
    await assertNotTooWide(page, 'deliveries on a small phone');
    await page.setViewportSize({ width: 1280, height: 800 });

    await page.getByRole('link', { name: 'Settings' }).last().click();
    await page.getByRole('link', { name: 'Delete webhook' }).click();
    await page.locator('dialog').getByRole('button', { name: 'Delete webhook' }).click();
    await says(page, 'Webhook deleted.');
    assert.deepEqual(await site.service.rows('webhook_endpoints'), []);
  }));
