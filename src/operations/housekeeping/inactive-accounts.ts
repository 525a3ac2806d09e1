// Disables accounts that nobody uses, if administrators have decided that: people are told first, and keep their account by using it.
// People with a role, those who wait for approval and those of a directory are left alone.

import { instanceTolerance } from '../../protocol/clocks.ts';
import { DAY, HOUR } from '../../protocol/durations.ts';
import type { Settings } from '../../protocol/resources/settings.ts';
import type { InactivePlace, InactiveUser, InactivityRule } from '../../storage/storage.ts';
import { eventsOfEndedRights } from '../api-keys/api-keys.ts';
import type { Mailing, Metering, Recording, Services, Storing } from '../services.ts';

type InactivityServices = Recording & Mailing & Metering & Pick<Services, 'settings' | 'storeClock'>;

const noRequester = { address: '', requestId: '' };
const batchSize = 100;
/** A few milliseconds on the embedded store, which reads on the event loop. */
const stepLength = 1000;
/** In a round, so that other emails don't wait behind them for long. */
const mostTold = 200;
/** Once everyone was looked at. */
const lookAgainAfter = HOUR;

const beginning: InactivePlace = { activeAt: 0, id: '' };

export class InactiveAccounts {
  readonly #services: InactivityServices;
  #place = beginning;
  #lookedAt: number | undefined;
  /** As it was at the last look. */
  #rule = '';

  constructor(services: InactivityServices) {
    this.#services = services;
  }

  /** For a clock that was steady. `rest` is called after each step, and says whether to go on. */
  async round(rest: () => Promise<boolean>): Promise<void> {
    const { settings, emailQueue, clock, storeClock } = this.#services;
    const rule = await inactivityRule(this.#services, await settings.readFresh());
    // Nobody is disabled who wasn't told.
    if (rule === undefined || !emailQueue.works) return;
    // One instance decides for all, and may be the one whose clock is wrong.
    if (Math.abs((await storeClock.now()) - clock.now()) > instanceTolerance) return;
    await this.#disable(rule);
    await this.#tell(rule, rest);
  }

  async #disable(rule: InactivityRule): Promise<void> {
    const { storage, clock, journal, meters } = this.#services;
    for (;;) {
      const due = await storage.listInactiveDue(rule, clock.now(), batchSize);
      for (const { id: userId, end, holds } of due) {
        const detail = { reason: 'inactive', days: rule.disableAfter / DAY };
        const event = journal.event({ kind: 'user_disabled', userId, detail }, noRequester);
        const keyEvents = await eventsOfEndedRights(this.#services, userId, noRequester);
        if (holds && (await storage.disableInactive(userId, rule, clock.now(), event, keyEvents))) {
          meters.revocations.add({ cause: 'user_disabled' });
        } else {
          await storage.forgetInactivityNotice(userId, end);
        }
      }
      if (due.length < batchSize) return;
    }
  }

  /** Looks at some of those who are inactive, and at the others in the next rounds. */
  async #tell(rule: InactivityRule, rest: () => Promise<boolean>): Promise<void> {
    const { storage, clock } = this.#services;
    const now = clock.now();
    const asked = JSON.stringify(rule);
    if (asked !== this.#rule) [this.#rule, this.#place, this.#lookedAt] = [asked, beginning, undefined];
    if (this.#lookedAt !== undefined && Math.abs(now - this.#lookedAt) < lookAgainAfter) return;
    for (let told = 0; told < mostTold; ) {
      const { toTell, last } = await storage.lookAtInactive(rule, now, this.#place, stepLength);
      for (const user of toTell.slice(0, mostTold - told)) await this.#tellPerson(user, rule, now);
      const isWhole = told + toTell.length <= mostTold;
      told += toTell.length;
      // Those who were told aren't found again.
      if (!isWhole) return;
      if (last === undefined) {
        [this.#place, this.#lookedAt] = [beginning, now];
        return;
      }
      this.#place = last;
      if (!(await rest())) return;
    }
  }

  async #tellPerson(inactive: InactiveUser, rule: InactivityRule, now: number): Promise<void> {
    const { storage, emailQueue, emailsFor } = this.#services;
    const user = await storage.findUser(inactive.id);
    if (user === undefined) return;
    const end = Math.max(now, rule.since) + rule.notice;
    const email = emailsFor(user.locale).accountInactive({ to: user.email, at: end });
    await emailQueue.queueWith([email], (queued) => storage.queueInactivityNotice(inactive, end, queued));
  }
}

/** Undefined while accounts aren't disabled. */
async function inactivityRule({ storage }: Storing, settings: Settings): Promise<InactivityRule | undefined> {
  const { disable_inactive_after_days: days, inactive_notice_days: notice } = settings;
  if (days === null) return undefined;
  return { disableAfter: days * DAY, notice: notice * DAY, since: await storage.inactivityChangedAt() };
}
