// Identity providers in a real browser: added, looked at on a small phone, refreshed, and deleted after a question.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertNotTooWide } from '../harness/browser.ts';
import { allowLoopbackUpstreams, type DiscoveryServer, newLinkedUser, startDiscovery } from '../harness/discovery.ts';
import { consoleSite } from '../harness/signed-in-browser.ts';

const site = consoleSite(allowLoopbackUpstreams);
let provider: DiscoveryServer;
before(async () => {
  provider = await startDiscovery();
});
after(() => provider?.stop());

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const says = (page: Page, text: string) => page.locator('[role=status]').filter({ hasText: text }).waitFor();

test('an administrator adds an identity provider, accepts new endpoints and deletes it', () =>
  site.open('/admin/providers', async (page) => {
    await page.getByRole('link', { name: 'Add identity provider' }).click();
    await page.getByRole('link', { name: /^Other/ }).click();
    await page.fill('[name=name]', 'company');
    assert.equal(await page.locator('#callback').textContent(), `${site.service.url}/sign-in/with/company/callback`);
    await page.fill('[name=issuer]', 'https://10.0.0.1');
    await page.fill('[name=name]', 'company');
    await page.fill('[name=label]', 'Company');
    await page.fill('[name=client_id]', 'ours');
    await page.fill('[name=client_secret]', 'hidden');
    await press(page, 'Add identity provider');
    await page.locator('#issuer-problem').waitFor();
    await page.locator('[name=issuer]:focus').waitFor();
    const shown = await page.locator('[name=issuer]').boundingBox();
    assert.ok(shown && shown.y > 0 && shown.y < 760, 'what is wrong is in view');
    await page.locator('[name=scopes]').waitFor();
    // The secret is kept.
    await page.fill('[name=issuer]', provider.issuer);
    await press(page, 'Add identity provider');
    await says(page, 'Identity provider added.');
    await page.setViewportSize({ width: 320, height: 700 });
    await assertNotTooWide(page, 'an identity provider on a small phone');
    const upstream = await site.service.running.services.storage.findUpstream('company');
    assert.ok(upstream);
    const person = await newLinkedUser(site.service, upstream);
    await page.goto(`${site.service.url}/admin/people/${person.id}/security`);
    const cutOff =
      "[...document.querySelectorAll('.rows')].filter((each) => each.scrollWidth > each.clientWidth).length";
    assert.equal(await page.evaluate(cutOff), 0, 'a table is cut off on a small phone');
    await page.goto(`${site.service.url}/admin/providers/company`);

    provider.announced = { ...provider.announced, token_endpoint: `${provider.issuer}/elsewhere` };
    await press(page, 'Check for changes');
    await page.getByText(`${provider.issuer}/elsewhere`).waitFor();
    await assertNotTooWide(page, 'other endpoints on a small phone');
    await press(page, 'Use new endpoints');
    await says(page, 'New endpoints are in use.');
    await page.getByRole('link', { name: 'Delete identity provider' }).click();
    await press(page, 'Delete identity provider');
    await says(page, 'Identity provider deleted.');
    assert.deepEqual(await site.service.rows('upstreams'), []);
  }));
