import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { hmacSha256 } from '../../src/protocol/digest.ts';

/** RFC 4231, 4.2 to 4.8, as far as the data is text. The fifth vector is a truncated result. */
const vectors: [key: Buffer, data: string, hex: string][] = [
  [Buffer.alloc(20, 0x0b), 'Hi There', 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7'],
  [
    Buffer.from('Jefe'),
    'what do ya want for nothing?',
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  ],
  [Buffer.alloc(20, 0x0c), 'Test With Truncation', 'a3b6167473100ee06e0c796c2955552b'],
  [
    Buffer.alloc(131, 0xaa),
    'Test Using Larger Than Block-Size Key - Hash Key First',
    '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
  ],
  [
    Buffer.alloc(131, 0xaa),
    'This is a test using a larger than block-size key and a larger than block-size data. The key needs to be hashed before being used by the HMAC algorithm.',
    '9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2',
  ],
];

for (const [index, [key, data, hex]] of vectors.entries()) {
  test(`vector ${index + 1} of RFC 4231`, () => {
    const mac = Buffer.from(hmacSha256(key, data), 'base64url').toString('hex');
    assert.equal(mac.slice(0, hex.length), hex);
  });
}

const texts = [
  '',
  'a',
  'é',
  '漢字',
  '👩🏽‍🚀',
  '\ud800',
  '\0',
  'A'.repeat(2730),
  'ü'.repeat(2731),
  '漢'.repeat(9000),
  '\u0141'.repeat(40),
  'A'.repeat(40),
];

test('it equals createHmac for every length of key and message', () => {
  const expect = (key: string | Buffer, message: string) =>
    assert.equal(hmacSha256(key, message), createHmac('sha256', key).update(message).digest('base64url'));
  for (let length = 0; length < 200; length++) {
    for (const message of ['short', randomBytes(length * 7).toString('base64url')])
      expect(randomBytes(length), message);
  }
  for (const key of texts.filter((text) => text.length < 100)) for (const message of texts) expect(key, message);
});

test("a long message or key doesn't affect a later short one", () => {
  const before = hmacSha256('key', 'message');
  hmacSha256('k'.repeat(64), 'm'.repeat(5000));
  hmacSha256('k'.repeat(200), '漢'.repeat(9000));
  assert.equal(hmacSha256('key', 'message'), before);
});
