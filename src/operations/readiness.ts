// Whether this instance can do its work: read its store, and write to it. A store that can only be read (full disk,
// read-only database) would refuse every sign-in and exchange, so requests are better sent elsewhere. So are they if its clock is
// far from those of the others: then it refuses what they have issued. With events on other servers, what needs one of those that are
// gone is refused, and everything else is served.

import { clockIsFarOff } from './instances/instances.ts';
import type { Storing, Timing } from './services.ts';

/** Whether each server with events answers, and has decided every transaction that was interrupted. */
export type EventServersState = 'ready' | 'unreachable' | 'undecided';

export type Readiness =
  | { kind: 'ready'; events: EventServersState }
  | { kind: 'not_ready'; reason: 'store_unreachable' | 'store_not_writable'; error: unknown }
  | { kind: 'not_ready'; reason: 'clock_differs'; error?: undefined };

/** How long a successful write is proof enough, in milliseconds: anyone may ask, and asking must not load the store. */
const proofLasts = 5000;

async function eventServersState({ storage }: Storing): Promise<EventServersState> {
  const { servers } = await storage.findOtherServers();
  if (servers.some(({ problem }) => problem !== undefined)) return 'unreachable';
  return servers.some(({ undecided }) => undecided > 0) ? 'undecided' : 'ready';
}

export function readinessCheck({ storage, clock }: Timing, instanceId: string): () => Promise<Readiness> {
  let writtenAt: number | undefined;
  let events: EventServersState = 'ready';
  let writing: Promise<void> | undefined;

  /** Those who ask while a write is under way share its result. */
  function write(): Promise<void> {
    writing ??= storage
      .checkWritable()
      .then(() => {
        writtenAt = clock.now();
        // Nobody waits for them: one that's frozen takes its time, and the instance serves without it.
        eventServersState({ storage }).then(
          (state) => {
            events = state;
          },
          () => {
            // The store itself is lost, which the next answer says.
          },
        );
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
    if (writtenAt !== undefined && Math.abs(clock.now() - writtenAt) < proofLasts) return { kind: 'ready', events };
    try {
      await write();
      return { kind: 'ready', events };
    } catch (error) {
      return { kind: 'not_ready', reason: 'store_not_writable', error };
    }
  };
}
