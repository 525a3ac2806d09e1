// Which language meets which wish.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { languageTags, matchLanguage, readAcceptLanguage, readUiLocales } from '../../src/protocol/languages.ts';

describe('a wish for a language', () => {
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
    test(`"${wish}" is met by ${match ?? 'nothing'}`, () => assert.equal(matchLanguage([wish]), match));
  }

  test('that cannot be met leaves it to the next', () => {
    assert.equal(matchLanguage(['fi', 'sv', 'uk', 'de']), 'uk');
  });

  test('is met for every language there is', () => {
    for (const tag of languageTags) assert.equal(matchLanguage([tag]), tag);
  });

  test('is one of twenty at most', () => {
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

  test('of any length is read in no time, and only its beginning', () => {
    assert.ok(readAcceptLanguage('de,'.repeat(1_000_000)).length <= 20);
  });
});

test('ui_locales is a list in its order', () => {
  assert.deepEqual(readUiLocales('fr-CA fr  en'), ['fr-CA', 'fr', 'en']);
});
