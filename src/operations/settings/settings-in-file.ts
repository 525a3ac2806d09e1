// The settings in a file for `latchkey apply`: one object, and not a list as in the other sections.

import type { ImageWriter } from '../../protocol/reading/logo.ts';
import { isJsonObject, type Json } from '../../protocol/reading/strict-json.ts';
import { isSettingName, type SettingsInput, settingFields } from '../../protocol/resources/settings.ts';
import { refusalClause } from '../admin/outcome.ts';
import { exportedFields } from '../apply/apply-section.ts';
import type { ApplyServices, Described, FileContext, FileReaders } from '../apply/file-section.ts';
import { givenInFile } from '../apply/read-section.ts';
import { namesInFile } from '../groups/names-in-file.ts';
import { currentSettings, noSuchSetting } from './change-settings.ts';

export const settingsInFile = {
  name: 'settings',

  read(value: Json, readers: FileReaders, problems: string[]): readonly Described[] {
    if (!isJsonObject(value)) {
      problems.push('"settings" must be an object');
      return [];
    }
    const unknown = Object.keys(value).filter((name) => !isSettingName(name));
    const found = unknown.map((name) => refusalClause(noSuchSetting(name)));
    const given = givenInFile(settingFields, value, readers, found);
    problems.push(...found.map((problem) => `settings: ${problem}`));
    return [{ id: 'settings', given, item: value }];
  },

  /** With groups as they're called here. */
  async resolve(context: FileContext, described: readonly Described[]): Promise<readonly Described[]> {
    const names = namesInFile(context);
    const resolved = described.map(async (each) => {
      const { default_groups: named, ...given }: SettingsInput = each.given;
      if (named === undefined) return each;
      const groups = await names.groups(named);
      return { ...each, given: { ...given, default_groups: [...new Set(groups.values())] } };
    });
    return Promise.all(resolved);
  },

  async export(services: ApplyServices, write: ImageWriter): Promise<Record<string, unknown>> {
    const find = (name: string, version: string) => services.storage.findBrandImage(name, version);
    return exportedFields(settingFields, await currentSettings(services), find, (name, image) =>
      write(`brand/${name}`, image),
    );
  },
};
