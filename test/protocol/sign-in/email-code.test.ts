import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { emailCodeDigest, newEmailCode, parseEmailCode } from '../../../src/protocol/sign-in/typed-codes.ts';

const letters = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const form = new RegExp(`^[${letters}]{4}-[${letters}]{4}$`);

describe('a new code', () => {
  const codes = Array.from({ length: 1000 }, () => newEmailCode((size) => randomBytes(size)));

  test("it's two groups of four characters, different each time", () => {
    for (const code of codes) assert.match(code, form);
    assert.equal(new Set(codes).size, codes.length);
  });

  test('it uses all 30 characters evenly, in every place', () => {
    const expected = (1000 * 8) / 30;
    for (const letter of letters) {
      const count = codes.join('').split(letter).length - 1;
      assert.ok(count > expected / 1.6 && count < expected * 1.6, `${letter}: ${count}`);
    }
    for (let place = 0; place < 4; place++) assert.equal(new Set(codes.map((code) => code[place])).size, 30);
  });

  test('it comes from as many random bytes as are given, whatever they are', () => {
    assert.equal(
      newEmailCode((size) => new Uint8Array(size)),
      '2222-2222',
    );
    assert.match(
      newEmailCode((size) => new Uint8Array(size).fill(255)),
      form,
    );
  });
});

describe('a typed code', () => {
  const same = [
    'ABCD-2345',
    'abcd-2345',
    ' a b c d 2 3 4 5\n',
    'ABCD2345',
    'ABCD—2345',
    'ＡＢＣＤ２３４５',
    '--ABCD--2345--',
  ];
  for (const text of same)
    test(`${JSON.stringify(text)} is read`, () => assert.equal(parseEmailCode(text), 'ABCD2345'));

  const none = [
    '',
    'ABCD-234',
    'ABCD-23456',
    'ABCD-234O',
    'ABCD-2340',
    'ABCD-234I',
    'ABCD-234U',
    'ABCD 234_',
    'ABCD\u00002345',
  ];
  for (const text of none) test(`${JSON.stringify(text)} is none`, () => assert.equal(parseEmailCode(text), undefined));
});

test('the digest covers the browser and the code, however it was typed', () => {
  const digest = emailCodeDigest('mark', 'ABCD-2345');
  assert.equal(emailCodeDigest('mark', 'abcd 2345'), digest);
  assert.notEqual(emailCodeDigest('other', 'ABCD-2345'), digest);
  assert.notEqual(emailCodeDigest('mark', 'ABCD-2346'), digest);
  assert.notEqual(emailCodeDigest('mark', 'nonsense'), digest);
  assert.equal(emailCodeDigest('mark', 'nonsense'), emailCodeDigest('mark', ''));
});
