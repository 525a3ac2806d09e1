// The console's pages about people: the list with its invitation form, and the page of one person.

import { type AccountFrame, formToken, time } from '../account/account-layout.ts';
import { field } from '../layout/form.ts';
import { type Html, html } from '../layout/html.ts';
import { action, badge, consoleLayout, moreLink, searchForm } from './console-layout.ts';

export interface UsersPage {
  readonly search: string;
  readonly users: readonly {
    readonly id: string;
    readonly name: string;
    readonly email: string;
    readonly administrator: boolean;
    readonly disabled: boolean;
  }[];
  readonly next: string | undefined;
  readonly invitation: { readonly email: string; readonly name: string };
  readonly notice: string | undefined;
  readonly problem: string | undefined;
}

export function usersPage(frame: AccountFrame, page: UsersPage): string {
  const { admin } = frame.messages;
  const m = admin.people;
  const path = '/admin/people';
  const rows = page.users.map(
    (user) => html`<li>
<div>
<h2 class="thing-name"><a href="${path}/${user.id}">${user.name}</a></h2>
<p class="quiet">${user.email}</p>
</div>
<span>${user.administrator && badge(admin.administrator)} ${user.disabled && badge(admin.disabled, 'danger')}</span>
</li>`,
  );
  const { email, name } = page.invitation;
  const opened = email === '' && name === '' ? html`` : html` open`;
  const body = html`
<details class="invite"${opened}>
<summary>${m.invite}</summary>
<form method="post" action="${path}/invite">
${formToken(frame)}
${field({ name: 'email', label: m.inviteEmail, type: 'email', autocomplete: 'off', value: email, limit: 254 })}
${field({ name: 'name', label: m.inviteName, autocomplete: 'off', value: name, limit: 100, optional: true })}
<button type="submit">${m.sendInvitation}</button>
</form>
</details>
${searchForm(frame, path, page.search, m.searchHint)}
${rows.length === 0 ? html`<p class="quiet">${page.search === '' ? m.none : m.noneFound}</p>` : html`<ul class="things">${rows}</ul>`}
${page.next !== undefined && moreLink(frame, path, { search: page.search, cursor: page.next })}`;
  return consoleLayout(frame, { section: 'people', notice: page.notice, problem: page.problem, body });
}

export interface UserPage {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly isYou: boolean;
  readonly administrator: boolean;
  readonly disabled: boolean;
  readonly createdAt: number;
  readonly authenticator: boolean;
  readonly passkeys: number;
  /** Authenticator apps and passkeys that are out of use since a password reset, until the person decides. */
  readonly pausedFactors: number;
  readonly apps: readonly { readonly id: string; readonly name: string; readonly grantedAt: number }[];
  readonly sessions: readonly {
    readonly device: string | null;
    readonly address: string | null;
    readonly lastSeenAt: number;
  }[];
  readonly canSendEmail: boolean;
  readonly notice: string | undefined;
  readonly problem: string | undefined;
}

export function userPage(frame: AccountFrame, page: UserPage): string {
  const { admin, dates } = frame.messages;
  const m = admin.people;
  const path = `/admin/people/${page.id}`;
  const factors = [
    ...(page.authenticator ? [m.authenticator] : []),
    ...(page.passkeys > 0 ? [m.passkeys(page.passkeys)] : []),
    ...(page.pausedFactors > 0 ? [m.pausedFactors(page.pausedFactors)] : []),
  ];
  const marks = html`${page.isYou && badge(m.you)} ${page.administrator && badge(admin.administrator)} ${page.disabled && badge(admin.disabled, 'danger')}`;
  const apps = page.apps.map(
    (app) =>
      html`<li><a href="/admin/applications/${app.id}">${app.name}</a> <span class="quiet">${time(dates.day(app.grantedAt), app.grantedAt)}</span></li>`,
  );
  const sessions = page.sessions.map(
    (session) =>
      html`<li>${session.device ?? m.unknownBrowser} <span class="quiet">${session.address ?? ''} ${m.lastSeen} ${time(dates.moment(session.lastSeenAt), session.lastSeenAt)}</span></li>`,
  );
  const body = html`
<p>${marks}</p>
<dl class="facts">
<div><dt>${m.email}</dt><dd>${page.email} <span class="quiet">(${page.emailVerified ? m.verified : m.unverified})</span></dd></div>
<div><dt>${m.id}</dt><dd><code>${page.id}</code></dd></div>
<div><dt>${admin.created}</dt><dd>${time(dates.day(page.createdAt), page.createdAt)}</dd></div>
<div><dt>${m.secondFactors}</dt><dd>${factors.length === 0 ? admin.no : new Intl.ListFormat(frame.messages.language).format(factors)}</dd></div>
</dl>
<p><a href="/admin/events?person=${page.id}">${m.events}</a></p>
<section>
<h2 class="section-title">${m.apps}</h2>
${apps.length === 0 ? html`<p class="quiet">${m.noApps}</p>` : html`<ul class="log">${apps}</ul>`}
</section>
<section>
<h2 class="section-title">${m.sessions}</h2>
${sessions.length === 0 ? html`<p class="quiet">${m.noSessions}</p>` : html`<ul class="log">${sessions}</ul>`}
${sessions.length > 0 && action(frame, `${path}/end-sessions`, m.endSessions)}
</section>
${!page.disabled && recovery(frame, page, path, factors.length > 0)}
<section>
<h2 class="section-title">${m.rights}</h2>
${page.administrator ? action(frame, `${path}/remove-administrator`, m.removeAdministrator, 'danger') : action(frame, `${path}/make-administrator`, m.makeAdministrator)}
</section>
<section>
<h2 class="section-title">${m.stop}</h2>
<p>${page.disabled ? m.enableHint : m.disableHint}</p>
<div class="actions">
${page.disabled ? action(frame, `${path}/enable`, m.enable) : action(frame, `${path}/disable`, m.disable, 'danger')}
<a class="button danger" href="${path}/delete">${m.delete}</a>
</div>
</section>`;
  return consoleLayout(frame, {
    section: 'people',
    title: page.name,
    notice: page.notice,
    problem: page.problem,
    body,
  });
}

function recovery(frame: AccountFrame, page: UserPage, path: string, hasFactors: boolean): Html {
  const m = frame.messages.admin.people;
  return html`<section>
<h2 class="section-title">${m.help}</h2>
${!page.canSendEmail && html`<p class="quiet">${m.noEmail}</p>`}
<div class="actions">
${page.canSendEmail && action(frame, `${path}/send-reset`, m.sendReset)}
${action(frame, `${path}/recovery-link`, m.recoveryLink)}
${hasFactors && action(frame, `${path}/remove-second-factors`, m.removeFactors, 'danger')}
</div>
<p class="aside">${m.recoveryHint}</p>
</section>`;
}
