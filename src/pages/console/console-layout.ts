// The layout of the console, with the same navigation on each page, and the parts that several of its pages share: among
// them actions that change who can do what, each of which says what it does, and asks before it does it.

import { button, linkButton } from '../components/controls.ts';
import { badge, card, type EmptyState, emptyState, fact, type Table, table } from '../components/display.ts';
import type { Messages } from '../languages/languages.ts';
import {
  type AccountFrame,
  allows,
  type Places,
  postForm,
  type Question,
  questionCard,
  type SectionPage,
  sectionLayout,
} from '../layout/app-shell.ts';
import { hidden } from '../layout/form.ts';
import { address, type Html, html } from '../layout/html.ts';
import { agoTime, sentenceWith } from '../layout/time.ts';

export type ConsoleSection = keyof Messages['admin']['sections'];

/** Of someone who owns some. */
export const ownedPath = '/admin/your-applications';

const places: Places<ConsoleSection> = {
  search: { path: '/admin/search', icon: 'magnifying-glass', opensSearch: true },
  overview: { path: '/admin', icon: 'chart-bar' },
  owned: { path: ownedPath, icon: 'squares-2x2' },
  applications: { path: '/admin/applications', icon: 'squares-2x2' },
  people: { path: '/admin/people', icon: 'users' },
  groups: { path: '/admin/groups', icon: 'user-group' },
  reviews: { path: '/admin/reviews', icon: 'shield-check' },
  events: { path: '/admin/events', icon: 'clock' },
  keys: { path: '/admin/keys', icon: 'key' },
  scim: { path: '/admin/scim-tokens', icon: 'building-office' },
  providers: { path: '/admin/providers', icon: 'identification' },
  webhooks: { path: '/admin/webhooks', icon: 'bolt' },
  settings: { path: '/admin/settings', icon: 'cog-6-tooth' },
};

export function consoleLayout(frame: AccountFrame, page: SectionPage<ConsoleSection>): string {
  const m = frame.messages.admin;
  const elsewhere = { href: '/account', label: m.yourAccount, icon: 'user-circle' } as const;
  return sectionLayout(frame, places, m, { elsewhere, full: true }, page);
}

export const sectionPlaces = (Object.keys(places) as ConsoleSection[]).map((section) => ({
  section,
  path: places[section].path,
}));

/** A link that looks like a button, for those who can open the page. */
export function pageLink(frame: AccountFrame, spec: Parameters<typeof linkButton>[0]): Html {
  return allows(frame, 'GET', spec.href) ? linkButton(spec) : html``;
}

/** A name that leads to the page of what it names, for those who can open it. */
export function linkedName(frame: AccountFrame, href: string, name: string): Html {
  return allows(frame, 'GET', href) ? html`<a href="${href}">${name}</a>` : html`<span>${name}</span>`;
}

/** For someone whose role doesn't include the page. */
export function notAllowedPage(frame: AccountFrame): string {
  const m = frame.messages.admin.notAllowed;
  return consoleLayout(frame, { section: 'overview', title: m.title, body: html`<p>${m.text}</p>` });
}

export interface ActionForm {
  /** One that is `asked` may be answered with a question. */
  readonly kind?: 'danger' | 'asked' | 'plain';
  readonly fields?: Readonly<Record<string, string>>;
  /** Tells it from others with the same label to those who can't see the page. */
  readonly about?: string;
}

/** A form that consists of one button. */
export function action(
  frame: AccountFrame,
  path: string,
  label: string,
  { kind = 'plain', fields = {}, about }: ActionForm = {},
): Html {
  const spoken = about === undefined ? undefined : frame.messages.admin.named(label, about);
  const asks = kind === 'asked';
  const look = { kind: kind === 'plain' ? 'secondary' : 'danger', small: about !== undefined, asks } as const;
  return postForm(frame, path, button({ label, spoken, ...look }), fields);
}

/** The search is part of the URL, so a result can be bookmarked. */
export function searchForm(frame: AccountFrame, path: string, value: string, hint: string, kept: object = {}): Html {
  const { search } = frame.messages.admin;
  return namedSearch(path, { name: 'search', label: search, button: search, value, hint, kept });
}

/** A second one on a page has a parameter and words of its own. */
export function namedSearch(
  path: string,
  spec: Readonly<Record<'name' | 'label' | 'button' | 'value' | 'hint', string>> & {
    readonly kept: object;
    /** What tells it from the other one. */
    readonly landmark?: string;
  },
): Html {
  const { name, label, button: press, value, hint, kept, landmark } = spec;
  const others = Object.entries(kept).map(([name, text]) => hidden(name, String(text)));
  return html`<form class="search" method="get" action="${path}" role="search"${landmark !== undefined && html` aria-label="${landmark}"`}>
<label class="unseen" for="${name}">${label}</label>
<input id="${name}" name="${name}" type="search" value="${value}" autocomplete="off" spellcheck="false" aria-describedby="${name}-hint">
${others}
<button type="submit">${press}</button>
<p class="hint" id="${name}-hint">${hint}</p>
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

/** Short texts to be used elsewhere, one in a line, each with a button that copies it. */
export function copyRows(
  frame: AccountFrame,
  rows: readonly { readonly id: string; readonly label: string; readonly text: string }[],
): Html {
  const m = frame.messages.admin;
  const lines = rows.map(({ id, label, text }) =>
    fact(
      label,
      html`<code id="${id}">${address(text)}</code><button class="small" type="button" data-copy="${id}" data-copied="${m.copied}" hidden>${m.copy}<span class="unseen"> ${label}</span></button>`,
    ),
  );
  return html`<dl class="facts copy-rows">${lines}</dl>`;
}

/** As operations/admin/makers.ts finds it. */
export interface ShownMaker {
  readonly kind: 'person' | 'api_key' | 'command_line';
  /** Undefined once the person is deleted, or the key revoked. */
  readonly name?: string | undefined;
}

export function makerText({ messages }: AccountFrame, { kind, name }: ShownMaker): string {
  const m = messages.admin.makers;
  if (kind === 'command_line') return m.commandLine;
  if (kind === 'person') return name ?? m.deletedPerson;
  return name === undefined ? m.revokedKey : m.apiKey(name);
}

/** "5 minutes ago", or that it has never happened. */
export function agoOrNever({ messages }: AccountFrame, at: number | null, now: number): Html | string {
  return at === null ? messages.admin.never : agoTime(messages, at, now);
}

/** When something happened, or that it never has, in a list on a phone. */
export function briefTime(
  { messages }: AccountFrame,
  at: number | null,
  now: number,
  words: { readonly at: (when: string) => string; readonly never: string },
): Html | string {
  return at === null ? words.never : sentenceWith(agoTime(messages, at, now), words.at);
}

/** The end of a secret that was shown once; nothing for one from before it was kept. */
export function lastFourText(lastFour: string | null): Html | '' {
  return lastFour === null ? '' : html`<code class="quiet">…${lastFour}</code>`;
}

/** Why something isn't in use. What is has no badge, so that the exceptions stand out. */
export function stoppedBadge(why: string | false): Html {
  return why ? badge(why, 'danger') : html``;
}

/** A table of many rows, or what stands in its place while there are none. */
export function denseList<Row>(spec: Table<Row> & { readonly none: EmptyState }): Html {
  return spec.rows.length === 0 ? emptyState(spec.none) : html`<div class="dense">${table(spec)}</div>`;
}

/** Asks before something that can't be undone, or that affects many users. */
export interface ConfirmPage extends Omit<Question, 'cancel'> {
  readonly section: ConsoleSection;
  readonly title: string;
}

/** What a question says. */
export type AskedQuestion = Pick<ConfirmPage, 'title' | 'text' | 'button' | 'danger'>;

export function confirmPage(frame: AccountFrame, page: ConfirmPage): string {
  const body = questionCard(frame, { ...page, cancel: frame.messages.admin.cancel });
  return consoleLayout(frame, { section: page.section, title: page.title, body });
}

/** Shows a link that an administrator gives to a person. */
export function shareLinkPage(
  frame: AccountFrame,
  page: { url: string; until: number; back: string; remark?: string | undefined },
): string {
  const { admin: m, dates } = frame.messages;
  const body = card({
    lead: m.people.linkLead(dates.moment(page.until)),
    body: html`${page.remark !== undefined && html`<p>${page.remark}</p>`}${copyable(frame, m.people.link, 'link', page.url)}`,
    actions: linkButton({ label: m.people.continue, href: page.back }),
  });
  return consoleLayout(frame, { section: 'people', title: m.people.linkTitle, body });
}

export interface Asked {
  readonly label: string;
  /** The page that asks. */
  readonly href: string;
  readonly danger?: boolean | undefined;
  readonly small?: boolean | undefined;
  /** What tells it from others with the same label. */
  readonly about?: string | undefined;
}

/** Leads to the page that asks before something is done, which opens as a dialog. For those who can open it. */
export function askLink(frame: AccountFrame, { label, href, danger, small, about }: Asked): Html {
  const spoken = about && frame.messages.admin.named(label, about);
  return pageLink(frame, { label, href, kind: danger ? 'danger' : 'secondary', small, spoken, question: 'ask' });
}

/** One line for each action: what it does, and its button. Nothing for those who can do none of them. */
export function dangerZone(frame: AccountFrame, lines: readonly Html[]): Html {
  if (lines.every(({ text }) => text === '')) return html``;
  return card({ title: frame.messages.admin.danger, danger: true, body: html`<ul class="things">${lines}</ul>` });
}

export function dangerousAction(hint: string, control: Html): Html {
  if (control.text === '') return html``;
  return html`<li><div><p>${hint}</p></div>${control}</li>`;
}

/** One that asks first. */
export function askedAction(frame: AccountFrame, hint: string, asked: Asked): Html {
  return dangerousAction(hint, askLink(frame, { danger: true, ...asked }));
}
