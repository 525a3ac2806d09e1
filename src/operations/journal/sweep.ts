// Background work in small batches, so that no request waits behind it: deleting what has expired, in one process at a
// time, and indexing for search the rows that were written before there was a search.

import { firstIdAt } from '../../protocol/identifiers.ts';
import { deviceMemory, sessionLimits } from '../../protocol/sign-in/session-limits.ts';
import { oldestBucket } from '../../protocol/sign-in/throttle-rules.ts';
import { emailLifetime } from '../mail/email-queue.ts';
import type { Services } from '../services.ts';

const DAY = 24 * 60 * 60 * 1000;
const batchSize = 500;
/** Bounded, so that a large backlog leaves room for requests; the next round continues. */
const batchesPerRound = 100;
/** Longer than the time between rounds, so that the lease stays with one process until that process is gone. */
const leaseLifetime = 3 * 60 * 1000;

/** Runs one round and returns how many rows were deleted, or undefined if another process holds the lease. */
export async function sweep(services: Services, holder: string, eventsDays: number): Promise<number | undefined> {
  const { storage, clock } = services;
  let swept = 0;
  for (let batch = 0; batch < batchesPerRound; batch++) {
    const now = clock.now();
    if (!(await storage.takeLease('sweep', holder, now, now + leaseLifetime))) return batch === 0 ? undefined : swept;
    const count = await storage.sweep(limitsAt(now, eventsDays), batchSize);
    swept += count;
    if (count < batchSize) break;
  }
  return swept;
}

export async function makeEverythingSearchable({ storage }: Services): Promise<void> {
  while ((await storage.makeSearchable(batchSize)) === batchSize);
}

function limitsAt(now: number, eventsDays: number) {
  return {
    now,
    sessionsSeenBefore: now - sessionLimits.idle,
    failuresBefore: oldestBucket(now),
    devicesSeenBefore: now - deviceMemory,
    mailsBefore: now - emailLifetime,
    totalsBefore: now - eventsDays * DAY,
    eventsBefore: firstIdAt(now - eventsDays * DAY),
  };
}
