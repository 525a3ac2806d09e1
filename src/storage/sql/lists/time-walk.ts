// Walks a list in the order of a time.

import type { PagePosition } from '../../paging.ts';
import type { Range, Walk, WalkCondition } from './walk.ts';

export function timeWalk(
  from: WalkCondition,
  conditions: readonly WalkCondition[],
  key: readonly [time: string, id: string],
  descending: boolean,
  range?: Range,
): Walk {
  const valuesAt = ([place, ref]: PagePosition) => {
    const at = Number(place);
    // In a list by name, the position isn't a time.
    return Number.isSafeInteger(at) ? [at, ref] : undefined;
  };
  return { from, conditions, range, key, descending, valuesAt };
}
