import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import {
  firstIdAt,
  formatCode,
  formatRefreshToken,
  newId,
  newSecret,
  newTimeOrderedId,
  parseCode,
  parseRefreshToken,
  type RandomBytes,
} from '../../src/protocol/identifiers.ts';

const filled =
  (byte: number): RandomBytes =>
  (size) =>
    new Uint8Array(size).fill(byte);

describe('an id', () => {
  const cases = [
    { name: 'zeros are written with all digits', random: filled(0), expected: '0'.repeat(26) },
    { name: 'ones are written with all digits', random: filled(0xff), expected: `7${'z'.repeat(25)}` },
    {
      name: 'the last byte is written last',
      random: (size: number) => new Uint8Array(size).fill(1, -1),
      expected: `${'0'.repeat(25)}1`,
    },
  ];
  for (const c of cases) test(c.name, () => assert.equal(newId(c.random), c.expected));

  test('it takes 128 random bits', () => {
    const sizes: number[] = [];
    newId((size) => {
      sizes.push(size);
      return new Uint8Array(size);
    });
    assert.deepEqual(sizes, [16]);
  });

  test('it has 26 characters of 0-9 and a-z', () => {
    for (let round = 0; round < 100; round++) assert.match(newId(randomBytes), /^[0-9a-z]{26}$/);
  });
});

describe('a time-ordered ID', () => {
  const now = 1_800_000_000_000;

  test('a later ID sorts after an earlier one', () => {
    assert.ok(newTimeOrderedId(now, filled(0xff)) < newTimeOrderedId(now + 1, filled(0)));
    assert.ok(newTimeOrderedId(now, filled(0xff)) < newTimeOrderedId(now * 2, filled(0)));
  });

  test('two IDs of one millisecond differ in their random bits', () => {
    assert.notEqual(newTimeOrderedId(now, filled(0)), newTimeOrderedId(now, filled(1)));
  });

  test('it has 26 characters of 0-9 and a-z', () => {
    assert.match(newTimeOrderedId(now, randomBytes), /^[0-9a-z]{26}$/);
  });

  test('it takes 80 random bits', () => {
    const sizes: number[] = [];
    newTimeOrderedId(now, (size) => {
      sizes.push(size);
      return new Uint8Array(size);
    });
    assert.deepEqual(sizes, [10]);
  });

  test('the first ID of a time sorts after earlier IDs and not after those of that time', () => {
    assert.equal(firstIdAt(now), newTimeOrderedId(now, filled(0)));
    assert.ok(newTimeOrderedId(now - 1, filled(0xff)) < firstIdAt(now));
  });

  test('any time has a first ID, also before or after all IDs and within a millisecond', () => {
    assert.equal(firstIdAt(-1), '0'.repeat(26));
    assert.equal(firstIdAt(2 ** 60), newTimeOrderedId(2 ** 48 - 1, filled(0)));
    assert.equal(firstIdAt(now + 0.5), firstIdAt(now));
  });
});

describe('a secret', () => {
  test("it's a prefix and 256 random bits in base64url", () => {
    assert.equal(newSecret('lk_secret_', filled(0xff)), `lk_secret_${'_'.repeat(42)}8`);
  });

  test('it is ASCII, safe in a URL, and has at least 32 bytes', () => {
    for (let round = 0; round < 100; round++) assert.match(newSecret('', randomBytes), /^[A-Za-z0-9_-]{43}$/);
  });
});

describe('a code and a refresh token', () => {
  const grantId = newTimeOrderedId(1_800_000_000_000, filled(7));
  const credential = { grantId, secret: newSecret('', filled(9)) };
  const code = formatCode(credential);
  const refreshToken = formatRefreshToken(credential);

  test('a code is read back', () => assert.deepEqual(parseCode(code), credential));
  test('a refresh token is read back', () => assert.deepEqual(parseRefreshToken(refreshToken), credential));
  test("a code isn't read as a refresh token", () => assert.equal(parseRefreshToken(code), undefined));
  test("a refresh token isn't read as a code", () => assert.equal(parseCode(refreshToken), undefined));

  const changes = [
    { name: 'an empty text is neither', change: () => '' },
    { name: 'a prefix alone is neither', change: (text: string) => text.slice(0, 4) },
    { name: 'a text without its prefix is neither', change: (text: string) => text.slice(4) },
    {
      name: 'a prefix in capitals is neither',
      change: (text: string) => text.slice(0, 3).toUpperCase() + text.slice(3),
    },
    { name: 'a missing last character is neither', change: (text: string) => text.slice(0, -1) },
    { name: 'a character too many is neither', change: (text: string) => `${text}A` },
    { name: 'padding is neither', change: (text: string) => `${text}=` },
    { name: 'a final line feed is neither', change: (text: string) => `${text}\n` },
    { name: 'a space before it is neither', change: (text: string) => ` ${text}` },
    { name: 'another separator is neither', change: (text: string) => text.replace('.', ':') },
    {
      name: 'a grant id in capitals is neither',
      change: (text: string) => text.replace(grantId, grantId.toUpperCase()),
    },
    { name: 'a shorter grant id is neither', change: (text: string) => text.replace(grantId, grantId.slice(1)) },
    { name: 'a plus sign in the secret is neither', change: (text: string) => `${text.slice(0, -1)}+` },
  ];
  for (const c of changes) {
    test(c.name, () => {
      assert.equal(parseCode(c.change(code)), undefined);
      assert.equal(parseRefreshToken(c.change(refreshToken)), undefined);
    });
  }
});
