// Codes and tokens expire by the clock of the instance that handles the request. Decides whose clock is wrong, by how far each instance's is
// ahead of the store's, and which instances would refuse what the others have issued.

import { MINUTE } from './durations.ts';

/** Milliseconds. Further off than that is a mismatch. */
export const clockTolerance = 5000;
/** Further from the others than that, an instance refuses codes of theirs, which last for a minute. */
export const instanceTolerance = MINUTE;

export interface JudgedClock {
  /** By how much it's ahead of the store's or, if that one is wrong, of what most instances agree on. Null if unknown. */
  readonly ahead: number | null;
  readonly isOff: boolean;
  readonly ready: boolean;
}

export interface JudgedClocks {
  /** By how much the store's clock is ahead of what most instances agree on; 0 unless it's the one that is wrong. */
  readonly storeAhead: number;
  /** In the order of the offsets. */
  readonly instances: readonly JudgedClock[];
}

/** The offsets are those of the live instances; null for one that hasn't measured its own. */
export function judgeClocks(offsets: readonly (number | null)[]): JudgedClocks {
  const known = offsets.filter((offset) => offset !== null);
  const usual = medianOf(known);
  const agreeing = known.filter((offset) => Math.abs(offset - usual) <= clockTolerance).length;
  // One instance alone doesn't outvote the store.
  const isStoreOff = Math.abs(usual) > clockTolerance && agreeing > 1 && agreeing > known.length / 2;
  const right = isStoreOff ? usual : 0;
  return {
    storeAhead: isStoreOff ? -usual : 0,
    instances: offsets.map((offset) => {
      if (offset === null) return { ahead: null, isOff: false, ready: true };
      const ahead = offset - right;
      const ready = isStoreOff || Math.abs(offset - usual) <= instanceTolerance;
      return { ahead, isOff: Math.abs(ahead) > clockTolerance, ready };
    }),
  };
}

/** One of the values, so that there is always an instance that is ready: of two in the middle, the one nearer to the store. */
function medianOf(offsets: readonly number[]): number {
  const sorted = offsets.toSorted((one, other) => one - other);
  const low = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
  const high = sorted[Math.floor(sorted.length / 2)] ?? 0;
  return Math.abs(high) < Math.abs(low) ? high : low;
}
