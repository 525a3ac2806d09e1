// The consent page: which client asks, for which account, and what it will get to know.

import type { ShownClaim } from '../../protocol/oauth/application-claims.ts';
import type { UserClaims } from '../../protocol/oauth/claims.ts';
import type { Scope } from '../../protocol/oauth/scope.ts';
import { alert, badge, fact } from '../components/display.ts';
import { type IconName, icon } from '../components/icon.ts';
import type { Messages } from '../languages/languages.ts';
import { claimLine, folded } from '../layout/claims.ts';
import { hidden } from '../layout/form.ts';
import { type Html, html } from '../layout/html.ts';
import {
  type AccountIdentity,
  type AppIdentity,
  accountRow,
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
${leading(title, undefined, page.app)}
${alert(page.changed ? m.changed(page.app.name) : undefined)}
<form method="post" action="/oauth-authorize/decision">
${hidden('request', page.ticket)}
${accountRow(page.account, m.signedInAs, other)}
<p id="shared">${m.lead(page.app.name)}</p>
<ul class="shared" aria-labelledby="shared">
${page.shared.map(({ scope, claims }) => sharedScope(messages, scope, claims))}
${page.further.map((claim) => sharedLine('identification', claimLine(messages, claim)))}
</ul>
<p class="destination">${icon('arrow-right')}<span>${m.returnTo(page.host)}</span></p>
<div class="choice">
<button class="primary" type="submit" name="decision" value="approve">${m.approve}</button>
<button type="submit" name="decision" value="cancel">${m.cancel}</button>
</div>
</form>
<p class="aside">${m.noPassword(page.app.name)} ${m.later}</p>
${appLinks(messages, page.app)}`;
  return layout(frame, { title, body });
}

/** One line, so that the buttons stay in view. What doesn't fit there can be opened. */
function sharedLine(name: IconName, line: Html): Html {
  return html`<li>${icon(name)}<div>${line}</div></li>\n`;
}

function sharedScope(messages: Messages, scope: Scope, claims: UserClaims): Html {
  const { heading } = messages.scopes[scope];
  if (scope === 'email') {
    const unverified = claims.email_verified !== true && badge(messages.emailUnverified, 'warning');
    return sharedLine(
      'envelope',
      html`<span class="unseen">${heading}</span> <bdi>${String(claims.email)}</bdi> ${unverified}`,
    );
  }
  if (scope === 'openid') {
    const id = fact(messages.accountId, html`<code>${claims.sub}</code>`);
    const more = html`<p class="quiet">${messages.identityHint}</p><dl class="facts">${id}</dl>`;
    return sharedLine('key', folded(html`<strong>${heading}</strong>`, more));
  }
  const shown = Object.entries(messages.claims).filter(([claim]) => claims[claim] !== undefined);
  const values = shown.map(([claim, label]) => fact(label, inWords(messages, claim, String(claims[claim]))));
  const changed = fact(messages.profileChanged, dayTime(messages, Number(claims.updated_at) * 1000));
  const summary = html`<strong>${heading}</strong> <bdi>${String(claims.name ?? '')}</bdi>`;
  return sharedLine('user-circle', folded(summary, html`<dl class="facts">${values}${changed}</dl>`));
}

/** Shows a picture instead of its URL, or where it is if that's elsewhere, and the name of a language instead of its code. */
function inWords(messages: Messages, claim: string, text: string): string | Html {
  if (claim === 'picture') return portrait(text, 40) ?? pictureHost(text);
  return claim === 'locale' ? messages.languageName(text) : text;
}
