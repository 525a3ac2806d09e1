// How the table of pages is written: a site is a service in some state, and each of its pages has a name and says how a
// browser gets there from the page before it, or from an earlier one.

import type { Page } from 'playwright-core';
import { en } from '../../../src/pages/languages/en.ts';
import { messagesIn } from '../../../src/pages/languages/languages.ts';
import type { LanguageTag } from '../../../src/protocol/languages.ts';

export interface Site {
  readonly name: string;
  /** Whether its pages are in the reader's language; the others are in English alone. */
  readonly translated: boolean;
  readonly pageNames: readonly string[];
  /** Starts the service and goes from page to page, to those that are wanted and the ones on the way there. */
  walk(page: Page, language: LanguageTag, atPage: AtPage, isWanted?: (name: string) => boolean): Promise<void>;
}

type AtPage = (name: string) => Promise<void>;

interface Scene {
  stop(): Promise<unknown>;
}

interface SiteFacts<Started extends Scene> {
  readonly name: string;
  readonly translated: boolean;
  start(page: Page, language: LanguageTag): Promise<Started>;
  readonly pages: Readonly<Record<string, (scene: Started) => Promise<unknown>>>;
  /** Which pages need nothing of those before them but what the named one leaves, or, after `start`, nothing at all. */
  readonly after?: Readonly<Record<string, readonly string[]>>;
}

export function site<Started extends Scene>({ name, translated, start, pages, after = {} }: SiteFacts<Started>): Site {
  const pageNames = Object.keys(pages);
  const before = pagesBefore(pageNames, after);
  return {
    name,
    translated,
    pageNames,
    async walk(page, language, atPage, isWanted = () => true) {
      const needed = new Set<string>();
      for (const wanted of pageNames.filter(isWanted)) {
        for (let at: string | undefined = wanted; at !== undefined; at = before.get(at)) needed.add(at);
      }
      if (needed.size === 0) return;
      await page.context().clearCookies();
      const scene = await start(page, language);
      try {
        for (const [pageName, goThere] of Object.entries(pages)) {
          if (!needed.has(pageName)) continue;
          await goThere(scene);
          if (isWanted(pageName)) await atPage(pageName);
        }
      } finally {
        await scene.stop();
      }
    },
  };
}

/** The page that each of them continues from, if there is one: the one that's named, or else the one before it. */
function pagesBefore(names: readonly string[], after: NonNullable<SiteFacts<Scene>['after']>) {
  const before = new Map(names.map((name, index) => [name, names[index - 1]]));
  for (const [base, followers] of Object.entries(after)) {
    for (const name of followers) {
      if (names.indexOf(name) <= names.indexOf(base)) throw new Error(`"${name}" isn't a page after "${base}"`);
      before.set(name, base === 'start' ? undefined : base);
    }
  }
  return before;
}

/** What a visitor does on any page. Texts are those of the English catalogue, whatever the language of the page. */
export type Visitor = ReturnType<typeof visitor>;

export function visitor(page: Page, base: string, language: LanguageTag) {
  const say = (text: string) => translation(text, en, messagesIn(language)) ?? text;
  const fill = async (values: Readonly<Record<string, string>>) => {
    for (const [name, value] of Object.entries(values)) await page.fill(`[name="${name}"]`, value);
  };
  return {
    page,
    say,
    fill,
    visit: (path: string) => page.goto(base + path),
    /** Fills in a form by the names of its fields and submits it. */
    async send(action: string, values: Readonly<Record<string, string>>) {
      const form = page.locator(`form[action="${action}"]`);
      for (const [name, value] of Object.entries(values)) await form.locator(`[name="${name}"]`).fill(value);
      await form.locator('button[type=submit]').first().click();
    },
    async signIn(user: { readonly email: string; readonly password: string }) {
      await fill({ email: user.email, password: user.password });
      await page.click('form[action="/sign-in"] button[type=submit]');
    },
    press: (name: string) =>
      page
        .getByRole('button', { name: say(name) })
        .first()
        .click(),
    follow: (name: string) => page.getByRole('link', { name: say(name) }).click(),
    unfold: (text: string) => page.locator('summary', { hasText: say(text) }).click(),
    heading: (text: string) => page.getByRole('heading', { level: 1, name: say(text) }).waitFor(),
    success: () => page.waitForSelector('[role=status]'),
    problem: () => page.waitForSelector('[role=alert]:visible'),
  };
}

function translation(text: string, source: object, translated: object): string | undefined {
  for (const [name, value] of Object.entries(source)) {
    const other = (translated as Record<string, unknown>)[name];
    if (value === text) return other as string;
    const found = typeof value === 'object' && translation(text, value, other as object);
    if (found) return found;
  }
  return undefined;
}
