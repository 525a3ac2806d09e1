import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { HashListError, HashListReader } from '../../../src/platform/breached-passwords/hash-list.ts';

const one = '0000000000000000000000000000000000000001';
const two = '00000000CC000000000000000000000000000002';
const three = 'FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF';

/** What is read from the text, in pieces of each size. */
function readIn(size: number, text: string, minCount: number): string[] {
  const taken: string[] = [];
  const reader = new HashListReader({ minCount, take: (hash) => taken.push(Buffer.from(hash).toString('hex')) });
  const bytes = Buffer.from(text, 'latin1');
  for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
  reader.end();
  return taken.map((hash) => hash.toUpperCase());
}

function read(text: string, minCount = 1): string[] {
  const whole = readIn(1_000_000, text, minCount);
  for (const size of [1, 7, 41]) assert.deepEqual(readIn(size, text, minCount), whole, `in pieces of ${size}`);
  return whole;
}

describe('accepted lists', () => {
  const cases = [
    { name: 'lines as they are published', text: `${one}:3\r\n${two}:10434004\r\n`, hashes: [one, two] },
    { name: 'lines of Unix', text: `${one}:3\n${two}:1\n`, hashes: [one, two] },
    { name: 'a last line without an end', text: `${one}:3\n${two}:1`, hashes: [one, two] },
    { name: 'lower case', text: `${two.toLowerCase()}:3\n${three.toLowerCase()}:4\n`, hashes: [two, three] },
    { name: 'empty lines', text: `\n${one}:3\r\n\r\n\n${two}:1\n\n`, hashes: [one, two] },
    { name: 'a hash that is repeated, once', text: `${one}:3\n${one}:3\n${two}:1\n`, hashes: [one, two] },
    { name: 'nothing', text: '', hashes: [] },
    { name: 'the hash of zeros', text: `${'0'.repeat(40)}:1\n${one}:1\n`, hashes: ['0'.repeat(40), one] },
    { name: 'what was seen often enough', text: `${one}:9\n${two}:10\n${three}:11\n`, min: 10, hashes: [two, three] },
    { name: 'nothing of what pads a range', text: `${one}:0\n${two}:1\n`, hashes: [two] },
  ];
  for (const c of cases) test(c.name, () => assert.deepEqual(read(c.text, c.min), c.hashes));
});

describe('refused lists, with the line', () => {
  const cases = [
    { name: 'another order', text: `${two}:1\n${one}:1\n`, problem: /^line 2 is not in order/ },
    {
      name: 'another order among those that are left out',
      text: `${two}:1\n${one}:1\n`,
      min: 5,
      problem: /^line 2 is/,
    },
    {
      name: 'a character that is no digit',
      text: `${one}:1\n${two.replace('C', 'G')}:1\n`,
      problem: /^line 2 doesn't/,
    },
    { name: 'a hash that is too short', text: `${one.slice(1)}:1\n`, problem: /^line 1 doesn't begin with 40/ },
    { name: 'a hash that is too long', text: `${one}0:1\n`, problem: /^line 1 doesn't/ },
    { name: 'a line without end', text: 'A'.repeat(100_000), problem: /^line 1 doesn't/ },
    { name: 'a count without end', text: `${one}:${'1'.repeat(100_000)}`, problem: /^line 1 has no whole number/ },
    { name: 'a negative count', text: `${one}:-1\n`, problem: /^line 1 has no whole number/ },
    { name: 'a fraction', text: `${one}:1.5\n`, problem: /^line 1 has no whole number/ },
    { name: 'no count', text: `${one}:\n`, problem: /^line 1 has no whole number/ },
    { name: 'no colon', text: `${one}\n`, problem: /^line 1 has no count/ },
    { name: 'something after the count', text: `${one}:1\r \n`, problem: /^line 1 has something after/ },
    { name: 'a space before the hash', text: `${one}:1\n ${two}:1\n`, problem: /^line 2 doesn't/ },
    { name: 'NUL', text: `${one}:1\n\0${two}:1\n`, problem: /^line 2 doesn't/ },
    { name: 'NUL in a count', text: `${one}:1\0\n`, problem: /^line 1 has no whole number/ },
    { name: 'a list of NTLM hashes', text: `${'A'.repeat(32)}:1\n`, problem: /^line 1 .*NTLM/ },
    { name: 'a list that was cut off in a hash', text: `${one}:1\n${two.slice(9)}`, problem: /^line 2 ends too early/ },
    { name: 'a list that was cut off at a colon', text: `${one}:1\n${two}:`, problem: /^line 2 ends too early/ },
    { name: 'bytes beyond ASCII', text: `${one}:1\n\xff\xfe\n`, problem: /^line 2 doesn't/ },
  ];
  for (const { name, text, min, problem } of cases) {
    test(name, () => {
      for (const size of [1, 13, 1_000_000]) {
        assert.throws(
          () => readIn(size, text, min ?? 1),
          (error) => error instanceof HashListError && problem.test(error.message),
        );
      }
    });
  }
});

test('files of ranges continue each other, and their hashes begin with their names', () => {
  const taken: string[] = [];
  const reader = new HashListReader({ minCount: 1, take: (hash) => taken.push(Buffer.from(hash).toString('hex')) });
  const files = { '00000': ['0'.repeat(35), 'F'.repeat(35)], ABCDE: ['0'.repeat(34).concat('1'), '1'.repeat(35)] };
  for (const [prefix, suffixes] of Object.entries(files)) {
    reader.beginRange(prefix);
    reader.push(Buffer.from(suffixes.map((suffix) => `${suffix}:2`).join('\r\n')));
    reader.end();
  }
  const expected = Object.entries(files).flatMap(([prefix, suffixes]) => suffixes.map((each) => prefix + each));
  assert.deepEqual(
    taken.map((hash) => hash.toUpperCase()),
    expected,
  );
  reader.beginRange('ABCDF');
  assert.throws(() => reader.push(Buffer.from(`\n${one}:1\n`)), /^HashListError: line 2 doesn't begin with 35/);
});
