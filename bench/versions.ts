// The versions that are measured in turns: this one and, if there is a checkout of it, the one before.

import { root } from '../test/harness/command.ts';
import { median } from './median.ts';

export interface Version {
  readonly name: 'now' | 'before';
  readonly checkout: string;
}

export type Versions = readonly [Version, ...Version[]];

/** A figure of each version; null where it wasn't measured. */
export interface Pair {
  readonly now: number | null;
  readonly before: number | null;
}

export const unmeasured: Pair = { now: null, before: null };

export function versionsOf(before: string | undefined): Versions {
  const now: Version = { name: 'now', checkout: root };
  return before === undefined ? [now] : [now, { name: 'before', checkout: before }];
}

/** Each version two times: what they have in common says how good the comparison with the other one is. */
export function twice(versions: Versions): Version[] {
  return versions.flatMap((version) => [version, version]);
}

/** The median of what the rounds of each version gave. */
export function medians(rounds: ReadonlyMap<Version['name'], readonly number[]>): Pair {
  const middle = (figures: readonly number[] = []) => (figures.length === 0 ? null : median(figures));
  return { now: middle(rounds.get('now')), before: middle(rounds.get('before')) };
}

/** So many rounds, and in each every version once: what else the machine does affects all of them alike. */
export async function inTurns<Figure>(
  versions: Versions,
  rounds: number,
  measure: (version: Version, round: number) => Promise<Figure>,
): Promise<Map<Version['name'], Figure[]>> {
  const figures = new Map(versions.map(({ name }): [Version['name'], Figure[]] => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const version of versions) figures.get(version.name)?.push(await measure(version, round));
  }
  return figures;
}
