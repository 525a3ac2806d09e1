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

for (const path of ['/account/security', '/docs/quickstart', '/admin/people']) {
  test(`with forced colors, the current section of ${path} is marked`, async () => {
    const user = await service.newUser({ admin: true });
    await inBrowser(
      async (page) => {
        await signIn(page, user);
        await go(page, path);
        const colors = (which: string) =>
          page.evaluate(`(({ backgroundColor, color }) => [backgroundColor, color])(
            getComputedStyle(document.querySelector('nav a${which}')))`);
        const current = await colors('[aria-current=page]');
        assert.notDeepEqual(current, await colors(':not([aria-current])'));
      },
      { forcedColors: 'active' },
    );
  });
}
