// Nothing that could sign in a client's name stays in memory: this looks at all of the process's memory, as an attacker would
// who can read it.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs';
import { test } from 'node:test';
import { hmacSha256 } from '../../src/protocol/hmac.ts';

/** How often the secret, with each byte changed by the mask, is in the memory that the process can write to. */
function occurrences(secret: Uint8Array, mask: number): number {
  const memory = openSync('/proc/self/mem', 'r');
  const block = Buffer.alloc(1 << 20);
  // A masked copy of the whole secret would be found itself, and a single byte may be on every page of the memory.
  const beginning = secret.subarray(0, 3).map((byte) => byte ^ mask);
  let found = 0;
  for (const [, start = '', end = ''] of readFileSync('/proc/self/maps', 'latin1').matchAll(/^(\w+)-(\w+) rw/gm)) {
    // Blocks overlap by the length of the secret, which could lie across the boundary of two.
    const step = BigInt(block.length - secret.length);
    for (let at = BigInt(`0x${start}`); at < BigInt(`0x${end}`); at += step) {
      const length = Number(BigInt(`0x${end}`) - at);
      let read = 0;
      try {
        read = readSync(memory, block, 0, Math.min(length, block.length), at);
      } catch {
        continue;
      }
      const next = (from: number) => block.indexOf(beginning, from);
      for (let place = next(0); place >= 0 && place < read; place = next(place + 1)) {
        let index = beginning.length;
        while (index < secret.length && block[place + index] === ((secret[index] ?? 0) ^ mask)) index++;
        if (index === secret.length) found++;
      }
    }
  }
  closeSync(memory);
  return found;
}

test('no pad of a text that has signed is left in memory', { skip: !existsSync('/proc/self/mem') }, () => {
  const [secret, other] = [randomBytes(24), randomBytes(24)];
  for (const message of ['short', 'long'.repeat(4000)]) hmacSha256(secret.toString('hex'), message);
  const text = Buffer.from(secret.toString('hex'));
  assert.equal(occurrences(text, 0x36), 0, 'the inner pad');
  assert.equal(occurrences(text, 0x5c), 0, 'the outer pad');
  // The search finds what is there.
  const present = other.map((byte) => byte ^ 0x36);
  assert.ok(occurrences(other, 0x36) > 0, `${present.length} bytes are there`);
});
