// When the service's own keys stop verifying. A key that isn't the newest any more verifies what it has signed for as
// long as that can live, counted from the first use of a newer key; one that was retired as compromised verifies nothing.
// What old keys have sealed can be opened for as long as they're listed, and so long their ID tokens count as hints.

import { lifetimes } from './oauth/grant.ts';

const HOUR = 60 * 60 * 1000;

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
 * For each key, newest first, until when it verifies. A key without a record has never signed anything as far as the
 * store knows, and is judged by the keys before it like any other.
 */
export function keyEnds(ids: readonly string[], records: readonly KeyRecord[]): KeyEnds[] {
  const known = new Map(records.map((record) => [record.id, record]));
  let replacedAt: number | undefined;
  return ids.map((id, index) => {
    const record = known.get(id);
    const ends = record !== undefined && record.retiredAt !== null ? never : endsOf(index, replacedAt);
    if (record !== undefined) replacedAt = Math.min(record.firstUsedAt, replacedAt ?? record.firstUsedAt);
    return ends;
  });
}

function endsOf(index: number, replacedAt: number | undefined): KeyEnds {
  if (index === 0) return forever;
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
