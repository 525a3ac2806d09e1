// An administrator looks at the settings and changes them, with the images of the brand among them.

import { type BrandImage, brandImagePath, brandImages } from '../../protocol/brand/brand.ts';
import type { Requester } from '../../protocol/event.ts';
import { problemWith } from '../../protocol/problem.ts';
import { changeDetail, differing, readFields } from '../../protocol/resources/resource.ts';
import {
  type SettingName,
  type Settings,
  type SettingsChange,
  type SettingsInput,
  settingFields,
  settingNames,
} from '../../protocol/resources/settings.ts';
import { findJoinableGroups, namesOfGroups } from '../admin/named-groups.ts';
import { type Outcome, problemsAt, type Refused, refused, refusedFields } from '../admin/outcome.ts';
import { findEach } from '../admin/paging.ts';
import type { Recording, Services, Storing } from '../services.ts';
import { defaultProblem } from '../upstreams/upstreams.ts';

export function noSuchSetting(name: string): Refused {
  return refused(`there is no setting ${JSON.stringify(name)}; there are: ${settingNames.join(', ')}`, 'not_found');
}

/** The settings as they are in the store now, and the version of each image. */
export async function currentSettings(services: Storing & Pick<Services, 'settings'>): Promise<Settings> {
  const values = await settingsWithNames(services);
  const versions = brandImages.map((name) => [`${name}Version`, services.settings.images[name] ?? null]);
  return { ...values, ...Object.fromEntries(versions) };
}

/** With groups by name. One that was deleted is gone from here as well. */
async function settingsWithNames({ settings, storage }: Storing & Pick<Services, 'settings'>): Promise<Settings> {
  const values = await settings.readFresh();
  const groups = await findEach(values.default_groups, (id) => storage.findGroupById(id));
  return { ...values, default_groups: await namesOfGroups({ storage }, groups) };
}

/** What is the same already isn't written again, and makes no event. */
export async function changeSettings(
  services: Recording & Pick<Services, 'settings'>,
  given: SettingsInput,
  requester: Requester,
): Outcome<{ values: SettingsChange; changed: readonly SettingName[] }> {
  const { storage, clock, journal, settings } = services;
  const current = await currentSettings(services);
  const { values: read, problems } = readFields(settingFields, given, current);
  const unknown = await defaultProblem(services, read.default_upstream);
  const named = await findJoinableGroups(services, read.default_groups ?? [], requester);
  const wrong = refusedFields([
    ...problems,
    ...problemWith('default_upstream', unknown),
    ...problemsAt('default_groups', named),
  ]);
  if (wrong !== undefined) return wrong;
  const groups = named.kind === 'done' ? named.groups : [];
  const values = { ...read, ...(read.default_groups && { default_groups: await namesOfGroups(services, groups) }) };
  const change = differing(settingFields, current, values);
  const changed = settingNames.filter((name) => change[name] !== undefined);
  const eventOf = (part: SettingsChange) =>
    journal.event({ kind: 'settings_changed', detail: changeDetail(settingFields, part) }, requester);
  const { logo, logo_dark, favicon, ...plain } = change;
  // Groups are stored by ID, so that they can be renamed.
  const byId = { ...plain, ...(plain.default_groups && { default_groups: groups.map(({ id }) => id) }) };
  const stored = Object.entries(byId).map(([name, value]) => ({ name, value: JSON.stringify(value) }));
  if (stored.length > 0) await storage.storeSettings(stored, clock.now(), eventOf(plain));
  for (const [name, image] of Object.entries({ logo, logo_dark, favicon })) {
    if (image === undefined) continue;
    await storage.storeBrandImage(name as BrandImage, image ?? undefined, clock.now(), eventOf({ [name]: image }));
  }
  if (changed.length > 0) await settings.readFresh();
  return { kind: 'done', values, changed };
}

/** With the URLs of images: the same for the API and for the command line. */
export async function settingsJson(
  services: Storing & Pick<Services, 'issuer' | 'settings'>,
): Promise<Record<SettingName, string | number | readonly string[] | null>> {
  const { settings, issuer } = services;
  const values = await settingsWithNames(services);
  const urlOf = (image: (typeof brandImages)[number]) => {
    const version = settings.images[image];
    return version === undefined ? null : `${issuer}${brandImagePath(image, version)}`;
  };
  return { ...values, logo: urlOf('logo'), logo_dark: urlOf('logo_dark'), favicon: urlOf('favicon') };
}
