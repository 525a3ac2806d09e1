// What a start needs of housekeeping, apart from the sweep: whether deleting what has expired is paused, and indexing for search
// what 0.3.0 has written.

import { parsePause, type SweepPause } from '../../protocol/sweep-rules.ts';
import type { Storing, Timing } from '../services.ts';

const batchSize = 500;

/** Why nothing is deleted, for health checks and operators. */
export async function findSweepPause({ storage }: Storing): Promise<SweepPause | undefined> {
  return parsePause(await storage.findFact('sweep_paused'));
}

/** An operator says that the clock is right: the next round deletes what has expired. */
export async function confirmClock({ storage, clock }: Timing): Promise<void> {
  await storage.noteFact('sweep_confirmed_at', String(clock.now()));
}

/** In small batches, so that no request waits behind it. */
export async function makeEverythingSearchable({ storage }: Storing): Promise<void> {
  while ((await storage.makeSearchable(batchSize)) === batchSize);
}
