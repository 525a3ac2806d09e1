// When the service's own keys stop verifying. A key that isn't the newest any more verifies what it has signed for as
// long as that can live, counted from the first use of a newer key; one that was retired as compromised verifies nothing.
// What old keys have sealed can be opened for as long as they're listed, and so long their ID tokens count as hints.

import { HOUR } from './durations.ts';
import { lifetimes } from './oauth/grant.ts';

/** How long a key goes on verifying after a newer one was first used. */
export const verifiesFor = {
  accessTokens: lifetimes.accessToken,
  /** Long enough for a page left open over lunch. */
  forms: 4 * HOUR,
} as const;

/** What the store has recorded about a key. */
export interface KeyRecord {
  readonly id: string;
  readonly firstUsedAt: number;
  readonly retiredAt: number | null;
}

/** Until when a key verifies: never again, forever, or a time in milliseconds. */
export interface KeyEnds {
  readonly accessTokens: number;
  readonly forms: number;
  /** ID tokens that applications send back as hints, at any later time. */
  readonly hints: number;
}

export const never: KeyEnds = alike(Number.NEGATIVE_INFINITY);
export const forever: KeyEnds = alike(Number.POSITIVE_INFINITY);

/**
 * Which of the keys, newest first, signs and seals: the newest that is in use, according to the store. If none is, the
 * newest, because there's nothing else to sign with. Compromised keys only if there are no others.
 */
export function signingPlace(ids: readonly string[], records: readonly KeyRecord[]): number {
  const known = new Map(records.map((record) => [record.id, record]));
  const isRetired = (id: string) => (known.get(id)?.retiredAt ?? null) !== null;
  const inUse = ids.findIndex((id) => known.has(id) && !isRetired(id));
  return inUse >= 0
    ? inUse
    : Math.max(
        0,
        ids.findIndex((id) => !isRetired(id)),
      );
}

/** The keys that are newer than the one that signs, and wait until every instance has them. */
export function waitingKeys(ids: readonly string[], records: readonly KeyRecord[]): readonly string[] {
  return ids.slice(0, signingPlace(ids, records)).filter((id) => !records.some((record) => record.id === id));
}

/**
 * The key to be used from now on, if there is one: the newest that isn't in use yet and that all others have as well. One whose
 * first use is still to come was noted by a clock that was wrong.
 */
export function keyToUse(
  ids: readonly string[],
  records: readonly KeyRecord[],
  idsOfOthers: readonly (readonly string[])[],
  now: number,
): string | undefined {
  const isNoted = (id: string) =>
    records.some((record) => record.id === id && (record.firstUsedAt <= now || record.retiredAt !== null));
  return ids
    .slice(0, signingPlace(ids, records) + 1)
    .find((id) => !isNoted(id) && idsOfOthers.every((others) => others.includes(id)));
}

/**
 * For each key, newest first, until when it verifies. One that isn't used yet verifies already. A key without a record has
 * never signed anything as far as the store knows, and is judged by the keys before it like any other.
 */
export function keyEnds(ids: readonly string[], records: readonly KeyRecord[]): KeyEnds[] {
  const known = new Map(records.map((record) => [record.id, record]));
  const signing = signingPlace(ids, records);
  let replacedAt: number | undefined;
  return ids.map((id, place) => {
    const record = known.get(id);
    const isRetired = record !== undefined && record.retiredAt !== null;
    const ends = isRetired ? never : place <= signing ? forever : endsAfter(replacedAt);
    if (record !== undefined) replacedAt = Math.min(record.firstUsedAt, replacedAt ?? record.firstUsedAt);
    return ends;
  });
}

function endsAfter(replacedAt: number | undefined): KeyEnds {
  if (replacedAt === undefined) return never;
  return {
    accessTokens: replacedAt + verifiesFor.accessTokens,
    forms: replacedAt + verifiesFor.forms,
    hints: forever.hints,
  };
}

function alike(end: number): KeyEnds {
  return { accessTokens: end, forms: end, hints: end };
}
