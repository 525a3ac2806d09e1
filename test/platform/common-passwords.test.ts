import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { isCommonPassword } from '../../src/platform/common-passwords.ts';

describe('the list', () => {
  const text = readFileSync(new URL('../../src/platform/common-passwords.txt', import.meta.url), 'utf8');
  const lines = text.trimEnd().split(/\r?\n/);

  test('it has ten thousand entries, each once and in order', () => {
    assert.equal(lines.length, 10_000);
    assert.deepEqual(lines, [...new Set(lines)].sort());
  });

  test('each entry is 8 to 64 printable ASCII characters in lower case', () => {
    assert.deepEqual(
      lines.filter((line) => !/^[!-~]{8,64}$/.test(line) || line !== line.toLowerCase()),
      [],
    );
  });

  test('each entry is refused as common', () => {
    assert.deepEqual(
      lines.filter((line) => !isCommonPassword(line)),
      [],
    );
  });
});

describe('common passwords', () => {
  const cases = [
    { name: 'a listed one', password: 'password' },
    { name: 'a listed one with a digit', password: 'password1' },
    { name: 'a listed one with a sign', password: 'p@ssw0rd' },
    { name: 'a listed one in capitals', password: 'PASSWORD' },
    { name: 'a listed one in mixed case', password: 'SunShine' },
    { name: 'a listed one in full width', password: 'ｐａｓｓｗｏｒｄ' },
    { name: 'a listed one with digits and a mark after it', password: 'Password123!' },
    { name: 'a listed one with a year after it', password: 'football2024' },
    { name: 'a listed one with digits before it', password: '007superman' },
    { name: 'a listed one with something on both sides', password: '!1Baseball1!' },
    { name: 'a listed one that ends in a digit, with more after it', password: 'trustno1!!' },
    { name: 'a listed one that begins with a digit, with more before it', password: '!!1qaz2wsx' },
    { name: 'a listed one with very many digits after it', password: `password${'0123456789'.repeat(20)}` },
    { name: 'one letter repeated', password: 'zzzzzzzzzzzzzzz' },
    { name: 'one letter repeated in mixed case', password: 'zZzZzZzZzZzZ' },
    { name: 'one sign repeated', password: '?????????' },
    { name: 'one space repeated', password: '         ' },
    { name: 'one emoji repeated', password: '😀😀😀😀😀😀😀😀' },
    { name: 'one character repeated to the limit', password: '¤'.repeat(256) },
    { name: 'digits in order', password: '12345678' },
    { name: 'digits in order from the middle', password: '34567890' },
    { name: 'digits in order, round and round', password: '123456789012345678901234567890' },
    { name: 'digits backwards', password: '9876543210' },
    { name: 'the alphabet', password: 'abcdefgh' },
    { name: 'the alphabet from the middle', password: 'klmnopqrs' },
    { name: 'the alphabet in capitals', password: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ' },
    { name: 'the alphabet past its end', password: 'uvwxyzabcd' },
    { name: 'the alphabet backwards', password: 'zyxwvutsrq' },
    { name: 'a row of the keyboard', password: 'qwertyuiop' },
    { name: 'a row of the keyboard from the middle', password: 'wertyuio' },
    { name: 'a row of the keyboard backwards', password: 'lkjhgfdsa' },
    { name: 'one row of the keyboard after the other', password: 'qwertyuiopasdfghjkl' },
    { name: 'a row of the keyboard with its signs', password: "asdfghjkl;'" },
    { name: 'a row of a German keyboard', password: 'qwertzuiop' },
    { name: 'a row of a French keyboard', password: 'azertyuiop' },
    { name: 'the digits with the shift key held', password: '!@#$%^&*()' },
    { name: 'columns of the keyboard', password: '1qaz2wsx3edc4rfv5tgb' },
    { name: 'columns of letters', password: 'qazwsxedcrfvtgb' },
  ];
  for (const c of cases) test(c.name, () => assert.equal(isCommonPassword(c.password), true, c.password));
});

describe("passwords that aren't common", () => {
  const cases = [
    { name: 'a passphrase', password: 'correct horse battery staple' },
    { name: 'a short passphrase', password: 'correct horse battery' },
    { name: 'a passphrase of listed words', password: 'password sunshine football' },
    { name: 'a passphrase with a listed word at its end', password: 'a very private password' },
    { name: 'a passphrase with digits around it', password: '7 small boats at 9' },
    { name: 'a passphrase in another language', password: 'Übung macht den Meister' },
    { name: 'a passphrase in another script', password: 'тихий вечер у реки' },
    { name: 'letters exchanged for digits', password: 'tr0ub4dor&3xyz' },
    { name: 'random letters', password: 'xkqvhwzpt' },
    { name: 'random characters', password: 'kQ7#vL2p' },
    { name: 'random digits', password: '8305917264' },
    { name: 'a listed one with letters after it', password: 'passwordxqv' },
    { name: 'a listed one with another sign after it', password: 'superman?' },
    { name: 'a listed one with digits in the middle', password: 'super529man' },
    { name: 'a stem that is not listed', password: 'xkqvhwzpt123!' },
    { name: 'a stem that is too short to be listed', password: 'tulip58203' },
    { name: 'digits and marks alone', password: '!8305!9172!' },
    { name: 'a run that is broken', password: 'abcdefghxyq' },
    { name: 'two runs of the keyboard', password: 'qwert lkjhg' },
    { name: 'two characters in turn', password: '¤§¤§¤§¤§' },
    { name: 'very many digits with no listed number', password: '86420'.repeat(51) },
  ];
  for (const c of cases) test(c.name, () => assert.equal(isCommonPassword(c.password), false, c.password));
});

test('the longest allowed password is checked quickly', () => {
  const passwords = ['86420'.repeat(51), '!'.repeat(255).concat('x'), 'ﷺ'.repeat(256)];
  const started = process.threadCpuUsage();
  for (const password of passwords) isCommonPassword(password);
  // Of CPU, in microseconds: on a busy machine, everything takes its time.
  assert.ok(process.threadCpuUsage(started).user < 500_000);
});
