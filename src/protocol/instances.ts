// Several instances on one store have to agree on what any of them may be asked about. Decides which of them run, what one
// of them has that the others don't, and which key is waiting for whom.

import { judgeClocks } from './clocks.ts';
import { type KeyRecord, signingPlace, waitingKeys } from './key-retirement.ts';

/** What an instance says about itself. */
export interface InstanceFacts {
  readonly id: string;
  readonly version: string;
  readonly baseUrl: string;
  /** Those of the keys that all of its processes have, newest first. */
  readonly keyIds: readonly string[];
  /** How many days it keeps events. */
  readonly eventsDays: number;
  /** Of the filter of breached passwords. */
  readonly breachesDigest: string | null;
  /** By how many milliseconds its clock is ahead of the store's; null while it starts or drains, or if it couldn't tell yet. */
  readonly clockOffset: number | null;
}

/** What the store knows about it. Times are by the store's clock. */
export interface SeenInstance extends InstanceFacts {
  readonly startedAt: number;
  readonly lastSeenAt: number;
  /** Milliseconds since it was last seen. */
  readonly silence: number;
}

/** How often an instance says that it runs. */
export const beatEvery = 10_000;
/** For how long that counts. */
export const liveFor = 30_000;

/** One that was last seen in the future was seen before the store's clock was set back. */
export function isLive({ silence }: Pick<SeenInstance, 'silence'>): boolean {
  return Math.abs(silence) < liveFor;
}

/** What has to be the same. Versions may differ: an upgrade replaces one instance after the other. */
export const sharedFacts = ['base_url', 'keys', 'events_days', 'breached_passwords'] as const;
export type SharedFact = (typeof sharedFacts)[number];

export interface ComparedInstance extends SeenInstance {
  /** What it doesn't share with most of the others, with none of them if there's no majority; and whether its clock is off. */
  readonly mismatch: readonly (SharedFact | 'clock')[];
  /** As SeenInstance.clockOffset, but compared with what most instances agree on if the store's clock is the one that is off. */
  readonly clockAhead: number | null;
  /** False if its clock is too far from those of the others. */
  readonly ready: boolean;
}

export interface ComparedInstances {
  readonly instances: readonly ComparedInstance[];
  /** By how many milliseconds the store's clock is ahead of what most instances agree on; 0 unless it's the one that is off. */
  readonly storeAhead: number;
}

export function compareInstances(instances: readonly SeenInstance[], records: readonly KeyRecord[]): ComparedInstances {
  const factOf = ({ keyIds, ...instance }: SeenInstance, fact: SharedFact) => {
    if (fact === 'base_url') return instance.baseUrl;
    // Not the whole list: in a rotation, one has a new key before another, and old ones are removed one by one.
    if (fact === 'keys') return keyIds[signingPlace(keyIds, records)];
    return fact === 'events_days' ? instance.eventsDays : instance.breachesDigest;
  };
  const usual = new Map(
    sharedFacts.map((fact) => [fact, commonest(instances.map((instance) => factOf(instance, fact)))]),
  );
  const clocks = judgeClocks(instances.map(({ clockOffset }) => clockOffset));
  return {
    storeAhead: clocks.storeAhead,
    instances: instances.map((instance, place) => {
      const { ahead = null, isOff = false, ready = true } = clocks.instances[place] ?? {};
      const differing = sharedFacts.filter((fact) => usual.get(fact)?.value !== factOf(instance, fact));
      return { ...instance, mismatch: isOff ? [...differing, 'clock'] : differing, clockAhead: ahead, ready };
    }),
  };
}

/** A key that some instances have and don't use yet, because others lack it. */
export interface WaitingKey {
  readonly keyId: string;
  /** The instances without it. */
  readonly lacking: readonly string[];
}

export function keysWaiting(instances: readonly SeenInstance[], records: readonly KeyRecord[]): WaitingKey[] {
  const waiting = new Set(instances.flatMap(({ keyIds }) => waitingKeys(keyIds, records)));
  return [...waiting]
    .map((keyId) => ({
      keyId,
      lacking: instances.filter(({ keyIds }) => !keyIds.includes(keyId)).map(({ id }) => id),
    }))
    .filter(({ lacking }) => lacking.length > 0);
}

/** Undefined if two values are equally common. */
function commonest<Value>(values: readonly Value[]): { readonly value: Value } | undefined {
  const counts = new Map<Value, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const [first, second] = [...counts].toSorted(([, one], [, other]) => other - one);
  return first === undefined || first[1] === second?.[1] ? undefined : { value: first[0] };
}
