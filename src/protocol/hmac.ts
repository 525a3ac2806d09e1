// HMAC-SHA-256 (RFC 2104) from two one-shot digests. Every token is signed with it, and createHmac takes twice as long: it
// makes an object for each signature. A test compares the two, and both with the vectors of RFC 4231.

import { hash } from 'node:crypto';

const blockSize = 64;
const digestSize = 32;
/** Longer than any token. A longer message gets its own buffer. */
const usualSize = 8192;

const inner = Buffer.allocUnsafe(blockSize + usualSize);
const outer = Buffer.allocUnsafe(blockSize + digestSize);

/** Text counts as its UTF-8 bytes, in the key and in the message. The result is base64url. */
export function hmacSha256(key: string | Uint8Array, message: string): string {
  // A UTF-16 code unit has at most three bytes.
  const input = message.length * 3 <= usualSize ? inner : Buffer.allocUnsafe(blockSize + message.length * 3);
  const short = shortKey(key);
  for (let index = 0; index < blockSize; index++) {
    const byte = short[index] ?? 0;
    input[index] = byte ^ 0x36;
    outer[index] = byte ^ 0x5c;
  }
  const length = input.write(message, blockSize, 'utf8');
  hash('sha256', input.subarray(0, blockSize + length), 'buffer').copy(outer, blockSize);
  return hash('sha256', outer, 'base64url');
}

function shortKey(key: string | Uint8Array): Uint8Array {
  const bytes = typeof key === 'string' ? Buffer.from(key) : key;
  return bytes.length > blockSize ? hash('sha256', bytes, 'buffer') : bytes;
}
