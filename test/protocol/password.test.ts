import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { canonicalPassword, passwordProblem } from '../../src/protocol/password.ts';

describe('a new password', () => {
  const cases = [
    { name: 'a password of 8 characters is accepted', password: 'abcdefgh', problem: undefined },
    { name: 'a password of 256 characters is accepted', password: 'x'.repeat(256), problem: undefined },
    { name: 'a password of spaces is accepted', password: ' '.repeat(8), problem: undefined },
    { name: 'a phrase with spaces and accents is accepted', password: 'Übung macht den Meister', problem: undefined },
    { name: 'eight emoji are eight characters', password: '😀'.repeat(8), problem: undefined },
    { name: '256 emoji are 256 characters', password: '😀'.repeat(256), problem: undefined },
    { name: 'an empty password is too short', password: '', problem: /at least 8/ },
    { name: 'a password of 7 characters is too short', password: 'abcdefg', problem: /at least 8/ },
    { name: 'seven emoji are too short', password: '😀'.repeat(7), problem: /at least 8/ },
    { name: 'a password of 257 characters is too long', password: 'x'.repeat(257), problem: /at most 256/ },
    { name: 'a NUL is refused', password: 'abcdefgh\0', problem: /not allowed/ },
    { name: 'a lone surrogate is refused', password: 'abcdefgh\ud83d', problem: /not allowed/ },
  ];
  for (const c of cases) {
    test(c.name, () => {
      const problem = passwordProblem(c.password);
      if (c.problem === undefined) assert.equal(problem, undefined);
      else assert.match(problem ?? 'accepted', c.problem);
    });
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
