// The settings that administrators change, as opposed to the operator: name, allowed values and initial value. They're stored by
// name; everything that reads, changes or shows them uses this table.

import { cleanName, nameProblem } from './account/display-name.ts';
import { isHexColour } from './brand/colour.ts';
import { isPlainText } from './reading/control-characters.ts';
import { webUrlLimit, webUrlProblem } from './reading/web-url.ts';
import type { SessionLimits } from './sign-in/session-limits.ts';

export const secondFactorPolicies = ['optional', 'administrators', 'everyone'] as const;
/** Who needs a second factor, whatever application they use. */
export type SecondFactorPolicy = (typeof secondFactorPolicies)[number];

interface Setting<Value extends string | number> {
  readonly initial: Value;
  /** Completes a sentence that starts with the setting's name. */
  readonly rule: string;
  readonly description: string;
  /** Undefined if the value is invalid. */
  read(value: unknown): Value | undefined;
}

export interface Choice<Value extends string = string> extends Setting<Value> {
  readonly kind: 'choice';
  readonly values: readonly Value[];
}

export interface WholeNumber extends Setting<number> {
  readonly kind: 'number';
  readonly least: number;
  readonly most: number;
}

export interface Text extends Setting<string> {
  readonly kind: 'text';
  readonly longest: number;
}

/** The name of something that administrators have created, or empty for none. */
export interface Name extends Setting<string> {
  readonly kind: 'name';
  readonly longest: number;
}

export const settingTable = {
  second_factor: choice(secondFactorPolicies, 'optional', 'who needs two-step verification'),
  session_hours: wholeNumber(1, 24 * 30, 24, 'hours a session lasts without “Keep me signed in”'),
  kept_session_days: wholeNumber(1, 365, 30, 'days a session lasts with “Keep me signed in”'),
  kept_session_idle_days: wholeNumber(1, 365, 14, 'days without use after which such a session ends'),
  default_upstream: name('the identity provider that people are sent to for sign-in'),
  service_name: text({
    longest: 60,
    initial: 'Latchkey',
    description: 'name of the service on pages and in emails',
    rule: 'must be 1 to 60 visible characters',
    clean: (typed) => (nameProblem(typed) === undefined ? cleanName(typed) : undefined),
  }),
  accent: text({
    longest: 7,
    initial: '',
    description: 'the color of buttons and links',
    rule: 'must be a color such as #2457c5, or empty for the default',
    clean: (typed) => (typed === '' || isHexColour(typed) ? typed.toLowerCase() : undefined),
  }),
  support_url: link('where people find help', { email: true }),
  terms_url: link('the terms of service'),
  privacy_url: link('the privacy policy'),
  sign_in_message: text({
    longest: 200,
    initial: '',
    description: 'a message on the sign-in page',
    rule: 'must be one line of plain text, at most 200 characters',
    clean: (typed) => (typed === '' || isPlainText(typed) ? cleanName(typed) : undefined),
  }),
} as const;

export type SettingName = keyof typeof settingTable;
export type Settings = { readonly [Name in SettingName]: (typeof settingTable)[Name]['initial'] };
export type SettingsChange = { readonly [Name in SettingName]?: Settings[Name] | undefined };

export const settingNames = Object.keys(settingTable) as readonly SettingName[];

/** Brand settings are texts; the others aren't. */
export type BrandSettingName = {
  [Name in SettingName]: (typeof settingTable)[Name]['kind'] extends 'text' ? Name : never;
}[SettingName];
export type PlainSettingName = Exclude<SettingName, BrandSettingName>;

export function isBrandSetting(name: SettingName): name is BrandSettingName {
  return settingTable[name].kind === 'text';
}

export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(settingTable, name);
}

/**
 * The settings from what is stored, which is JSON by name. A setting that isn't stored has its initial value, and so has
 * one whose value isn't understood: a store may come from a version that had other rules.
 */
export function readSettings(stored: ReadonlyMap<string, string>): Settings {
  const entries = settingNames.map((name) => {
    const { initial, read } = settingTable[name];
    return [name, read(parsed(stored.get(name))) ?? initial];
  });
  return Object.fromEntries(entries) as Settings;
}

/** Reads a typed value. Undefined if it's invalid. */
export function readTyped(name: SettingName, text: string): string | number | undefined {
  const setting = settingTable[name];
  return setting.read(setting.kind === 'number' && /^\d{1,9}$/.test(text) ? Number(text) : text);
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

function choice<const Value extends string>(
  values: readonly Value[],
  initial: NoInfer<Value>,
  description: string,
): Choice<Value> {
  const rule = `must be one of: ${values.join(', ')}`;
  return { kind: 'choice', values, initial, rule, description, read: (value) => values.find((each) => each === value) };
}

function wholeNumber(least: number, most: number, initial: number, description: string): WholeNumber {
  return {
    kind: 'number',
    least,
    most,
    initial,
    description,
    rule: `must be a whole number from ${least} to ${most}`,
    read: (value) =>
      typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most ? value : undefined,
  };
}

function name(description: string): Name {
  return {
    kind: 'name',
    longest: 40,
    initial: '',
    description,
    rule: 'must be the name of an identity provider, or empty',
    read: (value) => (typeof value === 'string' && /^[a-z0-9-]{0,40}$/.test(value) ? value : undefined),
  };
}

/** `clean` normalizes typed input; undefined if it's invalid. */
function text(setting: Omit<Text, 'kind' | 'read'> & { readonly clean: (typed: string) => string | undefined }): Text {
  const { clean, ...rest } = setting;
  const read = (value: unknown) => {
    if (typeof value !== 'string' || value.length > 10 * rest.longest) return undefined;
    const cleaned = clean(value.trim());
    return cleaned !== undefined && [...cleaned].length <= rest.longest ? cleaned : undefined;
  };
  return { kind: 'text', ...rest, read };
}

function link(description: string, allowed: { readonly email?: boolean } = {}): Text {
  const schemes = allowed.email ? 'https: or mailto:' : 'https:';
  return text({
    longest: webUrlLimit,
    initial: '',
    description,
    rule: `must be a URL that begins with ${schemes}, or empty`,
    clean: (typed) =>
      typed === '' || webUrlProblem(typed, { ...allowed, fragment: true }) === undefined ? typed : undefined,
  });
}
