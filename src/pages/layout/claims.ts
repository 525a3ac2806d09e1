// The claims of an application that aren't a person's usual profile, with their values. An administrator has named them.

import type { ClaimValue, ShownClaim } from '../../protocol/oauth/application-claims.ts';
import { badge } from '../components/display.ts';
import { icon } from '../components/icon.ts';
import type { Messages } from '../languages/languages.ts';
import { type Html, html } from './html.ts';

/** Lines of a <dl class="facts">. */
export function claimFacts(messages: Messages, claims: readonly ShownClaim[]): Html[] {
  return claims.map((claim) => {
    const { value } = claim;
    const all = wholeClaim(messages, claim);
    const isLong = typeof value === 'object' && value.length > shownItems;
    const shown = isLong ? folded(beginning(messages.furtherClaims, value), all) : all;
    return html`<div class="claim"><dt>${claim.label}</dt><dd>${shown}</dd></div>`;
  });
}

/** One line with the name of the claim. What doesn't fit there can be opened. */
export function claimLine(messages: Messages, claim: ShownClaim): Html {
  const { label, value, selfAsserted } = claim;
  const all = wholeClaim(messages, claim);
  const isShort = String(value).length + label.length <= shownCharacters;
  if (value === undefined || (isShort && !selfAsserted)) return html`<strong>${label}</strong> ${all}`;
  return folded(html`<strong>${label}</strong> ${beginning(messages.furtherClaims, value)}`, html`<div>${all}</div>`);
}

/** A line that opens. */
export function folded(line: Html, all: Html): Html {
  return html`<details class="folded"><summary>${line}${icon('chevron-down', 'small')}</summary>${all}</details>`;
}

/** More would leave no room for the rest of the page. */
const shownItems = 3;
const shownCharacters = 32;

/** One without a value is shown as well: the application gets it as soon as there is one, without another question. */
function wholeClaim(messages: Messages, { value, selfAsserted }: ShownClaim): Html {
  const m = messages.furtherClaims;
  if (value === undefined) return html`<span class="quiet">${m.notSet}</span>`;
  return html`${inWords(m, value)} ${selfAsserted && badge(m.enteredByYou)}`;
}

function inWords(m: Messages['furtherClaims'], value: ClaimValue): Html | string {
  if (typeof value === 'boolean') return value ? m.yes : m.no;
  if (typeof value !== 'object') return html`<bdi>${value}</bdi>`;
  if (value.length === 0) return html`<span class="quiet">${m.none}</span>`;
  return html`<ul class="values">${value.map((item) => html`<li><bdi>${item}</bdi></li>`)}</ul>`;
}

/** Makes room for the whole value once it's open. */
function beginning(m: Messages['furtherClaims'], value: ClaimValue): Html {
  const less = html`<span class="less">${m.less}</span>`;
  if (typeof value !== 'object' || value.length === 0)
    return html`<span class="brief">${inWords(m, value)}</span>${less}`;
  const first = value.slice(0, shownItems).map((item) => html`<span><bdi>${item}</bdi></span> `);
  const more = value.length - first.length;
  return html`<span class="brief">${first}</span> ${more > 0 && html`<span class="more">${m.more(more)}</span>`}${less}`;
}
