// WebKit as GTK has it, over its own WebDriver and on a display that nobody sees.

import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { Builder, By, until as condition, Key, type WebDriver } from 'selenium-webdriver';
import { freePort } from '../service.ts';
import { until } from '../until.ts';
import { type Engine, newHome, patience, type Size, type Tab } from './engine.ts';

export const driverPath = '/usr/bin/WebKitWebDriver';
export const displayPath = '/usr/bin/Xvfb';

const keys = { Enter: Key.ENTER, Escape: Key.ESCAPE, Tab: Key.TAB };

export async function startWebKit(): Promise<Engine> {
  const display = spawn(displayPath, ['-displayfd', '3', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const number = await new Promise<string>((resolve, reject) => {
    (display.stdio[3] as Readable).once('data', (line) => resolve(String(line).trim()));
    display.once('exit', (code) => reject(new Error(`Xvfb ended with ${code}`)));
  });
  const home = newHome();
  const port = await freePort();
  const driver = spawn(driverPath, ['--host=127.0.0.1', `--port=${port}`], {
    stdio: 'ignore',
    env: { ...home.environment, DISPLAY: `:${number}` },
  });
  const url = `http://127.0.0.1:${port}`;
  const isReady = () =>
    fetch(`${url}/status`).then(
      ({ ok }) => ok,
      () => false,
    );
  const close = async () => {
    driver.kill();
    display.kill();
    home.remove();
  };
  await until(isReady, 'WebKitWebDriver answers').catch(async (error) => {
    await close();
    throw error;
  });
  return {
    async newTab() {
      // With the URL of a driver, Selenium neither looks for one nor downloads it.
      const session = await new Builder()
        .usingServer(url)
        .withCapabilities({ browserName: 'MiniBrowser', acceptInsecureCerts: true })
        .build();
      await openBareWindow(session);
      return tabOf(session);
    },
    close,
  };
}

/** The browser's window is never as narrow as a phone, because of its toolbar. One that a page opens has none. */
async function openBareWindow(session: WebDriver): Promise<void> {
  await session.get(`data:text/html,<button onclick="open('about:blank', '', 'popup')">Open`);
  const [first = ''] = await session.getAllWindowHandles();
  await session.findElement(By.css('button')).click();
  const opened = await session.wait(async () => {
    return (await session.getAllWindowHandles()).find((handle) => handle !== first);
  }, patience);
  await session.close();
  await session.switchTo().window(opened ?? '');
}

function tabOf(session: WebDriver): Tab {
  const find = async (xpath: string) => {
    const found = await session.wait(condition.elementLocated(By.xpath(xpath)), patience, xpath);
    return session.wait(condition.elementIsVisible(found), patience, xpath);
  };
  return {
    go: (url) => session.get(url),
    back: () => session.navigate().back(),
    url: () => session.getCurrentUrl(),
    async resize(size: Size) {
      await session.manage().window().setRect(size);
    },
    evaluate: (expression) => session.executeScript(`return (${expression})`),
    async click(xpath) {
      await (await find(xpath)).click();
    },
    async type(xpath, text) {
      const field = await find(xpath);
      await field.clear();
      await field.sendKeys(text);
    },
    press: (key) => session.actions().sendKeys(keys[key]).perform(),
    async cookies() {
      const all = await session.manage().getCookies();
      return all.map(({ name, httpOnly = false, secure = false, sameSite = '', expiry }) => {
        return { name, httpOnly, secure, sameSite, lasts: expiry !== undefined };
      });
    },
    close: () => session.quit(),
  };
}
