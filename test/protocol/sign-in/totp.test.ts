import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { base32, matchingStep, totpCode, totpStep, totpUri } from '../../../src/protocol/sign-in/totp.ts';

const secret = Buffer.from('12345678901234567890');

describe('the codes of RFC 6238, appendix B', () => {
  const digits = '1234567890';
  const seeds = {
    sha1: secret,
    sha256: Buffer.from(digits.repeat(4).slice(0, 32)),
    sha512: Buffer.from(digits.repeat(7).slice(0, 64)),
  };
  const cases = [
    { seconds: 59, sha1: '94287082', sha256: '46119246', sha512: '90693936' },
    { seconds: 1_111_111_109, sha1: '07081804', sha256: '68084774', sha512: '25091201' },
    { seconds: 1_111_111_111, sha1: '14050471', sha256: '67062674', sha512: '99943326' },
    { seconds: 1_234_567_890, sha1: '89005924', sha256: '91819424', sha512: '93441116' },
    { seconds: 2_000_000_000, sha1: '69279037', sha256: '90698825', sha512: '38618901' },
    { seconds: 20_000_000_000, sha1: '65353130', sha256: '77737706', sha512: '47863826' },
  ];
  for (const c of cases) {
    for (const algorithm of ['sha1', 'sha256', 'sha512'] as const) {
      test(`${algorithm} at ${c.seconds} seconds`, () => {
        assert.equal(totpCode(seeds[algorithm], totpStep(c.seconds * 1000), 8, algorithm), c[algorithm]);
      });
    }
    test(`the usual code at ${c.seconds} seconds is SHA-1 with six digits`, () => {
      assert.equal(totpCode(secret, totpStep(c.seconds * 1000)), c.sha1.slice(2));
    });
  }
});

describe('the step of a time', () => {
  const cases = [
    { now: 0, expected: 0 },
    { now: 29_999, expected: 0 },
    { now: 30_000, expected: 1 },
    { now: 59_000, expected: 1 },
    { now: 1_800_000_000_000, expected: 60_000_000 },
  ];
  for (const c of cases) test(`${c.now} ms`, () => assert.equal(totpStep(c.now), c.expected));
});

const now = 1_234_567_890_000;
const current = totpStep(now);
const codeOf = (step: number) => totpCode(secret, step);

describe('accepted codes', () => {
  const cases: { name: string; offset: number; lastUsed: number | null; matches: boolean }[] = [
    { name: 'the code of now', offset: 0, lastUsed: null, matches: true },
    { name: 'the code before', offset: -1, lastUsed: null, matches: true },
    { name: 'the code after', offset: 1, lastUsed: null, matches: true },
    { name: 'two codes before is too late', offset: -2, lastUsed: null, matches: false },
    { name: 'two codes after is too early', offset: 2, lastUsed: null, matches: false },
    { name: 'a code used before does not count again', offset: 0, lastUsed: 0, matches: false },
    { name: 'the code before, once used, does not count again', offset: -1, lastUsed: -1, matches: false },
    { name: 'the code after, once used, does not count again', offset: 1, lastUsed: 1, matches: false },
    { name: 'a code older than one used does not count', offset: -1, lastUsed: 0, matches: false },
    { name: 'after a code from the future the code of now does not count', offset: 0, lastUsed: 1, matches: false },
    { name: 'a code newer than one used counts', offset: 0, lastUsed: -1, matches: true },
    { name: 'the next code counts at once', offset: 1, lastUsed: 0, matches: true },
    { name: 'a last use long ago is irrelevant', offset: -1, lastUsed: -1000, matches: true },
  ];
  for (const c of cases) {
    test(c.name, () => {
      const lastUsedStep = c.lastUsed === null ? null : current + c.lastUsed;
      const expected = c.matches ? current + c.offset : undefined;
      assert.equal(matchingStep(secret, codeOf(current + c.offset), now, lastUsedStep), expected);
    });
  }

  test("another secret's code isn't accepted", () => {
    const other = Buffer.from('09876543210987654321');
    assert.equal(matchingStep(secret, totpCode(other, current), now, null), undefined);
  });

  test('the first time steps have codes', () => {
    assert.equal(matchingStep(secret, codeOf(0), 0, null), 0);
    assert.equal(matchingStep(secret, codeOf(0), 0, 0), undefined);
    assert.equal(matchingStep(secret, codeOf(5), 0, null), undefined);
  });

  test('a code shared by two steps counts as the newer one', () => {
    const shared = 153_567;
    assert.equal(codeOf(shared), codeOf(shared + 2), 'the steps share a code');
    const between = (shared + 1) * 30_000;
    const used = matchingStep(secret, codeOf(shared), between, null);
    assert.equal(used, shared + 2);
    assert.equal(matchingStep(secret, codeOf(shared), between, used), undefined);
  });
});

describe('typed codes', () => {
  // The code of this time is 005924: leading zeros are part of it.
  const cases = [
    { name: 'as it is', code: '005924', expected: current },
    { name: 'with a space in the middle', code: '005 924', expected: current },
    { name: 'with spaces everywhere', code: ' 00 59 24 ', expected: current },
    { name: 'with a no-break space', code: '005\u00a0924', expected: current },
    { name: 'without its leading zeros', code: '5924', expected: undefined },
    { name: 'empty', code: '', expected: undefined },
    { name: 'spaces alone', code: '      ', expected: undefined },
    { name: 'five digits', code: '00592', expected: undefined },
    { name: 'seven digits', code: '0059240', expected: undefined },
    { name: 'seven digits with the code at the end', code: '9005924', expected: undefined },
    { name: 'the eight digits of the same step', code: '89005924', expected: undefined },
    { name: 'letters', code: 'abcdef', expected: undefined },
    { name: 'a letter among the digits', code: '0O5924', expected: undefined },
    { name: 'a hyphen in the middle', code: '005-924', expected: undefined },
    { name: 'a sign before it', code: '+005924', expected: undefined },
    { name: 'full-width digits', code: '００５９２４', expected: undefined },
    { name: 'Arabic-Indic digits', code: '٠٠٥٩٢٤', expected: undefined },
    { name: 'half of a surrogate pair', code: '00592\ud83d', expected: undefined },
    { name: 'a null character after it', code: '005924\0', expected: undefined },
    { name: 'very many digits', code: '005924'.repeat(10_000), expected: undefined },
  ];
  for (const c of cases) test(c.name, () => assert.equal(matchingStep(secret, c.code, now, null), c.expected));
});

describe('base32', () => {
  // RFC 4648, section 10, with the padding left out.
  const cases = [
    { text: '', expected: '' },
    { text: 'f', expected: 'MY' },
    { text: 'fo', expected: 'MZXQ' },
    { text: 'foo', expected: 'MZXW6' },
    { text: 'foob', expected: 'MZXW6YQ' },
    { text: 'fooba', expected: 'MZXW6YTB' },
    { text: 'foobar', expected: 'MZXW6YTBOI' },
    { text: '12345678901234567890', expected: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' },
  ];
  for (const c of cases) test(`"${c.text}"`, () => assert.equal(base32(Buffer.from(c.text)), c.expected));

  test('bytes with all bits set', () => assert.equal(base32(new Uint8Array(10).fill(0xff)), '7'.repeat(16)));
  test('bytes with no bits set', () => assert.equal(base32(new Uint8Array(10)), 'A'.repeat(16)));
});

describe('the otpauth URI', () => {
  const rest = '&algorithm=SHA1&digits=6&period=30';
  const encodedSecret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
  const cases = [
    { name: 'plain names', issuer: 'Latchkey', account: 'ada', label: 'Latchkey:ada', parameter: 'Latchkey' },
    {
      name: 'an e-mail address',
      issuer: 'Latchkey',
      account: 'ada+home@example.org',
      label: 'Latchkey:ada%2Bhome%40example.org',
      parameter: 'Latchkey',
    },
    {
      name: 'a space is never a plus',
      issuer: 'Acme Sign-in',
      account: 'ada',
      label: 'Acme%20Sign-in:ada',
      parameter: 'Acme%20Sign-in',
    },
    {
      name: 'characters that mean something in an address',
      issuer: 'A&B=C?#/%',
      account: 'x&issuer=Evil',
      label: 'A%26B%3DC%3F%23%2F%25:x%26issuer%3DEvil',
      parameter: 'A%26B%3DC%3F%23%2F%25',
    },
    {
      name: 'letters beyond ASCII',
      issuer: 'Café',
      account: 'żółw@example.org',
      label: 'Caf%C3%A9:%C5%BC%C3%B3%C5%82w%40example.org',
      parameter: 'Caf%C3%A9',
    },
    {
      name: 'a colon in the issuer',
      issuer: 'Acme: Staging',
      account: 'ada',
      label: 'Acme%20Staging:ada',
      parameter: 'Acme%20Staging',
    },
    {
      name: 'a port in the issuer',
      issuer: 'localhost:8080',
      account: 'ada',
      label: 'localhost%208080:ada',
      parameter: 'localhost%208080',
    },
    {
      name: 'colons in the account',
      issuer: 'Latchkey',
      account: ':ada:lovelace::',
      label: 'Latchkey:ada%20lovelace',
      parameter: 'Latchkey',
    },
  ];
  for (const c of cases) {
    test(c.name, () => {
      const uri = totpUri({ issuer: c.issuer, account: c.account, secret });
      assert.equal(uri, `otpauth://totp/${c.label}?secret=${encodedSecret}&issuer=${c.parameter}${rest}`);
      assert.equal(decodeURIComponent(new URL(uri).pathname).split(':').length, 2, 'one colon, even when decoded');
    });
  }

  test('an app reads back the same values', () => {
    const uri = new URL(totpUri({ issuer: 'A & B', account: 'ada@example.org', secret }));
    assert.equal(uri.protocol, 'otpauth:');
    assert.equal(uri.host, 'totp');
    assert.equal(decodeURIComponent(uri.pathname), '/A & B:ada@example.org');
    assert.deepEqual(Object.fromEntries(uri.searchParams), {
      secret: encodedSecret,
      issuer: 'A & B',
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    });
  });
});
