// The console's one search: its field, and what was found by kind. assets/search.js shows the results of this page in a
// dialog on every other one.

import type { AccountFrame } from '../account/account-layout.ts';
import { button } from '../components/controls.ts';
import type { Messages } from '../languages/languages.ts';
import { type Html, html } from '../layout/html.ts';
import { consoleLayout } from './console-layout.ts';

type Kind = keyof Messages['admin']['finder']['groups'];

export interface Hit {
  readonly href: string;
  readonly name: string;
  /** What tells it from others with the same name. */
  readonly about?: Html | string | undefined;
  readonly badge?: Html | undefined;
}

export interface SearchPage {
  readonly query: string;
  readonly found: readonly {
    readonly kind: Kind;
    readonly hits: readonly Hit[];
    /** Where the others are, if there are any. */
    readonly all?: { readonly href: string; readonly label: string } | undefined;
  }[];
}

export const searchPath = '/admin/search';
export const longestSearch = 200;

export function searchPage(frame: AccountFrame, page: SearchPage): string {
  const m = frame.messages.admin.finder;
  const body = html`<form class="search" method="get" action="${searchPath}" role="search">
<label class="unseen" for="q">${m.label}</label>
<input id="q" name="q" type="search" value="${page.query}" maxlength="${longestSearch}" autocomplete="off" spellcheck="false" aria-describedby="q-hint">
${button({ label: frame.messages.admin.sections.search })}
<p class="hint" id="q-hint">${m.hint}</p>
</form>
<div class="found" data-found>
${page.query !== '' && results(frame, page)}
</div>`;
  return consoleLayout(frame, { section: 'search', body });
}

function results(frame: AccountFrame, { query, found }: SearchPage): Html {
  const m = frame.messages.admin.finder;
  const groups = found.filter(({ hits }) => hits.length > 0);
  const count = groups.reduce((sum, { hits }) => sum + hits.length, 0);
  const items = groups.map(
    ({ kind, hits, all }) => html`<section aria-labelledby="found-${kind}">
<h2 id="found-${kind}">${m.groups[kind]}</h2>
<ul>${hits.map(hit)}</ul>
${all && html`<p><a href="${all.href}">${all.label}</a></p>`}
</section>
`,
  );
  return html`<p class="quiet" role="status">${count === 0 ? m.none(query) : m.found(count)}</p>
${items}`;
}

function hit({ href, name, about, badge }: Hit): Html {
  return html`<li><a href="${href}"><span>${name}</span> ${badge}${about !== undefined && html` <span class="quiet">${about}</span>`}</a></li>
`;
}
