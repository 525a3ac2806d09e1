// Randomness from the system, fetched in large portions: asking for each few bytes takes longer than using them.

import { randomFillSync } from 'node:crypto';
import type { RandomBytes } from '../protocol/identifiers.ts';

const portion = 8192;

/** Each call gets bytes that no other call gets, as a copy of its own. */
export function bufferedRandom(): RandomBytes {
  const pool = Buffer.alloc(portion);
  let used = portion;
  return (size) => {
    if (size > portion) throw new RangeError(`at most ${portion} random bytes at once`);
    if (used + size > portion) {
      randomFillSync(pool);
      used = 0;
    }
    const bytes = Buffer.from(pool.subarray(used, used + size));
    // What has been handed out is not kept.
    pool.fill(0, used, used + size);
    used += size;
    return bytes;
  };
}
