// An administrator looks at the settings and changes them, with the images of the brand among them.

import { type BrandImage, brandImages } from '../../protocol/brand/brand.ts';
import type { Requester } from '../../protocol/event.ts';
import { changeDetail, differing, readFields } from '../../protocol/resources/resource.ts';
import {
  type SettingName,
  type Settings,
  type SettingsChange,
  type SettingsInput,
  settingFields,
  settingNames,
} from '../../protocol/resources/settings.ts';
import { type AdminOutcome, type Refused, refused, refusedFields } from '../admin/outcome.ts';
import type { Services } from '../services.ts';
import { defaultProblem } from '../upstreams/default-upstream.ts';

export function noSuchSetting(name: string): Refused {
  return refused(`there is no setting ${JSON.stringify(name)}; there are: ${settingNames.join(', ')}`, 'not_found');
}

/** The settings as they are in the store now, and the version of each image. */
export async function currentSettings({ settings }: Pick<Services, 'settings'>): Promise<Settings> {
  const values = await settings.readFresh();
  const versions = brandImages.map((name) => [`${name}Version`, settings.images[name] ?? null]);
  return { ...values, ...Object.fromEntries(versions) };
}

/** What is the same already isn't written again, and makes no event. */
export async function changeSettings(
  services: Pick<Services, 'storage' | 'settings' | 'clock' | 'journal'>,
  given: SettingsInput,
  requester: Requester,
): Promise<AdminOutcome<{ values: SettingsChange; changed: readonly SettingName[] }>> {
  const { storage, clock, journal, settings } = services;
  const current = await currentSettings(services);
  const { values, problems } = readFields(settingFields, given, current);
  const unknown = await defaultProblem(services, values.default_upstream);
  const wrong = refusedFields({ ...problems, ...(unknown !== undefined && { default_upstream: unknown }) });
  if (wrong !== undefined) return wrong;
  const change = differing(settingFields, current, values);
  const changed = settingNames.filter((name) => change[name] !== undefined);
  const eventOf = (part: SettingsChange) =>
    journal.event({ kind: 'settings_changed', detail: changeDetail(settingFields, part) }, requester);
  const { logo, logo_dark, favicon, ...plain } = change;
  const stored = Object.entries(plain).map(([name, value]) => ({ name, value: JSON.stringify(value) }));
  if (stored.length > 0) await storage.storeSettings(stored, clock.now(), eventOf(plain));
  for (const [name, image] of Object.entries({ logo, logo_dark, favicon })) {
    if (image === undefined) continue;
    await storage.storeBrandImage(name as BrandImage, image ?? undefined, clock.now(), eventOf({ [name]: image }));
  }
  if (changed.length > 0) await settings.readFresh();
  return { kind: 'done', values, changed };
}
