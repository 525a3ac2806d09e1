// The pages of links that are sent by email: creating an account, a forgotten password, and "This wasn't me" about a new
// second factor.

import { notice } from '../components/display.ts';
import type { Messages } from '../languages/languages.ts';
import { accountName, field, hidden, passwordField } from '../layout/form.ts';
import { html } from '../layout/html.ts';
import type { AppIdentity } from '../layout/identity.ts';
import { type Frame, layout, leading } from '../layout/layout.ts';

export interface SignUpPage {
  readonly app: AppIdentity | undefined;
  readonly email: string;
  readonly ticket: string;
  readonly problem: string | undefined;
  /** Whether people can create accounts themselves, and if not, why. */
  readonly state: 'open' | 'approval' | 'closed' | 'full' | 'no_mail';
  /** Where to sign in, for somebody who already has an account, on the way to the same place. */
  readonly signInUrl: string;
}

export function signUpPage(frame: Frame, page: SignUpPage): string {
  const m = frame.messages.account;
  const s = m.signUp;
  const { approval } = frame.messages;
  const refusals = { closed: s.closed, full: approval.full, no_mail: m.noEmail };
  const form = html`<p>${s.lead}</p>
${page.state === 'approval' && html`<p>${approval.needed}</p>`}
<form method="post" action="/sign-up">
${hidden('continue', page.ticket)}
${field({ name: 'email', label: m.email, type: 'email', autocomplete: 'email', value: page.email, limit: 254, focus: true, problem: page.problem })}
<button class="primary" type="submit">${s.submit}</button>
</form>`;
  const body = html`
${leading(s.title, page.app && s.toContinue(page.app.name), page.app)}
${page.state === 'open' || page.state === 'approval' ? form : notice(refusals[page.state])}
<p class="aside">${s.haveOne} <a href="${page.signInUrl}">${frame.messages.signIn.submit}</a></p>`;
  return layout(frame, { title: s.title, body });
}

export interface FinishSignUpPage {
  /** The kind of link: requested by email, an invitation, or the one that sets the service up. */
  readonly purpose: 'sign_up' | 'invite' | 'set_up';
  readonly email: string;
  readonly name: string;
  readonly link: string;
  /** What is wrong with each field. */
  readonly problems: { readonly [Name in 'email' | 'name' | 'password']?: string | undefined };
}

export function finishSignUpPage(frame: Frame, page: FinishSignUpPage): string {
  const m = frame.messages.account;
  const s = m.signUp;
  const isSetUp = page.purpose === 'set_up';
  const action = { sign_up: '/sign-up/finish', invite: '/invitation', set_up: '/set-up' }[page.purpose];
  const title = { sign_up: s.finishTitle, invite: s.inviteTitle, set_up: s.setUpTitle }[page.purpose];
  const { problems } = page;
  const address = isSetUp
    ? field({
        name: 'email',
        label: m.email,
        type: 'email',
        autocomplete: 'username',
        value: page.email,
        limit: 254,
        focus: true,
        problem: problems.email,
      })
    : accountName(page.email);
  const name = field({
    name: 'name',
    label: m.name,
    autocomplete: 'name',
    value: page.name,
    limit: 100,
    hint: s.nameHint,
    focus: !isSetUp && page.name === '',
    problem: problems.name,
  });
  const password = passwordField(frame.messages, {
    name: 'password',
    label: m.password,
    autocomplete: 'new-password',
    hint: m.newPasswordHint,
    focus: !isSetUp && page.name !== '',
    problem: problems.password,
  });
  const body = html`
${leading(title, isSetUp ? s.setUpLead : s.finishLead(page.email))}
<form method="post" action="${action}">
${hidden('link', page.link)}
${address}
${name}
${password}
<button class="primary" type="submit">${s.finish}</button>
</form>`;
  return layout(frame, { title, body });
}

/** Does not say whether the address has an account. */
export function emailSentPage(frame: Frame, page: { email: string; outbox: boolean }): string {
  const m = frame.messages.account.emailSent;
  const body = html`
<h1>${m.title}</h1>
<p>${m.text(page.email)}</p>
<p class="quiet">${m.hint}</p>
${page.outbox && notice(html`<a href="/dev/outbox">${m.outbox}</a>`)}`;
  return layout(frame, { title: m.title, body });
}

/** `again` is where to request another link; without it, the page says to ask an administrator. */
export function linkExpiredPage(frame: Frame, again: string | undefined): string {
  const m = frame.messages.account.linkExpired;
  const body = html`
<h1>${m.title}</h1>
<p>${m.text}</p>
${again === undefined ? html`<p>${m.askAdministrator}</p>` : html`<p><a class="button" href="${again}">${m.again}</a></p>`}`;
  return layout(frame, { title: m.title, body });
}

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

export function undoFactorPage(
  frame: Frame,
  page: { addition: keyof Messages['emails']['factorAdded']['texts']; link: string },
): string {
  const { messages } = frame;
  const m = messages.recovery.undo;
  const body = html`
<h1>${m.title}</h1>
<p>${messages.emails.factorAdded.texts[page.addition]}</p>
<p>${m.lead}</p>
<form method="post" action="/not-me">
${hidden('link', page.link)}
<button class="danger" type="submit">${m.submit}</button>
</form>`;
  return layout(frame, { title: m.title, body });
}

export function factorUndonePage(frame: Frame): string {
  const m = frame.messages.recovery.undo;
  const body = html`
<h1>${m.doneTitle}</h1>
<p>${m.done}</p>
<p><a class="button primary" href="/reset-password">${m.reset}</a></p>`;
  return layout(frame, { title: m.doneTitle, body });
}
