// Whether deleting what has expired is paused, apart from the sweep, which a start doesn't need.

import { parsePause, type SweepPause } from '../../protocol/sweep-rules.ts';
import type { Storing, Timing } from '../services.ts';

/** Why nothing is deleted, for health checks and operators. */
export async function findSweepPause({ storage }: Storing): Promise<SweepPause | undefined> {
  return parsePause(await storage.findFact('sweep_paused'));
}

/** An operator says that the clock is right: the next round deletes what has expired. */
export async function confirmClock({ storage, clock }: Timing): Promise<void> {
  await storage.noteFact('sweep_confirmed_at', String(clock.now()));
}
