import { type AppFace, appIcon } from './app-icon.ts';
import { accountName, field, hidden } from './form.ts';
import { html } from './html.ts';
import { alert, type Frame, layout } from './layout.ts';

export interface SignUpPage {
  readonly app: AppFace | undefined;
  readonly email: string;
  readonly ticket: string;
  readonly problem: string | undefined;
  /** Whether accounts can be made here, and if not, why. */
  readonly state: 'open' | 'closed' | 'no_mail';
  /** Where somebody signs in who has an account already, on the way to the same place. */
  readonly signInUrl: string;
}

export function signUpPage(frame: Frame, page: SignUpPage): string {
  const m = frame.messages.account;
  const s = m.signUp;
  const form = html`${alert(page.problem)}
<p>${s.lead}</p>
<form method="post" action="/sign-up">
${hidden('continue', page.ticket)}
${field({ name: 'email', label: m.email, type: 'email', autocomplete: 'email', value: page.email, limit: 254, focus: true })}
<button class="primary" type="submit">${s.submit}</button>
</form>`;
  const body = html`
<div class="lead">
${page.app && appIcon(page.app)}
<h1>${s.title}</h1>
${page.app && html`<p>${s.toContinue(page.app.name)}</p>`}
</div>
${page.state === 'open' ? form : html`<p class="notice">${page.state === 'closed' ? s.closed : m.noMail}</p>`}
<p class="aside">${s.haveOne} <a href="${page.signInUrl}">${frame.messages.signIn.submit}</a></p>`;
  return layout(frame, { title: s.title, body });
}

export interface FinishSignUpPage {
  readonly email: string;
  readonly name: string;
  readonly link: string;
  readonly problem: string | undefined;
}

export function finishSignUpPage(frame: Frame, page: FinishSignUpPage): string {
  const m = frame.messages.account;
  const s = m.signUp;
  const body = html`
<h1>${s.finishTitle}</h1>
<p>${s.finishLead(page.email)}</p>
${alert(page.problem)}
<form method="post" action="/sign-up/finish">
${hidden('link', page.link)}
${accountName(page.email)}
${field({ name: 'name', label: m.name, autocomplete: 'name', value: page.name, limit: 100, hint: s.nameHint, focus: page.name === '' })}
${field({ name: 'password', label: m.password, type: 'password', autocomplete: 'new-password', hint: m.newPasswordHint, focus: page.name !== '' })}
<button class="primary" type="submit">${s.finish}</button>
</form>`;
  return layout(frame, { title: s.finishTitle, body });
}

/** The same whether or not the address has an account. */
export function mailSentPage(frame: Frame, page: { email: string; outbox: boolean }): string {
  const m = frame.messages.account.mailSent;
  const body = html`
<h1>${m.title}</h1>
<p>${m.text(page.email)}</p>
<p class="quiet">${m.hint}</p>
${page.outbox && html`<p class="notice"><a href="/dev/outbox">${m.outbox}</a></p>`}`;
  return layout(frame, { title: m.title, body });
}

export function linkOverPage(frame: Frame, again: string): string {
  const m = frame.messages.account.linkOver;
  const body = html`
<h1>${m.title}</h1>
<p>${m.text}</p>
<p><a class="button" href="${again}">${m.again}</a></p>`;
  return layout(frame, { title: m.title, body });
}
