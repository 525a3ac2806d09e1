// The console's page about API keys, and the page that shows a new key once.

import { type AccountFrame, formToken, time } from '../account/account-layout.ts';
import { field, hidden } from '../layout/form.ts';
import { html } from '../layout/html.ts';
import { badge, consoleLayout, copyable } from './console-layout.ts';

export interface ApiKeysPage {
  readonly keys: readonly {
    readonly id: string;
    readonly name: string;
    readonly permission: 'read' | 'write';
    readonly createdAt: number;
    readonly expiresAt: number | null;
    readonly lastUsedAt: number | null;
    readonly ended: boolean;
    /** The administrator's name; undefined for the command line. */
    readonly maker: string | undefined;
  }[];
  readonly submissionToken: string;
  readonly attempt: { readonly name: string; readonly permission: string; readonly days: string };
  readonly notice: string | undefined;
  readonly problem: string | undefined;
}

export function apiKeysPage(frame: AccountFrame, page: ApiKeysPage): string {
  const { admin, dates } = frame.messages;
  const m = admin.keys;
  const rows = page.keys.map(
    (key) => html`<li>
<div>
<h2 class="thing-name">${key.name} ${badge(m[key.permission])} ${key.ended && badge(m.expired, 'danger')}</h2>
<dl class="facts">
<div><dt>${admin.created}</dt><dd>${time(dates.day(key.createdAt), key.createdAt)}</dd></div>
<div><dt>${m.maker}</dt><dd>${key.maker ?? m.commandLine}</dd></div>
<div><dt>${m.expires}</dt><dd>${key.expiresAt === null ? m.noEnd : time(dates.day(key.expiresAt), key.expiresAt)}</dd></div>
<div><dt>${m.lastUsed}</dt><dd>${key.lastUsedAt === null ? admin.never : time(dates.moment(key.lastUsedAt), key.lastUsedAt)}</dd></div>
</dl>
</div>
<button class="danger" type="submit" name="end" value="${key.id}">${m.end}<span class="unseen"> ${key.name}</span></button>
</li>`,
  );
  const list = html`<form method="post" action="/admin/keys/end">${formToken(frame)}<ul class="things">${rows}</ul></form>`;
  const permissions = (['read', 'write'] as const).map((permission) => {
    const checked = permission === page.attempt.permission ? html` checked` : html``;
    return html`<label class="choice-line"><input type="radio" name="permission" value="${permission}"${checked}> ${m[permission]}</label>`;
  });
  const body = html`
<p>${m.lead}</p>
${rows.length === 0 ? html`<p class="quiet">${m.none}</p>` : list}
<section>
<h2 class="section-title">${m.create}</h2>
<form method="post" action="/admin/keys">
${formToken(frame)}
${hidden('once', page.submissionToken)}
${field({ name: 'name', label: m.name, autocomplete: 'off', value: page.attempt.name, limit: 100, hint: m.nameHint })}
<fieldset><legend>${m.permission}</legend>${permissions}</fieldset>
${field({ name: 'days', label: m.days, autocomplete: 'off', value: page.attempt.days, limit: 4, hint: m.daysHint, optional: true })}
<button class="primary" type="submit">${m.create}</button>
</form>
</section>`;
  return consoleLayout(frame, { section: 'keys', notice: page.notice, problem: page.problem, body });
}

export function newApiKeyPage(frame: AccountFrame, page: { secret: string; example: string }): string {
  const m = frame.messages.admin.keys;
  const body = html`
<p>${m.keyLead}</p>
${copyable(frame, m.key, 'key', page.secret)}
${copyable(frame, m.use, 'use', page.example)}
<p><a class="button primary" href="/admin/keys">${m.done}</a></p>`;
  return consoleLayout(frame, { section: 'keys', title: m.keyTitle, body });
}
