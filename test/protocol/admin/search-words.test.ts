import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  clientNameWords,
  clientWords,
  emailWords,
  nameWords,
  searchedWords,
  searchKey,
} from '../../../src/protocol/admin/search-words.ts';

describe('the words a search starts from', () => {
  const cases = [
    { name: 'nothing stays nothing', text: '', key: '' },
    { name: 'space alone is nothing', text: ' \t\n\u00a0\u3000 ', key: '' },
    { name: 'space around it does not matter', text: '  ada ', key: 'ada' },
    { name: 'any run of space is one', text: 'ada\t \u00a0\u2003lo', key: 'ada lo' },
    { name: 'a NUL, which PostgreSQL keeps in no text, is space', text: 'ada\0lo\0', key: 'ada lo' },
    { name: 'case does not matter', text: 'ADA Lovelace', key: 'ada lovelace' },
    { name: 'composed and decomposed letters are the same', text: 'Zoe\u0308', key: 'zo\u00eb' },
    { name: 'full-width letters are plain ones', text: 'Ａｄａ', key: 'ada' },
    { name: 'a ligature is its letters', text: 'ﬁona', key: 'fiona' },
    { name: 'Greek in capitals', text: 'ὈΔΥΣΣΕΎΣ', key: 'ὀδυσσεύσ' },
    { name: 'a beginning of Greek in capitals', text: 'ὈΔΥΣ', key: 'ὀδυσ' },
    { name: 'a sigma at the end of a word is one in the middle', text: 'ὀδυσσεύς', key: 'ὀδυσσεύσ' },
    { name: 'a lone surrogate becomes what can be stored', text: 'ada\ud83d', key: 'ada\ufffd' },
    { name: 'percent signs and underscores are letters like others', text: '100%_a', key: '100%_a' },
    { name: 'of 64 characters', text: 'x'.repeat(64), key: 'x'.repeat(64) },
    { name: 'longer text is truncated', text: 'x'.repeat(5000), key: 'x'.repeat(64) },
    { name: 'truncation leaves no trailing space', text: `${'x'.repeat(63)} y`, key: 'x'.repeat(63) },
    { name: 'text that grows when it is spelled out is still short', text: 'ﷺ'.repeat(300), key: undefined },
  ];
  for (const { name, text, key } of cases) {
    test(name, () => {
      const found = searchKey(text);
      if (key !== undefined) assert.equal(found, key);
      assert.ok(found.length <= 64 && found.isWellFormed());
      assert.equal(searchKey(found), found, 'a key is its own key');
    });
  }

  test('a long text takes as long as a short one', () => {
    // Sorting a million marks would take minutes.
    const before = process.cpuUsage();
    searchKey('\u0300\u0316'.repeat(1_000_000));
    assert.ok(process.cpuUsage(before).user < 2_000_000);
  });
});

describe('the words of a name', () => {
  const cases = [
    { name: 'one word', names: ['Ada'], words: ['ada'] },
    {
      name: 'each word with all that follows it',
      names: ['Ada King Lovelace'],
      words: ['ada king lovelace', 'king lovelace', 'lovelace'],
    },
    {
      name: 'a word that several names have, or begin with, is there once',
      names: ['Ada Lovelace', 'Ada', 'Lovelace'],
      words: ['ada lovelace', 'lovelace'],
    },
    { name: 'the same word twice in one name', names: ['Ada ada'], words: ['ada ada'] },
    { name: 'names that are not known', names: ['Ada', null, null], words: ['ada'] },
    { name: 'a name of space alone', names: [' \u3000'], words: [] },
    { name: 'space of any kind parts words', names: ['山田\u3000太郎'], words: ['山田 太郎', '太郎'] },
    {
      name: 'six words of many',
      names: ['a b c d e f g h'],
      words: ['a b c d e f g h', 'b c d e f g h', 'c d e f g h', 'd e f g h', 'e f g h', 'f g h'],
    },
    {
      name: 'a word that begins behind the first 64 characters',
      names: [`${'x'.repeat(70)} Lovelace`],
      words: ['x'.repeat(64), 'lovelace'],
    },
    {
      name: 'words are cut without a space at their end',
      names: [`${'x'.repeat(63)} Lovelace`],
      words: ['x'.repeat(63), 'lovelace'],
    },
  ];
  for (const { name, names, words } of cases) test(name, () => assert.deepEqual(nameWords(names), words));

  test('a name is found by any prefix of it and of its words', () => {
    const name = 'Ὀδυσσεύς İpek O’Brien-ẞtraße 漢字 👩🏽‍🚀';
    const words = nameWords([name]);
    const starts = [...name.matchAll(/(?<=^|\s)\S/gu)].map(({ index }) => index);
    for (const start of starts) {
      const rest = [...name.slice(start)];
      for (let length = 1; length <= rest.length; length++) {
        const typed = rest.slice(0, length).join('');
        for (const variant of [typed, typed.toUpperCase(), typed.normalize('NFD')]) {
          // What is written ß in one and SS in the other is not one letter in two cases.
          if (/ẞ|ß/.test(typed) && variant !== typed) continue;
          const key = searchKey(variant);
          assert.ok(
            words.some((word) => word.startsWith(key)),
            `"${variant}"`,
          );
        }
      }
    }
  });
});

describe('the words of an address', () => {
  const cases = [
    { name: 'a plain one', email: 'Ada@People.Example', words: ['ada@people.example', 'people.example', 'example'] },
    {
      name: 'a domain that is not ASCII is found as it is written, and as the name system knows it',
      email: 'Ada@Bücher.example',
      words: [
        'ada@xn--bcher-kva.example',
        'xn--bcher-kva.example',
        'bcher-kva.example',
        'kva.example',
        'example',
        'ada@bücher.example',
        'bücher.example',
      ],
    },
    {
      name: 'each part of it',
      email: 'ada.king_lovelace+news@mail-1.example',
      words: [
        'ada.king_lovelace+news@mail-1.example',
        'king_lovelace+news@mail-1.example',
        'lovelace+news@mail-1.example',
        'news@mail-1.example',
        'mail-1.example',
        '1.example',
        'example',
      ],
    },
    {
      name: 'a long one',
      email: `${'x'.repeat(100)}@people.example`,
      words: ['x'.repeat(64), 'people.example', 'example'],
    },
    {
      name: 'eight parts of many',
      email: 'a.b.c.d.e.f.g.h.i.j@people.example',
      words: Array.from('abcdefgh', (_, index) => 'a.b.c.d.e.f.g.h.i.j@people.example'.slice(2 * index)),
    },
  ];
  for (const { name, email, words } of cases) test(name, () => assert.deepEqual(emailWords(email), words));
});

describe('the words of an application', () => {
  const cases = [
    { name: 'its id alone', uris: [], words: ['app-1'] },
    {
      name: 'its hosts, each once, without port and path',
      uris: ['https://App.example:8443/cb?x=1', 'https://app.example/other', 'http://127.0.0.1/cb', 'http://[::1]/cb'],
      words: ['app-1', 'app.example', '127.0.0.1', '[::1]'],
    },
    { name: 'a scheme of its own has no host', uris: ['com.example.app:/callback'], words: ['app-1'] },
    { name: 'an invalid URI has none', uris: ['', '://', 'https://'], words: ['app-1'] },
    {
      name: 'the first ten of many',
      uris: Array.from({ length: 30 }, (_, index) => `https://h${index}.example/`),
      words: ['app-1', ...Array.from({ length: 10 }, (_, index) => `h${index}.example`)],
    },
  ];
  for (const { name, uris, words } of cases) test(name, () => assert.deepEqual(clientWords('app-1', uris), words));
});

describe('the parts of the name of an application', () => {
  test('start at each of its characters', () => {
    assert.deepEqual(clientNameWords('Foo Bar'), ['foo bar', 'oo bar', 'o bar', 'bar', 'ar', 'r']);
    assert.deepEqual(clientNameWords('漢字 👩🏽‍🚀').slice(0, 3), ['漢字 👩🏽‍🚀', '字 👩🏽‍🚀', '👩🏽‍🚀']);
  });

  test('a name is found by any part of it', () => {
    const name = 'Ὀδυσσεύς İpek O’Brien-ẞtraße 漢字 👩🏽‍🚀';
    const words = clientNameWords(name);
    const characters = [...searchKey(name)];
    for (let start = 0; start < characters.length; start++) {
      for (let end = start + 1; end <= characters.length; end++) {
        const part = characters.slice(start, end).join('').trim();
        for (const typed of searchedWords(part))
          assert.ok(
            words.some((word) => word.startsWith(typed)),
            part,
          );
      }
    }
  });

  test('of a long name are limited', () => {
    const words = clientNameWords('long '.repeat(1000));
    assert.ok(words.length <= 100 && words.every((word) => word.length <= 64));
  });
});

describe('typed search text', () => {
  const cases = { '  Ada  LO ': ['ada', 'lo'], '': [], ' ': [], 'a ad ada': ['ada'], 'lo ada lo': ['lo', 'ada'] };
  for (const [text, words] of Object.entries(cases)) {
    test(`"${text}"`, () => assert.deepEqual(searchedWords(text), words));
  }

  test('has at most six words', () => assert.equal(searchedWords('b c d e f g h i').length, 6));
});
