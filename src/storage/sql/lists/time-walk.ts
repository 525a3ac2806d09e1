// Walks a list in the order of a time, such as when someone last used their account.

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

/** What a list is sorted by, unless that's a name. */
export function timeOf(alias: string, by: string): string {
  return by === 'last_active' ? activityOf('u') : `${alias}.${by}_at`;
}

/** The last activity that counts, written like the index (032): at the earliest when the account came here, or was given back. */
export function activityOf(alias: 'u' | 'users'): string {
  const [active, from] = [`${alias}.last_active_at`, `COALESCE(${alias}.inactive_from, ${alias}.created_at)`];
  return `(CASE WHEN ${active} > ${from} THEN ${active} ELSE ${from} END)`;
}
