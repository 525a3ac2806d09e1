// Whether this instance can do its work: read its store, and write to it. A store that can only be read (full disk,
// read-only database) would refuse every sign-in and exchange, so requests are better sent elsewhere. So are they if its clock is
// far from those of the others: then it refuses what they have issued.

import { clockIsFarOff } from './instances/instances.ts';
import type { Timing } from './services.ts';

export type Readiness =
  | { kind: 'ready' }
  | { kind: 'not_ready'; reason: 'store_unreachable' | 'store_not_writable'; error: unknown }
  | { kind: 'not_ready'; reason: 'clock_differs'; error?: undefined };

/** How long a successful write is proof enough, in milliseconds: anyone may ask, and asking must not load the store. */
const proofLasts = 5000;

export function readinessCheck({ storage, clock }: Timing, instanceId: string): () => Promise<Readiness> {
  let writtenAt: number | undefined;
  let writing: Promise<void> | undefined;

  /** Those who ask while a write is under way share its result. */
  function write(): Promise<void> {
    writing ??= storage
      .checkWritable()
      .then(() => {
        writtenAt = clock.now();
      })
      .finally(() => {
        writing = undefined;
      });
    return writing;
  }

  return async () => {
    try {
      await storage.ping();
      if (await clockIsFarOff({ storage }, instanceId)) return { kind: 'not_ready', reason: 'clock_differs' };
    } catch (error) {
      return { kind: 'not_ready', reason: 'store_unreachable', error };
    }
    // The clock may have been set back meanwhile.
    if (writtenAt !== undefined && Math.abs(clock.now() - writtenAt) < proofLasts) return { kind: 'ready' };
    try {
      await write();
      return { kind: 'ready' };
    } catch (error) {
      return { kind: 'not_ready', reason: 'store_not_writable', error };
    }
  };
}
