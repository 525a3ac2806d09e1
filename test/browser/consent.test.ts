// The consent page fits the screen: "Allow" can be pressed without scrolling, however much is shared, and everything that is
// shared can be opened.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { messagesIn } from '../../src/pages/languages/languages.ts';
import { assertKnownPageIsSound, assertNotTooWide } from '../harness/browser.ts';
import { attributeSource, claimOf, newUserWith, setClaims } from '../harness/claims.ts';
import { firstUntilRelease } from '../harness/lane.ts';
import { authorizePath, newVerifier } from '../harness/relying-party.ts';
import { go, inBrowser, service, signIn, smallPng, startAccountSite } from './account-site.ts';

startAccountSite();

/** A person with a full profile and 50 teams, and an application that gets to know them. */
async function newcomer(locale: string) {
  const teams = ['Engineering', 'Finance', 'Research', ...Array.from({ length: 47 }, (_, index) => `Team ${index}`)];
  const user = await newUserWith(
    service,
    { department: 'Analytical engines', cost_center: '4711', teams },
    { email: `ada.lovelace.${locale}@analytical.example`, name: 'Ada Lovelace', locale },
  );
  await service.execute(
    `UPDATE users SET given_name = 'Ada', family_name = 'Lovelace', preferred_username = 'ada' WHERE id = '${user.id}'`,
  );
  const app = await service.newClient({
    name: 'Photo album',
    clientUri: 'https://photos.example',
    policyUri: 'https://photos.example/privacy',
    tosUri: 'https://photos.example/terms',
  });
  await setClaims(service, app.id, [
    claimOf('teams', attributeSource('teams'), { label: 'Teams' }),
    claimOf('department', attributeSource('department', true), { label: 'Department' }),
    claimOf('cost_center', attributeSource('cost_center'), { label: 'Cost center' }),
  ]);
  return { app, user };
}

const screens = [
  { width: 1280, height: 720 },
  { width: 1366, height: 768 },
  { width: 375, height: 667 },
];

for (const language of firstUntilRelease(['de', 'en', 'ar'])) {
  test(`"Allow" is visible without scrolling, with a full profile and three claims (${language})`, async () => {
    const { app, user } = await newcomer(language);
    const { approve } = messagesIn(language).consent;
    await inBrowser(
      async (page) => {
        await signIn(page, user);
        await uploadPicture(page);
        for (const viewport of screens) {
          const name = `${viewport.width} × ${viewport.height}`;
          await page.setViewportSize(viewport);
          await go(page, authorizePath(app, newVerifier()));
          const button = page.getByRole('button', { name: approve, exact: true });
          const box = await button.boundingBox();
          assert.ok(box, name);
          assert.ok(box.y >= 0 && box.y + box.height <= viewport.height, `${name}: ends at ${box.y + box.height}`);
          assert.ok(box.x >= 0 && box.x + box.width <= viewport.width, name);
          assert.equal(await page.evaluate('scrollY'), 0, name);
          await assertNotTooWide(page, name);
          // The names of a long list are cut off where there's no room for them, and nothing else.
          const shown = viewport.width > 1000 ? '.shared .folded :is(strong, .brief)' : '.shared .folded strong';
          for (const part of await page.locator(shown).all()) {
            assert.ok(await part.evaluate((element) => element.scrollWidth <= element.clientWidth + 1), name);
          }
          for (const line of await page.locator('.account-row > p, .shared > li').all()) {
            const { height = 99 } = (await line.boundingBox()) ?? {};
            assert.ok(height < 36, `${name}: one line: ${await line.innerText()}`);
          }
        }
        await assertKnownPageIsSound(page, 'consent');
      },
      { locale: language },
    );
  });
}

test('what is folded on the consent page opens: the profile, the account ID and every name of a long list', async () => {
  const { app, user } = await newcomer('en-GB');
  await inBrowser(
    async (page) => {
      await signIn(page, user);
      await go(page, authorizePath(app, newVerifier()));
      const folded = ['given_name', 'Last updated', user.id, 'Team 46'];
      for (const text of ['First name', ...folded.slice(1)])
        assert.equal(await page.getByText(text, { exact: true }).isVisible(), false, text);
      for (const text of ['Engineering', 'Finance', 'Research', 'and 47 more', 'Analytical engines', '4711'])
        assert.equal(await page.getByText(text, { exact: true }).first().isVisible(), true, text);
      for (const line of await page.locator('.shared summary').all()) {
        const { height = 0 } = (await line.boundingBox()) ?? {};
        assert.ok(height >= 24, `${await line.innerText()}: ${height}`);
      }
      await page.getByText('and 47 more').click();
      await page.getByText('Team 46', { exact: true }).waitFor();
      // Each name once, and a way to close the list instead of what opened it.
      assert.equal(await page.getByText('Research', { exact: true }).filter({ visible: true }).count(), 1);
      assert.equal(await page.getByText('and 47 more').isVisible(), false);
      await page.getByText('Show less').filter({ visible: true }).click();
      assert.equal(await page.getByText('Team 46', { exact: true }).isVisible(), false);
      await page.getByText('and 47 more').click();
      await page.getByText('Your profile').click();
      await page.getByText('First name').waitFor();
      await page.getByText('Last updated').waitFor();
      await page.getByText('Your identity').click();
      await page.getByText(user.id).waitFor();
      await assertKnownPageIsSound(page, 'consent, unfolded');
    },
    { viewport: { width: 375, height: 667 } },
  );
});

async function uploadPicture(page: Page): Promise<void> {
  await go(page, '/account/profile');
  const buffer = await smallPng(page);
  await page.locator('input[type=file]').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer });
  await page.locator('form[action="/account/picture"] button[type=submit]').first().click();
  await page.waitForSelector('.portrait');
}
