// `latchkey settings …`: what administrators decide for the whole service, and the images of its brand.

import { readFileSync } from 'node:fs';
import type { Services } from '../operations/services.ts';
import { changeBrandImage } from '../operations/settings/brand-images.ts';
import { changeSettings, noSuchSetting, readTypedSettings } from '../operations/settings/change-settings.ts';
import { settingsJson } from '../operations/settings/settings-json.ts';
import { type BrandImage, brandImages, isBrandImage } from '../protocol/brand/brand.ts';
import { isSettingName, type SettingName, settingNames, settingTable } from '../protocol/settings.ts';
import {
  type Command,
  CommandFailed,
  commandOrigin,
  print,
  printJson,
  printTable,
  readArguments,
  requireDone,
} from './command.ts';
import { imageDescriptions } from './service/settings-reference.ts';
import { runSubcommand, type Subcommand } from './with-services.ts';

const json = { json: { type: 'boolean' } } as const;

const subcommands: Record<string, Subcommand> = {
  async get(services, args) {
    const optionalName = args.some((arg) => !arg.startsWith('-')) ? ['NAME'] : [];
    const { values, positionals } = readArguments(args, json, optionalName);
    const [name] = positionals;
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

  async set(services, args) {
    const { values, positionals } = readArguments(args, json, ['NAME', 'VALUE']);
    const [name = '', value = ''] = positionals;
    if (isBrandImage(name)) return setImage(services, name, value, values.json === true);
    const reading = readTypedSettings({ [name]: value });
    if (reading.kind === 'refused') throw new CommandFailed(`${reading.problem}.`);
    const { changed } = requireDone(await changeSettings(services, reading.change, commandOrigin()));
    if (values.json) return printJson(reading.change);
    const stored = Object.values(reading.change).join('') || 'empty';
    print(changed.length === 0 ? `${name} is already ${stored}.` : `${name} is now ${stored}.`);
  },
};

async function setImage(services: Services, name: BrandImage, file: string, asJson: boolean): Promise<void> {
  const bytes = file === '' ? null : readImageFile(file);
  const { changed } = requireDone(await changeBrandImage(services, name, bytes, commandOrigin()));
  if (asJson) return printJson({ [name]: (await settingsJson(services))[name] });
  const state = bytes === null ? 'removed' : 'set';
  print(`${name} ${changed ? `is now ${state}` : `was already ${state}`}.`);
}

function readImageFile(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new CommandFailed(`Can't read ${file}: ${(error as Error).message}.`);
  }
}

function isName(name: string): name is SettingName | BrandImage {
  return isSettingName(name) || isBrandImage(name);
}

export const settings: Command = {
  usage: `Usage: latchkey settings <command> [--json]

  get [NAME]       prints all settings, or one
  set NAME VALUE   changes a setting on all instances within 5 seconds; "" clears a text or an image

${settingNames.map((name) => `  ${name.padEnd(24)}${settingTable[name].description}: ${allowed(name)}`).join('\n')}
${brandImages.map((name) => `  ${name.padEnd(24)}${imageDescriptions[name]}: the path of a PNG, JPEG or WebP file, at most 512 KiB`).join('\n')}

People who need two-step verification and don't have it yet set it up when they sign in or open their next page.`,

  run: runSubcommand('settings', subcommands),
};

function allowed(name: SettingName): string {
  const setting = settingTable[name];
  if (setting.kind === 'text') return setting.rule.replace('must be ', '');
  const values = setting.kind === 'choice' ? setting.values.join('|') : `${setting.least} to ${setting.most}`;
  return `${values}; default ${setting.initial}`;
}
