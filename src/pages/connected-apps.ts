import type { Scope } from '../protocol/scope.ts';
import { type AppFace, appIcon } from './app-icon.ts';
import { type Html, html } from './html.ts';
import { type Frame, layout } from './layout.ts';
import type { Messages } from './messages.ts';

export interface ConnectedAppsPage {
  readonly account: { readonly name: string; readonly email: string };
  readonly apps: readonly {
    readonly clientId: string;
    readonly face: AppFace;
    readonly scopes: readonly Scope[];
    readonly grantedAt: number;
    readonly lastUsedAt: number;
  }[];
  readonly notice: 'removed' | 'notConnected' | undefined;
  readonly now: number;
  readonly formToken: string;
}

export function connectedAppsPage(frame: Frame, page: ConnectedAppsPage): string {
  const m = frame.messages.apps;
  const token = html`<input type="hidden" name="form_token" value="${page.formToken}">`;
  const corner = html`<button class="quiet-button" type="submit" form="sign-out">${m.signOut}</button>`;
  const list = html`<p>${m.lead}</p>
<form method="post" action="/account/apps">
${token}
<ul class="apps">
${page.apps.map((app) => connectedApp(frame.messages, app, page.now))}
</ul>
</form>
<p class="aside">${m.removeHint}</p>`;
  const body = html`
<h1>${m.title}</h1>
<p class="account-line"><span class="quiet">${m.signedInAs}</span> <strong>${page.account.name}</strong> ${page.account.email}</p>
${page.notice && html`<p class="notice" role="status">${m[page.notice]}</p>`}
${page.apps.length > 0 ? list : html`<div class="empty"><p><strong>${m.none}</strong></p><p class="quiet">${m.noneHint}</p></div>`}
<form id="sign-out" method="post" action="/sign-out">${token}</form>`;
  return layout(frame, { title: m.title, body, corner, wide: true });
}

function connectedApp(messages: Messages, app: ConnectedAppsPage['apps'][number], now: number): Html {
  const m = messages.apps;
  const phrases = app.scopes.map((scope) => messages.scopes[scope].phrase);
  const sees = new Intl.ListFormat(messages.language).format(phrases);
  return html`<li>
${appIcon(app.face)}
<div class="app-facts">
<h2>${app.face.name}</h2>
<dl>
<div><dt>${m.sees}</dt><dd>${sees}</dd></div>
<div><dt>${m.since}</dt><dd>${time(messages.dates.day(app.grantedAt), app.grantedAt)}</dd></div>
<div><dt>${m.lastUsed}</dt><dd>${time(messages.dates.recently(app.lastUsedAt, now), app.lastUsedAt)}</dd></div>
</dl>
</div>
<button class="danger" type="submit" name="remove" value="${app.clientId}">${m.remove}<span class="unseen"> ${app.face.name}</span></button>
</li>
`;
}

function time(text: string, at: number): Html {
  return html`<time datetime="${new Date(at).toISOString()}">${text}</time>`;
}
