// The settings in a file for `latchkey apply`, with the images of the brand, which are named by the paths of their files.

import type { ImageWriter } from '../../protocol/reading/logo.ts';
import { isJsonObject, type Json } from '../../protocol/reading/strict-json.ts';
import { isSettingName, type SettingsInput, settingFields } from '../../protocol/resources/settings.ts';
import { exportedFields, type FileReaders, givenInFile } from '../admin/applied-resource.ts';
import type { Services } from '../services.ts';
import { currentSettings, noSuchSetting } from './change-settings.ts';

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
  services: Pick<Services, 'storage' | 'settings'>,
  write: ImageWriter,
): Promise<Record<string, unknown>> {
  return exportedFields(settingFields, await currentSettings(services), {
    name: (field) => `brand/${field}`,
    write,
    find: (version, field) => services.storage.findBrandImage(field, version),
  });
}
