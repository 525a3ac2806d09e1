// What a running service does besides answering requests, and how often. Nothing here is waited for: what fails is
// logged and tried again the next time.

import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Sweep, SweepOutcome } from '../../operations/housekeeping/sweep.ts';
import { makeEverythingSearchable } from '../../operations/housekeeping/upkeep.ts';
import { liveInstances } from '../../operations/instances/instances.ts';
import { forgetDeletedPeople, workOnReviews } from '../../operations/reviews/review-work.ts';
import type { Services } from '../../operations/services.ts';
import type { BreachedPasswords } from '../../platform/breached-passwords/breached-passwords.ts';
import type { RefreshedKeys } from '../../platform/key-file.ts';
import { HOUR, MINUTE, SECOND } from '../../protocol/durations.ts';
import { newId } from '../../protocol/identifiers.ts';
import type { PauseReason } from '../../protocol/sweep-rules.ts';
import { StorageUnavailable } from '../../storage/storage.ts';
import { noteBackups } from './backup-schedule.ts';
import { instanceWatch } from './instance-watch.ts';
import { reportWebhookOutages } from './outages.ts';

const journalEvery = 500;
const emailsEvery = 2000;
/** At most this long after a change, its messages are on their way. */
const webhooksEvery = 1000;
/** What administrators change is in force everywhere after this long, and the time that settings stay read. */
const settingsEvery = 1000;
/** How often keys are read. Each instance has a new one after this long, and uses it when all others have it. */
export const keysEvery = 2000;
/** How often it's looked at whether all instances have the same settings, keys and time. */
const instancesEvery = 5000;
/** A new filter of breached passwords is in use everywhere after this long. */
const breachesEvery = 2000;
/** How old the metrics are that are counted in the store. */
const backlogEvery = 10_000;
/** Counting more would take too long for something that is done so often. */
const countedMessages = 100_000;
/** How long a new review waits for its first items at most. */
const reviewsEvery = 2000;
/** It counts people as well, and a number that is shown is at most a minute old. */
const sweepEvery = 45 * SECOND;
/** How often it's looked at whether a backup is due. */
const backupEvery = MINUTE;
/** So that requests come in between. */
const pauseBetweenBatches = 20;
const roundsPerHour = HOUR / sweepEvery;

export interface BackgroundWork {
  readonly services: Services;
  readonly instanceId: string;
  readonly eventsDays: number;
  /** Makes a backup if one is due. */
  readonly backUp?: () => Promise<void>;
  readonly breaches: BreachedPasswords;
  /** Reads the key file again and learns which keys the others have retired. */
  refreshKeys(): Promise<RefreshedKeys>;
  /** What to log when this instance's newest key was retired. */
  readonly retiredKey: string;
  readonly log: FastifyBaseLogger;
}

/** Starts the work and returns a function that stops it. */
export function startBackgroundWork(work: BackgroundWork): () => void {
  const { services, instanceId, eventsDays, breaches, refreshKeys, retiredKey, log } = work;
  const { emailQueue, journal, webhooks } = services;
  const logFault = (error: Error) => {
    // Outages of the store are logged where they are noticed first (outages.ts).
    if (error instanceof StorageUnavailable)
      log.debug({ reason: error.message }, 'background work is waiting for the store');
    else log.warn({ err: error }, 'background work failed and will be retried');
  };
  const logged = (task: () => Promise<unknown>) => () => {
    task().catch(logFault);
  };
  const sendEmails = logged(() => emailQueue.sendDue());
  emailQueue.onQueued = () => setImmediate(sendEmails);
  const sendWebhooks = logged(() => webhooks.sendDue());
  webhooks.wake = () => setImmediate(sendWebhooks);
  webhooks.onFault = logFault;
  reportWebhookOutages(webhooks, log);
  let sweep: Sweep | undefined;
  /** Loaded for the first round, a minute after the start. */
  const loadSweep = async () =>
    new (await import('../../operations/housekeeping/sweep.ts')).Sweep(services, {
      holder: newId(services.random),
      eventsDays,
      elapsed: () => performance.now(),
      // Unreferenced: a process that stops doesn't wait for it.
      wait: (milliseconds) => wait(milliseconds, undefined, { ref: false }),
      onFault: logFault,
    });
  const report = sweepReport(log, roundsPerHour);
  let sweeping = false;
  let stopped = false;
  const sweepOnce = logged(async () => {
    // A backlog can take longer than the time between rounds.
    if (sweeping) return;
    sweeping = true;
    try {
      sweep ??= await loadSweep();
      if (stopped) return;
      const outcome = await sweep.round();
      noteSweep(services, outcome);
      report(outcome);
    } catch (error) {
      services.meters.sweepRounds.add({ result: 'failed' });
      throw error;
    } finally {
      sweeping = false;
    }
  });
  const holder = newId(services.random);
  let reviewing = false;
  const fillReviews = logged(async () => {
    if (reviewing) return;
    reviewing = true;
    try {
      await workOnReviews(services, holder, async () => {
        await wait(pauseBetweenBatches, undefined, { ref: false });
        return !stopped;
      });
    } finally {
      reviewing = false;
    }
  });
  logged(() => forgetDeletedPeople(services))();
  const makeSearchable = logged(() => makeEverythingSearchable(services));
  makeSearchable();
  const measureBacklog = logged(() =>
    Promise.all([noteBacklog(services), noteBackups(services), noteEventServers(services)]),
  );
  measureBacklog();
  const backUp = logged(work.backUp ?? (async () => {}));
  backUp();
  const flush = logged(() => journal.flush());
  const readSettings = logged(async () => services.settings.read());
  const { keys } = services;
  const refresh = logged(async () => {
    const { changed, retired } = await refreshKeys();
    const isWaiting = keys.signingId !== keys.ids[0];
    if (changed && retired) log.error(retiredKey);
    else if (changed && isWaiting) log.info('the keys changed; the newest is used once every instance has it');
    else if (changed) log.info('the keys changed, and the new ones are in use');
  });
  const watchInstances = instanceWatch(services, instanceId, log);
  const lookAtInstances = logged(async () => watchInstances(await liveInstances(services)));
  lookAtInstances();
  const refreshBreaches = logged(async () => {
    const found = await breaches.refresh();
    if (found.kind === 'replaced') log.info({ hashes: found.hashes }, 'a new filter of breached passwords is in use');
    if (found.kind === 'unusable') {
      log.error({ reason: found.problem }, "the new filter of breached passwords can't be used; the earlier one stays");
    }
  });
  const timers = [
    setInterval(flush, journalEvery),
    setInterval(sendEmails, emailsEvery),
    setInterval(sendWebhooks, webhooksEvery),
    setInterval(readSettings, settingsEvery),
    setInterval(refresh, keysEvery),
    setInterval(lookAtInstances, instancesEvery),
    setInterval(refreshBreaches, breachesEvery),
    setInterval(measureBacklog, backlogEvery),
    setInterval(fillReviews, reviewsEvery),
    setInterval(backUp, backupEvery),
    setInterval(sweepOnce, sweepEvery),
    setInterval(makeSearchable, sweepEvery),
  ];
  return () => {
    stopped = true;
    sweep?.stop();
    for (const timer of timers) clearInterval(timer);
  };
}

/** What waits in the store is the same for every process, so each reports all of it. */
async function noteBacklog({ storage, storeClock, meters }: Services): Promise<void> {
  const [emails, webhooks, now] = await Promise.all([
    storage.countEmails(),
    storage.countWaitingWebhooks(countedMessages),
    storeClock.now(),
  ]);
  meters.emailsWaiting.set({}, emails.count);
  meters.oldestEmail.set({}, Math.max(0, now - (emails.oldestAt ?? now)) / 1000);
  meters.webhooksWaiting.set({}, webhooks.messages);
  meters.webhooksFailing.set({}, webhooks.failing);
}

async function noteEventServers({ storage, meters }: Services): Promise<void> {
  const { servers } = await storage.findOtherServers();
  const unreachable = servers.filter(({ problem }) => problem !== undefined).length;
  meters.eventServers.set({ state: 'reachable' }, servers.length - unreachable);
  meters.eventServers.set({ state: 'unreachable' }, unreachable);
  meters.undecidedTransactions.set(
    {},
    servers.reduce((sum, { undecided }) => sum + undecided, 0),
  );
}

function noteSweep({ meters, clock }: Services, outcome: SweepOutcome): void {
  meters.sweepRounds.add({ result: outcome.kind });
  meters.sweepPaused.set({}, outcome.kind === 'paused' ? 1 : 0);
  if (outcome.kind !== 'swept') return;
  meters.sweptRows.add({}, outcome.rows);
  meters.sweptAt.set({}, clock.now() / 1000);
}

/** Worded to follow "because" or a colon. */
export const pauseReasons: Record<PauseReason, string> = {
  clock_jumped: 'the clock jumped, and has to be steady for an hour first',
  too_much: 'by this clock, most grants and sessions have expired',
};

/** Says when the sweep stops, then once an hour, and when it goes on. */
export function sweepReport(
  log: Pick<FastifyBaseLogger, 'info' | 'error'>,
  roundsPerHour: number,
): (outcome: SweepOutcome) => void {
  let rounds = 0;
  return (outcome) => {
    if (outcome.kind === 'elsewhere') return;
    if (outcome.kind === 'swept') {
      if (rounds > 0) log.info('deleting expired data again');
      rounds = 0;
    } else if (rounds++ % roundsPerHour === 0) {
      const why = pauseReasons[outcome.pause.reason];
      log.error(
        `expired data isn't being deleted because ${why}. Check the clock; if it's right, run "latchkey sweep --resume".`,
      );
    }
  };
}
