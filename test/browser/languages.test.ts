// Every language in a real browser: accessible, no wider than the smallest phone, and times in the reader's time zone.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { languages } from '../../src/pages/languages/languages.ts';
import { languageTags } from '../../src/protocol/languages.ts';
import { assertKnownPageIsSound, assertNotTooWide, assertPageIsSound, sharedBrowser } from '../harness/browser.ts';
import { isReleaseLane } from '../harness/lane.ts';
import { startTestService, type TestService, type TestUser } from '../harness/service.ts';
import { translatedPages } from '../harness/translated-pages.ts';

const smallPhone = { width: 320, height: 640 };
const tokyo = { timezoneId: 'Asia/Tokyo', viewport: smallPhone };

let service: TestService;
let user: TestUser;
let guest: Page;
let owner: Page;

before(async () => {
  const browser = await sharedBrowser();
  service = await startTestService({ LATCHKEY_SIGN_UP: 'open' });
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

// One page of each shell by every rule; on the others, which are below, the words alone are different.
const guestPaths = ['/sign-in', '/sign-up', '/reset-password'];
const ownerPaths = ['/account', '/account/data'];

// Long words and the other direction; the others wait for a release.
const shownTags = languageTags.filter((tag) => isReleaseLane || ['de', 'ar'].includes(tag));

for (const tag of shownTags) {
  test(`${languages[tag].name} fits the smallest phone, and axe finds nothing`, async () => {
    for (const [page, paths] of [[guest, guestPaths] as const, [owner, ownerPaths] as const]) {
      await choose(page.context(), tag);
      for (const [index, path] of paths.entries()) {
        await page.goto(service.url + path);
        const { direction } = languages[tag];
        assert.deepEqual(
          await page.evaluate('[document.documentElement.lang, getComputedStyle(document.body).direction]'),
          [tag, direction],
          path,
        );
        if (index === 0 && (isReleaseLane || direction === 'rtl')) await assertPageIsSound(page, `${path} in ${tag}`);
        else await assertNotTooWide(page, `${path} in ${tag}`);
      }
    }
  });
}

/** Shows what scripts show, and lists the words that go on in the next line. Chinese and Japanese have no spaces to break at. */
const brokenWords = `(() => {
  for (const hidden of document.querySelectorAll('[hidden]:not(input)')) hidden.hidden = false;
  for (const details of document.querySelectorAll('main details')) details.open = true;
  const broken = [];
  // The last rectangle: the first one of a letter after a soft hyphen is that of the hyphen, in the line before.
  const lineOf = (text, index) => {
    const letter = new Range();
    letter.setStart(text, index);
    letter.setEnd(text, index + 1);
    return Math.round([...letter.getClientRects()].at(-1)?.top ?? 0);
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode;
    // An email address breaks where it has to.
    if (text.data.includes('@') || text.parentElement.closest('code, option, .unseen, [popover], [lang=ja], [lang=zh-Hans]')) continue;
    for (const word of text.data.matchAll(/[\\p{L}\\p{M}]+/gu)) {
      const end = word.index + word[0].length - 1;
      if (lineOf(text, word.index) !== lineOf(text, end)) broken.push(word[0]);
    }
  }
  return broken;
})()`;

describe('on a narrow screen', () => {
  let page: Page;
  let styles = '';

  before(async () => {
    page = await (await (await sharedBrowser()).newContext({ viewport: smallPhone })).newPage();
    const signIn = await (await fetch(`${service.url}/sign-in`)).text();
    const path = /<link rel="stylesheet" href="([^"]+)"/.exec(signIn)?.[1] ?? '';
    styles = await (await fetch(service.url + path)).text();
  });
  after(() => page?.context().close());

  for (const [index, tag] of shownTags.entries()) {
    test(`${languages[tag].name} only breaks lines between words, also on rare pages`, async () => {
      for (const [number, [name, text]] of Object.entries(translatedPages(tag)).entries()) {
        const shown = text
          .replace(/<(link|script|img) [^>]*>/g, '')
          .replace('</head>', `<style>${styles}</style></head>`);
        await page.setContent(shown);
        // Each page by every rule in one language, and each language on one or two pages.
        if (number % shownTags.length === index) await assertKnownPageIsSound(page, `${name} in ${tag}`);
        else await assertNotTooWide(page, `${name} in ${tag}`);
        assert.deepEqual(await page.evaluate(brokenWords), [], `${name} in ${tag}`);
      }
    });
  }
});

test('a long line of details breaks after a separator dot', async () => {
  await choose(owner.context(), 'de');
  await owner.goto(`${service.url}/account/activity`);
  const dots = (edge: string) =>
    `[...document.querySelectorAll('.facts-line > *')].map((fact) => getComputedStyle(fact, '::${edge}').content).filter((content) => content !== 'none').length`;
  const facts = (await owner.evaluate("document.querySelectorAll('.facts-line > :not(:last-child)').length")) as number;
  assert.ok(facts > 0);
  assert.deepEqual([await owner.evaluate(dots('before')), await owner.evaluate(dots('after'))], [0, facts]);
});

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

describe('a field for a file', () => {
  test("says in the page's language which file was chosen, if any", async () => {
    await choose(owner.context(), 'de');
    await owner.goto(`${service.url}/account/profile`);
    const face = owner.locator('.file-face');
    assert.equal(await face.innerText(), 'Datei auswählen\nKeine Datei ausgewählt');
    await owner.setInputFiles('#picture', { name: 'ich.png', mimeType: 'image/png', buffer: Buffer.from('') });
    assert.equal(await face.innerText(), 'Datei auswählen\nich.png');
    const chooser = owner.waitForEvent('filechooser');
    await face.click({ force: true });
    await chooser;
    await assertKnownPageIsSound(owner, 'a chosen file');
  });

  test("is the browser's own without JavaScript", async () => {
    const context = await (await sharedBrowser()).newContext({ javaScriptEnabled: false });
    try {
      await context.addCookies(await owner.context().cookies());
      const page = await context.newPage();
      await page.goto(`${service.url}/account/profile`);
      assert.equal(await page.locator('.file-face').isVisible(), false);
      assert.equal(await page.evaluate('getComputedStyle(document.querySelector("#picture")).opacity'), '1');
    } finally {
      await context.close();
    }
  });
});

test('the language picker works by keyboard', async () => {
  await choose(guest.context(), 'en');
  await guest.goto(`${service.url}/sign-in`);
  await guest.locator('.languages summary').focus();
  await guest.keyboard.press('Enter');
  await guest.getByRole('button', { name: '日本語' }).focus();
  await guest.keyboard.press('Enter');
  await guest.waitForSelector('html[lang=ja]');
});
