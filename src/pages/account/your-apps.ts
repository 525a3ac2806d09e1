// Your apps, the home page of the account: the applications that can be opened from here, and shortcuts to the settings
// that people look for most.

import { emptyState } from '../components/display.ts';
import { type IconName, icon } from '../components/icon.ts';
import { type Html, html } from '../layout/html.ts';
import { type AppIdentity, appIcon } from '../layout/identity.ts';
import { type AccountFrame, accountLayout } from './account-layout.ts';

export interface YourAppsPage {
  readonly apps: readonly { readonly app: AppIdentity; readonly url: string }[];
  /** What was typed to find some of them. */
  readonly search: string;
  /** Whether other pages come before. */
  readonly isLater: boolean;
  /** The cursor of the next page; undefined on the last one. */
  readonly next: string | undefined;
  readonly notice: string | undefined;
}

/** More of them are rows, with a field to find one by its name. */
const mostCards = 12;
/** As long as a name. */
export const longestAppSearch = 100;

export function yourAppsPage(frame: AccountFrame, page: YourAppsPage): string {
  const { account: m, yourApps } = frame.messages;
  const cards = page.apps.map(
    ({
      app,
      url,
    }) => html`<li><a class="app-card" href="${url}" rel="noopener noreferrer">${appIcon(app)}<span>${app.name}</span></a></li>
`,
  );
  const { search } = page;
  const isLong = search !== '' || page.isLater || page.next !== undefined || cards.length > mostCards;
  const none =
    search === ''
      ? emptyState({ icon: 'squares-2x2', title: yourApps.none, text: yourApps.noneHint })
      : emptyState({ icon: 'magnifying-glass', title: yourApps.notFound });
  const body = html`
${isLong && searchForm(frame, search)}
${cards.length === 0 ? none : html`<ul class="app-cards${isLong && ' compact'}">${cards}</ul>`}
${page.next !== undefined && html`<p class="pager"><a class="button" href="${nextUrl(search, page.next)}" rel="next">${yourApps.more}</a></p>`}
<section>
<h2 class="section-title">${m.nav}</h2>
<ul class="shortcuts">
${shortcut('/account/profile', 'user-circle', m.sections.profile, yourApps.profileHint)}
${shortcut('/account/security', 'shield-check', m.sections.security, yourApps.securityHint)}
</ul>
</section>`;
  return accountLayout(frame, { section: 'home', notice: page.notice, body });
}

function searchForm({ messages: { yourApps: m } }: AccountFrame, search: string): Html {
  return html`<form class="search" method="get" action="/account" role="search">
<label class="unseen" for="search">${m.search}</label>
<input id="search" name="search" type="search" value="${search}" maxlength="${longestAppSearch}" placeholder="${m.search}" autocomplete="off" spellcheck="false">
<button type="submit">${m.find}</button>
${search !== '' && html`<a href="/account">${m.all}</a>`}
</form>`;
}

function nextUrl(search: string, after: string): string {
  return `/account?${new URLSearchParams({ ...(search !== '' && { search }), after })}`;
}

function shortcut(path: string, image: IconName, title: string, hint: string): Html {
  return html`<li><a class="shortcut" href="${path}">${icon(image)}<span><strong>${title}</strong><br><span class="quiet">${hint}</span></span></a></li>`;
}
