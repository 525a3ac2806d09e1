// The tabs of the console's settings: which settings each has, and what all of them have in common.

import type { SettingName, serviceFields } from '../../../protocol/resources/settings.ts';
import { type AccountFrame, allows, type PageResult } from '../../account/account-layout.ts';
import { tabs } from '../../components/controls.ts';
import { type Html, html } from '../../layout/html.ts';
import { consoleLayout } from '../console-layout.ts';

/** With a form each. */
export const settingSections = ['signIn', 'accounts', 'sessions', 'directory', 'console'] as const;
export type SettingSection = (typeof settingSections)[number];

const paths = {
  signIn: '/admin/settings',
  accounts: '/admin/settings/accounts',
  sessions: '/admin/settings/sessions',
  directory: '/admin/settings/directory',
  branding: '/admin/settings/branding',
  attributes: '/admin/settings/attributes',
  console: '/admin/settings/console',
} as const;
export type SettingTab = keyof typeof paths;
export const settingTabs = Object.keys(paths) as readonly SettingTab[];

const sectionOf: Readonly<Record<keyof typeof serviceFields, SettingSection>> = {
  second_factor: 'signIn',
  default_upstream: 'signIn',
  email_codes: 'signIn',
  passwords: 'signIn',
  passwords_until: 'signIn',
  session_hours: 'sessions',
  kept_session_days: 'sessions',
  kept_session_idle_days: 'sessions',
  sign_up: 'accounts',
  sign_up_domains: 'accounts',
  default_groups: 'accounts',
  disable_inactive_after_days: 'accounts',
  inactive_notice_days: 'accounts',
  scim_user_name: 'directory',
  scim_verified_domains: 'directory',
  review_keep_days: 'console',
  first_steps: 'console',
};

export function settingsPath(tab: SettingTab): string {
  return paths[tab];
}

export function tabOf(name: SettingName): SettingTab {
  return name in sectionOf ? sectionOf[name as keyof typeof sectionOf] : 'branding';
}

export function isIn(section: SettingSection, name: string): boolean {
  return Object.hasOwn(sectionOf, name) && tabOf(name as SettingName) === section;
}

export function settingsLayout(
  frame: AccountFrame,
  tab: SettingTab,
  { notice, problem }: PageResult,
  body: Html,
): string {
  const { sections, settings } = frame.messages.admin;
  const links = settingTabs
    .map((each) => ({ href: paths[each], label: settings.tabs[each], current: each === tab }))
    .filter(({ href }) => allows(frame, 'GET', href));
  return consoleLayout(frame, {
    section: 'settings',
    notice,
    problem,
    body: html`${tabs(sections.settings, links)}${body}`,
  });
}
