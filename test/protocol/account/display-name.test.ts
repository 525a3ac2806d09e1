import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cleanName, nameProblem } from '../../../src/protocol/account/names.ts';

describe('removing invisible characters from a name', () => {
  const kept = [
    'Grace Hopper',
    'Zoë',
    "O'Brien-Smith, Jr.",
    'X Æ A-12',
    'محمد علي',
    'עברית',
    '陳大文',
    'Σωκράτης',
    '👩🏽‍🚀 Ada',
    '👨‍👩‍👧‍👦',
    '🏳️‍🌈',
    '❤️',
    'نامه\u200cای',
    'क\u094d\u200dष',
    'ශ\u0dca\u200dරී',
    'Jean  Luc',
  ];
  for (const name of kept) test(`${JSON.stringify(name)} is unchanged`, () => assert.equal(cleanName(name), name));

  // Marks that turn text around, and characters without a look of their own.
  const removed: Record<string, string> = {
    'soft hyphen': '\u00ad',
    'Arabic letter mark': '\u061c',
    'Mongolian vowel separator': '\u180e',
    'zero width space': '\u200b',
    'left-to-right mark': '\u200e',
    'right-to-left mark': '\u200f',
    'left-to-right embedding': '\u202a',
    'right-to-left embedding': '\u202b',
    'end of an embedding': '\u202c',
    'left-to-right override': '\u202d',
    'right-to-left override': '\u202e',
    'word joiner': '\u2060',
    'invisible times': '\u2062',
    'left-to-right isolate': '\u2066',
    'right-to-left isolate': '\u2067',
    'first strong isolate': '\u2068',
    'end of an isolate': '\u2069',
    'byte order mark': '\ufeff',
    'line separator': '\u2028',
    'paragraph separator': '\u2029',
    'interlinear annotation': '\ufff9',
    'language tag': '\u{e0001}',
  };
  for (const [name, character] of Object.entries(removed)) {
    test(`the ${name} is removed anywhere in a name`, () => {
      const text = `${character}Ada${character}${character} Love${character}lace${character}`;
      assert.equal(cleanName(text), 'Ada Lovelace');
    });
    test(`the ${name} alone isn't a name`, () => {
      assert.equal(cleanName(character.repeat(3)), '');
      assert.equal(nameProblem(cleanName(character)), 'is empty');
    });
  }

  const cases = [
    {
      name: 'letters that are spelled in two parts become one',
      text: 'Zoe\u0308 A\u030angstro\u0308m',
      expected: 'Zoë Ångström',
    },
    { name: 'Hangul that is spelled in parts becomes whole', text: '\u1112\u1161\u11ab', expected: '한' },
    { name: 'compatible letters stay what they are', text: 'ﬁ Ⅳ ½', expected: 'ﬁ Ⅳ ½' },
    { name: 'space around it is taken off', text: '  Ada\u3000\u00a0', expected: 'Ada' },
    { name: 'space that stood behind a mark is taken off too', text: '\u200f Ada \u200e', expected: 'Ada' },
    { name: 'nothing stays nothing', text: '', expected: '' },
  ];
  for (const { name, text, expected } of cases) test(name, () => assert.equal(cleanName(text), expected));

  test('cleaning is idempotent', () => {
    for (const text of ['\u202eAda\u202c ', 'Zoe\u0308', '👩🏽‍🚀', '\ufeff\ufeff']) {
      assert.equal(cleanName(cleanName(text)), cleanName(text));
    }
  });
});

describe('problems with a name', () => {
  const cases = [
    { name: 'nothing, with one letter', text: 'A', problem: undefined },
    { name: 'nothing, with a hundred letters', text: 'x'.repeat(100), problem: undefined },
    { name: 'nothing, with a hundred emoji', text: '🔑'.repeat(100), problem: undefined },
    { name: 'a hundred and one letters are too many', text: 'x'.repeat(101), problem: 'is longer than 100 characters' },
    { name: 'nothing is too little', text: '', problem: 'is empty' },
    { name: 'space alone is nothing', text: ' \u00a0\u3000', problem: 'is empty' },
    { name: 'a line feed is not allowed', text: 'Ada\nLovelace', problem: 'has control characters' },
    { name: 'a tab is not allowed', text: 'Ada\tLovelace', problem: 'has control characters' },
    { name: 'a null character is not allowed', text: 'Ada\0', problem: 'has control characters' },
    { name: 'a delete character is not allowed', text: 'Ada\u007f', problem: 'has control characters' },
    { name: 'half of a surrogate pair is not allowed', text: 'Ada\ud83d', problem: 'has control characters' },
  ];
  for (const { name, text, problem } of cases) test(name, () => assert.equal(nameProblem(text), problem));
});
