// Random bytes from the system, read in blocks, because a system call for every few bytes costs more than using them.

import { randomFillSync } from 'node:crypto';
import type { RandomBytes } from '../protocol/identifiers.ts';

const blockSize = 8192;

/** Every call returns fresh bytes in a new buffer. */
export function bufferedRandom(): RandomBytes {
  const pool = Buffer.alloc(blockSize);
  let used = blockSize;
  return (size) => {
    if (size > blockSize) throw new RangeError(`at most ${blockSize} random bytes at once`);
    if (used + size > blockSize) {
      randomFillSync(pool);
      used = 0;
    }
    const bytes = Buffer.from(pool.subarray(used, used + size));
    // Don't keep secrets in memory after handing them out.
    pool.fill(0, used, used + size);
    used += size;
    return bytes;
  };
}
