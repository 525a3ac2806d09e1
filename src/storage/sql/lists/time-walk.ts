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
  return { from, conditions, range, key, descending, valuesAt: timeAndId };
}

/** Undefined for a position that isn't a time: one in a list by name, or a forged one. */
export function timeAndId([place, id]: PagePosition): readonly [number, string] | undefined {
  const at = Number(place);
  return Number.isSafeInteger(at) ? [at, id] : undefined;
}

/** What a list is sorted by, unless that's a name. */
export function timeOf(alias: string, by: string): string {
  if (by === 'people') return `${alias}.people`;
  return by === 'last_active' ? activityOf('u') : `${alias}.${by}_at`;
}

/** The last activity that counts, written like the index (032): at the earliest when the account came here, or was given back. */
export function activityOf(alias: 'u' | 'users'): string {
  const [active, from] = [`${alias}.last_active_at`, `COALESCE(${alias}.inactive_from, ${alias}.created_at)`];
  return `(CASE WHEN ${active} > ${from} THEN ${active} ELSE ${from} END)`;
}
