// The objects in a JSON file are found wherever the file happens to be cut, and what isn't such a file is refused with
// its line.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ElementScanner, InvalidFile } from '../../../src/cli/import/json-elements.ts';

function scan(text: string | Uint8Array, member?: string, step = 7) {
  const scanner = new ElementScanner(member);
  const bytes = Buffer.from(text);
  const found: { text: string; line: number }[] = [];
  for (let at = 0; at < bytes.length; at += step) found.push(...scanner.push(bytes.subarray(at, at + step)));
  scanner.finish();
  return { found, hasList: scanner.found };
}

const one = '{"a":"}]\\"{[ü😀\\\\","b":[{"c":[]},1],"d":{}}';
const two = '{\n  "e" : null\n}';

test('objects are found in every file format', () => {
  const expected = [one, two];
  const files: [string, string | undefined][] = [
    [`[${one},${two}]`, undefined],
    [`\ufeff [ ${one} , ${two} ] \n`, undefined],
    [`${one}\n${two}\n`, undefined],
    [`${one}${two}`, undefined],
    [`{"realm":"x","users":[${one},${two}],"n":0}`, 'users'],
    [`{"n":-1.5e3 ,"t":"users","o":{"users":[{}]},"users" : [${one},${two}], "z":true}`, 'users'],
    [`{"us\\u0065rs":[${one},${two}]}`, 'users'],
  ];
  for (const [text, member] of files) {
    for (const step of [1, 2, 3, 7, 1000]) {
      const { found, hasList } = scan(text, member, step);
      assert.deepEqual(
        found.map((element) => element.text),
        expected,
        text,
      );
      assert.equal(hasList, true);
    }
  }
});

test('each has the line it starts on', () => {
  const { found } = scan(`[\n${one},\n${two},\n\n${one}]`);
  assert.deepEqual(
    found.map(({ line }) => line),
    [2, 3, 7],
  );
});

test('an empty list has no records, and the list may be missing', () => {
  assert.deepEqual(scan('[]').found, []);
  assert.deepEqual(scan('{"users":[]}', 'users'), { found: [], hasList: true });
  assert.deepEqual(scan('{}', 'users'), { found: [], hasList: false });
  assert.deepEqual(scan('{"realm":"x"}', 'users'), { found: [], hasList: false });
});

test('anything else is refused', () => {
  const files: [string | Uint8Array, string | undefined, number, RegExp][] = [
    ['', undefined, 1, /ends too early/],
    ['[{}', undefined, 1, /ends too early/],
    ['{"a":1', undefined, 1, /ends too early/],
    ['[{},]', undefined, 1, /an object/],
    ['[{} {}]', undefined, 1, /a comma or \]/],
    ['[\n1]', undefined, 2, /an object/],
    ['[{}]\nx', undefined, 2, /end of the file/],
    ['{}\n[]', undefined, 2, /an object/],
    ['id,email', undefined, 1, /a list or objects/],
    ['[]', 'users', 1, /expected an object/],
    ['{"users":{}}', 'users', 1, /a list in "users"/],
    ['{"users":[],"users":[]}', 'users', 1, /appears twice/],
    ['{"users" []}', 'users', 1, /a colon/],
    ['{"a":1,}', 'users', 1, /a key/],
    [`[${'['.repeat(3)}`, undefined, 1, /an object/],
    [`[{"a":${'['.repeat(300)}`, undefined, 1, /levels/],
    [`[{"a":"${'x'.repeat(1024 * 1024)}"}]`, undefined, 1, /1 MB/],
    [Buffer.from('[{"a":"\xff"}]', 'latin1'), undefined, 1, /UTF-8/],
  ];
  for (const [text, member, line, problem] of files) {
    assert.throws(
      () => scan(text, member, 4096),
      (error) => error instanceof InvalidFile && problem.test(error.message) && error.line === line,
      String(text).slice(0, 60),
    );
  }
});
