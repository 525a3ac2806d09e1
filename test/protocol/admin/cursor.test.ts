import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { formatCursor, type Position, parseCursor, placeOf, textAt } from '../../../src/protocol/admin/cursor.ts';

describe('a cursor', () => {
  const positions: Record<string, Position> = {
    'a time and an id': ['1768478400000', '01jh2k3m4n5p6q7r8s9t0v1w2x'],
    'the beginning of time': ['0', 'a'],
    'the bytes of a word': [Buffer.from('zoë 漢字').toString('hex'), '01jh2k3m4n5p6q7r8s9t0v1w2x'],
    'the longest word': [Buffer.from('漢'.repeat(64)).toString('hex'), 'x'.repeat(40)],
    'an ID that was chosen': ['616461', 'my_app-1'],
  };
  for (const [name, position] of Object.entries(positions)) {
    test(`is read back: ${name}`, () => {
      for (const direction of ['after', 'before'] as const) {
        for (const count of [0, 50, Number.MAX_SAFE_INTEGER]) {
          const text = formatCursor({ position, direction, count });
          assert.match(text, /^[A-Za-z0-9_-]+$/, 'nothing in it needs to be encoded in a URL');
          assert.deepEqual(parseCursor(text), { position, direction, count });
        }
      }
    });
  }
});

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

test('a cursor from before backward paging still works', () => {
  assert.deepEqual(parseCursor(encoded(['5', 'a'])), { position: ['5', 'a'], direction: 'after', count: 0 });
});

describe('invalid cursors', () => {
  const id = '01jh2k3m4n5p6q7r8s9t0v1w2x';
  const texts: Record<string, string> = {
    nothing: '',
    space: ' ',
    words: 'not a cursor',
    'a NUL': '\0',
    'a lone surrogate': '\ud83d',
    'much text': 'A'.repeat(1_000_000),
    'many brackets': Buffer.from('['.repeat(100_000)).toString('base64url'),
    'no JSON': Buffer.from('["5"').toString('base64url'),
    null: encoded(null),
    'a number': encoded(5),
    'a text': encoded('5'),
    'an object': encoded({ 0: '5', 1: id, length: 2 }),
    'an empty list': encoded([]),
    'one thing': encoded(['5']),
    'a count that is text': encoded(['5', id, id]),
    'a negative count': encoded(['5', id, -1]),
    'a fraction of a count': encoded(['5', id, 1.5]),
    'a count that is null': encoded(['5', id, null]),
    'an unknown direction': encoded(['5', id, 1, 'sideways']),
    'five things': encoded(['5', id, 1, 'before', 1]),
    'a time that is a number': encoded([5, id]),
    'an id that is a number': encoded(['5', 5]),
    'an id that is null': encoded(['5', null]),
    'a list for a time': encoded([['5'], id]),
    'an empty time': encoded(['', id]),
    'an empty id': encoded(['5', '']),
    'a negative time': encoded(['-5', id]),
    'a fraction': encoded(['5.5', id]),
    'a time with an exponent': encoded(['5e5', id]),
    'a line feed behind the time': encoded(['5\n', id]),
    'a line feed behind the id': encoded(['5', `${id}\n`]),
    'digits of another script': encoded(['٥', id]),
    'capitals in the hexadecimal': encoded(['6A', id]),
    'half a byte more': encoded(['61a', id]),
    'a word that is too long': encoded(['61'.repeat(401), id]),
    'an id with a quote': encoded(['5', "x' OR 1=1"]),
    'an id with a NUL': encoded(['5', 'x\0']),
    'an id that is too long': encoded(['5', 'x'.repeat(256)]),
    'an id with a space': encoded(['5', 'x y']),
  };
  for (const [name, text] of Object.entries(texts)) {
    test(`${name} is refused`, () => assert.equal(parseCursor(text), undefined));
  }

  test('a truncated or modified cursor is refused or reads differently', () => {
    const text = formatCursor({ position: ['1768478400000', id], direction: 'before', count: 50 });
    for (let index = 0; index < text.length; index++) {
      for (const hostile of [text.slice(0, index), `${text.slice(0, index)}*${text.slice(index + 1)}`]) {
        const cursor = parseCursor(hostile);
        if (cursor !== undefined) assert.ok(cursor.position.every((part) => /^[a-z0-9_-]+$/.test(part)));
      }
    }
  });
});

describe('a place that is a text', () => {
  for (const text of ['', 'a', 'zoë 漢字', '𠮷']) {
    test(`${JSON.stringify(text)} is read back`, () => assert.equal(textAt(placeOf(text)), text));
  }
  for (const text of ['\0', 'a\0b', '\n', '\u0085']) {
    test(`${JSON.stringify(text)} is none of ours`, () => assert.equal(textAt(placeOf(text)), undefined));
  }
});
