import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { digestOf, sameText } from '../../src/protocol/digest.ts';

test('a digest is SHA-256 in base64url without padding', () => {
  // FIPS 180-2, "abc".
  assert.equal(digestOf('abc'), 'ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0');
});

describe('comparing texts', () => {
  const cases = [
    { name: 'equal texts are the same', a: 'abc', b: 'abc', expected: true },
    { name: 'two empty texts are the same', a: '', b: '', expected: true },
    { name: 'a difference at the beginning counts', a: 'abc', b: 'xbc', expected: false },
    { name: 'a difference at the end counts', a: 'abc', b: 'abx', expected: false },
    { name: 'case counts', a: 'abc', b: 'abC', expected: false },
    { name: 'a shorter text differs', a: 'abc', b: 'ab', expected: false },
    { name: 'an empty text differs from any other', a: '', b: 'a', expected: false },
    { name: 'texts with as many characters and more bytes differ', a: 'é', b: 'e', expected: false },
  ];
  for (const c of cases) test(c.name, () => assert.equal(sameText(c.a, c.b), c.expected));
});
