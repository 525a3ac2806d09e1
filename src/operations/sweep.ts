// Deletes what is over, a little at a time, so that no request waits behind it.

import { newTimeOrderedId } from '../protocol/identifiers.ts';
import { sessionLimits } from '../protocol/session.ts';
import { oldestBucket } from '../protocol/throttle.ts';
import type { Services } from './services.ts';

const DAY = 24 * 60 * 60 * 1000;
const batchSize = 500;

/** One batch of each kind; tells whether there may be more. */
export async function sweepOnce(services: Services, eventsDays: number): Promise<boolean> {
  const now = services.clock.now();
  const limits = {
    now,
    sessionsSeenBefore: now - sessionLimits.idle,
    failuresBefore: oldestBucket(now),
    // Event ids begin with their time, so the oldest one to keep is a time with nothing behind it.
    eventsBefore: newTimeOrderedId(Math.max(0, now - eventsDays * DAY), (size) => new Uint8Array(size)),
  };
  return (await services.storage.sweep(limits, batchSize)) >= batchSize;
}
