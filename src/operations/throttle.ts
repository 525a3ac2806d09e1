// Limits attempts that may fail only so often. The limits themselves are in protocol/sign-in/throttle-rules.ts; the counts
// are in storage, so all instances share them.

import {
  oldestBucket,
  type ThrottleCounter,
  throttleBucket,
  throttledFor,
} from '../protocol/sign-in/throttle-rules.ts';
import type { Services } from './services.ts';

export type Attempt =
  | { kind: 'throttled'; retryAfterSeconds: number }
  /** Counted as a failure until `takeBack` is called. */
  | { kind: 'allowed'; takeBack(): Promise<void> };

/** Counts an attempt in each of the counters, unless one of them is at its limit. */
export async function startAttempt(services: Services, counters: readonly ThrottleCounter[]): Promise<Attempt> {
  const { storage, clock } = services;
  const now = clock.now();
  const keys = counters.map((counter) => counter.key);
  const bucket = throttleBucket(now);
  const wait = throttledFor(counters, await storage.countFailures(keys, oldestBucket(now)), now);
  if (wait !== undefined) return { kind: 'throttled', retryAfterSeconds: wait };

  // Counted before its outcome is known, and looked at again afterwards: parallel attempts cannot all pass the check
  // above and so exceed the limit together.
  const counts = await storage.addFailures(keys, bucket, oldestBucket(now));
  const others = counts.map((count) => ({ ...count, failures: count.failures - 1 }));
  const raced = throttledFor(counters, others, now);
  if (raced === undefined) return { kind: 'allowed', takeBack: () => storage.takeBackFailures(keys, bucket) };
  await storage.takeBackFailures(keys, bucket);
  return { kind: 'throttled', retryAfterSeconds: raced };
}
