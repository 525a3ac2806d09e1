// An application is connected while its page is open: the first sign-in shows up by itself, and so does what went wrong.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertNotTooWide } from '../harness/browser.ts';
import { firstUntilRelease, releaseTest } from '../harness/lane.ts';
import { Person } from '../harness/person.ts';
import { authorizePath, newVerifier, obtainTokens } from '../harness/relying-party.ts';
import { consoleSite } from '../harness/signed-in-browser.ts';

const site = consoleSite();

/** How long the page waits before it asks again. */
const poll = 3000;

/** From here on, time passes in the page when the test says so. */
async function stopClock(page: Page): Promise<void> {
  await page.clock.install();
  await page.reload();
}

test('the page notices a refused request, and then the first sign-in', async () => {
  const client = await site.service.newClient();
  const path = `/admin/applications/${client.id}`;
  await site.open(path, async (page) => {
    await stopClock(page);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    const status = page.getByRole('status');
    await status.getByText('Waiting for the first sign-in…').waitFor();
    const uri = `${client.redirectUri}/other`;
    await new Person(site.service).visit(authorizePath(client, newVerifier(), { redirect_uri: uri }));
    await page.clock.runFor(poll);
    await status.getByText("The redirect URI isn't registered.").waitFor();
    // What has come by itself can be pressed.
    await status.getByRole('button', { name: 'Add this URI' }).click();
    await page.getByText('Redirect URI added.').waitFor();
    await page.locator('#connection').getByText('Waiting for the first sign-in…').waitFor();
    await obtainTokens(site.service, client, await site.service.newUser());
    await page.clock.runFor(poll);
    const time = page.locator('#connection .notice.good time');
    await time.waitFor();
    assert.match((await time.getAttribute('title')) ?? '', /\d{4}/, "in the reader's time zone");
    // Nothing is asked any more.
    asked.length = 0;
    await page.clock.runFor(10 * poll);
    assert.deepEqual(asked, []);
  });
});

test('a page that nobody looks at asks nothing', async () => {
  const client = await site.service.newClient();
  await site.open(`/admin/applications/${client.id}`, async (page) => {
    await stopClock(page);
    await page.evaluate("Object.defineProperty(document, 'hidden', { value: true, configurable: true })");
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.clock.runFor(10 * poll);
    assert.deepEqual(asked, []);
    const next = page.waitForRequest(`${site.service.url}/admin/applications/${client.id}`);
    await page.evaluate("delete document.hidden; document.dispatchEvent(new Event('visibilitychange'))");
    await next;
  });
});

// A look at a few pages.
releaseTest('what comes next on a page stands apart from what is above it', async () => {
  const { id } = await site.service.newClient();
  await site.open('/admin', async (page) => {
    for (const [path, above, below] of [
      ['settings/console', '#first_steps-hint', 'main form .actions button'],
      [`applications/${id}/access`, '.chips:has(+ details)', '.chips + details'],
      ['keys', '.empty', '.empty + form'],
      ['search?q=settings', '.found > [role=status]', '.found section'],
    ] as const) {
      await page.goto(`${site.service.url}/admin/${path}`);
      const [first, next] = [await page.locator(above).boundingBox(), await page.locator(below).first().boundingBox()];
      assert.ok(first && next, path);
      assert.ok(next.y - (first.y + first.height) >= 14, `${path}: ${next.y - (first.y + first.height)}`);
    }
    // The field belongs to the button below it.
    await page.goto(`${site.service.url}/account/security`);
    const form = page.locator('form[action="/account/passkeys"]');
    const [name, add] = [form.locator('summary'), form.getByRole('button', { name: 'Add a passkey' })];
    assert.ok(((await name.boundingBox())?.y ?? 0) < ((await add.boundingBox())?.y ?? 0));
  });
});

for (const javaScriptEnabled of firstUntilRelease([true, false])) {
  test(`what belongs to a choice appears with it (${javaScriptEnabled ? 'with' : 'without'} JavaScript)`, () =>
    site.open(
      '/admin/applications/new',
      async (page) => {
        const remark = page.getByText('Nobody can sign in until you’ve added them');
        assert.equal(await remark.isVisible(), false);
        await page.getByLabel('Only people and groups that you choose').check();
        assert.equal(await remark.isVisible(), true);
        const logout = page.getByLabel('Back-channel logout URI');
        assert.equal(await logout.isVisible(), false, 'it is one of the other options');
        await page.getByText('More options').click();
        assert.equal(await logout.isVisible(), true);
        await page.getByLabel('Public: runs in a browser').check();
        assert.equal(await logout.isVisible(), false, 'a public application has no secret to sign with');

        await page.goto(`${site.service.url}/admin/settings/accounts`);
        const domains = page.getByLabel('Domains for sign-up');
        assert.equal(await domains.isVisible(), false);
        await page.getByLabel('People with an email address in one of these domains').check();
        assert.equal(await domains.isVisible(), true);
        await page.goto(`${site.service.url}/admin/settings`);
        const until = page.getByLabel('Existing passwords work until');
        assert.equal(await until.isVisible(), false);
        await page.getByLabel('Not for people with a role').check();
        assert.equal(await until.isVisible(), true);
        await until.fill('tomorrow');
        await page.getByRole('button', { name: 'Save settings' }).click();
        await page.getByText('must be a date such as').waitFor();
        await page.getByLabel('Allowed', { exact: true }).check();
        assert.equal(await until.isVisible(), true, 'what was refused is in view');
        await page.goto(`${site.service.url}/admin/settings/accounts#sign_up_domains`);
        assert.equal(await domains.isVisible(), true, 'and so is what a link leads to');

        await page.goto(`${site.service.url}/admin/keys`);
        const roles = page.getByRole('group', { name: 'Roles', exact: true });
        assert.equal(await roles.isVisible(), false);
        await page.getByLabel('Limited to roles').check();
        assert.equal(await roles.isVisible(), true);
        await roles.getByLabel('Auditor').check();
        await page.getByLabel('Read', { exact: true }).check();
        assert.equal(await roles.isVisible(), true, 'what would be sent is in view');
        await roles.getByLabel('Auditor').uncheck();
        assert.equal(await roles.isVisible(), false);
      },
      { javaScriptEnabled },
    ));
}

test('on a phone, the current tab of an application is in view', async () => {
  const { id } = await site.service.newClient();
  const path = `/admin/applications/${id}`;
  const phone = { viewport: { width: 375, height: 667 } };
  await site.open(
    path,
    async (page) => {
      const tabs = await page.locator('.tabs a').evaluateAll((links) => links.map((link) => link.getAttribute('href')));
      assert.equal(tabs.length, 7);
      // From the last one, which is the first to be out of view.
      for (const tab of firstUntilRelease(tabs.toReversed(), 2)) {
        await page.goto(`${site.service.url}${tab}`);
        const current = page.locator('.tabs a[aria-current]');
        assert.equal(await current.getAttribute('href'), tab);
        const { x, width } = (await current.boundingBox()) ?? assert.fail(`${tab}`);
        assert.ok(x >= 0 && x + width <= 375, `${tab}: from ${x} to ${x + width}`);
        await assertNotTooWide(page, `${tab}`);
      }
    },
    phone,
  );
});

// A page for developers.
releaseTest('on a phone, the outbox has room for a long email address', async () => {
  const user = await site.service.newUser({ email: `${'long'.repeat(15)}@${'subdomain.'.repeat(6)}example.test` });
  await new Person(site.service).signIn(user);
  await site.open(
    '/admin',
    async (page) => {
      await page.goto(`${site.service.url}/dev/outbox`);
      await page.getByText(user.email).first().waitFor();
      await assertNotTooWide(page, 'outbox');
    },
    { viewport: { width: 375, height: 667 } },
  );
});
