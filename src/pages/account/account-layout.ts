// The layout of a user's own pages, with the same navigation on each of them.

import type { IconName } from '../components/icon.ts';
import type { Messages } from '../languages/languages.ts';
import { type AccountFrame, appShell, type ShellPage } from '../layout/app-shell.ts';
import { type Html, html } from '../layout/html.ts';

export { type AccountFrame, formToken } from '../layout/app-shell.ts';

export type Section = keyof Messages['account']['sections'];

const places: Record<Section, { readonly path: string; readonly icon: IconName }> = {
  home: { path: '/account', icon: 'squares-2x2' },
  profile: { path: '/account/profile', icon: 'user-circle' },
  security: { path: '/account/security', icon: 'shield-check' },
  sessions: { path: '/account/sessions', icon: 'computer-desktop' },
  apps: { path: '/account/apps', icon: 'link' },
  activity: { path: '/account/activity', icon: 'clock' },
  data: { path: '/account/data', icon: 'circle-stack' },
};

export interface AccountPage extends Omit<ShellPage, 'title'> {
  readonly section: Section;
  /** The section's name when undefined. */
  readonly title?: string;
}

export function accountLayout(frame: AccountFrame, page: AccountPage): string {
  const m = frame.messages.account;
  const links = (Object.keys(places) as Section[]).map((section) => ({
    href: places[section].path,
    icon: places[section].icon,
    label: m.sections[section],
    current: section === page.section,
  }));
  const elsewhere =
    frame.account.administrator === true
      ? ({ href: '/admin', label: m.console, icon: 'cog-6-tooth' } as const)
      : undefined;
  const title = page.title ?? m.sections[page.section];
  return appShell(frame, { label: m.nav, links, elsewhere, full: false }, { ...page, title });
}

export function time(text: string, at: number): Html {
  return html`<time datetime="${new Date(at).toISOString()}">${text}</time>`;
}
