// What a running service does besides answering requests, and how often. Nothing here is waited for: what fails is
// logged and tried again the next time.

import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { makeEverythingSearchable, Sweep, type SweepOutcome } from '../../operations/journal/sweep.ts';
import type { Services } from '../../operations/services.ts';
import { newId } from '../../protocol/identifiers.ts';
import { pauseReasons } from './pause-reasons.ts';

const journalEvery = 500;
const emailsEvery = 2000;
const keysEvery = 2000;
const sweepEvery = 60_000;
const roundsPerHour = (60 * 60 * 1000) / sweepEvery;

export interface BackgroundWork {
  readonly services: Services;
  readonly eventsDays: number;
  /** Reads the key file again; true if the keys have changed. */
  refreshKeys(): boolean;
  readonly log: FastifyBaseLogger;
}

/** Starts the work and returns a function that stops it. */
export function startBackgroundWork({ services, eventsDays, refreshKeys, log }: BackgroundWork): () => void {
  const { emailQueue, journal } = services;
  const logged = (work: () => Promise<unknown>) => () => {
    work().catch((error: Error) => log.warn({ err: error }, 'background work failed; it is tried again'));
  };
  const sendEmails = logged(() => emailQueue.sendDue());
  emailQueue.onQueued = () => setImmediate(sendEmails);
  const sweep = new Sweep(services, {
    holder: newId(services.random),
    eventsDays,
    elapsed: () => performance.now(),
    // Unreferenced: a process that stops doesn't wait for it.
    wait: (milliseconds) => wait(milliseconds, undefined, { ref: false }),
  });
  const report = sweepReport(log);
  let sweeping = false;
  const sweepOnce = logged(async () => {
    // A backlog can take longer than the time between rounds.
    if (sweeping) return;
    sweeping = true;
    await sweep
      .round()
      .then(report)
      .finally(() => {
        sweeping = false;
      });
  });
  const makeSearchable = logged(() => makeEverythingSearchable(services));
  makeSearchable();
  const timers = [
    setInterval(
      logged(() => journal.flush()),
      journalEvery,
    ),
    setInterval(sendEmails, emailsEvery),
    setInterval(() => {
      if (refreshKeys()) log.info('the keys have changed, and the new ones are in use');
    }, keysEvery),
    setInterval(sweepOnce, sweepEvery),
    setInterval(makeSearchable, sweepEvery),
  ];
  return () => {
    sweep.stop();
    for (const timer of timers) clearInterval(timer);
  };
}

/** Says when the sweep stops, then once an hour, and when it goes on. */
function sweepReport(log: FastifyBaseLogger): (outcome: SweepOutcome) => void {
  let rounds = 0;
  return (outcome) => {
    if (outcome.kind === 'elsewhere') return;
    if (outcome.kind === 'swept') {
      if (rounds > 0) log.info('the sweep goes on');
      rounds = 0;
    } else if (rounds++ % roundsPerHour === 0) {
      const why = pauseReasons[outcome.pause.reason];
      log.error(`nothing is deleted because ${why}. Check the clock; if it is right, run "latchkey sweep --resume".`);
    }
  };
}
