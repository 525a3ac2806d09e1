// The consent page: which client asks, for which account, and what it will get to know.

import type { ShownClaim } from '../../protocol/oauth/application-claims.ts';
import type { UserClaims } from '../../protocol/oauth/claims.ts';
import type { Scope } from '../../protocol/oauth/scope.ts';
import { alert, badge, fact } from '../components/display.ts';
import { type IconName, icon } from '../components/icon.ts';
import type { Messages } from '../languages/languages.ts';
import { claimFacts } from '../layout/claims.ts';
import { hidden } from '../layout/form.ts';
import { type Html, html } from '../layout/html.ts';
import {
  type AccountIdentity,
  type AppIdentity,
  accountCard,
  appLinks,
  pictureHost,
  portrait,
} from '../layout/identity.ts';
import { type Frame, layout, leading } from '../layout/layout.ts';
import { dayTime } from '../layout/time.ts';

export interface ConsentPage {
  readonly app: AppIdentity;
  readonly host: string;
  readonly account: AccountIdentity;
  /** The claims that each requested scope will share. */
  readonly shared: readonly { readonly scope: Scope; readonly claims: UserClaims }[];
  /** What the application will get with the profile besides. */
  readonly further: readonly ShownClaim[];
  /** The request asks for something else than the page that was just approved. */
  readonly changed: boolean;
  readonly ticket: string;
}

export function consentPage(frame: Frame, page: ConsentPage): string {
  const m = frame.messages.consent;
  const { messages } = frame;
  const title = m.title(page.app.name);
  const other = html`<button class="link" type="submit" formaction="/oauth-authorize/account" name="account" value="other">${m.notYou}</button>`;
  const body = html`
${leading(title, undefined, page.app, appLinks(messages, page.app))}
${alert(page.changed ? m.changed(page.app.name) : undefined)}
<form method="post" action="/oauth-authorize/decision">
${hidden('request', page.ticket)}
<p id="shared">${m.lead(page.app.name)}</p>
<ul class="shared" aria-labelledby="shared">
${page.shared.map(({ scope, claims }) => sharedScope(messages, scope, claims, page.further))}
</ul>
<p class="destination">${icon('arrow-right')}<span>${m.returnTo(page.host)}</span></p>
${accountCard(page.account, m.signedInAs, other)}
<div class="choice">
<button class="primary" type="submit" name="decision" value="approve">${m.approve}</button>
<button type="submit" name="decision" value="cancel">${m.cancel}</button>
</div>
</form>
<p class="aside">${m.noPassword(page.app.name)} ${m.later}</p>
<details class="aside">
<summary>${m.more}</summary>
<dl class="facts">${background(messages, page.shared)}</dl>
</details>`;
  return layout(frame, { title, body });
}

const icons: Record<Scope, IconName> = { openid: 'key', profile: 'user-circle', email: 'envelope' };

function sharedScope(messages: Messages, scope: Scope, claims: UserClaims, further: readonly ShownClaim[]): Html {
  const values = sharedValues(messages, scope, claims, further);
  return html`<li>${icon(icons[scope])}<div><strong>${messages.scopes[scope].heading}</strong>${values}</div></li>\n`;
}

function sharedValues(messages: Messages, scope: Scope, claims: UserClaims, further: readonly ShownClaim[]): Html {
  if (scope === 'openid') return html`<p class="quiet">${messages.identityHint}</p>`;
  if (scope === 'email') {
    const unverified = claims.email_verified !== true && badge(messages.emailUnverified, 'warning');
    return html`<p>${String(claims.email)} ${unverified}</p>`;
  }
  const shown = Object.entries(messages.claims).filter(([claim]) => claims[claim] !== undefined);
  const values = shown.map(([claim, label]) => fact(label, inWords(messages, claim, String(claims[claim]))));
  return html`<dl class="facts">${values}${claimFacts(messages, further)}</dl>`;
}

/** What is shared as well, but means little to most people. */
function background(messages: Messages, shared: ConsentPage['shared']): Html[] {
  return shared.flatMap(({ scope, claims }) => {
    if (scope === 'openid') return [fact(messages.accountId, html`<code>${claims.sub}</code>`)];
    if (scope === 'profile')
      return [fact(messages.profileChanged, dayTime(messages, Number(claims.updated_at) * 1000))];
    return [];
  });
}

/** Shows a picture instead of its URL, or where it is if that's elsewhere, and the name of a language instead of its code. */
function inWords(messages: Messages, claim: string, text: string): string | Html {
  if (claim === 'picture') return portrait(text, 40) ?? pictureHost(text);
  return claim === 'locale' ? messages.languageName(text) : text;
}
