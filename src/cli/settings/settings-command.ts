// `latchkey settings …`: what administrators decide for the whole service, and the images of its brand.

import { countPasswordOnly } from '../../operations/passwords/password-only.ts';
import type { Services } from '../../operations/services.ts';
import { changeSettings, noSuchSetting, settingsJson } from '../../operations/settings/change-settings.ts';
import { type AffectedPeople, affectedBy } from '../../operations/settings/inactive-people.ts';
import type { Field } from '../../protocol/resources/field.ts';
import { rowsOf, typedValue } from '../../protocol/resources/resource.ts';
import { isSettingName, type SettingName, settingFields, settingNames } from '../../protocol/resources/settings.ts';
import { Rejected } from '../command.ts';
import { asAbout, readImageFile } from '../frame/field-options.ts';
import type { CommandGroup } from '../frame/spec.ts';
import { didYouMean } from '../frame/suggest.ts';
import { summaries } from '../summaries.ts';
import { defineStoreCommand } from '../with-services.ts';

function known(name: string): SettingName {
  if (!isSettingName(name)) throw new Rejected(noSuchSetting(name).problems[0], didYouMean(name, settingNames));
  return name;
}

type SettingsJson = Awaited<ReturnType<typeof settingsJson>>;

const tableOf = (settings: SettingsJson) => [
  ['NAME', 'VALUE', 'DESCRIPTION'],
  ...settingNames.map((name) => [name, valueText(settings[name]), asAbout(settingFields[name].description)]),
];

export const settings: CommandGroup = {
  summary: summaries.settings,
  details: `An image is a PNG, JPEG or WebP file of at most 512 KB. People who need two-step verification and haven't set it up are
asked to at their next sign-in or page view.`,
  sections: [
    {
      heading: 'Settings',
      entries: rowsOf(settingFields).map(
        ({ name, field }) => [name, `${asAbout(field.description)}: ${allowed(field)}`] as const,
      ),
    },
  ],
  examples: ['latchkey settings', 'latchkey settings set second_factor everyone'],
  own: defineStoreCommand({
    summary: 'print all settings',
    examples: ['latchkey settings', 'latchkey settings --json'],
    async run({ services }) {
      const settings = await settingsJson(services);
      return { json: settings, table: tableOf(settings) };
    },
  }),
  commands: {
    get: defineStoreCommand({
      summary: 'print all settings, or one',
      arguments: { name: { label: 'NAME', optional: true, values: settingNames } },
      examples: ['latchkey settings get', 'latchkey settings get session_hours'],
      async run({ services, args: { name } }) {
        const one = name === undefined ? undefined : known(name);
        const settings = await settingsJson(services);
        const shown = (each: SettingName) => valueText(settings[each]);
        if (one !== undefined) return { json: { [one]: settings[one] }, text: shown(one) };
        return { json: settings, table: tableOf(settings) };
      },
    }),
    set: defineStoreCommand({
      summary: 'change a setting on all instances within 5 seconds',
      createsStore: true,
      arguments: {
        name: { label: 'NAME', values: settingNames },
        value: {
          label: 'VALUE',
          completes: 'file',
          about: '"" clears a text, a list or an image; a list is comma separated; an image is the path of a file',
        },
      },
      examples: [
        'latchkey settings set second_factor everyone',
        'latchkey settings set session_hours 12',
        'latchkey settings set disable_inactive_after_days 90',
        'latchkey settings set sign_up_domains example.com,example.org',
        'latchkey settings set logo logo.png',
      ],
      async run({ services, args, requester }) {
        const name = known(args.name);
        const isImage = settingFields[name].kind === 'image';
        const image = isImage && args.value !== '' ? readImageFile(args.value) : null;
        const given = { [name]: isImage ? image : typedValue(settingFields[name], args.value) };
        const outcome = await changeSettings(services, given, requester);
        if (outcome.kind === 'refused') {
          throw new Rejected(outcome.problems[0], didYouMean(args.value, settingFields[name].values ?? []));
        }
        const isChanged = outcome.changed.length > 0;
        const json = { [name]: (await settingsJson(services))[name] };
        if (isImage) {
          return {
            json,
            text: `${name} ${isChanged ? 'is now' : 'was already'} ${image === null ? 'removed' : 'set'}.`,
          };
        }
        const left = name.startsWith('passwords') ? await leftWithoutWay(services) : undefined;
        const affected = await affectedBy(services, given);
        const more = [
          ...(left ? [left.sentence] : []),
          ...(affected ? [affectedText(affected)] : []),
          ...(name.startsWith('sign_up') ? [await whatSignUpNeeds(services)] : []),
        ].join('');
        return {
          json: {
            ...json,
            ...(left && { without_other_way: left.count }),
            ...(affected && { affected: affected.people.count }),
          },
          text: `${name} is ${isChanged ? 'now' : 'already'} ${valueText(outcome.values[name]) || 'empty'}.${more}`,
        };
      },
    }),
  },
};

/** Who hasn't used their account for so long that it will be disabled, and from when on. */
function affectedText({ notice, people: { count, more }, isWaitingForEmail }: AffectedPeople): string {
  const who =
    count === 0 && !more ? 'nobody' : `${more ? 'at least ' : ''}${count === 1 ? '1 person' : `${count} people`}`;
  const then = isWaitingForEmail
    ? 'Nobody is disabled without a mail server, because people have to be told. Set LATCHKEY_SMTP_URL.'
    : `People get an email first, and nobody is disabled for at least ${notice === 1 ? '1 day' : `${notice} days`}.`;
  return `\nThis affects ${who} right now. ${then}`;
}

/** Whom the settings about passwords leave without a way to sign in, now or later; undefined if passwords are allowed. */
async function leftWithoutWay(services: Services): Promise<{ count: number; sentence: string } | undefined> {
  const settings = await services.settings.readFresh();
  const { passwords } = settings;
  if (passwords === 'allowed') return undefined;
  const { everyone, administrators, most } = await countPasswordOnly(services, settings);
  const count = passwords === 'off' ? everyone : administrators;
  const noun = passwords === 'off' ? ['person', 'people'] : ['person with a role', 'people with a role'];
  const who = count === 1 ? `1 ${noun[0]} has` : `${count < most ? count : `At least ${count}`} ${noun[1]} have`;
  return { count, sentence: `\n${who} a password and no other way to sign in.` };
}

/** What is still missing before people can sign up as the settings say; the same as "doctor" warns of. */
async function whatSignUpNeeds({ settings, emailQueue }: Services): Promise<string> {
  const { sign_up: mode, sign_up_domains: domains } = await settings.readFresh();
  if (mode === 'closed') return '';
  if (!emailQueue.works) return '\nNobody can sign up without a mail server. Set LATCHKEY_SMTP_URL.';
  return mode === 'domains' && domains.length === 0 ? '\nOnly sign-up links work until you set sign_up_domains.' : '';
}

function valueText(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') : String(value ?? '');
}

function allowed({ kind, rule = '', values = [], least, most, initial }: Field): string {
  if (kind === 'image') return 'the path of an image file';
  if (kind === 'list') return `${rule.replace('must be a list of ', '')}, comma separated`;
  if (kind === 'text') return rule.replace('must be ', '');
  return `${kind === 'choice' ? values.join('|') : `${least} to ${most}`}; default ${initial ?? 'empty'}`;
}
