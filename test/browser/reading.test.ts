// How pages read for some: in Japanese, and with colors that the system has chosen.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inviteUser } from '../../src/operations/users/invitations.ts';
import { requester } from '../harness/service.ts';
import { newWebhook } from '../harness/webhooks.ts';
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
          return pixel(x + 3, y + height / 2);
        };
        const pixel = (x: number, y: number) => page.screenshot({ clip: { x, y, width: 1, height: 1 } });
        const current = await corner('[aria-current=page]');
        assert.notDeepEqual(current, await corner(':not([aria-current])'));
        for (const tab of await page.locator('.tabs a:not([aria-current])').all()) {
          const { x, y, height } = (await tab.boundingBox()) ?? assert.fail();
          assert.deepEqual(
            await pixel(x + 3, y + height - 1),
            await pixel(x + 3, y + 2),
            'only the current tab has a line',
          );
        }
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

test('on a narrow phone, email addresses and URLs go on in the next line after an @, a dot or a slash', async () => {
  const email = 'katherine.johnson-vaughan@computing-west.langley-research.example';
  const user = await service.newUser({ admin: true, email });
  await inBrowser(
    async (page) => {
      await signIn(page, user);
      const invited = `to-${email}`;
      await inviteUser(service.running.services, { email: invited, name: '' }, requester);
      const url = 'https://computing-west.langley-research.example/events/of-latchkey';
      const { webhook } = await newWebhook(service, { url });
      for (const [path, shown] of [
        ['/account/profile', email],
        [`/admin/people/${user.id}`, email],
        ['/admin/search?q=katherine.johnson', email],
        ['/admin/people/invitations', invited],
        [`/admin/webhooks/${webhook.id}`, url],
        ['/reset-password', email],
      ] as const) {
        await go(page, path);
        if (path === '/reset-password') {
          await page.getByLabel('Email').fill(email);
          await page.getByRole('button', { name: 'Send link' }).click();
          await page.getByRole('heading', { name: 'Check your email' }).waitFor();
        }
        // What stands on each line.
        const lines = await page.evaluate<string[]>(`(() => {
          const shown = [...document.querySelectorAll('.address')].find((each) => each.textContent === '${shown}');
          const lines = new Map();
          const walker = document.createTreeWalker(shown, NodeFilter.SHOW_TEXT);
          while (walker.nextNode()) {
            const node = walker.currentNode;
            for (let at = 0; at < node.length; at++) {
              const range = document.createRange();
              range.setStart(node, at);
              range.setEnd(node, at + 1);
              const top = Math.round(range.getBoundingClientRect().top);
              lines.set(top, (lines.get(top) ?? '') + node.data[at]);
            }
          }
          return [...lines.values()];
        })()`);
        assert.equal(lines.join(''), shown);
        assert.ok(lines.length > 1, `${path}: ${lines}`);
        for (const line of lines.slice(0, -1)) assert.match(line, /[@./]$/, `${path}: ${lines.join(' | ')}`);
      }
    },
    { viewport: { width: 320, height: 600 } },
  );
});
