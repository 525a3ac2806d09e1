// Background work in small batches, so that no request waits behind it: deleting what has expired, in one process at a
// time, and telling administrators of people who wait for approval and of directories that were refused. Whether the clock can be
// trusted is decided in protocol/sweep-rules.ts.

import { noteKept } from '../../protocol/account/access-requests.ts';
import { DAY, MINUTE } from '../../protocol/durations.ts';
import { firstIdAt } from '../../protocol/identifiers.ts';
import { emailLifetime } from '../../protocol/mail-schedule.ts';
import { deviceMemory, type SessionLimits } from '../../protocol/sign-in/session-limits.ts';
import { oldestBucket } from '../../protocol/sign-in/throttle-rules.ts';
import {
  clockJump,
  formatPause,
  gapTolerance,
  isConfirmed,
  isImplausible,
  jumpTolerance,
  type Moment,
  type PauseReason,
  parsePause,
  type SweepPause,
  steadyTime,
} from '../../protocol/sweep-rules.ts';
import { finishedLimit } from '../../protocol/webhooks/schedule.ts';
import { expireRequests } from '../access-requests/ask.ts';
import { tellOfRequests } from '../access-requests/notices.ts';
import { clearDeleted } from '../attributes/attributes.ts';
import { endExpiredEntries } from '../groups/expired-entries.ts';
import { notePasswordOnly } from '../passwords/password-only.ts';
import { keepReviews } from '../reviews/review-work.ts';
import { tellOfRefusals } from '../scim/refusal-notices.ts';
import type { Mailing, Metering, Recording, Services } from '../services.ts';
import { deleteOverdue, tellOfWaiting } from '../users/approval.ts';
import { endExpiredUsers } from '../users/edit-user.ts';
import { notePeople } from '../users/people-count.ts';
import { dropOverflow } from '../webhooks/deliveries.ts';
import { tellOfEnds } from './end-notices.ts';
import { InactiveAccounts } from './inactive-accounts.ts';

type SweepServices = Recording & Mailing & Metering & Pick<Services, 'settings' | 'storeClock'>;

const batchSize = 500;
/** Longer than a removal can be undone. */
const endedAccessKept = 15 * MINUTE;
/** How long links to sign up with are listed once they've ended. */
const endedLinksKept = 30 * DAY;
/** Longer than the time between rounds, so that the lease stays with one process until that process is gone. */
const leaseLifetime = 3 * MINUTE;

export type SweepOutcome =
  | { kind: 'swept'; rows: number }
  /** Another process holds the lease. */
  | { kind: 'elsewhere' }
  /** Nothing is deleted until the clock can be trusted. */
  | { kind: 'paused'; pause: SweepPause };

export interface SweepOptions {
  readonly holder: string;
  readonly eventsDays: number;
  /** Milliseconds that only ever go forward. */
  elapsed(): number;
  wait(milliseconds: number): Promise<unknown>;
  /** Called with what deletes nothing, has failed and doesn't end the round. */
  onFault(error: Error): void;
}

export class Sweep {
  readonly #services: SweepServices;
  readonly #options: SweepOptions;
  /** When the clock was last known to be right. */
  #trusted: Moment | undefined;
  #previous: Moment | undefined;
  /** When the clock was last set, in elapsed time. */
  #jumpedAt: number | undefined;
  /** The last changes of access when rounds began, in elapsed time; the first is the newest that lies back far enough. */
  readonly #accessChanges: { readonly at: number; readonly change: number }[] = [];
  /** Since when it has been steady, and from when on that is long enough to disable people by it, in elapsed time. */
  #steadySince: number | undefined;
  #steadyFrom = 0;
  readonly #inactive: InactiveAccounts;
  #stopped = false;

  constructor(services: SweepServices, options: SweepOptions) {
    this.#services = services;
    this.#options = options;
    this.#inactive = new InactiveAccounts(services);
  }

  stop(): void {
    this.#stopped = true;
  }

  /**
   * Deletes until nothing is left that was over when the round began. It rests as long as it works, so that a backlog of
   * any size takes no more than half of the store's time.
   */
  async round(): Promise<SweepOutcome> {
    const { storage, clock, settings } = this.#services;
    const { holder, eventsDays, elapsed, wait, onFault } = this.#options;
    const started = clock.now();
    const jumped = this.#watchClock();
    await settings.read();
    const settledAccessChange = this.#settled(await storage.lastAccessChange());
    let rows = 0;
    for (let batch = 0; !this.#stopped; batch++) {
      const now = clock.now();
      if (!(await storage.takeLease('sweep', holder, now, now + leaseLifetime))) break;
      if (batch === 0) {
        // Whatever the clock says: that there are too many has nothing to do with the time.
        await dropOverflow(this.#services);
        await clearDeleted(this.#services, undefined, this.#resting());
        await this.#notePeople().catch(onFault);
        await tellOfWaiting(this.#services);
        await tellOfRefusals(this.#services);
        await tellOfRequests(this.#services);
        const pause = await this.#judge(started, jumped);
        if (pause !== undefined) return { kind: 'paused', pause };
        await endExpiredUsers(this.#services);
        await endExpiredEntries(this.#services);
        await expireRequests(this.#services);
        await deleteOverdue(this.#services);
        await tellOfEnds(this.#services);
        await keepReviews(this.#services);
        if (elapsed() >= this.#steadyFrom) await this.#inactive.round(this.#resting());
      }
      const before = elapsed();
      // By the time at which the clock was judged: it may be set while a long round is under way.
      const limits = limitsAt(started, eventsDays, settings.sessionLimits);
      const count = await storage.sweep({ ...limits, settledAccessChange }, batchSize);
      rows += count;
      if (count < batchSize) return { kind: 'swept', rows };
      await wait(Math.max(1, elapsed() - before));
    }
    return rows === 0 && !this.#stopped ? { kind: 'elsewhere' } : { kind: 'swept', rows };
  }

  /** The last change of some time ago. Every grant from before it is stored by now, and no removal up to it can be undone. */
  #settled(change: number): number {
    const at = this.#options.elapsed();
    const changes = this.#accessChanges;
    changes.push({ at, change });
    const isOld = (each: { readonly at: number }) => at - each.at >= endedAccessKept;
    changes.splice(0, Math.max(0, changes.findLastIndex(isOld)));
    const [first] = changes;
    return first !== undefined && isOld(first) ? first.change : 0;
  }

  async #notePeople(): Promise<void> {
    await notePeople(this.#services, this.#resting());
    await notePasswordOnly(this.#services, this.#resting());
  }

  /** For work in steps: rests after each as long as it took. False once the sweep was stopped. */
  #resting(): () => Promise<boolean> {
    const { elapsed, wait } = this.#options;
    let since = elapsed();
    return async () => {
      await wait(Math.max(1, elapsed() - since));
      since = elapsed();
      return !this.#stopped;
    };
  }

  /** True while the clock was set not long ago. Setting it back to where it was ends that at once. */
  #watchClock(): boolean {
    const moment = this.#moment();
    const previous = this.#previous ?? moment;
    this.#previous = moment;
    this.#trusted ??= moment;
    this.#steadySince ??= moment.elapsed;
    const isSteady = (since: Moment) => Math.abs(clockJump(since, moment)) <= jumpTolerance;
    if (!isSteady(this.#trusted)) {
      if (this.#jumpedAt === undefined || !isSteady(previous)) {
        this.#jumpedAt = moment.elapsed;
        this.#steadySince = moment.elapsed;
      }
      if (moment.elapsed - this.#jumpedAt < steadyTime) return true;
    }
    this.#trust(moment);
    return false;
  }

  #trust(moment: Moment): void {
    this.#trusted = moment;
    this.#jumpedAt = undefined;
  }

  #moment(): Moment {
    return { now: this.#services.clock.now(), elapsed: this.#options.elapsed() };
  }

  /** The reason not to delete anything now. What was decided is stored, for the other processes and for operators. */
  async #judge(now: number, jumped: boolean): Promise<SweepPause | undefined> {
    const { storage } = this.#services;
    const [sweptAt, pausedFact, confirmedFact] = await Promise.all([
      storage.findFact('swept_at'),
      storage.findFact('sweep_paused'),
      storage.findFact('sweep_confirmed_at'),
    ]);
    // A clock that was wrong when the process started isn't seen to jump.
    if (Math.abs(now - Number(sweptAt ?? 0)) > jumpTolerance) this.#steadyFrom = (this.#steadySince ?? 0) + steadyTime;
    const known = parsePause(pausedFact);
    const confirmedAt = confirmedFact === undefined || confirmedFact === '' ? undefined : Number(confirmedFact);
    const reason = jumped ? 'clock_jumped' : await this.#tooMuch(now, sweptAt === undefined ? 0 : Number(sweptAt));
    const pause = reason && (known?.reason === reason ? known : { since: now, reason });
    if (pause === undefined || isConfirmed(confirmedAt, pause, now)) {
      this.#trust(this.#moment());
      await storage.noteFact('swept_at', String(now));
      if (known !== undefined) await storage.noteFact('sweep_paused', formatPause(undefined));
      if (confirmedAt !== undefined) await storage.noteFact('sweep_confirmed_at', '');
      return undefined;
    }
    if (known !== pause) await storage.noteFact('sweep_paused', formatPause(pause));
    return pause;
  }

  async #tooMuch(now: number, sweptAt: number): Promise<PauseReason | undefined> {
    if (now - sweptAt <= gapTolerance) return undefined;
    const { storage, settings } = this.#services;
    await settings.read();
    const limits = limitsAt(now, this.#options.eventsDays, settings.sessionLimits);
    const expiring = await storage.examineExpiring({ ...limits, settledAccessChange: 0 });
    return isImplausible(expiring) ? 'too_much' : undefined;
  }
}

function limitsAt(now: number, eventsDays: number, sessionLimits: SessionLimits) {
  return {
    now,
    keptSessionsSeenBefore: now - sessionLimits.keptIdle,
    briefSessionsSeenBefore: now - sessionLimits.brief,
    failuresBefore: oldestBucket(now),
    devicesSeenBefore: now - deviceMemory,
    mailsBefore: now - emailLifetime,
    signUpLinksBefore: now - endedLinksKept,
    totalsBefore: now - eventsDays * DAY,
    requestNotesBefore: now - noteKept,
    requestsBefore: now - Math.max(noteKept, eventsDays * DAY),
    finishedDeliveries: finishedLimit,
    eventsBefore: firstIdAt(now - eventsDays * DAY),
  };
}
