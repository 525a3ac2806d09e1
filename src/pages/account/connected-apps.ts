// Connected apps: what each of them sees, and the button that removes it.

import type { ShownClaim } from '../../protocol/oauth/application-claims.ts';
import type { Scope } from '../../protocol/oauth/scope.ts';
import { card, emptyState } from '../components/display.ts';
import type { Messages } from '../languages/languages.ts';
import { claimFacts } from '../layout/claims.ts';
import { type Html, html } from '../layout/html.ts';
import { type AppIdentity, appIcon, appName, policyLinks } from '../layout/identity.ts';
import { dayTime, recentTime } from '../layout/time.ts';
import { type AccountFrame, accountLayout, postForm } from './account-layout.ts';

export interface ConnectedAppsPage {
  readonly apps: readonly {
    readonly clientId: string;
    readonly app: AppIdentity;
    readonly scopes: readonly Scope[];
    /** What it gets with the profile besides. */
    readonly further: readonly ShownClaim[];
    readonly grantedAt: number;
    readonly lastUsedAt: number;
  }[];
  readonly notice: 'removed' | 'notConnected' | undefined;
  readonly now: number;
}

export function connectedAppsPage(frame: AccountFrame, page: ConnectedAppsPage): string {
  const m = frame.messages.apps;
  const list = card({
    lead: m.lead,
    body: html`<ul class="apps">${page.apps.map((connected) => connectedApp(frame.messages, connected, page.now))}</ul>`,
    actions: html`<p class="quiet">${m.removeHint}</p>`,
  });
  const none = emptyState({ icon: 'squares-2x2', title: m.none, text: m.noneHint(frame.brand.name) });
  return accountLayout(frame, {
    section: 'apps',
    notice: page.notice && m[page.notice],
    body: page.apps.length > 0 ? postForm(frame, '/account/apps', list) : none,
  });
}

function connectedApp(messages: Messages, connected: ConnectedAppsPage['apps'][number], now: number): Html {
  const m = messages.apps;
  const { app, scopes, further, grantedAt, lastUsedAt } = connected;
  const sees = messages.list(scopes.map((scope) => messages.scopes[scope].phrase));
  return html`<li>
${appIcon(app)}
<div class="app-facts">
<h2>${appName(app)}</h2>
<dl class="facts">
<div><dt>${m.sees}</dt><dd>${sees}</dd></div>
${claimFacts(messages, further)}
<div><dt>${m.since}</dt><dd>${dayTime(messages, grantedAt)}</dd></div>
<div><dt>${m.lastUsed}</dt><dd>${recentTime(messages, lastUsedAt, now)}</dd></div>
</dl>
${policyLinks(messages, app)}
</div>
<button class="danger small" type="submit" name="remove" value="${connected.clientId}" aria-label="${m.removeNamed(app.name)}">${m.remove}</button>
</li>
`;
}
