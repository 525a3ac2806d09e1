// An administrator looks at the settings and changes them, with the images of the brand among them: by hand, as JSON,
// and in a file for `latchkey apply`.

import { groupKey } from '../../protocol/admin/group-name.ts';
import { type BrandImage, brandImagePath, brandImages } from '../../protocol/brand/brand.ts';
import type { Requester } from '../../protocol/event.ts';
import { problemWith } from '../../protocol/problem.ts';
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
import type { Group } from '../../storage/storage.ts';
import { exportedFields, type FileReaders, givenInFile } from '../admin/applied-resource.ts';
import { findJoinableGroups, namesOfGroups, noSuchGroup } from '../admin/named-groups.ts';
import { type Outcome, problemsAt, type Refused, refusalClause, refused, refusedFields } from '../admin/outcome.ts';
import { findEach } from '../admin/paging.ts';
import type { DescribedGroup } from '../groups/groups.ts';
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
  const found = unknown.map((name) => refusalClause(noSuchSetting(name)));
  const given = givenInFile(settingFields, value, readers, found);
  problems.push(...found.map((problem) => `settings: ${problem}`));
  return given;
}

/** The settings of a file, with groups as they're called here. The file may also describe groups that don't exist yet. */
export async function settingsWithGroups(
  { storage }: Storing,
  given: SettingsInput,
  described: readonly DescribedGroup[] = [],
): Outcome<{ given: SettingsInput }> {
  const wanted = given.default_groups;
  if (wanted === undefined) return { kind: 'done', given };
  const found = await Promise.all(wanted.map((name) => storage.findGroup(name)));
  const groups = found.filter((group) => group !== undefined);
  const groupNames = await namesOfGroups({ storage }, groups);
  const known = new Map<Group | undefined, string>(groups.map((group, index) => [group, groupNames[index] ?? '']));
  const names = wanted.map((name, index) => {
    const isSame = (group: { readonly name: string }) => groupKey(group.name) === groupKey(name);
    return known.get(found[index]) ?? described.find(isSame)?.name;
  });
  const missing = wanted.find((_, index) => names[index] === undefined);
  if (missing !== undefined) return noSuchGroup(missing);
  return { kind: 'done', given: { ...given, default_groups: names.filter((name) => name !== undefined) } };
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
