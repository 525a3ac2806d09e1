// An administrator looks at the settings and changes them, with the images of the brand among them: by hand, as JSON,
// and in a file for `latchkey apply`.

import { type BrandImage, brandImagePath, brandImages } from '../../protocol/brand/brand.ts';
import type { Requester } from '../../protocol/event.ts';
import type { ImageWriter } from '../../protocol/reading/logo.ts';
import { isJsonObject, type Json } from '../../protocol/reading/strict-json.ts';
import { changeDetail, differing, readFields } from '../../protocol/resources/resource.ts';
import {
  isSettingName,
  type SettingName,
  type Settings,
  type SettingsChange,
  type SettingsInput,
  settingFields,
  settingNames,
} from '../../protocol/resources/settings.ts';
import { exportedFields, type FileReaders, givenInFile } from '../admin/applied-resource.ts';
import { type Outcome, type Refused, refused, refusedFields } from '../admin/outcome.ts';
import type { Recording, Services, Storing } from '../services.ts';
import { defaultProblem } from '../upstreams/upstreams.ts';

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
  services: Recording & Pick<Services, 'settings'>,
  given: SettingsInput,
  requester: Requester,
): Outcome<{ values: SettingsChange; changed: readonly SettingName[] }> {
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

/** With the URLs of images: the same for the API and for the command line. */
export async function settingsJson({
  settings,
  issuer,
}: Pick<Services, 'issuer' | 'settings'>): Promise<Record<SettingName, string | number | readonly string[] | null>> {
  const values = await settings.readFresh();
  const urlOf = (image: (typeof brandImages)[number]) => {
    const version = settings.images[image];
    return version === undefined ? null : `${issuer}${brandImagePath(image, version)}`;
  };
  return { ...values, logo: urlOf('logo'), logo_dark: urlOf('logo_dark'), favicon: urlOf('favicon') };
}

/** Adds to `problems`. When there are any, the result is incomplete and must not be used. */
export function readDescribedSettings(
  value: Json | undefined,
  readers: FileReaders,
  problems: string[],
): SettingsInput {
  if (value === undefined) return {};
  if (!isJsonObject(value)) {
    problems.push('"settings" must be an object');
    return {};
  }
  const unknown = Object.keys(value).filter((name) => !isSettingName(name));
  const found = unknown.map((name) => noSuchSetting(name).problem);
  const given = givenInFile(settingFields, value, readers, found);
  problems.push(...found.map((problem) => `settings: ${problem}`));
  return given;
}

export async function exportSettings(
  services: Storing & Pick<Services, 'settings'>,
  write: ImageWriter,
): Promise<Record<string, unknown>> {
  return exportedFields(settingFields, await currentSettings(services), {
    name: (field) => `brand/${field}`,
    write,
    find: (version, field) => services.storage.findBrandImage(field, version),
  });
}
