// The layout of the console, with the same navigation on each page, and the parts that several of its pages share.

import { button, linkButton } from '../components/controls.ts';
import { card } from '../components/display.ts';
import type { Messages } from '../languages/languages.ts';
import { type AccountFrame, type Places, postForm, type SectionPage, sectionLayout } from '../layout/app-shell.ts';
import { type Html, html } from '../layout/html.ts';

export type ConsoleSection = keyof Messages['admin']['sections'];

const places: Places<ConsoleSection> = {
  overview: { path: '/admin', icon: 'chart-bar' },
  applications: { path: '/admin/applications', icon: 'squares-2x2' },
  people: { path: '/admin/people', icon: 'users' },
  groups: { path: '/admin/groups', icon: 'user-group' },
  events: { path: '/admin/events', icon: 'clock' },
  keys: { path: '/admin/keys', icon: 'key' },
  providers: { path: '/admin/providers', icon: 'identification' },
  webhooks: { path: '/admin/webhooks', icon: 'bolt' },
  settings: { path: '/admin/settings', icon: 'cog-6-tooth' },
};

export function consoleLayout(frame: AccountFrame, page: SectionPage<ConsoleSection>): string {
  const m = frame.messages.admin;
  const elsewhere = { href: '/account', label: m.yourAccount, icon: 'user-circle' } as const;
  return sectionLayout(frame, places, m, { elsewhere, full: true }, page);
}

/** A form that consists of one button; `about` tells it from others with the same label to those who can't see the page. */
export function action(
  frame: AccountFrame,
  path: string,
  label: string,
  kind: 'danger' | 'plain' = 'plain',
  fields: Readonly<Record<string, string>> = {},
  about?: string,
): Html {
  const spoken = about === undefined ? undefined : frame.messages.admin.named(label, about);
  const look = { kind: kind === 'danger' ? 'danger' : 'secondary', small: about !== undefined } as const;
  return postForm(frame, path, button({ label, spoken, ...look }), fields);
}

/** The search is part of the URL, so a result can be bookmarked. */
export function searchForm(frame: AccountFrame, path: string, value: string, hint: string): Html {
  const m = frame.messages.admin;
  return html`<form class="search" method="get" action="${path}" role="search">
<label class="unseen" for="search">${m.search}</label>
<input id="search" name="search" type="search" value="${value}" autocomplete="off" spellcheck="false" aria-describedby="search-hint">
<button type="submit">${m.search}</button>
<p class="hint" id="search-hint">${hint}</p>
</form>`;
}

/** Text to be used elsewhere, with a button that copies it when there is JavaScript. */
export function copyable(frame: AccountFrame, label: string, id: string, text: string): Html {
  const m = frame.messages.admin;
  return html`<div class="copyable">
<h2 class="section-title" id="${id}-label">${label}</h2>
<pre id="${id}" tabindex="0" role="region" aria-labelledby="${id}-label">${text}</pre>
<button type="button" data-copy="${id}" data-copied="${m.copied}" hidden>${m.copy}<span class="unseen"> ${label}</span></button>
</div>`;
}

/** Asks before something that can't be undone, or that affects many users. */
export interface ConfirmPage {
  readonly section: ConsoleSection;
  readonly title: string;
  readonly text: string;
  readonly action: string;
  readonly button: string;
  readonly back: string;
  readonly fields?: Readonly<Record<string, string>>;
}

export function confirmPage(frame: AccountFrame, page: ConfirmPage): string {
  const body = html`
${card({
  body: html`<p>${page.text}</p>`,
  actions: html`${action(frame, page.action, page.button, 'danger', page.fields)}${linkButton({ label: frame.messages.admin.cancel, href: page.back })}`,
})}`;
  return consoleLayout(frame, { section: page.section, title: page.title, body });
}

/** Shows a link that an administrator gives to somebody. */
export function shareLinkPage(frame: AccountFrame, page: { url: string; until: number; back: string }): string {
  const { admin: m, dates } = frame.messages;
  const body = html`
${card({
  lead: m.people.linkLead(dates.moment(page.until)),
  body: copyable(frame, m.people.link, 'link', page.url),
  actions: linkButton({ label: m.people.continue, href: page.back }),
})}`;
  return consoleLayout(frame, { section: 'people', title: m.people.linkTitle, body });
}
