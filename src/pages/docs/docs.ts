// A page of the documentation: the navigation and the search beside it, the table of contents, and the pages before and
// after it. On a narrow screen the navigation and the contents are popovers, which need no script.

import { type Html, html } from '../layout/html.ts';
import { type Frame, layout } from '../layout/layout.ts';
import type { Document, Heading } from './markdown.ts';
import { docsPath, inReadingOrder, type NavigationEntry, type NavigationGroup } from './navigation.ts';

export interface DocsPage {
  readonly navigation: readonly NavigationGroup[];
  /** The name under which the document is served. */
  readonly name: string;
  readonly document: Document;
}

export interface DocsSearchPage {
  readonly navigation: readonly NavigationGroup[];
  readonly query: string;
  /** Whether there are further results that aren't shown. */
  readonly more: boolean;
  readonly results: readonly {
    readonly section: {
      readonly name: string;
      readonly title: string;
      readonly heading: string;
      readonly anchor: string;
    };
    readonly excerpt: readonly { readonly text: string; readonly matches: boolean }[];
  }[];
}

export function docsPage(frame: Frame, { navigation, name, document }: DocsPage): string {
  const contents = document.headings.length === 0 ? undefined : tableOfContents(frame, document.headings);
  const body = html`
${toolbar(frame, '', contents !== undefined)}
<div class="docs-shell">
${navigationOf(frame, navigation, name)}
<article class="docs">
${document.body}
${pager(frame, navigation, name)}
</article>
${contents}
</div>`;
  return layout(frame, { title: document.title, body, width: 'broad' });
}

export function docsSearchPage(frame: Frame, { navigation, query, results, more }: DocsSearchPage): string {
  const { search: m } = frame.messages.docs;
  const items = results.map(({ section, excerpt }) => {
    const hash = section.anchor === '' ? '' : `#${section.anchor}`;
    const heading = section.anchor === '' ? section.title : section.heading;
    const place = section.anchor === '' ? undefined : html`<span>${section.title}</span>`;
    const words = excerpt.map(({ text, matches }) => (matches ? html`<mark>${text}</mark>` : html`${text}`));
    return html`<li>${place}<a href="${docsPath(section.name)}${hash}">${heading}</a><p>${words}</p></li>\n`;
  });
  const body = html`
${toolbar(frame, query, false)}
<div class="docs-shell">
${navigationOf(frame, navigation, undefined)}
<article class="docs">
<h1>${m.title}</h1>
<p role="status">${searchSummary(frame, query, results.length, more)}</p>
${items.length > 0 && html`<ol class="docs-results">${items}</ol>`}
</article>
</div>`;
  return layout(frame, { title: m.title, body, width: 'broad' });
}

function searchSummary(frame: Frame, query: string, count: number, more: boolean): string {
  const { search: m } = frame.messages.docs;
  if (query === '') return m.empty;
  if (count === 0) return m.none(query);
  return more ? m.best(count, query) : m.found(count, query);
}

function toolbar(frame: Frame, query: string, hasContents: boolean): Html {
  const { docs: m } = frame.messages;
  return html`<div class="docs-bar">
<button type="button" class="quiet-button docs-menu" popovertarget="docs-nav">${m.menu}</button>
<form class="docs-search" role="search" action="/docs/search">
<input type="search" name="q" value="${query}" aria-label="${m.search.label}" placeholder="${m.search.placeholder}" maxlength="100" autocomplete="off">
<button type="submit" class="quiet-button">${m.search.submit}</button>
</form>
${hasContents && html`<button type="button" class="quiet-button docs-contents" popovertarget="docs-toc">${m.onThisPage}</button>`}
</div>`;
}

function navigationOf(frame: Frame, navigation: readonly NavigationGroup[], name: string | undefined): Html {
  const { docs: m } = frame.messages;
  const link = (entry: NavigationEntry) => {
    const current = entry.name === name ? html` aria-current="page"` : html``;
    return html`<a href="${docsPath(entry.name)}"${current}>${entry.label}</a>`;
  };
  const below = ({ children }: NavigationEntry) => {
    if (children.length === 0) return undefined;
    return html`<ul>${children.map((child) => html`<li>${link(child)}</li>\n`)}</ul>`;
  };
  const groups = navigation.map(
    ({ group, entries }) => html`<h2>${m.groups[group]}</h2>
<ul>${entries.map((entry) => html`<li>${link(entry)}${below(entry)}</li>\n`)}</ul>`,
  );
  return html`<nav id="docs-nav" class="docs-nav" aria-label="${m.nav}" popover>${groups}</nav>`;
}

function tableOfContents(frame: Frame, headings: readonly Heading[]): Html {
  const { onThisPage } = frame.messages.docs;
  const items = headings.map(
    ({ depth, text, anchor }) => html`<li class="depth-${depth}"><a href="#${anchor}">${breakable(text)}</a></li>\n`,
  );
  return html`<nav id="docs-toc" class="docs-toc" aria-label="${onThisPage}" popover>
<h2>${onThisPage}</h2><ul>${items}</ul></nav>`;
}

/** Lets a long name such as LATCHKEY_DRAIN_SECONDS go on in the next line after an underscore. */
function breakable(text: string): Html {
  const [first = '', ...others] = text.split(/(?<=_)/);
  return html`${first}${others.map((part) => html`<wbr>${part}`)}`;
}

function pager(frame: Frame, navigation: readonly NavigationGroup[], name: string): Html | undefined {
  const { docs: m } = frame.messages;
  const pages = inReadingOrder(navigation);
  const here = pages.findIndex((entry) => entry.name === name);
  if (here < 0) return undefined;
  const link = (entry: NavigationEntry | undefined, rel: 'prev' | 'next', words: string) =>
    entry &&
    html`<a class="${rel}" rel="${rel}" href="${docsPath(entry.name)}"><span>${words}</span> ${entry.label}</a>`;
  return html`<nav class="docs-pager" aria-label="${m.pager}">
${link(pages[here - 1], 'prev', m.previous)}
${link(pages[here + 1], 'next', m.next)}
</nav>`;
}
