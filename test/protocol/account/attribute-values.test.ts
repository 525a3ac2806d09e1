// What each kind of attribute takes, as text and as JSON.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type AttributeKind,
  attributeText,
  attributeValue,
  definedValues,
  readAttribute,
  readAttributes,
} from '../../../src/protocol/account/attribute-values.ts';

const rule = (kind: AttributeKind, allowedValues: readonly string[] | null = null) => ({
  name: 'x',
  kind,
  allowedValues,
});
const long = 'ä'.repeat(512);

const readings: [AttributeKind, 'text' | 'json', unknown, unknown, (readonly string[] | null)?][] = [
  ['text', 'text', ' Sales ', 'Sales'],
  ['text', 'text', '', null],
  ['text', 'text', '   ', null],
  ['text', 'json', null, null],
  ['text', 'json', 'a,b', 'a,b'],
  ['text', 'json', 'a\u202eb', 'ab'],
  ['text', 'json', 5, 'wrong_kind'],
  ['text', 'json', ['a'], 'wrong_kind'],
  ['text', 'json', { a: 1 }, 'wrong_kind'],
  ['text', 'json', 'a\0b', 'characters'],
  ['text', 'json', 'a\nb', 'characters'],
  ['text', 'json', '\ud800', 'characters'],
  ['text', 'json', long, long],
  ['text', 'json', `${long}a`, 'too_long'],
  ['text', 'text', 'Sales', 'Sales', ['Sales', 'Support']],
  ['text', 'text', 'sales', 'not_allowed', ['Sales', 'Support']],
  ['number', 'text', '12', 12],
  ['number', 'text', ' -1.5e3 ', -1500],
  ['number', 'text', '-0', 0],
  ['number', 'text', '', null],
  ['number', 'text', '1,5', 'wrong_kind'],
  ['number', 'text', '0x10', 'wrong_kind'],
  ['number', 'text', '012', 'wrong_kind'],
  ['number', 'text', '1e999', 'wrong_kind'],
  ['number', 'text', 'Infinity', 'wrong_kind'],
  ['number', 'json', 0.1, 0.1],
  ['number', 'json', '5', 'wrong_kind'],
  ['number', 'json', true, 'wrong_kind'],
  ['boolean', 'text', 'true', true],
  ['boolean', 'text', 'FALSE', false],
  ['boolean', 'text', 'yes', 'wrong_kind'],
  ['boolean', 'text', 'constructor', 'wrong_kind'],
  ['boolean', 'json', false, false],
  ['boolean', 'json', 'true', 'wrong_kind'],
  ['boolean', 'json', 0, 'wrong_kind'],
  ['list', 'text', 'b, a,,b ', ['b', 'a', 'b']],
  ['list', 'text', ',', null],
  ['list', 'json', ['b', 'a'], ['b', 'a']],
  ['list', 'json', [], null],
  ['list', 'json', ['a', ''], 'characters'],
  ['list', 'json', ['a,b'], 'characters'],
  ['list', 'json', ['a', 1], 'wrong_kind'],
  ['list', 'json', 'a', 'wrong_kind'],
  ['list', 'json', [long.slice(1), 'a'], [long.slice(1), 'a']],
  ['list', 'json', [long, 'a'], 'too_long'],
  ['list', 'text', 'b,a', ['b', 'a'], ['a', 'b']],
  ['list', 'text', 'a,c', 'not_allowed', ['a', 'b']],
];

for (const [kind, as, given, expected, allowed] of readings) {
  test(`${kind} from ${as}: ${JSON.stringify(given)?.slice(0, 30)}${allowed ? ` of ${allowed}` : ''}`, () => {
    const { value, problem } = readAttribute(rule(kind, allowed), given, as);
    assert.deepEqual(problem ?? value, expected);
  });
}

describe('a change of several', () => {
  const attributes = [
    { ...rule('text', ['new']), name: 'a' },
    { ...rule('number'), name: 'b' },
    { ...rule('list'), name: 'c' },
  ];

  test('has what differs, and names what is wrong', () => {
    const current = { a: 'old', b: 5 };
    const values = { a: 'old', b: null, c: ['x'], d: 1, constructor: 'x' };
    const { patch, changed, problems } = readAttributes(attributes, current, { as: 'json', values });
    // What somebody has stays, even if it's no longer allowed.
    assert.deepEqual(patch, { b: null, c: ['x'] });
    assert.deepEqual(
      changed.map(({ name }) => name),
      ['b', 'c'],
    );
    assert.deepEqual(problems, { d: 'unknown', constructor: 'unknown' });
  });

  test('of nothing is none', () => {
    const { changed } = readAttributes(attributes, { b: 5 }, { as: 'text', values: { a: '', b: '5.0', c: '' } });
    assert.deepEqual(changed, []);
  });
});

test('only defined attributes are shown, in the order of the definitions', () => {
  const values = { z: 'last', a: 1, gone: 'x' };
  const shown = definedValues([{ name: 'a' }, { name: 'constructor' }, { name: 'z' }], values);
  assert.equal(JSON.stringify(shown), '{"a":1,"z":"last"}');
  assert.equal(attributeValue({}, 'constructor'), undefined);
});

test('a value is read from its own text', () => {
  for (const [kind, value] of [
    ['text', 'a b'],
    ['number', -1.5],
    ['boolean', false],
    ['list', ['a b', 'c']],
  ] as const) {
    assert.deepEqual(readAttribute(rule(kind), attributeText(value), 'text').value, value);
  }
});
