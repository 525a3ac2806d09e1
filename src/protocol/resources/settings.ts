// The settings that administrators decide about, and not the operator. They're stored, recorded and changed by name.

import { cleanName, nameProblem } from '../account/display-name.ts';
import { isHexColor } from '../brand/color.ts';
import { isPlainText } from '../reading/control-characters.ts';
import { webUrlLimit, webUrlProblem } from '../reading/web-url.ts';
import type { SessionLimits } from '../sign-in/session-limits.ts';
import { choice, type Field, Invalid, image, number, text } from './field.ts';
import type { GivenOf, ReadOf, ValueOf, ValuesOf } from './resource.ts';

export const secondFactorPolicies = ['optional', 'administrators', 'everyone'] as const;
/** Who needs a second factor, whatever application they use. */
export type SecondFactorPolicy = (typeof secondFactorPolicies)[number];

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
});

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

/**
 * The settings from what is stored, which is JSON by name. A setting that isn't stored has its initial value, and so has
 * one whose value isn't understood: a store may come from a version that had other rules.
 */
export function readSettings(stored: ReadonlyMap<string, string>): Settings {
  const entries = Object.entries(settingFields)
    .filter(([, { kind }]) => kind !== 'image')
    .map(([name, { initial, read }]) => {
      const value = read(parsed(stored.get(name)), {});
      return [name, value instanceof Invalid ? initial : value];
    });
  return Object.fromEntries(entries) as Settings;
}

const HOUR = 60 * 60 * 1000;

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
      return value instanceof Invalid && field.rule !== undefined ? new Invalid(`${name} ${field.rule}`) : value;
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

function link(description: string, allowed: { readonly email?: boolean } = {}) {
  return setting({
    longest: webUrlLimit,
    initial: '',
    description,
    rule: `must be a URL that begins with ${allowed.email ? 'https: or mailto:' : 'https:'}, or empty`,
    isValid: (url) => webUrlProblem(url, { ...allowed, fragment: true }) === undefined,
  });
}
