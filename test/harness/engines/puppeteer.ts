// Firefox over WebDriver BiDi, and Chromium by the same functions.

import { launch, type Page, type SupportedBrowser } from 'puppeteer-core';
import { chromiumPath, chromiumSwitches } from '../browser.ts';
import { type Engine, newHome, patience, type Tab } from './engine.ts';

export const firefoxPath = '/usr/bin/firefox-esr';

export const startFirefox = () => start('firefox', firefoxPath, []);
export const startChromium = () => start('chrome', chromiumPath(), chromiumSwitches);

async function start(kind: SupportedBrowser, executablePath: string, args: readonly string[]): Promise<Engine> {
  const home = newHome();
  const browser = await launch({
    browser: kind,
    executablePath,
    args: [...args],
    env: home.environment,
    timeout: patience,
    acceptInsecureCerts: true,
    // A tab has the size that resize gives it.
    defaultViewport: null,
    headless: kind === 'chrome' ? 'shell' : true,
  });
  return {
    async newTab() {
      const context = await browser.createBrowserContext();
      const page = await context.newPage();
      page.setDefaultTimeout(patience);
      return { ...tabOf(page), close: () => context.close() };
    },
    async close() {
      await browser.close();
      home.remove();
    },
  };
}

function tabOf(page: Page): Omit<Tab, 'close'> {
  const find = async (xpath: string) => {
    const found = await page.waitForSelector(`::-p-xpath(${xpath})`, { visible: true });
    if (found === null) throw new Error(`${xpath} is gone`);
    return found;
  };
  return {
    async go(url) {
      await page.goto(url);
    },
    async back() {
      await page.goBack();
    },
    url: async () => page.url(),
    resize: (size) => page.setViewport(size),
    evaluate: (expression) => page.evaluate(expression),
    async click(xpath) {
      await (await find(xpath)).click();
    },
    async type(xpath, text) {
      // The third click selects everything in the line.
      await (await find(xpath)).click({ count: 3 });
      await page.keyboard.type(text);
    },
    press: (key) => page.keyboard.press(key),
    async cookies() {
      const all = await page.browserContext().cookies();
      return all.map(({ name, httpOnly = false, secure, sameSite = '', session = false }) => {
        return { name, httpOnly, secure, sameSite, lasts: !session };
      });
    },
  };
}
