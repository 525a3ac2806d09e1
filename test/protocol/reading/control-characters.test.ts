// Which characters text from outside must not contain, and how they are shown where they were stored before.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  escapeMisleading,
  hasControlCharacters,
  isPlainText,
} from '../../../src/protocol/reading/control-characters.ts';

for (const [name, text] of [
  ['a zero byte', 'a\0b'],
  ['an escape', '\u001b[2J'],
  ['delete', '\u007f'],
  ['the first of the second set', '\u0080'],
  ['a next line', 'a\u0085b'],
  ['an escape of the second set', '\u009b2J'],
  ['the last of the second set', '\u009f'],
] as const) {
  test(`${name} is a control character`, () => {
    assert.equal(hasControlCharacters(text), true);
    assert.equal(isPlainText(text), false);
    assert.equal(hasControlCharacters(escapeMisleading(text)), false);
  });
}

for (const text of ['Ada', '\u00a0', 'é', '👩🏽‍🚀', 'نص', 'a\u200db']) {
  test(`${JSON.stringify(text)} is plain and shown unchanged`, () => {
    assert.equal(isPlainText(text), true);
    assert.equal(escapeMisleading(text), text);
  });
}

test('an escape is the one JSON uses', () => {
  const text = 'a\u0000\u001b\u007f\u0085\u202e\u2066\u2028\u00ad\u200b\ufeff\u{e0001}b';
  assert.match(escapeMisleading(text), /^[\x20-\x7e]+$/);
  assert.equal(JSON.parse(`"${escapeMisleading(text)}"`), text);
});
