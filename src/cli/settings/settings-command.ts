// `latchkey settings …`: what administrators decide for the whole service, and the images of its brand.

import { readFileSync } from 'node:fs';
import type { Services } from '../../operations/services.ts';
import { changeBrandImage } from '../../operations/settings/brand-images.ts';
import { changeSettings, noSuchSetting, readTypedSettings } from '../../operations/settings/change-settings.ts';
import { settingsJson } from '../../operations/settings/settings-json.ts';
import { type BrandImage, brandImages, isBrandImage } from '../../protocol/brand/brand.ts';
import { messageOf } from '../../protocol/reading/caught-errors.ts';
import { isSettingName, type SettingName, settingNames, settingTable } from '../../protocol/settings.ts';
import { CommandFailed, commandRequester, requireDone } from '../command.ts';
import { jsonOption } from '../frame/define.ts';
import type { CommandGroup } from '../frame/spec.ts';
import { imageDescriptions } from '../service/settings-reference.ts';
import { print, printJson } from '../terminal/output.ts';
import { printTable } from '../terminal/table.ts';
import { defineStoreCommand } from '../with-services.ts';

const names = [...settingNames, ...brandImages];

const get = defineStoreCommand(
  {
    summary: 'print all settings, or one',
    arguments: { name: { label: 'NAME', optional: true, values: names } },
    options: jsonOption,
    examples: ['latchkey settings get', 'latchkey settings get session_hours'],
  },
  async (services, { values, args: { name } }) => {
    if (name !== undefined && !isName(name)) throw new CommandFailed(`${noSuchSetting(name).problem}.`);
    const settings = await settingsJson(services);
    const shown = (each: SettingName | BrandImage) => String(settings[each] ?? '');
    if (name !== undefined) return values.json ? printJson({ [name]: settings[name] }) : print(shown(name));
    if (values.json) return printJson(settings);
    const rows = [
      ...settingNames.map((each) => [each, shown(each), settingTable[each].description]),
      ...brandImages.map((each) => [each, shown(each), imageDescriptions[each]]),
    ];
    printTable([['NAME', 'VALUE', 'DESCRIPTION'], ...rows]);
  },
);

const set = defineStoreCommand(
  {
    summary: 'change a setting on all instances within 5 seconds',
    arguments: {
      name: { label: 'NAME', values: names },
      value: {
        label: 'VALUE',
        completes: 'file',
        about: '"" clears a text or an image; an image is the path of a file',
      },
    },
    options: jsonOption,
    examples: [
      'latchkey settings set second_factor everyone',
      'latchkey settings set session_hours 12',
      'latchkey settings set logo logo.png',
    ],
  },
  async (services, { values, args: { name, value } }) => {
    if (isBrandImage(name)) return setImage(services, name, value, values.json);
    const reading = readTypedSettings({ [name]: value });
    if (reading.kind === 'refused') throw new CommandFailed(`${reading.problem}.`);
    const { changed } = requireDone(await changeSettings(services, reading.change, commandRequester()));
    if (values.json) return printJson(reading.change);
    const stored = Object.values(reading.change).join('') || 'empty';
    print(changed.length === 0 ? `${name} is already ${stored}.` : `${name} is now ${stored}.`);
  },
);

async function setImage(services: Services, name: BrandImage, file: string, asJson: boolean): Promise<void> {
  const bytes = file === '' ? null : readImageFile(file);
  const { changed } = requireDone(await changeBrandImage(services, name, bytes, commandRequester()));
  if (asJson) return printJson({ [name]: (await settingsJson(services))[name] });
  const state = bytes === null ? 'removed' : 'set';
  print(`${name} ${changed ? `is now ${state}` : `was already ${state}`}.`);
}

function readImageFile(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new CommandFailed(`Can't read ${file}: ${messageOf(error)}.`);
  }
}

function isName(name: string): name is SettingName | BrandImage {
  return isSettingName(name) || isBrandImage(name);
}

export const settings: CommandGroup = {
  summary: 'view and change settings, such as who needs two-step verification',
  details: `An image is a PNG, JPEG or WebP file of at most 512 KiB. People who need two-step verification and don't have it yet set it
up when they sign in or open their next page.`,
  sections: [
    {
      heading: 'Settings',
      entries: [
        ...settingNames.map((name) => [name, `${settingTable[name].description}: ${allowed(name)}`] as const),
        ...brandImages.map((name) => [name, `${imageDescriptions[name]}: the path of an image file`] as const),
      ],
    },
  ],
  examples: ['latchkey settings get', 'latchkey settings set second_factor everyone'],
  commands: { get, set },
};

function allowed(name: SettingName): string {
  const setting = settingTable[name];
  if (setting.kind === 'text' || setting.kind === 'name') return setting.rule.replace('must be ', '');
  const values = setting.kind === 'choice' ? setting.values.join('|') : `${setting.least} to ${setting.most}`;
  return `${values}; default ${setting.initial}`;
}
