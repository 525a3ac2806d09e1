// How pages read for some: in Japanese, and with colors that the system has chosen.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { go, inBrowser, service, signIn, startAccountSite } from './account-site.ts';

startAccountSite();

test('Japanese breaks lines between phrases', async () => {
  await inBrowser(
    async (page) => {
      await go(page, '/sign-in');
      assert.equal(await page.evaluate('document.documentElement.lang'), 'ja');
      assert.equal(await page.evaluate('getComputedStyle(document.querySelector("h1")).wordBreak'), 'auto-phrase');
    },
    { locale: 'ja' },
  );
});

for (const path of ['/account/security', '/docs/quickstart', '/admin/people?role=any']) {
  test(`with forced colors, the current section of ${path} is marked`, async () => {
    const user = await service.newUser({ admin: true });
    await inBrowser(
      async (page) => {
        await signIn(page, user);
        await go(page, path);
        // What is painted: computed styles don't say what the colors were replaced with.
        const corner = async (which: string) => {
          const { x, y, height } = (await page.locator(`nav a${which}`).first().boundingBox()) ?? assert.fail(which);
          return page.screenshot({ clip: { x: x + 3, y: y + height / 2, width: 1, height: 1 } });
        };
        const current = await corner('[aria-current=page]');
        assert.notDeepEqual(current, await corner(':not([aria-current])'));
        const colors = await page.evaluate<string[]>(`(() => {
          const sample = document.body.appendChild(document.createElement('span'));
          sample.style.forcedColorAdjust = 'none';
          sample.style.color = 'SelectedItemText';
          return [sample, ...document.querySelectorAll('a[aria-current]')].map((each) => getComputedStyle(each).color);
        })()`);
        const [wanted] = colors;
        assert.ok(colors.length > 1);
        assert.ok(
          colors.every((color) => color === wanted),
          colors.join(' '),
        );
      },
      { forcedColors: 'active' },
    );
  });
}
