// How many people the settings about unused accounts affect, for the administrator who is about to change them.

import type { Total } from '../../protocol/admin/totals.ts';
import { DAY } from '../../protocol/durations.ts';
import { readFields } from '../../protocol/resources/resource.ts';
import { type SettingsInput, settingFields } from '../../protocol/resources/settings.ts';
import type { Mailing, Services, Timing } from '../services.ts';

export interface AffectedPeople {
  /** The days that were given. */
  readonly days: number;
  /** They keep their account for so many days at least. */
  readonly notice: number;
  /** How many haven't used their account for so long. */
  readonly people: Total;
  /** People are told by email first, so without email no account is disabled. */
  readonly isWaitingForEmail: boolean;
}

/** Undefined if the settings disable no accounts, or are refused. */
export async function affectedBy(
  services: Timing & Pick<Services, 'settings'> & Pick<Mailing, 'emailQueue'>,
  given: SettingsInput,
): Promise<AffectedPeople | undefined> {
  const { storage, clock, settings, emailQueue } = services;
  if (typeof given.disable_inactive_after_days !== 'number') return undefined;
  const current = await settings.readFresh();
  const { values, problems } = readFields(settingFields, given, current);
  const { disable_inactive_after_days: days, inactive_notice_days: notice } = { ...current, ...values };
  if (days === null || problems.length > 0) return undefined;
  const people = await storage.countInactive(clock.now() - days * DAY);
  return { days, notice, people, isWaitingForEmail: !emailQueue.works };
}

/** Whom the settings affect, if they disable accounts sooner than the current ones do. */
export async function newlyAffectedBy(
  services: Parameters<typeof affectedBy>[0],
  given: SettingsInput,
): Promise<AffectedPeople | undefined> {
  const { disable_inactive_after_days: before } = await services.settings.readFresh();
  const affected = await affectedBy(services, given);
  return affected === undefined || (before !== null && affected.days >= before) ? undefined : affected;
}
