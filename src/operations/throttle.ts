// Limits attempts that may fail only so often. The limits themselves are in protocol/sign-in/throttle-rules.ts; the counts
// are in storage, so all instances share them.

import type { EventDetail, EventFacts, Requester } from '../protocol/event.ts';
import type { SignInRefusal } from '../protocol/sign-in/outcomes.ts';
import {
  factorChangeCounters,
  oldestBucket,
  type ThrottleCounter,
  type ThrottleLimit,
  throttleBucket,
  throttledFor,
} from '../protocol/sign-in/throttle-rules.ts';
import type { Metering, Services, Timing } from './services.ts';

export type Attempt =
  | { kind: 'throttled'; retryAfterSeconds: number }
  /** Counted as a failure until `takeBack` is called. */
  | {
      kind: 'allowed';
      takeBack(): Promise<void>;
      /** How many failures count on the counter, this one included. */
      failuresOn(counter: ThrottleCounter): number;
    };

/** Counts an attempt in each of the counters, unless one of them is at its limit. */
export async function startAttempt(
  { storage, clock, meters }: Timing & Metering,
  limit: ThrottleLimit,
  counters: readonly ThrottleCounter[],
): Promise<Attempt> {
  const throttled = (retryAfterSeconds: number): Attempt => {
    meters.throttled.add({ limit });
    return { kind: 'throttled', retryAfterSeconds };
  };
  const now = clock.now();
  const keys = counters.map(({ key }) => key);
  const failures = counters.map(({ key, window }) => ({
    counter: key,
    bucket: window === 'in_turn' ? ('next' as const) : throttleBucket(now, window),
  }));
  const wait = throttledFor(counters, await storage.countFailures(keys, oldestBucket(now)), now);
  if (wait !== undefined) return throttled(wait);

  // Counted before its outcome is known, and looked at again afterwards: parallel attempts cannot all pass the check
  // above and so exceed the limit together.
  const counts = await storage.addFailures(failures, oldestBucket(now));
  const others = counts.map((count) => ({ ...count, failures: count.failures - 1 }));
  const raced = throttledFor(counters, others, now);
  if (raced === undefined) {
    return {
      kind: 'allowed',
      takeBack: () => storage.takeBackFailures(failures),
      failuresOn: ({ key }) => counts.find((count) => count.key === key)?.failures ?? 0,
    };
  }
  await storage.takeBackFailures(failures);
  return throttled(raced);
}

export type Throttled = Extract<Attempt, { kind: 'throttled' }>;

/** Limits changes to how a person signs in. One that didn't take place isn't counted. */
export async function limitFactorChanges<Outcome extends { readonly kind: string }>(
  services: Timing & Metering,
  userId: string,
  change: () => Promise<Outcome>,
  takesPlace: Outcome['kind'],
): Promise<Outcome | Throttled> {
  const attempt = await startAttempt(services, 'factor_change', factorChangeCounters(userId));
  if (attempt.kind === 'throttled') return attempt;
  let outcome: Outcome | undefined;
  try {
    outcome = await change();
    return outcome;
  } finally {
    if (outcome?.kind !== takesPlace) await attempt.takeBack();
  }
}

/** A refused sign-in, as events and metrics record it. */
export function noteRefusedSignIn(
  { journal, meters }: Pick<Services, 'journal' | 'meters'>,
  about: Pick<EventFacts, 'userId' | 'clientId'>,
  reason: SignInRefusal,
  requester: Requester,
  more: EventDetail = {},
): void {
  journal.noteRateLimited({ kind: 'sign_in_failed', ...about, detail: { reason, ...more } }, requester);
  meters.signIns.add({ result: 'refused', reason });
}
