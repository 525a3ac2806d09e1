import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { quoted } from '../../src/protocol/event.ts';

describe('text from outside in an event', () => {
  const cases = [
    { name: 'an empty text stays empty', text: '', expected: '' },
    {
      name: 'plain text stays as it is',
      text: 'https://app.example/cb?a=1&b=2',
      expected: 'https://app.example/cb?a=1&b=2',
    },
    { name: 'text outside ASCII stays as it is', text: 'Zoë 😀 "x" <b>', expected: 'Zoë 😀 "x" <b>' },
    { name: 'a line feed is replaced', text: 'a\nb', expected: 'a\ufffdb' },
    { name: 'a carriage return and a line feed are replaced', text: 'a\r\nb', expected: 'a\ufffd\ufffdb' },
    { name: 'a NUL is replaced', text: 'a\0b', expected: 'a\ufffdb' },
    { name: 'a tab is replaced', text: 'a\tb', expected: 'a\ufffdb' },
    { name: 'an escape that starts a terminal sequence is replaced', text: '\x1b[31mred', expected: '\ufffd[31mred' },
    { name: 'a delete character is replaced', text: 'a\x7fb', expected: 'a\ufffdb' },
    { name: 'the control sequence introducer is replaced', text: 'a\x9bb', expected: 'a\ufffdb' },
    { name: 'the line and paragraph separators are replaced', text: 'a\u2028b\u2029c', expected: 'a\ufffdb\ufffdc' },
    { name: 'a lone surrogate is replaced', text: 'a\ud83db', expected: 'a\ufffdb' },
    { name: '2000 characters are kept whole', text: 'x'.repeat(2000), expected: 'x'.repeat(2000) },
    { name: 'a longer text is cut and says so', text: 'x'.repeat(2001), expected: `${'x'.repeat(2000)}…` },
    {
      name: 'a cut through a character leaves no half of it',
      text: `${'x'.repeat(1999)}😀😀`,
      expected: `${'x'.repeat(1999)}\ufffd…`,
    },
  ];
  for (const c of cases) test(c.name, () => assert.equal(quoted(c.text), c.expected));
});
