// Which language meets which wish.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { languageTags, matchLanguage, readAcceptLanguage, readUiLocales } from '../../src/protocol/languages.ts';

describe('a language tag', () => {
  for (const [wish, match] of [
    ['de', 'de'],
    ['DE', 'de'],
    ['de-AT', 'de'],
    ['de_CH', 'de'],
    ['en-US', 'en'],
    ['pt', 'pt-BR'],
    ['pt-PT', 'pt-BR'],
    ['pt-br', 'pt-BR'],
    ['zh', 'zh-Hans'],
    ['zh-CN', 'zh-Hans'],
    ['zh-Hans-SG', 'zh-Hans'],
    ['zh-TW', undefined],
    ['zh-Hant', undefined],
    ['zh-HK', undefined],
    ['fi', undefined],
    ['', undefined],
    ['*', undefined],
    ['d', undefined],
    ['deu', undefined],
    ['__proto__', undefined],
  ] as const) {
    test(`"${wish}" matches ${match ?? 'nothing'}`, () => assert.equal(matchLanguage([wish]), match));
  }

  test('without a match falls through to the next', () => {
    assert.equal(matchLanguage(['fi', 'sv', 'uk', 'de']), 'uk');
  });

  test('matches for every supported language', () => {
    for (const tag of languageTags) assert.equal(matchLanguage([tag]), tag);
  });

  test('beyond the twentieth is ignored', () => {
    assert.equal(matchLanguage([...Array.from({ length: 20 }, () => 'xx'), 'de']), undefined);
  });
});

describe('Accept-Language', () => {
  for (const [header, wishes] of [
    ['de', ['de']],
    ['de-AT,de;q=0.9,en;q=0.8', ['de-AT', 'de', 'en']],
    ['en;q=0.3, fr;q=0.9 , it', ['it', 'fr', 'en']],
    ['en;q=0, fr', ['fr']],
    ['fr;q=bad, de', ['de']],
    ['', ['']],
  ] as const) {
    test(`"${header}"`, () => assert.deepEqual(readAcceptLanguage(header), wishes));
  }

  test('of any length is read quickly, and only its beginning', () => {
    assert.ok(readAcceptLanguage('de,'.repeat(1_000_000)).length <= 20);
  });
});

test('ui_locales is a list in its order', () => {
  assert.deepEqual(readUiLocales('fr-CA fr  en'), ['fr-CA', 'fr', 'en']);
});
