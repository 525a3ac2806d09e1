import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { newRecoveryCode, parseRecoveryCode, recoveryCodeCount } from '../../../src/protocol/sign-in/typed-codes.ts';

const random = (size: number) => randomBytes(size);
const letters = '0123456789abcdefghjkmnpqrstvwxyz';
const form = new RegExp(`^[${letters}]{4}(-[${letters}]{4}){3}$`);

describe('a new recovery code', () => {
  const codes = Array.from({ length: 500 }, () => newRecoveryCode(random));

  test("it's four groups of four unambiguous characters", () => {
    for (const code of codes) assert.match(code, form);
  });

  test('it uses all 32 characters evenly', () => {
    const counts = new Map<string, number>();
    for (const letter of codes.join('').replaceAll('-', '')) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    assert.deepEqual([...counts.keys()].sort().join(''), letters);
    const expected = (500 * 16) / 32;
    for (const [letter, count] of counts)
      assert.ok(count > expected / 2 && count < expected * 2, `${letter}: ${count}`);
  });

  test('it differs each time', () => assert.equal(new Set(codes).size, codes.length));

  test('it uses five bits of each of sixteen random bytes', () => {
    const sizes: number[] = [];
    const counting = (size: number) => {
      sizes.push(size);
      return Uint8Array.from({ length: size }, (_, index) => index * 2 + 224);
    };
    assert.equal(newRecoveryCode(counting), '0246-8ace-gjmp-rtwy');
    assert.deepEqual(sizes, [16]);
  });

  test("it's read back unchanged", () => {
    for (const code of codes) assert.equal(parseRecoveryCode(code), code);
  });

  test('a person gets ten', () => assert.equal(recoveryCodeCount, 10));
});

describe('a recovery code as it is typed', () => {
  const code = '01ab-cdef-ghjk-mnpq';
  const read = [
    { name: 'as it was shown', text: code },
    { name: 'in capitals', text: '01AB-CDEF-GHJK-MNPQ' },
    { name: 'in both', text: '01Ab-cDeF-GhJk-MnPq' },
    { name: 'without hyphens', text: '01abcdefghjkmnpq' },
    { name: 'with spaces for hyphens', text: '01ab cdef ghjk mnpq' },
    { name: 'with spaces around it', text: '  01ab-cdef-ghjk-mnpq\n' },
    { name: 'with spaces everywhere', text: '0 1 a b c d e f g h j k m n p q' },
    { name: 'with no-break and ideographic spaces', text: '01ab\u00a0cdef\u3000ghjk\u2009mnpq' },
    { name: 'grouped otherwise', text: '01-abcd-efgh-jkmn-pq' },
    { name: 'with dashes that a text program has made', text: '01ab–cdef—ghjk‐mnpq' },
    { name: 'with no-break hyphens', text: '01ab\u2011cdef\u2011ghjk\u2011mnpq' },
    { name: 'with full-width hyphens', text: '01ab－cdef－ghjk－mnpq' },
    { name: 'with the letter o for the digit', text: 'o1ab-cdef-ghjk-mnpq' },
    { name: 'with a capital O for the digit', text: 'O1AB-CDEF-GHJK-MNPQ' },
    { name: 'with the letter l for the digit', text: '0lab-cdef-ghjk-mnpq' },
    { name: 'with the letter i for the digit', text: '0iab-cdef-ghjk-mnpq' },
    { name: 'with a capital I for the digit', text: '0IAB-CDEF-GHJK-MNPQ' },
  ];
  for (const { name, text } of read) test(`${name}, it's accepted`, () => assert.equal(parseRecoveryCode(text), code));

  const refused = [
    { name: 'nothing', text: '' },
    { name: 'spaces alone', text: '    ' },
    { name: 'hyphens alone', text: '---' },
    { name: 'fifteen letters', text: '01ab-cdef-ghjk-mnp' },
    { name: 'seventeen letters', text: '01ab-cdef-ghjk-mnpqr' },
    { name: 'a code twice', text: `${code} ${code}` },
    { name: 'the code of an authenticator app', text: '123456' },
    { name: 'a u, which no code has', text: 'u1ab-cdef-ghjk-mnpq' },
    { name: 'a letter with an accent', text: '01äb-cdef-ghjk-mnpq' },
    { name: 'a full-width letter', text: '０1ab-cdef-ghjk-mnpq' },
    { name: 'a Cyrillic letter that looks the same', text: '01\u0430b-cdef-ghjk-mnpq' },
    { name: 'an underscore between the groups', text: '01ab_cdef_ghjk_mnpq' },
    { name: 'a point between the groups', text: '01ab.cdef.ghjk.mnpq' },
    { name: 'a minus sign, which is not a dash', text: '01ab−cdef−ghjk−mnpq' },
    { name: 'a null character', text: '01ab-cdef-ghjk-mnpq\0' },
    { name: 'half of a surrogate pair', text: '01ab-cdef-ghjk-mnp\ud83d' },
    { name: 'a code behind much else', text: `${' '.repeat(64)}${code}` },
    { name: 'very much', text: '0'.repeat(100_000) },
  ];
  for (const { name, text } of refused) {
    test(`${name} isn't a code`, () => assert.equal(parseRecoveryCode(text), undefined));
  }
});
