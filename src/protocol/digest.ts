// Digests of random secrets, which is what the store keeps in their place, and comparison in constant time. Passwords are
// not random enough for this: see platform/passwords.

import { hash } from 'node:crypto';

export function digestOf(secret: string): string {
  return hash('sha256', secret, 'base64url');
}

/** Looks at every character, whatever it finds. */
export function sameText(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let index = 0; index < a.length; index++) difference |= a.charCodeAt(index) ^ b.charCodeAt(index);
  return difference === 0;
}

const blockSize = 64;
const digestSize = 32;
/** Longer than any token. A longer message gets its own buffer. */
const usualSize = 8192;

const inner = Buffer.allocUnsafe(blockSize + usualSize);
const outer = Buffer.allocUnsafe(blockSize + digestSize);
const noPad = new Uint8Array(blockSize);

interface Pads {
  readonly inner: Uint8Array;
  readonly outer: Uint8Array;
}

/** Of the service's own keys, which are bytes. Keys that are text are secrets of clients, and nothing of them is kept. */
const padsOf = new WeakMap<Uint8Array, Pads>();

/**
 * HMAC-SHA-256 (RFC 2104) from two one-shot digests. Every token is signed with it, and createHmac takes twice as long: it makes an
 * object for each signature. A test compares the two, and both with the vectors of RFC 4231. Text counts as its UTF-8 bytes, in
 * the key and in the message. The result is base64url.
 */
export function hmacSha256(key: string | Uint8Array, message: string): string {
  // A UTF-16 code unit has at most three bytes.
  const input = message.length * 3 <= usualSize ? inner : Buffer.allocUnsafe(blockSize + message.length * 3);
  if (typeof key === 'string') writePads(Buffer.from(key), input, outer);
  else {
    const pads = padsOf.get(key) ?? keepPads(key);
    input.set(pads.inner);
    outer.set(pads.outer);
  }
  const length = input.write(message, blockSize);
  // As text, because a buffer of its own costs as much as the digest.
  outer.write(hash('sha256', input.subarray(0, blockSize + length), 'latin1'), blockSize, 'latin1');
  const signature = hash('sha256', outer, 'base64url');
  if (typeof key === 'string') {
    input.set(noPad);
    outer.set(noPad);
  }
  return signature;
}

function keepPads(key: Uint8Array): Pads {
  const pads = { inner: new Uint8Array(blockSize), outer: new Uint8Array(blockSize) };
  writePads(key, pads.inner, pads.outer);
  padsOf.set(key, pads);
  return pads;
}

function writePads(key: Uint8Array, innerPad: Uint8Array, outerPad: Uint8Array): void {
  const short = key.length > blockSize ? hash('sha256', key, 'buffer') : key;
  for (let index = 0; index < blockSize; index++) {
    const byte = short[index] ?? 0;
    innerPad[index] = byte ^ 0x36;
    outerPad[index] = byte ^ 0x5c;
  }
}
