// The gate's own pages in a real browser: accessible, no wider than a phone, in both directions and looks, and the form of
// the sign-out page arrives, also when its answer redirects to Latchkey.

import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { GatePage } from '../../src/gate/pages/page.ts';
import { gatePage } from '../../src/gate/pages/render.ts';
import { assertNotTooWide, assertPageIsSound, type Look, sharedBrowser } from '../harness/browser.ts';
import { gatePages } from '../harness/gate-pages.ts';
import { firstUntilRelease } from '../harness/lane.ts';

/** Too long for a line of a phone, without a place to break it. */
const longName = `${'lovelace'.repeat(20)}@example.com`;
const shownPages: Readonly<Record<string, GatePage>> = {
  ...gatePages,
  forbidden_long: { ...gatePages.forbidden, account: longName },
  unknown_host_long: { ...gatePages.unknown_host, host: longName },
};

let server: Server;
let gate: string;
/** Where Latchkey would be: another origin of the same server. */
let latchkey: string;
let posted: IncomingHttpHeaders | undefined;

before(async () => {
  server = createServer((request, response) => {
    const name = request.url?.slice(1) ?? '';
    const page = shownPages[name];
    if (request.method === 'POST') {
      posted = request.headers;
      response.writeHead(303, { Location: `${latchkey}/oauth/logout` }).end();
    } else if (name === 'oauth/logout') {
      response.writeHead(303, { Location: `${gate}/signed_out` }).end();
    } else if (page === undefined) {
      response.writeHead(404).end();
    } else {
      const { status, headers, html } = gatePage(page, request.headers['accept-language'], { formActions: [latchkey] });
      response.writeHead(status, headers).end(html);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  gate = `http://localhost:${port}`;
  latchkey = `http://127.0.0.1:${port}`;
});
after(() => server?.close());

async function withPage(language: string, look: Omit<Look, 'name'>, visit: (page: Page) => Promise<void>) {
  const context = await (await sharedBrowser()).newContext({ ...look, locale: language });
  const complaints: string[] = [];
  context.on('console', (message) => {
    if (/Content Security Policy|Refused to/i.test(message.text())) complaints.push(message.text());
  });
  try {
    await visit(await context.newPage());
    assert.deepEqual(complaints, []);
  } finally {
    await context.close();
  }
}

const phone = { width: 375, height: 740 };
const smallPhone = { width: 320, height: 640 };
const desktop = { width: 1280, height: 800 };
const shown = firstUntilRelease([
  { language: 'ar', viewport: smallPhone, colorScheme: 'dark' },
  { language: 'en', viewport: desktop, colorScheme: 'light' },
  { language: 'en', viewport: phone, colorScheme: 'light' },
  { language: 'en', viewport: desktop, colorScheme: 'dark' },
  { language: 'de', viewport: smallPhone, colorScheme: 'light' },
  { language: 'uk', viewport: smallPhone, colorScheme: 'dark' },
  { language: 'ko', viewport: smallPhone, colorScheme: 'dark' },
  { language: 'ar', viewport: desktop, colorScheme: 'light' },
] as const);

for (const { language, viewport, colorScheme } of shown) {
  test(`axe finds nothing in ${language} at ${viewport.width} px in ${colorScheme}, and nothing is too wide`, () =>
    withPage(language, { viewport, colorScheme }, async (page) => {
      for (const name of Object.keys(shownPages)) {
        await page.goto(`${gate}/${name}`);
        await assertPageIsSound(page, name);
        // The text may be larger than the browser's own.
        await page.evaluate('document.documentElement.style.fontSize = "150%"');
        await assertNotTooWide(page, `${name}, larger`);
      }
      const [direction, ground] = (await page.evaluate(
        '[getComputedStyle(document.body).direction, getComputedStyle(document.body).backgroundColor]',
      )) as [string, string];
      assert.equal(direction, language === 'ar' ? 'rtl' : 'ltr');
      assert.equal(ground, colorScheme === 'dark' ? 'rgb(12, 12, 14)' : 'rgb(247, 247, 248)');
    }));
}

test('signing out is sent as the own request of the page, and leads through Latchkey and back', () =>
  withPage('en', { viewport: desktop, colorScheme: 'light' }, async (page) => {
    await page.goto(`${gate}/sign_out`);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(`${gate}/signed_out`);
    assert.deepEqual([posted?.['sec-fetch-site'], posted?.origin], ['same-origin', gate]);
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
  }));
