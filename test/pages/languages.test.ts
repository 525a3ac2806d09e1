// Every language is complete: each text that English has, it has too, with something in it and with every parameter.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { en } from '../../src/pages/languages/en.ts';
import { languages, messagesIn } from '../../src/pages/languages/languages.ts';
import { deviceInWords } from '../../src/pages/layout/device.ts';
import { languageTags } from '../../src/protocol/languages.ts';

type Entry = readonly [path: string, text: string | ((...args: never[]) => string)];

function entriesOf(value: object, path = ''): Entry[] {
  return Object.entries(value).flatMap(([name, member]): Entry[] =>
    typeof member === 'object' ? entriesOf(member, `${path}.${name}`) : [[`${path}.${name}`, member]],
  );
}

/** Functions of a count, found by what English does with a number. */
const counted = new Set([
  '.account.security.codesLeft',
  '.recovery.review.recoveryCodes',
  '.approval.emails.waiting.text',
  '.ends.list.more',
  '.furtherClaims.more',
  '.secondFactor.usedLeft',
  '.reviews.due.left',
]);
const waits = new Set(['.signIn.throttled', '.account.throttled', '.account.secondStep.tooManyCodes']);
/** Whose second parameter is a choice and not a text. */
const chosen = '.emails.apiKeyCreated.text';
/** A page's own words lead its title, and the file of recovery codes is read by other programs as well. */
const notIsolated = new Set(['.title', '.account.codes.file']);

const english = entriesOf(en);
const sizes = [0, 1, 2, 3, 5, 11, 21, 22, 90, 91, 100, 121, 1440, 2881, 4321, 100_000];

for (const tag of languageTags) {
  describe(languages[tag].name, () => {
    const entries = new Map(entriesOf(messagesIn(tag)));

    test('has every text and uses every parameter', () => {
      for (const [path, source] of english) {
        const text = entries.get(path);
        if (typeof source === 'string') {
          assert.ok(typeof text === 'string' && text.trim() !== '', path);
          continue;
        }
        assert.ok(typeof text === 'function', path);
        if (counted.has(path) || waits.has(path)) continue;
        const parameters = Array.from({ length: source.length }, (_, index) => `‹${index}›`);
        if (path === chosen) parameters[1] = '';
        const made = (text as (...args: string[]) => string)(...parameters);
        for (const parameter of parameters) assert.ok(made.includes(parameter), `${path}: ${made}`);
      }
    });

    test('has a form for every count', () => {
      for (const path of [...counted, ...waits]) {
        const text = entries.get(path) as (count: number) => string;
        for (const size of sizes) {
          const made = text(size);
          assert.ok(!/undefined|NaN|null/.test(made) && made.trim() !== '', `${path}(${size}): ${made}`);
        }
      }
    });

    test('has exactly the plural forms that Intl says it has', (t) => {
      const categories = new Intl.PluralRules(tag).resolvedOptions().pluralCategories;
      // A language with one form may write the number without asking for it.
      if (categories.length === 1) return;
      const select = t.mock.method(Intl.PluralRules.prototype, 'select');
      for (const path of [...counted, ...waits]) {
        const text = entries.get(path) as (count: number) => string | undefined;
        for (const category of ['zero', 'one', 'two', 'few', 'many', 'other'] as const) {
          select.mock.mockImplementation(() => category);
          // Minutes, hours and days.
          for (const count of [5, 600, 100_000]) {
            const isGiven = !String(text(count)).includes('undefined');
            assert.equal(isGiven, categories.includes(category), `${path}(${count}): ${category}`);
          }
        }
      }
    });

    test("includes a button's visible text in its accessible name", () => {
      const { account, recovery, apps } = messagesIn(tag);
      for (const [label, spoken] of [
        [account.sessions.end, account.sessions.endNamed],
        [account.sessions.untrust, account.sessions.untrustNamed],
        [account.security.remove, account.security.removeNamed],
        [account.identities.unlink, account.identities.unlinkNamed],
        [recovery.paused.keep, recovery.paused.keepNamed],
        [recovery.paused.remove, recovery.paused.removeNamed],
        [apps.remove, apps.removeNamed],
      ] as const) {
        const [words, name] = [label, spoken('0')].map((text) => text.toLocaleLowerCase(tag));
        assert.ok(words !== undefined && name?.includes(words), `${name} does not say ${words}`);
      }
    });

    test('isolates the text direction of names', () => {
      if (languages[tag].direction === 'ltr') return;
      for (const [path, source] of english) {
        const text = entries.get(path);
        if (typeof text !== 'function' || counted.has(path) || waits.has(path) || notIsolated.has(path)) continue;
        const parameters = Array.from({ length: source.length }, (_, index) => `‹${index}›`);
        if (path === chosen) parameters[1] = '';
        const made = (text as (...args: string[]) => string)(...parameters);
        const isolated = parameters.every((each) => each === '' || made.includes(`\u2068${each}\u2069`));
        assert.ok(isolated, `${path}: ${made}`);
      }
    });

    test("isn't a copy of English", () => {
      if (tag === 'en') return;
      const same = english.filter(([path, source]) => typeof source === 'string' && entries.get(path) === source);
      // Words like "Name" and "Code" are the same in some languages.
      assert.ok(same.length < english.length * 0.05, same.map(([path]) => path).join(' '));
    });

    test('writes dates, lists and names of languages its own way', () => {
      const { dates, list, languageName } = messagesIn(tag);
      const at = Date.UTC(2026, 10, 16, 3, 50);
      for (const text of [dates.moment(at), dates.hour(at)]) assert.match(text, / UTC$/);
      assert.equal(
        dates.day(at),
        new Intl.DateTimeFormat(tag === 'en' ? 'en-GB' : tag, { dateStyle: 'long' }).format(at),
      );
      assert.equal(list(['a', 'b', 'c']), new Intl.ListFormat(tag).format(['a', 'b', 'c']));
      assert.notEqual(languageName('de'), 'de');
      assert.notEqual(dates.recently(at, at), dates.recently(at - 86_400_000, at));
    });
  });
}

test('only Arabic is written from right to left', () => {
  const fromTheRight = languageTags.filter((tag) => languages[tag].direction === 'rtl');
  assert.deepEqual(fromTheRight, ['ar']);
});

test('a device without a name is an unknown browser, as it is stored now and as 0.3.0 stored it', () => {
  for (const stored of ['Unknown browser on Linux', 'an unknown browser on Linux']) {
    assert.equal(deviceInWords(messagesIn('de'), stored), messagesIn('de').device.unknownOn('Linux'));
  }
});
