// Every language in a real browser: accessible, no wider than the smallest phone, and times in the reader's time zone.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { languages } from '../../src/pages/languages/languages.ts';
import { languageTags } from '../../src/protocol/languages.ts';
import { assertNotTooWide, assertPageIsSound, sharedBrowser } from '../harness/browser.ts';
import { authorizePath, newVerifier } from '../harness/relying-party.ts';
import { startTestService, type TestClient, type TestService, type TestUser } from '../harness/service.ts';

const smallPhone = { width: 320, height: 640 };
const tokyo = { timezoneId: 'Asia/Tokyo', viewport: smallPhone };

let service: TestService;
let client: TestClient;
let user: TestUser;
let guest: Page;
let owner: Page;

before(async () => {
  const browser = await sharedBrowser();
  service = await startTestService({ LATCHKEY_SIGN_UP: 'open' });
  client = await service.newClient({ name: 'Photo album', redirectUris: ['https://photos.example/callback'] });
  user = await service.newUser();
  guest = await (await browser.newContext(tokyo)).newPage();
  owner = await (await browser.newContext(tokyo)).newPage();
  await owner.goto(`${service.url}/sign-in`);
  await owner.fill('#email', user.email);
  await owner.fill('#password', user.password);
  await owner.press('#password', 'Enter');
  await owner.waitForURL(/\/account/);
});
after(async () => {
  await guest?.context().close();
  await owner?.context().close();
  await service?.stop();
});

const choose = (context: BrowserContext, language: string) =>
  context.addCookies([{ name: 'latchkey_language', value: language, url: service.url }]);

const guestPaths = () => ['/sign-in', '/sign-up', '/reset-password', '/signed-out', '/nowhere'];
const ownerPaths = () => [
  ...['/account', '/account/profile', '/account/security', '/account/sessions', '/account/apps'],
  ...['/account/activity', '/account/data'],
  ...['/account/email', '/account/authenticator', authorizePath(client, newVerifier(), { prompt: 'consent' })],
];

for (const tag of languageTags) {
  test(`${languages[tag].name} fits the smallest phone, and axe finds nothing`, async () => {
    for (const [page, paths] of [[guest, guestPaths()] as const, [owner, ownerPaths()] as const]) {
      await choose(page.context(), tag);
      for (const [index, path] of paths.entries()) {
        await page.goto(service.url + path);
        const { direction } = languages[tag];
        assert.deepEqual(
          await page.evaluate('[document.documentElement.lang, getComputedStyle(document.body).direction]'),
          [tag, direction],
          path,
        );
        // One page of each shell by every rule; on the others the words alone are different.
        if (index === 0) await assertPageIsSound(page, `${path} in ${tag}`);
        else await assertNotTooWide(page, `${path} in ${tag}`);
      }
    }
  });
}

describe('a time', () => {
  test("is in the reader's time zone and language, with the exact time in a tooltip", async () => {
    await choose(owner.context(), 'de');
    await owner.goto(`${service.url}/account/activity`);
    const time = owner.locator('time[data-time=moment]').first();
    const at = new Date((await time.getAttribute('datetime')) ?? '');
    const format = (options: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat('de', { timeZone: 'Asia/Tokyo', ...options }).format(at);
    assert.equal(await time.textContent(), format({ dateStyle: 'long', timeStyle: 'short' }));
    assert.match((await time.getAttribute('title')) ?? '', new RegExp(format({ weekday: 'long' })));
  });
});

test('the picker is used with the keyboard', async () => {
  await choose(guest.context(), 'en');
  await guest.goto(`${service.url}/sign-in`);
  await guest.locator('.languages summary').focus();
  await guest.keyboard.press('Enter');
  await guest.getByRole('button', { name: '日本語' }).focus();
  await guest.keyboard.press('Enter');
  await guest.waitForSelector('html[lang=ja]');
});
