// Every text on a page comes from the catalogue: rendered with a catalogue that marks its words, no page has others.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccountFrame } from '../../../src/pages/account/account-layout.ts';
import { english as en } from '../../../src/pages/languages/languages.ts';
import type { Frame } from '../../../src/pages/layout/layout.ts';

/** The catalogue with every text in brackets. The language stays as it is, because it is markup. */
function marked<Value>(value: Value): Value {
  if (typeof value === 'string') return `[${value}]` as Value;
  if (typeof value === 'function') return ((...args: unknown[]) => marked(value(...args))) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, marked(member)])) as Value;
}

export const frame: Frame = {
  messages: { ...marked(en), language: 'en' },
  brand: {
    name: '0',
    monogram: undefined,
    logo: undefined,
    favicon: undefined,
    stylesheet: undefined,
    colors: undefined,
    links: { support: 'https://0.0', terms: 'https://0.0', privacy: 'https://0.0' },
    signInMessage: '0',
  },
  returnTo: '/0',
  assets: {
    stylesheet: '/style.css',
    consoleStylesheet: '/console.css',
    icon: '/icon.svg',
    scripts: {
      passkeys: '/passkeys.js',
      copy: '/copy.js',
      passwords: '/passwords.js',
      times: '/times.js',
      files: '/files.js',
      poll: '/poll.js',
      questions: '/questions.js',
      picks: '/picks.js',
      ends: '/ends.js',
      names: '/names.js',
      follows: '/follows.js',
      notices: '/notices.js',
      previews: '/previews.js',
      search: '/search.js',
    },
  },
};
// Data of users and clients is digits here, so that only the pages' own words have letters.
const links = { client_uri: 'https://1.1', policy_uri: 'https://1.1', tos_uri: 'https://1.1', launch_url: null };
export const app = { name: '1', logoUrl: undefined, links };
export const account = { name: '2', email: '3', administrator: true };
export const own: AccountFrame = { ...frame, account, formToken: '' };
export const picture = 'https://latchkey.example/pictures/22/22';

/** What holds for every page. */
export function testPages(pages: Readonly<Record<string, string>>): void {
  for (const [name, page] of Object.entries(pages)) {
    test(`the page "${name}" has no hard-coded text`, () => {
      // Languages are listed under their own names.
      const shown = page
        .replace(/(<select id="locale"[^>]*>.*?<\/option>).*?<\/select>/gs, '$1</select>')
        .replace(/<button type="submit" name="language"[^>]*>[^<]*<\/button>/g, '')
        // The console's relative times come from Intl.
        .replace(/(<time [^>]*data-time="ago"[^>]*>)[^<]*<\/time>/g, '$1</time>')
        .replace('</span>English</summary>', '</span></summary>');
      const text = shown.replace(/<[^>]*>/g, ' ').replaceAll('&quot;', '"');
      const unmarked = withoutMarked(text).replace(/&#?\w+;/g, '');
      // Lists are joined by Intl in the page's language ("a, b and c").
      assert.deepEqual(unmarked.match(/\p{L}+/gu)?.filter((word) => word !== 'and') ?? [], []);
      const attributes = [
        ...page.matchAll(
          /\s(?:alt|title|placeholder|aria-label|data-(?:failed|copied|title|(?:show|hide)(?:-password)?))="([^"]*)"/g,
        ),
      ].map(([, value]) => value);
      // Digits are data of people.
      for (const value of attributes) assert.match(value ?? '', /^(\[.*\]|[\d ()]*)$/);
    });
  }

  test('times are elements that the script localizes, and say UTC until then', () => {
    for (const [name, page] of Object.entries(pages)) {
      for (const [element, text] of page.matchAll(/<time datetime="[^"]+Z" data-time="(?!ago)[^>]*>([^<]*)<\/time>/g)) {
        assert.match(text ?? '', / UTC\]$/, `${name}: ${element}`);
      }
      // The days of a chart are days in UTC, whatever the reader's time zone.
      const rest = page.replace(/<(time|figure|table)\b[\s\S]*?<\/\1>/g, '');
      for (const [text] of rest.matchAll(/1 January 1970[^<"]{0,20}/g)) assert.match(text, /UTC/, name);
    }
  });

  test("a button's accessible name is one catalogue entry", () => {
    for (const [name, page] of Object.entries(pages)) {
      if (name.startsWith('console')) continue;
      assert.ok(!page.includes('<span class="unseen"> '), name);
    }
  });
}

/** What is left of a text without what is in brackets, which may be nested. */
export function withoutMarked(text: string): string {
  const inner = text.replace(/\[[^[\]]*\]/g, '');
  return inner === text ? text : withoutMarked(inner);
}
