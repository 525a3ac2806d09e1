// Somebody with a phone, in any browser: presses and fills in what has a name on the page, and reads what it says. Every
// page has to fit the screen, and its main button has to be there.

import assert from 'node:assert/strict';
import type { Key, Size, Tab } from '../../harness/engines/engine.ts';
import { until } from '../../harness/until.ts';
import type { Site } from './site.ts';

export const phone: Size = { width: 375, height: 667 };
export const desktop: Size = { width: 1280, height: 800 };

/** What doesn't fit, and main buttons that can't be seen or read. */
const faults = `[
  ...(document.documentElement.scrollWidth > document.documentElement.clientWidth ? ['wider than the screen'] : []),
  ...[...document.querySelectorAll('.primary')].filter((button) => button.checkVisibility()).flatMap((button) => {
    const { left, right, height } = button.getBoundingClientRect();
    const { backgroundColor, color } = getComputedStyle(button);
    const isSeen = left >= 0 && right <= innerWidth && height >= 32;
    const isReadable = backgroundColor !== 'rgba(0, 0, 0, 0)' && backgroundColor !== color;
    return isSeen && isReadable ? [] : [button.textContent + ' in ' + color + ' on ' + backgroundColor];
  }),
]`;

export class Visitor {
  readonly tab: Tab;
  readonly site: Site;

  constructor(tab: Tab, site: Site) {
    this.tab = tab;
    this.site = site;
  }

  /** Opens a path of the service, or a whole URL. */
  async open(where: string): Promise<void> {
    await this.tab.go(new URL(where, this.site.url).href);
  }

  /** Waits for a page with this heading. */
  async reaches(heading: string): Promise<void> {
    const shown = `document.readyState === 'complete' && document.querySelector('h1')?.textContent`;
    await this.#waits(shown, (text) => text === heading, heading);
    assert.deepEqual(await this.tab.evaluate(faults), [], heading);
  }

  /** Waits until the page announces this. */
  async says(role: 'alert' | 'status', sentence: string): Promise<void> {
    const shown = `document.readyState === 'complete' &&
      [...document.querySelectorAll('[role=${role}]')].map(({ textContent }) => textContent).join(' ')`;
    await this.#waits(shown, (text) => String(text).includes(sentence), sentence);
  }

  /** Waits until the browser is at the application, and returns what it was given. */
  async returns(to: string): Promise<URLSearchParams> {
    await until(async () => (await this.tab.url()).startsWith(`${to}?`), `at ${to}`);
    return new URL(await this.tab.url()).searchParams;
  }

  /** Waits for an expression to have this value. */
  async finds(expression: string, expected: unknown): Promise<void> {
    await this.#waits(expression, (value) => value === expected, `${expression} is ${expected}`);
  }

  /** Presses a button, follows a link, or opens what is folded up. */
  async choose(name: string, within = ''): Promise<void> {
    const kinds = 'self::button or self::a or self::summary or self::label';
    await this.tab.click(`${within}//*[${kinds}][normalize-space()="${name}" or @aria-label="${name}"]`);
  }

  async fill(values: Readonly<Record<string, string>>, within = ''): Promise<void> {
    for (const [label, value] of Object.entries(values)) {
      await this.tab.type(`${within}//input[@id=//label[normalize-space()="${label}"]/@for]`, value);
    }
  }

  async press(key: Key): Promise<void> {
    await this.tab.press(key);
  }

  /** The label of the field, or the text of the button, that has the focus. */
  async focused(): Promise<unknown> {
    return this.tab.evaluate(
      '(document.activeElement.labels?.[0] ?? document.activeElement).textContent.replaceAll(/\\s+/g, " ").trim()',
    );
  }

  /** How many of these are on the page and can be seen. */
  async visible(selector: string): Promise<unknown> {
    return this.tab.evaluate(
      `[...document.querySelectorAll('${selector}')].filter((each) => each.checkVisibility()).length`,
    );
  }

  async signIn({ email, password }: { email: string; password: string }): Promise<void> {
    await this.fill({ Email: email, Password: password });
    await this.choose('Sign in');
  }

  async #waits(expression: string, isThere: (value: unknown) => boolean, what: string): Promise<void> {
    let last: unknown;
    const look = async () => {
      // While another page is being loaded, there's none to look at.
      last = await this.tab.evaluate(expression).catch((error: Error) => error.message);
      return isThere(last);
    };
    await until(look, () => `${what}; last: ${last}`);
  }
}
