import type { Scope } from '../../protocol/oauth/scope.ts';
import { type AppIdentity, appIcon } from '../layout/app-icon.ts';
import { type Html, html } from '../layout/html.ts';
import type { Messages } from '../messages/messages.ts';
import { type AccountFrame, accountLayout, formToken, time } from './account-layout.ts';

export interface ConnectedAppsPage {
  readonly apps: readonly {
    readonly clientId: string;
    readonly face: AppIdentity;
    readonly scopes: readonly Scope[];
    readonly grantedAt: number;
    readonly lastUsedAt: number;
  }[];
  readonly notice: 'removed' | 'notConnected' | undefined;
  readonly now: number;
}

export function connectedAppsPage(frame: AccountFrame, page: ConnectedAppsPage): string {
  const m = frame.messages.apps;
  const list = html`<p>${m.lead}</p>
<form method="post" action="/account/apps">
${formToken(frame)}
<ul class="apps">
${page.apps.map((app) => connectedApp(frame.messages, app, page.now))}
</ul>
</form>
<p class="aside">${m.removeHint}</p>`;
  const none = html`<div class="empty"><p><strong>${m.none}</strong></p><p class="quiet">${m.noneHint}</p></div>`;
  return accountLayout(frame, {
    section: 'apps',
    notice: page.notice && m[page.notice],
    body: page.apps.length > 0 ? list : none,
  });
}

function connectedApp(messages: Messages, app: ConnectedAppsPage['apps'][number], now: number): Html {
  const m = messages.apps;
  const phrases = app.scopes.map((scope) => messages.scopes[scope].phrase);
  const sees = new Intl.ListFormat(messages.language).format(phrases);
  return html`<li>
${appIcon(app.face)}
<div class="app-facts">
<h2>${app.face.name}</h2>
<dl class="facts">
<div><dt>${m.sees}</dt><dd>${sees}</dd></div>
<div><dt>${m.since}</dt><dd>${time(messages.dates.day(app.grantedAt), app.grantedAt)}</dd></div>
<div><dt>${m.lastUsed}</dt><dd>${time(messages.dates.recently(app.lastUsedAt, now), app.lastUsedAt)}</dd></div>
</dl>
</div>
<button class="danger" type="submit" name="remove" value="${app.clientId}">${m.remove}<span class="unseen"> ${app.face.name}</span></button>
</li>
`;
}
