// An administrator looks at the settings and changes them.

import { brandImages } from '../../protocol/brand/brand.ts';
import type { EventDetail, Requester } from '../../protocol/event.ts';
import {
  isSettingName,
  readTyped,
  type SettingName,
  type Settings,
  type SettingsChange,
  settingNames,
  settingTable,
} from '../../protocol/settings.ts';
import { type AdminOutcome, type Refused, refused, refusedFields } from '../admin/outcome.ts';
import type { Services } from '../services.ts';
import { defaultProblem } from '../upstreams/default-upstream.ts';

export type SettingsReading = { kind: 'read'; change: SettingsChange } | Refused;

/** Settings as people type them, by name. */
export function readTypedSettings(typed: Readonly<Record<string, string>>): SettingsReading {
  return readEach(typed, readTyped);
}

/** Settings as JSON has them. */
export function readJsonSettings(members: Readonly<Record<string, unknown>>): SettingsReading {
  return readEach(members, (name, value) => settingTable[name].read(value));
}

function readEach<Value>(
  given: Readonly<Record<string, Value>>,
  read: (name: SettingName, value: Value) => string | number | undefined,
): SettingsReading {
  const change: Partial<Record<SettingName, string | number>> = {};
  const problems: Partial<Record<SettingName, string>> = {};
  for (const [name, value] of Object.entries(given)) {
    if (!isSettingName(name)) return noSuchSetting(name);
    const understood = read(name, value);
    if (understood === undefined) problems[name] = `${name} ${settingTable[name].rule}`;
    else change[name] = understood;
  }
  // Every value was read by the setting that it is for.
  return refusedFields(problems) ?? { kind: 'read', change: change as SettingsChange };
}

export function noSuchSetting(name: string): Refused {
  const names = [...settingNames, ...brandImages].join(', ');
  return refused(`there is no setting ${JSON.stringify(name)}; there are: ${names}`, 'not_found');
}

/** What is the same already isn't written again, and makes no event. */
export async function changeSettings(
  services: Pick<Services, 'storage' | 'settings' | 'clock' | 'journal'>,
  change: SettingsChange,
  requester: Requester,
): Promise<AdminOutcome<{ settings: Settings; changed: readonly SettingName[] }>> {
  const { storage, clock, journal } = services;
  const current = await services.settings.readFresh();
  const changed = differingSettings(current, change);
  const unknown = await defaultProblem(services, change.default_upstream);
  if (unknown !== undefined) return refusedFields({ default_upstream: unknown }) ?? refused(unknown);
  if (changed.length === 0) return { kind: 'done', settings: current, changed };
  const values = changed.map((name): [SettingName, string | number] => [name, change[name] ?? current[name]]);
  const detail: EventDetail = { changed, ...Object.fromEntries(values) };
  await storage.storeSettings(
    values.map(([name, value]) => ({ name, value: JSON.stringify(value) })),
    clock.now(),
    journal.event({ kind: 'settings_changed', detail }, requester),
  );
  return { kind: 'done', settings: await services.settings.readFresh(), changed };
}

/** The settings that a change would make different. */
export function differingSettings(current: Settings, change: SettingsChange): SettingName[] {
  return settingNames.filter((name) => change[name] !== undefined && change[name] !== current[name]);
}
