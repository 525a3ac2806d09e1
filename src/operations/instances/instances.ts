// What is known about the instances that run on this store: for operators, and for administrators.

import { judgeClocks } from '../../protocol/clocks.ts';
import {
  type ComparedInstance,
  type ComparedInstances,
  compareInstances,
  isLive,
  keysWaiting,
  type WaitingKey,
} from '../../protocol/instances.ts';
import type { Storing } from '../services.ts';

/** The longest-running first. */
export interface LiveInstances extends ComparedInstances {
  readonly waiting: readonly WaitingKey[];
}

export async function liveInstances({ storage }: Storing): Promise<LiveInstances> {
  const [seen, records] = await Promise.all([storage.listInstances(), storage.listServiceKeys()]);
  const live = seen.filter(isLive);
  return { ...compareInstances(live, records), waiting: keysWaiting(live, records) };
}

/** Whether this instance would refuse what the others have issued. One that isn't listed, after an outage of the store, is asked again. */
export async function clockIsFarOff({ storage }: Storing, id: string): Promise<boolean> {
  const live = (await storage.listInstances()).filter(isLive);
  const { instances } = judgeClocks(live.map(({ clockOffset }) => clockOffset));
  return instances[live.findIndex((instance) => instance.id === id)]?.ready === false;
}

/** The instances that don't have what most others have. */
export function mismatched(instances: readonly ComparedInstance[]): ComparedInstance[] {
  return instances.filter(({ mismatch }) => mismatch.some((fact) => fact !== 'clock'));
}

/** The instances whose clock is off. */
export function withWrongClock(instances: readonly ComparedInstance[]): ComparedInstance[] {
  return instances.filter(({ mismatch }) => mismatch.includes('clock'));
}
