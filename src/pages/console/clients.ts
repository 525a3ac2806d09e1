// The console's pages about applications: the list, the form that registers one, the page of one, and the page that shows
// a secret once.

import type { ClientLinkName } from '../../protocol/oauth/client-links.ts';
import type { Scope } from '../../protocol/oauth/scope.ts';
import { type AccountFrame, formToken, time } from '../account/account-layout.ts';
import { type AppIdentity, appIcon } from '../layout/app-icon.ts';
import { field, hidden } from '../layout/form.ts';
import { type Html, html } from '../layout/html.ts';
import { action, badge, consoleLayout, copyable, moreLink, searchForm } from './console-layout.ts';

const scopes: readonly Scope[] = ['openid', 'profile', 'email'];

export interface ClientsPage {
  readonly search: string;
  readonly clients: readonly {
    readonly id: string;
    readonly app: AppIdentity;
    readonly isPublic: boolean;
    readonly revoked: boolean;
  }[];
  readonly next: string | undefined;
  readonly notice: string | undefined;
  readonly problem: string | undefined;
}

export function clientsPage(frame: AccountFrame, page: ClientsPage): string {
  const m = frame.messages.admin;
  const path = '/admin/applications';
  const rows = page.clients.map(
    ({ id, app, isPublic, revoked }) => html`<li>
${appIcon(app)}
<div>
<h2 class="thing-name"><a href="${path}/${id}">${app.name}</a></h2>
<p class="quiet"><code>${id}</code></p>
</div>
<span>${badge(isPublic ? m.applications.public : m.applications.confidential)} ${revoked && badge(m.revoked, 'danger')}</span>
</li>`,
  );
  const none = page.search === '' ? m.applications.none : m.applications.noneFound;
  const body = html`
<p><a class="button primary" href="${path}/new">${m.applications.new}</a></p>
${searchForm(frame, path, page.search, m.applications.searchHint)}
${rows.length === 0 ? html`<p class="quiet">${none}</p>` : html`<ul class="things">${rows}</ul>`}
${page.next !== undefined && moreLink(frame, path, { search: page.search, cursor: page.next })}`;
  return consoleLayout(frame, { section: 'applications', notice: page.notice, problem: page.problem, body });
}

export interface ClientSettings {
  readonly name: string;
  readonly redirectUris: string;
  readonly postLogoutRedirectUris: string;
  readonly scopes: readonly string[];
  readonly isPublic: boolean;
  /** Whether everyone who signs in to it needs a second factor. */
  readonly secondFactor: string;
  readonly links: { readonly [Name in ClientLinkName]?: string | null | undefined };
}

export function newClientPage(
  frame: AccountFrame,
  page: { settings: ClientSettings; submissionToken: string; problem: string | undefined },
): string {
  const m = frame.messages.admin.applications;
  const body = html`
<form method="post" action="/admin/applications">
${formToken(frame)}
${hidden('once', page.submissionToken)}
${settingsFields(frame, page.settings)}
<button class="primary" type="submit">${m.create}</button>
</form>`;
  return consoleLayout(frame, { section: 'applications', title: m.new, problem: page.problem, body });
}

function settingsFields(frame: AccountFrame, settings: ClientSettings): Html {
  const m = frame.messages.admin.applications;
  const checked = (yes: boolean) => (yes ? html` checked` : html``);
  const scopeBoxes = scopes.map(
    (scope) =>
      html`<label class="choice-line"><input type="checkbox" name="scope_${scope}" value="yes"${checked(settings.scopes.includes(scope))}> ${m.scope[scope]}</label>`,
  );
  const types = (['confidential', 'public'] as const).map(
    (type) =>
      html`<label class="choice-line"><input type="radio" name="type" value="${type}"${checked(settings.isPublic === (type === 'public'))}> ${type === 'public' ? m.publicHint : m.confidentialHint}</label>`,
  );
  const needs = (['optional', 'required'] as const).map(
    (need) =>
      html`<label class="choice-line"><input type="radio" name="second_factor" value="${need}"${checked(settings.secondFactor === need)}> ${m.secondFactorNeeds[need]}</label>`,
  );
  const links = (['client_uri', 'launch_url', 'policy_uri', 'tos_uri'] as const).map((name) =>
    field({
      ...{ name, label: m.links[name].label, hint: m.links[name].hint, value: settings.links[name] ?? '' },
      ...{ autocomplete: 'off', limit: 1000, optional: true, verbatim: true },
    }),
  );
  return html`${field({ name: 'name', label: m.name, autocomplete: 'off', value: settings.name, limit: 100, hint: m.nameHint })}
<label for="redirect_uris">${m.redirectUris}</label>
<textarea id="redirect_uris" name="redirect_uris" rows="3" required spellcheck="false" autocapitalize="none" aria-describedby="redirect_uris-hint">${settings.redirectUris}</textarea>
<p class="hint" id="redirect_uris-hint">${m.redirectUrisHint}</p>
<label for="post_logout_redirect_uris">${m.postLogoutRedirectUris}</label>
<textarea id="post_logout_redirect_uris" name="post_logout_redirect_uris" rows="2" spellcheck="false" autocapitalize="none" aria-describedby="post_logout_redirect_uris-hint">${settings.postLogoutRedirectUris}</textarea>
<p class="hint" id="post_logout_redirect_uris-hint">${m.postLogoutRedirectUrisHint}</p>
<fieldset><legend>${m.scopes}</legend>${scopeBoxes}</fieldset>
<fieldset><legend>${m.type}</legend>${types}</fieldset>
<fieldset><legend>${m.secondFactor}</legend>${needs}</fieldset>
${hidden('links', 'yes')}
${links}
`;
}

export interface ClientPage {
  readonly id: string;
  readonly app: AppIdentity;
  readonly settings: ClientSettings;
  readonly isPublic: boolean;
  readonly access: 'everyone' | 'listed';
  /** The newest first. */
  readonly secrets: readonly { readonly createdAt: number; readonly usedAt: number | null }[];
  /** How many users have given it access. */
  readonly users: number;
  /** Identifies the settings shown here, so that saving them doesn't undo what somebody else has changed since. */
  readonly version: string;
  readonly submissionToken: string;
  readonly createdAt: number;
  readonly revokedAt: number | null;
  readonly notice: string | undefined;
  readonly problem: string | undefined;
}

export function clientPage(frame: AccountFrame, page: ClientPage): string {
  const { messages } = frame;
  const m = messages.admin.applications;
  const path = `/admin/applications/${page.id}`;
  const body = html`
<div class="summary">
${appIcon(page.app)}
<dl class="facts">
<div><dt>${m.clientId}</dt><dd><code>${page.id}</code></dd></div>
<div><dt>${m.type}</dt><dd>${page.isPublic ? m.public : m.confidential} ${page.revokedAt !== null && badge(messages.admin.revoked, 'danger')}</dd></div>
<div><dt>${messages.admin.access.access}</dt><dd>${messages.admin.access[page.access === 'everyone' ? 'openToEveryone' : 'onlyListed']} <a href="${path}/access">${messages.admin.access.manage}</a></dd></div>
<div><dt>${m.connected}</dt><dd>${m.people(page.users)}</dd></div>
<div><dt>${messages.admin.created}</dt><dd>${time(messages.dates.day(page.createdAt), page.createdAt)}</dd></div>
</dl>
</div>
<p><a href="/admin/events?application=${page.id}">${m.events}</a></p>
<section>
<h2 class="section-title">${m.settings}</h2>
<form method="post" action="${path}">
${formToken(frame)}
${hidden('version', page.version)}
${settingsFields(frame, page.settings)}
<button class="primary" type="submit">${messages.admin.save}</button>
</form>
</section>
<section>
<h2 class="section-title">${m.logo}</h2>
<form method="post" action="${path}/logo" enctype="multipart/form-data">
${formToken(frame)}
<label class="unseen" for="logo">${m.logo}</label>
<input id="logo" name="logo" type="file" accept="image/png,image/jpeg,image/webp" aria-describedby="logo-hint">
<p class="hint" id="logo-hint">${m.logoHint}</p>
<button type="submit">${m.upload}</button>
${page.app.logoUrl !== undefined && html`<button class="link" type="submit" name="remove" value="yes">${m.removeLogo}</button>`}
</form>
</section>
<section>
<h2 class="section-title">${m.secrets}</h2>
${page.isPublic ? html`<p>${m.publicHasNone}</p>` : secrets(frame, page, path)}
</section>
<section>
<h2 class="section-title">${m.stop}</h2>
<p>${page.revokedAt === null ? m.stopLead : m.restoreLead}</p>
<div class="actions">
${page.revokedAt === null ? html`<a class="button danger" href="${path}/revoke">${m.revoke}</a>` : action(frame, `${path}/restore`, m.restore)}
<a class="button danger" href="${path}/delete">${m.delete}</a>
</div>
</section>`;
  return consoleLayout(frame, {
    section: 'applications',
    title: page.app.name,
    notice: page.notice,
    problem: page.problem,
    body,
  });
}

function secrets(frame: AccountFrame, page: ClientPage, path: string): Html {
  const { dates, admin } = frame.messages;
  const m = admin.applications;
  const items = page.secrets.map(
    ({ createdAt, usedAt }, index) => html`<li>
<div>
<h3 class="thing-name">${index === 0 ? m.newest : m.old}</h3>
<dl class="facts">
<div><dt>${m.made}</dt><dd>${time(dates.day(createdAt), createdAt)}</dd></div>
<div><dt>${m.lastUsed}</dt><dd>${usedAt === null ? admin.never : time(dates.moment(usedAt), usedAt)}</dd></div>
</dl>
</div>
${index > 0 && html`<a class="button danger" href="${path}/retire-secret">${m.retire}</a>`}
</li>`,
  );
  return html`<p>${m.secretsLead}</p>
<ul class="things">${items}</ul>
${page.secrets.length < 2 ? action(frame, `${path}/rotate-secret`, m.rotate, 'plain', { once: page.submissionToken }) : html`<a class="button" href="${path}/rotate-secret">${m.rotate}</a>`}
<p class="aside">${m.rotateHint}</p>`;
}

export interface NewSecretPage {
  readonly clientId: string;
  /** Undefined for a public client. */
  readonly secret: string | undefined;
  readonly env: string;
  /** Whether the documentation is served. */
  readonly docs: boolean;
}

export function newSecretPage(frame: AccountFrame, page: NewSecretPage): string {
  const m = frame.messages.admin.applications;
  const body = html`
<p>${page.secret === undefined ? m.publicLead : m.secretLead}</p>
${copyable(frame, m.clientId, 'client-id', page.clientId)}
${page.secret !== undefined && copyable(frame, m.clientSecret, 'client-secret', page.secret)}
${copyable(frame, m.env, 'env', page.env)}
<div class="actions">
${page.docs && html`<a class="button primary" href="/docs/clients">${m.guides}</a>`}
<a class="button" href="/admin/applications/${page.clientId}">${m.toApplication}</a>
</div>`;
  const title = page.secret === undefined ? m.madePublicTitle : m.secretTitle;
  return consoleLayout(frame, { section: 'applications', title, body });
}
