import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readJsonObject } from '../../../src/protocol/reading/json-body.ts';

const read = (text: string, type = 'application/json') => readJsonObject(type, Buffer.from(text));

test('an object is read completely', () => {
  const text = ' {"a": "x", "b": [1, "two", {"c": null}], "d:\\"e": {"a": "a", "b": ":"}, "list": ["a", "a"]} ';
  assert.deepEqual(read(text), { kind: 'read', value: JSON.parse(text) });
  assert.equal(read('{}', 'Application/JSON; charset=UTF-8').kind, 'read');
  assert.deepEqual(read('\ufeff{"a": 1}'), { kind: 'read', value: { a: 1 } }, 'without its byte order mark');
});

const refusals: [name: string, text: string, description: RegExp][] = [
  ['nothing', '', /not valid JSON/],
  ['what is not JSON', '{a: 1}', /not valid JSON/],
  ['a list', '[]', /must be a JSON object/],
  ['null', 'null', /must be a JSON object/],
  ['text', '"a"', /must be a JSON object/],
  ['a member twice', '{"a": 1, "a": 1}', /is there a second time at line 1/],
  ['a member twice, once in disguise', '{"a": 1, "\\u0061": 2}', /is there a second time at line 1/],
  ['a member twice, deep inside', '{"x": [{"a": "b", "c" : 1, "a" : 2}]}', /is there a second time at line 1/],
  ['a control character in a list', '{"a": ["", {"b": "\\u0007"}]}', /"a\.1\.b" has characters/],
  ['a control character in a name', '{"a\\u0007": 1}', /name of a member has characters/],
  ['half a character', '{"a": "\\udc00"}', /"a" has characters/],
  ['a very deep body', `{"a": ${'['.repeat(2000)}${']'.repeat(2000)}}`, /more levels than anybody needs/],
];
for (const [name, text, description] of refusals) {
  test(`${name} is refused`, () => {
    const reading = read(text);
    assert.equal(reading.kind, 'invalid');
    if (reading.kind === 'invalid') assert.match(reading.description, description);
  });
}

test('another type of body is refused', () => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=utf-16']) {
    assert.equal(read('{}', type).kind, 'invalid', type);
  }
  assert.equal(readJsonObject(undefined, Buffer.from('{}')).kind, 'invalid');
});
