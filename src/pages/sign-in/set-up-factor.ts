// Pages for somebody who needs a second factor: setting up an authenticator app, the recovery codes that come with it, and
// proving one in a session that was started without.

import { type AppIdentity, appIcon } from '../layout/app-icon.ts';
import { accountName, field, hidden } from '../layout/form.ts';
import { type Html, html } from '../layout/html.ts';
import { alert, type Frame, layout } from '../layout/layout.ts';
import { qrCode } from '../layout/qr-code.ts';
import { type CodeForms, codeForms } from './second-step.ts';

export interface SetUpFactorPage {
  readonly app: AppIdentity | undefined;
  readonly email: string;
  /** What the QR code holds. */
  readonly uri: string;
  /** The same key, for typing it in. */
  readonly key: string;
  readonly action: string;
  readonly ticket: string;
  readonly needsPassword: boolean;
  readonly problem: string | undefined;
  readonly leave: Leave;
}

/** How to continue with another account: start over, or in a session sign out first. */
export type Leave = { readonly signInUrl: string } | { readonly formToken: string };

export function setUpFactorPage(frame: Frame, page: SetUpFactorPage): string {
  const m = frame.messages.secondFactor;
  const password = html`${accountName(page.email)}
${field({ name: 'current_password', label: m.password, type: 'password', autocomplete: 'current-password', hint: m.passwordHint })}`;
  const body = html`
<div class="lead">
${page.app && appIcon(page.app)}
<h1>${m.setUpTitle}</h1>
<p>${page.app ? m.setUpLeadFor(page.app.name) : m.setUpLead}</p>
</div>
${alert(page.problem)}
<p>${m.scan}</p>
<div class="qr">${qrCode(page.uri, m.alt)}</div>
<p>${m.orType}<br><code class="key">${page.key.replace(/(.{4})(?=.)/g, '$1 ')}</code></p>
<form method="post" action="${page.action}">
${hidden('set_up', page.ticket)}
${field({ name: 'code', label: m.code, autocomplete: 'one-time-code', limit: 12 })}
${page.needsPassword && password}
<button class="primary" type="submit">${m.submit}</button>
</form>
${leaveLine(frame, page.email, page.leave)}`;
  return layout(frame, { title: m.setUpTitle, body });
}

export interface VerifyPage extends CodeForms {
  readonly app: AppIdentity | undefined;
  readonly email: string;
  readonly authenticator: boolean;
  readonly problem: string | undefined;
  readonly leave: Leave;
}

export function verifyPage(frame: Frame, page: VerifyPage): string {
  const m = frame.messages.secondFactor;
  const body = html`
<div class="lead">
${page.app && appIcon(page.app)}
<h1>${m.verifyTitle}</h1>
</div>
<p>${page.authenticator ? m.verifyLead : m.verifyLeadPasskeyOnly}</p>
${alert(page.problem)}
${codeForms(frame, page)}
${leaveLine(frame, page.email, page.leave)}`;
  return layout(frame, { title: m.verifyTitle, body });
}

export function savedCodesPage(frame: Frame, page: { codes: readonly string[]; continueTo: string }): string {
  const m = frame.messages.secondFactor;
  const body = html`
<h1>${m.codesTitle}</h1>
<p>${m.codesLead}</p>
<ul class="codes">${page.codes.map((code) => html`<li><code>${code}</code></li>`)}</ul>
<p><a class="button primary" href="${page.continueTo}">${m.codesDone}</a></p>`;
  return layout(frame, { title: m.codesTitle, body });
}

function leaveLine(frame: Frame, email: string, leave: Leave): Html {
  const { secondFactor: m, account } = frame.messages;
  if ('signInUrl' in leave) {
    return html`<p class="aside">${m.signingInAs(email)} <a href="${leave.signInUrl}">${account.secondStep.other}</a></p>`;
  }
  return html`<form class="aside others" method="post" action="/sign-out">
${hidden('form_token', leave.formToken)}
<span>${m.signedInAs(email)}</span>
<button class="link" type="submit">${m.signOut}</button>
</form>`;
}
