// The pages of a forgotten password: requesting a link, setting a new password with it, and the confirmation.

import { notice } from '../components/display.ts';
import { accountName, field, hidden, passwordField } from '../layout/form.ts';
import { html } from '../layout/html.ts';
import { type Frame, layout } from '../layout/layout.ts';

export interface ResetPasswordPage {
  readonly email: string;
  readonly problem: string | undefined;
  /** Whether emails can be sent. */
  readonly available: boolean;
  /** Carries where the user is going. */
  readonly ticket: string;
  /** Where to sign in on the way there. */
  readonly signInUrl: string;
}

export function resetPasswordPage(frame: Frame, page: ResetPasswordPage): string {
  const m = frame.messages.account;
  const r = m.resetPassword;
  const form = html`<p>${r.lead}</p>
<form method="post" action="/reset-password">
${hidden('continue', page.ticket)}
${field({ name: 'email', label: m.email, type: 'email', autocomplete: 'username', value: page.email, limit: 254, focus: true, problem: page.problem })}
<button class="primary" type="submit">${r.submit}</button>
</form>`;
  const body = html`
<h1>${r.title}</h1>
${page.available ? form : notice(m.noEmail)}
<p class="aside"><a href="${page.signInUrl}">${r.back}</a></p>`;
  return layout(frame, { title: r.title, body });
}

export function newPasswordPage(
  frame: Frame,
  page: { action: string; link: string; email: string; problem: string | undefined },
): string {
  const m = frame.messages.account;
  const r = m.resetPassword;
  const body = html`
<h1>${r.finishTitle}</h1>
<p>${r.finishLead}</p>
<form method="post" action="${page.action}">
${hidden('link', page.link)}
${accountName(page.email)}
${passwordField(frame.messages, { name: 'password', label: m.newPassword, autocomplete: 'new-password', hint: m.newPasswordHint, focus: true, problem: page.problem })}
<button class="primary" type="submit">${r.finish}</button>
</form>`;
  return layout(frame, { title: r.finishTitle, body });
}

export function passwordResetPage(frame: Frame, signInUrl: string): string {
  const m = frame.messages.account.resetPassword;
  const body = html`
<h1>${m.doneTitle}</h1>
<p>${m.done}</p>
<p><a class="button primary" href="${signInUrl}">${m.signIn}</a></p>`;
  return layout(frame, { title: m.doneTitle, body });
}
