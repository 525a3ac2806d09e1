// Claims of an application in a real browser: however long they are, the pages that show them hold.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertKnownPageIsSound, assertNotTooWide, sharedBrowser } from '../harness/browser.ts';
import { allGroups, attributeSource, claimOf, newGroup, newUserWith, setClaims } from '../harness/claims.ts';
import { authorizePath, newVerifier } from '../harness/relying-party.ts';
import { startTestService, type TestService } from '../harness/service.ts';

let service: TestService;

before(async () => {
  service = await startTestService();
});
after(() => service?.stop());

test('long names, long values and 200 groups fit on a small phone, and the buttons are in reach', async () => {
  const teams = Array.from({ length: 200 }, (_, index) => `Team ${index}`);
  const user = await newUserWith(service, { department: 'x'.repeat(1024), teams });
  await newGroup(service, 'g'.repeat(100), user);
  const client = await service.newClient();
  await setClaims(service, client.id, [
    claimOf('groups', allGroups),
    claimOf(`https://app.example/${'c'.repeat(100)}`, attributeSource('department', true)),
    claimOf('teams', attributeSource('teams'), { label: 'l'.repeat(100) }),
  ]);
  const context = await (await sharedBrowser()).newContext({ viewport: { width: 320, height: 640 } });
  try {
    const page = await context.newPage();
    await page.goto(service.url + authorizePath(client, newVerifier()));
    await page.fill('[name=email]', user.email);
    await page.fill('[name=password]', user.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    const all = page.getByText('and 197 more');
    await all.waitFor();
    await assertKnownPageIsSound(page, 'the consent page');
    assert.equal(await page.getByText('Team 199').isVisible(), false);
    await all.click();
    await page.getByText('Team 199').scrollIntoViewIfNeeded();
    await assertKnownPageIsSound(page, 'the consent page, unfolded');
    // Nothing answers there.
    const back = page.waitForRequest((request) => request.url().startsWith(client.redirectUri));
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await back;
    const apps = await context.newPage();
    await apps.goto(`${service.url}/account/apps`);
    await apps.getByText('and 197 more').click();
    await assertNotTooWide(apps, 'Connected apps');
    await assertKnownPageIsSound(apps, 'Connected apps');
  } finally {
    await context.close();
  }
});
