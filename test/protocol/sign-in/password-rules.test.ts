import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { canonicalPassword, passwordProblem } from '../../../src/protocol/sign-in/password-rules.ts';

describe('a new password', () => {
  const cases = [
    { name: 'a password of 8 characters is accepted', password: 'abcdefgh', fault: undefined },
    { name: 'a password of 256 characters is accepted', password: 'x'.repeat(256), fault: undefined },
    { name: 'a password of spaces is accepted', password: ' '.repeat(8), fault: undefined },
    { name: 'a phrase with spaces and accents is accepted', password: 'Übung macht den Meister', fault: undefined },
    { name: 'eight emoji are eight characters', password: '😀'.repeat(8), fault: undefined },
    { name: '256 emoji are 256 characters', password: '😀'.repeat(256), fault: undefined },
    { name: 'an empty password is too short', password: '', fault: 'too_short' },
    { name: 'a password of 7 characters is too short', password: 'abcdefg', fault: 'too_short' },
    { name: 'seven emoji are too short', password: '😀'.repeat(7), fault: 'too_short' },
    { name: 'a password of 257 characters is too long', password: 'x'.repeat(257), fault: 'too_long' },
    { name: 'a NUL is refused', password: 'abcdefgh\0', fault: 'not_text' },
    { name: 'a lone surrogate is refused', password: 'abcdefgh\ud83d', fault: 'not_text' },
  ];
  for (const c of cases) {
    test(c.name, () => {
      assert.equal(passwordProblem(c.password, { isCommon: () => false, personal: [] }), c.fault);
    });
  }
});

describe('easily guessed passwords', () => {
  const guessable = {
    isCommon: (password: string) => password === 'iloveyou',
    personal: ['Ada.Lovelace@example.com', 'Ada Lovelace', null],
  };
  const cases = [
    { name: 'a common password is refused', password: 'iloveyou', fault: 'common' },
    { name: 'the own address is refused', password: 'ada.lovelace@example.com', fault: 'personal' },
    { name: 'the part of the address before the @ is refused', password: 'ADA.LOVELACE', fault: 'personal' },
    { name: 'the own name is refused, in any spelling', password: 'ａda lovelace', fault: 'personal' },
    { name: 'a phrase with the own name in it is accepted', password: 'ada lovelace was here', fault: undefined },
  ];
  for (const c of cases) {
    test(c.name, () => assert.equal(passwordProblem(c.password, guessable), c.fault));
  }
});

describe('the form in which a password is hashed', () => {
  const cases = [
    { name: 'composed and decomposed letters are the same', a: 'p\u00e4ssword', b: 'pa\u0308ssword', same: true },
    { name: 'full-width letters are the same as plain ones', a: 'ｐassword', b: 'password', same: true },
    { name: 'a ligature is the same as its letters', a: 'o\ufb03ce', b: 'office', same: true },
    { name: 'case matters', a: 'Password', b: 'password', same: false },
    { name: 'space around the password matters', a: 'password ', b: 'password', same: false },
  ];
  for (const c of cases) {
    test(c.name, () => assert.equal(canonicalPassword(c.a) === canonicalPassword(c.b), c.same));
  }
});
