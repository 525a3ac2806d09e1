import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readJson, withoutByteOrderMark } from '../../../src/protocol/reading/strict-json.ts';

describe('valid JSON is read as JSON.parse reads it', () => {
  for (const text of [
    '{}',
    '[]',
    ' [ ] ',
    '{"a": 1}',
    '[1, -0.5, 2e3, 1E-2, 0]',
    '[true, false, null]',
    '"\\u00e9\\n\\"\\\\\\/ é 😀"',
    '\r\n\t{"a": {"b": [{"c": "d"}, []]}, "": 0}\n',
    '{"__proto__": {"x": 1}}',
  ]) {
    test(text.trim(), () => assert.deepEqual(readJson(text), { kind: 'read', value: JSON.parse(text) }));
  }
});

test('a byte order mark is removed on request and otherwise invalid', () => {
  assert.deepEqual(readJson(withoutByteOrderMark('\ufeff[1]')), { kind: 'read', value: [1] });
  assert.equal(readJson('\ufeff[1]').kind, 'invalid');
});

describe('invalid JSON is reported with its line and column', () => {
  for (const [text, fault] of [
    ['', 'the text ends where a value is expected, at line 1, column 1'],
    ['{', 'the text ends where a key in double quotes is expected, at line 1, column 2'],
    ['{\n  "a": 1,\n}', 'a key in double quotes is expected at line 3, column 1'],
    ['{"a" 1}', '":" is expected at line 1, column 6'],
    ['{"a": }', 'a value is expected at line 1, column 7'],
    ["{'a': 1}", 'a key in double quotes is expected at line 1, column 2'],
    ['{"a": 1 "b": 2}', '"," or "}" is expected at line 1, column 9'],
    ['[1,\n 2 3]', '"," or "]" is expected at line 2, column 4'],
    ['[1,]', 'a value is expected at line 1, column 4'],
    ['[01]', '"," or "]" is expected at line 1, column 3'],
    ['["a\nb"]', 'a value is expected at line 1, column 2'],
    ['["\\x"]', 'a value is expected at line 1, column 2'],
    ['// note\n{}', 'a value is expected at line 1, column 1'],
    ['{} {}', 'the end is expected at line 1, column 4'],
    ['nul', 'a value is expected at line 1, column 1'],
    ['{"a": 1,\n "b": 2, "a": 3}', 'the key "a" is there a second time at line 2, column 10'],
  ] as const) {
    test(JSON.stringify(text), () => {
      const reason = text.includes('"a": 3') ? 'repeated_key' : 'syntax';
      if (reason === 'syntax') assert.throws(() => JSON.parse(text), 'JSON.parse agrees');
      assert.deepEqual(readJson(text), { kind: 'invalid', reason, problem: fault });
    });
  }

  test("JSON that's nested too deeply", () => {
    const reading = readJson('['.repeat(100_000));
    const problem = 'more levels than anybody needs at line 1, column 102';
    assert.deepEqual(reading, { kind: 'invalid', reason: 'too_deep', problem });
  });
});
