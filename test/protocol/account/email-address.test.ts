import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { emailKey, isEmail, mayBeEmail } from '../../../src/protocol/account/email-address.ts';

describe('valid email addresses', () => {
  const addresses = [
    'ada@people.example',
    'ada.lovelace+news@mail.people.example',
    "o'brien@people.example",
    'ada@localhost',
    'Ada@People.Example',
    'ädä@bücher.example',
    'a@b',
    `${'x'.repeat(241)}@people.examp`,
    'ada@bücher.例え.テスト',
    'ａda@people.example',
    'ada@127.people.example',
    'ada%x@people.example',
  ];
  for (const address of addresses)
    test(`${address.slice(0, 50)} is accepted`, () => assert.equal(isEmail(address), true));
});

describe('invalid email addresses', () => {
  const cases = [
    { name: 'an empty address is refused', value: '' },
    { name: 'an address without @ is refused', value: 'ada' },
    { name: 'an address without a local part is refused', value: '@people.example' },
    { name: 'an address without a domain is refused', value: 'ada@' },
    { name: 'two @ are refused', value: 'ada@people@example' },
    { name: 'a space is refused', value: 'ada lovelace@people.example' },
    { name: 'a space before the address is refused', value: ' ada@people.example' },
    { name: 'a control character beyond ASCII is refused', value: 'ada\u009b2J@people.example' },
    { name: 'a next line is refused', value: 'ada\u0085x@people.example' },
    { name: 'a line feed at the end is refused', value: 'ada@people.example\n' },
    { name: 'a header smuggled in is refused', value: 'ada@people.example\r\nBcc:x' },
    { name: 'a NUL is refused', value: 'ada\0@people.example' },
    { name: 'a delete character is refused', value: 'ada\u007f@people.example' },
    { name: 'a name with the address in angle brackets is refused', value: 'Ada<ada@people.example>' },
    { name: 'a list of addresses is refused', value: 'ada@people.example,b@c' },
    { name: 'a semicolon is refused', value: 'ada@people.example;b' },
    { name: 'a quoted local part is refused', value: '"ada"@people.example' },
    { name: 'a domain literal is refused', value: 'ada@[192.0.2.1]' },
    { name: 'a comment is refused', value: 'ada(x)@people.example' },
    { name: 'a backslash is refused', value: 'ada\\@people.example' },
    { name: 'a soft hyphen is refused', value: 'ada@peo\u00adple.example' },
    { name: 'a space of no width is refused', value: 'ad\u200ba@people.example' },
    { name: 'a mark that turns text around is refused', value: 'ada\u202e@people.example' },
    { name: 'a domain with a path is refused', value: 'ada@people.example/x' },
    { name: 'a lone surrogate is refused', value: 'ada\ud83d@people.example' },
    { name: 'an address of 255 characters is refused', value: `${'x'.repeat(240)}@people.example` },
  ];
  for (const c of cases) test(c.name, () => assert.equal(isEmail(c.value), false));
});

describe('email addresses that accounts may have, and new ones may not', () => {
  const cases = [
    { name: 'a wide @ is one', value: 'a＠evil.com@victim.com' },
    { name: 'a small @ is one', value: 'a﹫evil.com@victim.com' },
    { name: 'wide angle brackets are some', value: 'a＜b＞@people.example' },
    { name: 'a wide comma is one', value: 'a，b@people.example' },
    { name: 'a wide quote is one', value: '＂a＂@people.example' },
    { name: 'an IP address', value: 'a@192.0.2.1' },
    { name: 'an IP address in two parts', value: 'a@127.1' },
    { name: 'an IP address in hexadecimal', value: 'a@0x7f000001' },
    { name: 'an IP address in wide digits', value: 'a@１２７.１' },
    { name: 'a dot at the end', value: 'a@people.example.' },
    { name: 'another full stop at the end', value: 'a@people.example。' },
    { name: 'an empty label', value: 'a@people..example' },
    { name: 'a dot at the start of the domain', value: 'a@.example' },
    { name: 'a percent-encoded dot', value: 'a@people%2eexample' },
  ];
  for (const { name, value } of cases) {
    test(name, () => {
      assert.equal(isEmail(value), false);
      assert.equal(mayBeEmail(value), true);
    });
  }
});

describe('the key of an email address', () => {
  const cases = [
    { name: 'case does not matter', a: 'Ada@People.EXAMPLE', b: 'ada@people.example', same: true },
    {
      name: 'space around the address does not matter',
      a: ' ada@people.example\t',
      b: 'ada@people.example',
      same: true,
    },
    {
      name: 'a domain in letters and in its coded form are the same',
      a: 'a@bücher.example',
      b: 'a@xn--bcher-kva.example',
      same: true,
    },
    { name: 'a dot behind the domain does not matter', a: 'a@people.example.', b: 'a@people.example', same: true },
    { name: 'another full stop is the same', a: 'a@people\u3002example', b: 'a@people.example', same: true },
    {
      name: 'composed and decomposed letters are the same',
      a: 'zo\u00eb@people.example',
      b: 'zoe\u0308@people.example',
      same: true,
    },
    {
      name: 'full-width letters are the same as plain ones',
      a: 'ａda@people.example',
      b: 'ada@people.example',
      same: true,
    },
    { name: 'dots in the local part matter', a: 'a.da@people.example', b: 'ada@people.example', same: false },
    { name: 'a tag after a plus sign matters', a: 'ada+x@people.example', b: 'ada@people.example', same: false },
    { name: 'an accent matters', a: 'zoë@people.example', b: 'zoe@people.example', same: false },
  ];
  for (const c of cases) test(c.name, () => assert.equal(emailKey(c.a) === emailKey(c.b), c.same));
});
