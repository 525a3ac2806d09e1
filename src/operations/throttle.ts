// Attempts that may fail only so often.

import {
  oldestBucket,
  type ThrottleCounter,
  throttleBucket,
  throttledFor,
} from '../protocol/sign-in/throttle-rules.ts';
import type { Services } from './services.ts';

export type Admission =
  | { kind: 'throttled'; retryAfterSeconds: number }
  /** Counts as a failure until it is taken back. */
  | { kind: 'admitted'; takeBack(): Promise<void> };

export async function admit(services: Services, counters: readonly ThrottleCounter[]): Promise<Admission> {
  const { storage, clock } = services;
  const now = clock.now();
  const keys = counters.map((counter) => counter.key);
  const bucket = throttleBucket(now);
  const wait = throttledFor(counters, await storage.countFailures(keys, oldestBucket(now)), now);
  if (wait !== undefined) return { kind: 'throttled', retryAfterSeconds: wait };

  // Counted as a failure first and taken back on success: attempts made in parallel cannot slip in under the limit.
  const counts = await storage.addFailures(keys, bucket, oldestBucket(now));
  const others = counts.map((count) => ({ ...count, failures: count.failures - 1 }));
  const raced = throttledFor(counters, others, now);
  if (raced === undefined) return { kind: 'admitted', takeBack: () => storage.takeBackFailures(keys, bucket) };
  await storage.takeBackFailures(keys, bucket);
  return { kind: 'throttled', retryAfterSeconds: raced };
}
