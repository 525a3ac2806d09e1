// `latchkey settings …`: what administrators decide for the whole service.

import { changeSettings, noSuchSetting, readTypedSettings } from '../operations/settings/change-settings.ts';
import { isSettingName, settingNames, settingTable } from '../protocol/settings.ts';
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
import { runSubcommand, type Subcommand } from './with-services.ts';

const json = { json: { type: 'boolean' } } as const;

const subcommands: Record<string, Subcommand> = {
  async get(services, args) {
    const optionalName = args.some((arg) => !arg.startsWith('-')) ? ['NAME'] : [];
    const { values, positionals } = readArguments(args, json, optionalName);
    const [name] = positionals;
    if (name !== undefined && !isSettingName(name)) throw new CommandFailed(`${noSuchSetting(name).problem}.`);
    const settings = await services.settings.readFresh();
    if (name !== undefined) return values.json ? printJson({ [name]: settings[name] }) : print(String(settings[name]));
    if (values.json) return printJson(settings);
    const rows = settingNames.map((each) => [each, String(settings[each]), settingTable[each].description]);
    printTable([['NAME', 'VALUE', 'DESCRIPTION'], ...rows]);
  },

  async set(services, args) {
    const { values, positionals } = readArguments(args, json, ['NAME', 'VALUE']);
    const [name = '', value = ''] = positionals;
    const reading = readTypedSettings({ [name]: value });
    if (reading.kind === 'refused') throw new CommandFailed(`${reading.problem}.`);
    const { changed } = requireDone(await changeSettings(services, reading.change, commandOrigin()));
    if (values.json) return printJson(reading.change);
    print(changed.length === 0 ? `${name} is already ${value}.` : `${name} is now ${value}.`);
  },
};

export const settings: Command = {
  usage: `Usage: latchkey settings <command> [--json]

  get [NAME]       prints all settings, or one
  set NAME VALUE   changes a setting; takes effect on all instances within 5 seconds

${settingNames.map((name) => `  ${name.padEnd(24)}${settingTable[name].description}: ${allowed(name)}; default ${settingTable[name].initial}`).join('\n')}

People who need two-step verification and don't have it yet set it up when they sign in or open their next page.`,

  run: runSubcommand('settings', subcommands),
};

function allowed(name: (typeof settingNames)[number]): string {
  const setting = settingTable[name];
  return setting.kind === 'choice' ? setting.values.join('|') : `${setting.least} to ${setting.most}`;
}
