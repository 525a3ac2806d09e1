import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { usernameKey, usernameProblem } from '../../../src/protocol/account/names.ts';
import { newId } from '../../../src/protocol/identifiers.ts';

describe('a username', () => {
  const allowed = ['ada', 'Ada', 'ADA', 'ada.lovelace', 'ada_l', 'ada-l', 'a1.', 'a--', 'x'.repeat(30), 'Grace1906'];
  for (const text of allowed) test(`${text} is allowed`, () => assert.equal(usernameProblem(text), undefined));

  const refused = {
    too_short: ['', 'a', 'ad'],
    too_long: ['x'.repeat(31), 'x'.repeat(1000)],
    invalid_start: ['1ada', '.ada', '_ada', '-ada', '12345'],
    invalid_characters: [
      'ada lovelace',
      ' ada',
      'ada\n',
      'ada@example.com',
      '@ada',
      'zoë',
      'аda',
      'ada\u200b',
      'ada+l',
      'a/b/c',
      // Long s and the Kelvin sign become ASCII letters when their case changes.
      'ada\u017f',
      'ada\u212a',
      '👩🏽‍🚀👩🏽‍🚀👩🏽‍🚀',
    ],
  } as const;
  for (const [problem, texts] of Object.entries(refused)) {
    for (const text of texts) {
      test(`${JSON.stringify(text)} is ${problem}`, () => assert.equal(usernameProblem(text), problem));
    }
  }

  test('no generated ID is a valid username', () => {
    for (const byte of [0x00, 0x7f, 0x80, 0xff]) {
      const id = newId((size) => new Uint8Array(size).fill(byte));
      assert.equal(usernameProblem(id), 'invalid_start', id);
    }
  });

  test('its key ignores case and differs between usernames', () => {
    for (const spelling of ['Ada.L', 'ada.l', 'ADA.L']) assert.equal(usernameKey(spelling), 'ada.l');
    assert.notEqual(usernameKey('ada-l'), usernameKey('ada.l'));
  });
});
