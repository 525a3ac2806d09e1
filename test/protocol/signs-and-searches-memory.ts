// Signs with a secret and then counts what is left of its pads in the memory of this process, for kept-secrets.test.ts.

import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { hmacSha256 } from '../../src/protocol/digest.ts';

/** A secret with each byte changed by a mask. A masked copy of the whole secret would be found itself. */
interface Sought {
  readonly secret: Uint8Array;
  readonly mask: number;
}

/** How often each is in the memory that the process can write to. */
function occurrences(all: readonly Sought[]): number[] {
  const memory = openSync('/proc/self/mem', 'r');
  const block = Buffer.alloc(1 << 20);
  const longest = Math.max(...all.map(({ secret }) => secret.length));
  // A single byte may be on every page of the memory, so more of them are looked for at once.
  const beginnings = all.map(({ secret, mask }) => secret.subarray(0, 3).map((byte) => byte ^ mask));
  const found = all.map(() => 0);
  for (const [, start = '', end = ''] of readFileSync('/proc/self/maps', 'latin1').matchAll(/^(\w+)-(\w+) rw/gm)) {
    // Blocks overlap by the length of the secret, which could lie across the boundary of two.
    const step = BigInt(block.length - longest);
    for (let at = BigInt(`0x${start}`); at < BigInt(`0x${end}`); at += step) {
      const length = Number(BigInt(`0x${end}`) - at);
      let read = 0;
      try {
        read = readSync(memory, block, 0, Math.min(length, block.length), at);
      } catch {
        continue;
      }
      for (const [number, { secret, mask }] of all.entries()) {
        const beginning = beginnings[number] ?? secret;
        const next = (from: number) => block.indexOf(beginning, from);
        for (let place = next(0); place >= 0 && place < read; place = next(place + 1)) {
          let index = beginning.length;
          while (index < secret.length && block[place + index] === ((secret[index] ?? 0) ^ mask)) index++;
          if (index === secret.length) found[number] = (found[number] ?? 0) + 1;
        }
      }
    }
  }
  closeSync(memory);
  return found;
}

const [secret, other] = [randomBytes(24), randomBytes(24)];
for (const message of ['short', 'long'.repeat(4000)]) hmacSha256(secret.toString('hex'), message);
const text = Buffer.from(secret.toString('hex'));
const kept = other.map((byte) => byte ^ 0x36);
const [innerPad, outerPad, present] = occurrences([
  { secret: text, mask: 0x36 },
  { secret: text, mask: 0x5c },
  { secret: other, mask: 0x36 },
]);
console.log(JSON.stringify({ innerPad, outerPad, present, kept: kept.length }));
