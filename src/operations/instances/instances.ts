// What is known about the instances that run on this store: for operators, and for administrators.

import {
  type ComparedInstance,
  compareInstances,
  isLive,
  keysWaiting,
  type WaitingKey,
} from '../../protocol/instances.ts';
import type { Storing } from '../services.ts';

export interface LiveInstances {
  /** The longest-running first. */
  readonly instances: readonly ComparedInstance[];
  readonly waiting: readonly WaitingKey[];
}

export async function liveInstances({ storage }: Storing): Promise<LiveInstances> {
  const [seen, records] = await Promise.all([storage.listInstances(), storage.listServiceKeys()]);
  const live = seen.filter(isLive);
  return { instances: compareInstances(live, records), waiting: keysWaiting(live, records) };
}

/** The instances that don't have what most others have. */
export function mismatched(instances: readonly ComparedInstance[]): ComparedInstance[] {
  return instances.filter(({ mismatch }) => mismatch.length > 0);
}
