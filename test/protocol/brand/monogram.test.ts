// The favicon that is drawn from a name: one letter, whatever the name and whoever asks for the path.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { initialOf, monogramAt, monogramPath } from '../../../src/protocol/brand/monogram.ts';

describe('the first letter of a name', () => {
  for (const [name, letter] of [
    ['acme', 'A'],
    ['  émile', 'É'],
    ['👩‍🚀 Space', '👩‍🚀'],
    ['株式会社', '株'],
    ['', '?'],
  ] as const) {
    test(`of "${name}"`, () => {
      assert.equal(initialOf(name), letter);
      assert.ok(monogramAt(monogramPath(name))?.endsWith(`>${letter}</text></svg>\n`));
    });
  }
});

test('XML special characters are escaped', () => {
  assert.match(monogramAt(monogramPath('<script>', '#C2410C')) ?? '', /fill="#c2410c".*>&#60;<\/text>/);
  assert.match(monogramAt(monogramPath('&co')) ?? '', />&#38;<\/text>/);
});

test('a path with more than one letter, another color or another hash is invalid', () => {
  const path = monogramPath('Acme');
  const hex = Buffer.from('A').toString('hex');
  for (const other of [
    path.replace(`.${hex}.`, `.${Buffer.from('AB').toString('hex')}.`),
    path.replace('4338ca', '4338cb'),
    path.replace(/[\w-]{12}\.svg/, 'AAAAAAAAAAAA.svg'),
    '/brand.red.41.svg',
    '',
  ]) {
    assert.equal(monogramAt(other), undefined, other);
  }
});
