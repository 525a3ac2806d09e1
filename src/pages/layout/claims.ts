// The claims of an application that aren't a person's usual profile, with their values. An administrator has named them.

import type { ClaimValue, ShownClaim } from '../../protocol/oauth/application-claims.ts';
import { badge } from '../components/display.ts';
import type { Messages } from '../languages/languages.ts';
import { type Html, html } from './html.ts';

/** Lines of a <dl class="facts">. */
export function claimFacts(messages: Messages, claims: readonly ShownClaim[]): Html[] {
  return claims.map(({ label, value, selfAsserted }) => {
    const mark = selfAsserted && value !== undefined && badge(messages.furtherClaims.enteredByYou);
    return html`<div class="claim"><dt>${label}</dt><dd>${inWords(messages, value)} ${mark}</dd></div>`;
  });
}

/** More would leave no room for the rest of the page. */
const shownItems = 10;

/** One without a value is shown as well: the application gets it as soon as there is one, and nobody is asked then. */
function inWords(messages: Messages, value: ClaimValue | undefined): Html | string {
  const m = messages.furtherClaims;
  if (value === undefined) return html`<span class="quiet">${m.notSet}</span>`;
  if (typeof value === 'boolean') return value ? m.yes : m.no;
  if (typeof value !== 'object') return html`<bdi>${value}</bdi>`;
  if (value.length === 0) return html`<span class="quiet">${m.none}</span>`;
  const first = listed(value.slice(0, shownItems));
  if (value.length <= shownItems) return first;
  return html`${first}<details><summary>${m.showAll} (${value.length})</summary>${listed(value)}</details>`;
}

function listed(items: readonly string[]): Html {
  return html`<ul class="values">${items.map((item) => html`<li><bdi>${item}</bdi></li>`)}</ul>`;
}
