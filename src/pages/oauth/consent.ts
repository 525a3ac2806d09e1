// The consent page: which client asks, for which account, and what it will get to know.

import type { UserClaims } from '../../protocol/oauth/claims.ts';
import type { Scope } from '../../protocol/oauth/scope.ts';
import { type AppIdentity, appIcon } from '../layout/app-icon.ts';
import { appLinks } from '../layout/app-links.ts';
import { type Html, html } from '../layout/html.ts';
import { alert, type Frame, layout } from '../layout/layout.ts';
import { portrait } from '../layout/portrait.ts';
import type { Messages } from '../messages/messages.ts';

export interface ConsentPage {
  readonly app: AppIdentity;
  readonly host: string;
  readonly account: { readonly name: string; readonly email: string };
  /** The claims that each requested scope will share. */
  readonly shared: readonly { readonly scope: Scope; readonly claims: UserClaims }[];
  /** The request asks for something else than the page that was just approved. */
  readonly changed: boolean;
  readonly ticket: string;
}

export function consentPage(frame: Frame, page: ConsentPage): string {
  const m = frame.messages.consent;
  const title = m.title(page.app.name);
  const body = html`
<div class="lead">
${appIcon(page.app)}
<h1>${title}</h1>
${appLinks(frame.messages, page.app)}
</div>
${alert(page.changed ? m.changed(page.app.name) : undefined)}
<form method="post" action="/oauth-authorize/decision">
<input type="hidden" name="request" value="${page.ticket}">
<div class="account">
<p><span class="quiet">${m.signedInAs}</span> <strong>${page.account.name}</strong><br>${page.account.email}</p>
<button class="link" type="submit" formaction="/oauth-authorize/account" name="account" value="other">${m.notYou}</button>
</div>
<p id="shared">${m.lead(page.app.name)}</p>
<dl class="shared" aria-labelledby="shared">
${page.shared.map(({ scope, claims }) => sharedScope(frame.messages, scope, claims))}
</dl>
<div class="choice">
<button class="primary" type="submit" name="decision" value="approve">${m.approve}</button>
<button type="submit" name="decision" value="cancel">${m.cancel}</button>
</div>
</form>
<p class="aside">${m.returnTo(page.host)} ${m.noPassword(page.app.name)} ${m.later}</p>`;
  return layout(frame, { title, body });
}

function sharedScope(messages: Messages, scope: Scope, claims: UserClaims): Html {
  return html`<div><dt>${messages.scopes[scope].heading}</dt>${sharedValues(messages, scope, claims)}</div>\n`;
}

function sharedValues(messages: Messages, scope: Scope, claims: UserClaims): Html[] {
  if (scope === 'openid') return [value(messages.accountId, claims.sub)];
  if (scope === 'email') {
    const unverified =
      claims.email_verified !== true && html` <span class="quiet">(${messages.emailUnverified})</span>`;
    return [html`<dd>${String(claims.email)}${unverified}</dd>`];
  }
  const shown = Object.entries(messages.claims).filter(([claim]) => claims[claim] !== undefined);
  return [
    ...shown.map(([claim, label]) => value(label, inWords(messages, claim, String(claims[claim])))),
    value(messages.profileChanged, messages.dates.day(Number(claims.updated_at) * 1000)),
  ];
}

/** Shows a picture instead of its URL, and the name of a language instead of its code. */
function inWords(messages: Messages, claim: string, text: string): string | Html {
  if (claim === 'picture') return portrait(text, 28);
  return claim === 'locale' ? messages.languageName(text) : text;
}

function value(label: string, shown: string | Html): Html {
  return html`<dd class="inline"><span class="quiet">${label}</span> ${shown}</dd> `;
}
