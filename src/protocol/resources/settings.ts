// The settings that administrators decide about, and not the operator. They're stored, recorded and changed by name.

import { cleanName, nameProblem } from '../account/names.ts';
import { isHexColor } from '../brand/color.ts';
import { HOUR } from '../durations.ts';
import { endOfDay } from '../ends.ts';
import { isPlainText } from '../reading/control-characters.ts';
import { webUrlLimit, webUrlProblem } from '../reading/web-url.ts';
import type { SessionLimits } from '../sign-in/session-limits.ts';
import { readDomain } from '../upstreams/claims.ts';
import { choice, type Field, Invalid, image, list, number, text } from './field.ts';
import type { GivenOf, ReadOf, ValueOf, ValuesOf } from './resource.ts';

export const secondFactorPolicies = ['optional', 'administrators', 'everyone'] as const;
/** Who needs a second factor, whatever application they use. */
export type SecondFactorPolicy = (typeof secondFactorPolicies)[number];

export const emailCodePolicies = ['off', 'without_second_factor', 'everyone'] as const;
/** Who can sign in with a code that is sent by email. */
export type EmailCodePolicy = (typeof emailCodePolicies)[number];

export const passwordPolicies = ['allowed', 'not_for_administrators', 'off'] as const;
/** Who can have a password. */
export type PasswordPolicy = (typeof passwordPolicies)[number];

export const signUpModes = ['closed', 'links', 'domains', 'approval', 'open'] as const;
/** Who can create an account: those with a link, with an email address in a domain, anyone an administrator approves, or anyone. */
export type SignUpMode = (typeof signUpModes)[number];

export const scimUserNames = ['email', 'username'] as const;
/** What a directory's userName is here. */
export type ScimUserName = (typeof scimUserNames)[number];

/** What the console's settings page shows. */
export const serviceFields = byOwnNames({
  second_factor: choice({
    values: secondFactorPolicies,
    initial: 'optional',
    description: 'Who needs two-step verification.',
    rule: `must be one of: ${secondFactorPolicies.join(', ')}`,
  }),
  session_hours: number({
    least: 1,
    most: 24 * 30,
    initial: 24,
    description: 'Hours a session lasts without “Keep me signed in”.',
  }),
  kept_session_days: number({
    least: 1,
    most: 365,
    initial: 30,
    description: 'Days a session lasts with “Keep me signed in”.',
  }),
  kept_session_idle_days: number({
    least: 1,
    most: 365,
    initial: 14,
    description: 'Days of inactivity after which that session ends.',
  }),
  default_upstream: setting({
    longest: 40,
    initial: '',
    description: 'The identity provider that people are sent to for signing in.',
    rule: 'must be the name of an identity provider, or empty',
    isValid: (name) => /^[a-z0-9-]*$/.test(name),
  }),
  email_codes: choice({
    values: emailCodePolicies,
    initial: 'off',
    description: 'Who can sign in with a code by email.',
    rule: `must be one of: ${emailCodePolicies.join(', ')}`,
  }),
  passwords: choice({
    values: passwordPolicies,
    initial: 'allowed',
    description: 'Who can have a password.',
    rule: `must be one of: ${passwordPolicies.join(', ')}`,
  }),
  passwords_until: setting({
    longest: 10,
    initial: '',
    description: 'The last day on which existing passwords work once passwords are off.',
    rule: 'must be a date such as 2027-01-31, or empty for no end',
    isValid: (date) => endOfDay(date) !== undefined,
  }),
  sign_up: choice({
    values: signUpModes,
    initial: 'closed',
    description: 'Who can create an account; until this is set, LATCHKEY_SIGN_UP decides.',
    rule: `must be one of: ${signUpModes.join(', ')}`,
  }),
  sign_up_domains: domains('The domains of email addresses that can create an account with sign_up “domains”.'),
  default_groups: list({
    most: 20,
    names: 'groups',
    commas: true,
    unordered: true,
    initial: [],
    description: 'The groups that people join when they create their own account.',
    rule: 'must be a list of at most 20 names of groups',
    items: (given) => {
      const names = given.map(cleanName);
      return names.length > 20 || names.some((name) => nameProblem(name) !== undefined) ? new Invalid('') : names;
    },
  }),
  scim_user_name: choice({
    values: scimUserNames,
    initial: 'email',
    description: 'Where the SCIM userName is stored.',
    rule: `must be one of: ${scimUserNames.join(', ')}`,
  }),
  scim_verified_domains: domains(
    'The domains of email addresses that directories can use in SCIM, and that count as verified.',
  ),
  disable_inactive_after_days: number({
    nullable: true,
    least: 30,
    most: 730,
    description: 'Days without any activity after which an account is disabled; null for never.',
    rule: 'must be a whole number from 30 to 730, or empty for never',
  }),
  inactive_notice_days: number({
    least: 1,
    most: 60,
    initial: 14,
    description: 'How many days before that the person gets an email.',
    rule: 'must be a whole number from 1 to 60, and less than the days of inactivity',
    dependsOn: ['disable_inactive_after_days'],
    isValid: (days, { disable_inactive_after_days: after }) => typeof after !== 'number' || days < after,
  }),
  review_keep_days: number({
    least: 30,
    most: 3650,
    initial: 730,
    description: 'Days after which a closed review of access is deleted.',
  }),
  first_steps: choice({
    values: ['shown', 'hidden'],
    initial: 'shown',
    description: 'Whether the console lists what is left to do on a new service.',
    rule: 'must be one of: shown, hidden',
  }),
});

/** Kept beside the settings by `latchkey backup`: when the store was last copied, in milliseconds. */
export const lastBackupName = 'last_backup';

/** What the console's page about the brand shows. */
export const brandFields = byOwnNames({
  service_name: setting({
    longest: 60,
    initial: 'Latchkey',
    description: 'Name of the service on pages and in emails.',
    rule: 'must be 1 to 60 visible characters',
    clean: cleanName,
    isValid: (name) => nameProblem(name) === undefined,
  }),
  accent: setting({
    longest: 7,
    initial: '',
    description: 'The color of buttons and links.',
    rule: 'must be a color such as #2457c5, or empty for the default',
    input: 'color',
    clean: (typed) => typed.toLowerCase(),
    isValid: isHexColor,
  }),
  support_url: link('Where people find help.', { email: true }),
  terms_url: link('The terms of service.'),
  privacy_url: link('The privacy policy.'),
  sign_in_message: setting({
    longest: 200,
    initial: '',
    description: 'A sentence for the sign-in page.',
    rule: 'must be one line of plain text, at most 200 characters',
    clean: cleanName,
    isValid: isPlainText,
  }),
  logo: image({ noun: 'logo', description: 'Shown instead of the name.' }),
  logo_dark: image({ noun: 'logo_dark', description: 'The logo for dark mode.' }),
  favicon: image({ noun: 'favicon', description: 'The browser tab icon.' }),
});

export const settingFields = { ...serviceFields, ...brandFields };

/** Those that are stored as they are; images are apart. */
export type Settings = ValuesOf<typeof settingFields>;
export type SettingsInput = GivenOf<typeof settingFields>;
export type SettingsChange = ReadOf<typeof settingFields>;
export type SettingName = keyof typeof settingFields;

export const settingNames = Object.keys(settingFields) as readonly SettingName[];

export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(settingFields, name);
}

/** What a setting is while it isn't stored, where that isn't its initial value. */
export type UnsetSettings = Partial<Pick<Settings, 'sign_up'>>;

/**
 * The settings from what is stored, which is JSON by name. A setting that isn't stored has its initial value, and so has
 * one whose value isn't understood: a store may come from a version that had other rules.
 */
export function readSettings(stored: ReadonlyMap<string, string>, unset: UnsetSettings = {}): Settings {
  const entries = Object.entries(settingFields)
    .filter(([, { kind }]) => kind !== 'image')
    .map(([name, { initial, read }]) => {
      const value = read(parsed(stored.get(name)), {});
      return [name, value instanceof Invalid ? initial : value];
    });
  const kept = Object.entries(unset).filter(([name]) => !stored.has(name));
  return Object.fromEntries([...entries, ...kept]) as Settings;
}

export function sessionLimits(settings: Settings): SessionLimits {
  return {
    brief: settings.session_hours * HOUR,
    kept: settings.kept_session_days * 24 * HOUR,
    keptIdle: settings.kept_session_idle_days * 24 * HOUR,
  };
}

function parsed(json: string | undefined): unknown {
  if (json === undefined) return undefined;
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Everyone calls a setting by its name, and events keep its value. */
function byOwnNames<Rows extends Readonly<Record<string, Field>>>(rows: Rows) {
  const entries = Object.entries(rows).map(([name, field]) => {
    const read: Field['read'] = (given, whole) => {
      const value = field.read(given, whole);
      return value instanceof Invalid && field.rule !== undefined
        ? new Invalid({ subject: name, says: field.rule })
        : value;
    };
    return [name, { ...field, property: name, ...(field.kind !== 'image' && { recorded: true }), read }];
  });
  return Object.fromEntries(entries) as { readonly [Name in keyof Rows & string]: Field<ValueOf<Rows[Name]>, Name> };
}

/** Empty only if it starts out so. */
function setting(row: {
  readonly longest: number;
  readonly initial: string;
  readonly description: string;
  readonly rule: string;
  readonly input?: 'color';
  readonly clean?: (typed: string) => string;
  readonly isValid: (text: string) => boolean;
}) {
  const { clean = (typed) => typed, isValid, ...rest } = row;
  const isEmptyAllowed = (cleaned: string) => cleaned === '' && rest.initial === '';
  return text({
    ...rest,
    documentsLimit: true,
    clean: (typed) => clean(typed.trim()),
    problem: (cleaned) =>
      isEmptyAllowed(cleaned) || ([...cleaned].length <= rest.longest && isValid(cleaned)) ? undefined : rest.rule,
  });
}

function domains(description: string) {
  return list({
    most: 50,
    commas: true,
    unordered: true,
    initial: [],
    description,
    rule: 'must be a list of at most 50 domains such as example.com',
    items: (given) => {
      const read = given.flatMap((domain) => readDomain(domain) ?? []);
      return given.length > 50 || read.length < given.length ? new Invalid('') : read;
    },
  });
}

function link(description: string, allowed: { readonly email?: boolean } = {}) {
  return setting({
    longest: webUrlLimit,
    initial: '',
    description,
    rule: `must be a URL that begins with ${allowed.email ? 'https: or mailto:' : 'https:'}, or empty`,
    isValid: (url) => webUrlProblem(url, { ...allowed, fragment: true }) === undefined,
  });
}
