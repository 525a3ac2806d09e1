// HMAC-SHA-256 (RFC 2104) that signs from two states of SHA-256: those after the key's inner and outer block. Anyone who has them
// can sign with the key, but can't tell the key from them. Node can't resume a digest, so this is the compression function of
// FIPS 180-4. A test compares it with createHmac. Only logout tokens are signed like this; everything else is in digest.ts.

import { hash } from 'node:crypto';

const blockSize = 64;
const stateSize = 32;

const primes: number[] = [];
for (let number = 2; primes.length < 64; number++) {
  if (primes.every((prime) => number % prime !== 0)) primes.push(number);
}
/** The first 32 bits behind the binary point. */
const fractionOf = (root: number) => Math.floor((root % 1) * 2 ** 32);
const constants = Uint32Array.from(primes, (prime) => fractionOf(Math.cbrt(prime)));
const initial = Uint32Array.from(primes.slice(0, 8), (prime) => fractionOf(Math.sqrt(prime)));

/** Both states, 64 bytes in all, as base64url. The key is text, which counts as its UTF-8 bytes. */
export function hmacStatesOf(key: string): string {
  const bytes = Buffer.from(key);
  const short = bytes.length > blockSize ? hash('sha256', bytes, 'buffer') : bytes;
  const states = [0x36, 0x5c].map((pad) => {
    const block = Buffer.alloc(blockSize, pad);
    for (const [index, byte] of short.entries()) block[index] = byte ^ pad;
    const state = compress(initial, block, 0);
    block.fill(0);
    return bytesOf(state);
  });
  bytes.fill(0);
  short.fill(0);
  return Buffer.concat(states).toString('base64url');
}

/** The signature of a message, which is text and counts as its UTF-8 bytes, as base64url. */
export function hmacFromStates(states: string, message: string): string {
  const bytes = Buffer.from(states, 'base64url');
  if (bytes.length !== 2 * stateSize) throw new Error('two states have 64 bytes');
  const inner = digestFrom(bytes.subarray(0, stateSize), Buffer.from(message));
  return digestFrom(bytes.subarray(stateSize), inner).toString('base64url');
}

/** The digest of a block that led to this state, followed by a message. */
function digestFrom(state: Buffer, message: Buffer): Buffer {
  // A one, zeros, and the length in bits as a 64-bit number.
  const padded = Buffer.alloc(Math.ceil((message.length + 9) / blockSize) * blockSize);
  message.copy(padded);
  padded[message.length] = 0x80;
  padded.writeBigUInt64BE(BigInt(blockSize + message.length) * 8n, padded.length - 8);
  let words = Uint32Array.from({ length: 8 }, (_, index) => state.readUInt32BE(4 * index));
  for (let offset = 0; offset < padded.length; offset += blockSize) words = compress(words, padded, offset);
  return bytesOf(words);
}

function bytesOf(words: Uint32Array): Buffer {
  const bytes = Buffer.alloc(stateSize);
  for (const [index, word] of words.entries()) bytes.writeUInt32BE(word, 4 * index);
  return bytes;
}

const rotated = (word: number, by: number) => (word >>> by) | (word << (32 - by));

/** The state after another block. Sums are taken modulo 2^32, which storing them in these arrays does. */
function compress(state: Uint32Array, bytes: Buffer, offset: number): Uint32Array<ArrayBuffer> {
  const schedule = new Uint32Array(64);
  const at = (index: number) => schedule[index] ?? 0;
  for (let index = 0; index < 16; index++) schedule[index] = bytes.readUInt32BE(offset + 4 * index);
  for (let index = 16; index < 64; index++) {
    const [early, late] = [at(index - 15), at(index - 2)];
    const first = rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3);
    const second = rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10);
    schedule[index] = at(index - 16) + first + at(index - 7) + second;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let index = 0; index < 64; index++) {
    const choice = (e & f) ^ (~e & g);
    const turned = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
    const sum = (h + turned + choice + (constants[index] ?? 0) + at(index)) | 0;
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const mixed = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + majority;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + sum) | 0, c, b, a, (sum + mixed) | 0];
  }
  schedule.fill(0);
  const after = [a, b, c, d, e, f, g, h];
  return state.map((word, index) => word + (after[index] ?? 0)) as Uint32Array<ArrayBuffer>;
}
