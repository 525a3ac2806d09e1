// Who may use which application, in a real browser: an administrator picks people by name, and someone without access
// finds the way to another account, or back.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { changeAllowed } from '../../src/operations/clients/access-list.ts';
import { createGroup } from '../../src/operations/groups/groups.ts';
import { inBrowser } from '../harness/browser.ts';
import { releaseTest } from '../harness/lane.ts';
import { authorizePath, newVerifier } from '../harness/relying-party.ts';
import { requester, type TestUser } from '../harness/service.ts';
import { consoleSite } from '../harness/signed-in-browser.ts';

const site = consoleSite();

async function signIn(page: Page, user: TestUser): Promise<void> {
  await page.fill('[name=email]', user.email);
  await page.fill('[name=password]', user.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

const reaches = (page: Page, heading: string) =>
  page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const says = (page: Page, text: string) => page.locator('[role=status]').filter({ hasText: text }).waitFor();

test('people are added to a group and to an application by name', () =>
  site.open('/admin/groups', async (page) => {
    await site.service.newUser({ name: 'Katherine Johnson' });
    await site.service.newUser({ name: 'Dorothy Vaughan' });
    const client = await site.service.newClient({ name: 'Vault' });
    await page.getByLabel('Name').fill('Computers');
    await press(page, 'Create group');
    await reaches(page, 'Computers');
    await page.getByText('Add people').click();
    await page.getByLabel('Find people').fill('kath');
    await press(page, 'Find');
    await page.getByLabel('Katherine Johnson').check();
    await press(page, 'Add 1 person');
    await says(page, 'Person added.');

    await page.goto(`${site.service.url}/admin/applications/${client.id}`);
    await page.getByRole('link', { name: 'Access', exact: true }).click();
    await press(page, 'Allow group');
    await says(page, 'Access allowed.');
    await page.getByText('Add people').click();
    await page.getByLabel('Find people').fill('vaug');
    await press(page, 'Find');
    await page.getByLabel('Dorothy Vaughan').check();
    await press(page, 'Allow 1 person');
    await says(page, 'Access allowed.');
    await page.getByLabel('Only these people and groups').check();
    await press(page, 'Save changes');
    await page.getByRole('dialog', { name: 'Limit access to Vault?' }).waitFor();
    await press(page, 'Limit access');
    await says(page, 'Access limited to listed people and groups.');
  }));

test('on a page with many groups, a search shows its people without scrolling, and nobody is cut off', () =>
  site.open('/admin/groups', async (page) => {
    const { services } = site.service.running;
    const email = 'persephone.featherstonehaugh@long-department-name.example.com';
    const user = await site.service.newUser({ name: 'Persephone Featherstonehaugh', email });
    const client = await site.service.newClient({ name: 'Crowded', access: 'listed' });
    const names = Array.from({ length: 20 }, (_, index) => `Crowd ${index}`);
    for (const name of names) await createGroup(services, { name }, requester);
    await changeAllowed(
      services,
      client.id,
      'allow',
      { people: [user.id], groups: names, expiresAt: '30d' },
      requester,
    );
    await page.goto(`${site.service.url}/admin/applications/${client.id}/access`);
    const people = page.locator('#people');
    const seen = async () => {
      await people.getByRole('heading').waitFor();
      const top = await people.evaluate((card) => card.getBoundingClientRect().top);
      assert.ok(top > -1 && top < 600, `${top} px from the top of ${page.url()}`);
    };
    await people.getByRole('searchbox').fill('perse');
    await press(page, 'Search');
    await page.waitForURL(/search=perse/);
    await seen();
    const cell = people.locator('tbody th');
    const cut = await cell.evaluate(
      (each) => each.scrollWidth > each.clientWidth || each.scrollHeight > each.clientHeight,
    );
    assert.equal(cut, false, 'the name and the email address are whole');
    assert.equal(await cell.textContent(), `Persephone Featherstonehaugh ${email}`);
    await people.getByRole('link', { name: 'On the list' }).click();
    await page.waitForURL(/view=list/);
    await seen();
    await people.getByText('Check a person').click();
    await people.getByLabel('Email address, username or ID').fill(email);
    await press(page, 'Check access');
    await says(page, 'Persephone Featherstonehaugh can use it.');
    await people.getByText('Add people to the list').click();
    await people.getByLabel('Find people').fill('perse');
    await press(page, 'Find');
    await page.getByRole('checkbox', { name: 'Persephone Featherstonehaugh' }).waitFor();
    await seen();
  }));

// http/oauth/access answers the same.
releaseTest('someone without access returns to the application or switches accounts', () =>
  inBrowser(async (page) => {
    const client = await site.service.newClient({ name: 'Ledger', access: 'listed' });
    const [refused, other] = [await site.service.newUser({ name: 'Mary Jackson' }), await site.service.newUser()];
    await page.route('http://localhost:9999/**', (route) => route.fulfill({ body: 'the application' }));
    await page.goto(site.service.url + authorizePath(client, newVerifier()));
    await signIn(page, refused);
    await reaches(page, "You don't have access to Ledger");
    await page.getByText('Mary Jackson').waitFor();
    await page.getByRole('link', { name: 'Back to Ledger' }).click();
    await page.waitForURL(/^http:\/\/localhost:9999\/callback\?error=access_denied&state=state-1&iss=/);
    await page.goBack();
    await press(page, 'Use another account');
    await reaches(page, 'Sign in');
    await signIn(page, other);
    await reaches(page, "You don't have access to Ledger");
    await page.getByText(other.email).waitFor();
  }),
);
