// The pages of creating an account: requesting a link, and finishing with it. Also two pages that every emailed link can
// lead to: that the email was sent, and that the link has expired.

import { notice } from '../components/display.ts';
import { accountName, field, hidden, passwordField } from '../layout/form.ts';
import { html } from '../layout/html.ts';
import { type AppIdentity, appIcon } from '../layout/identity.ts';
import { type Frame, layout } from '../layout/layout.ts';

export interface SignUpPage {
  readonly app: AppIdentity | undefined;
  readonly email: string;
  readonly ticket: string;
  readonly problem: string | undefined;
  /** Whether people can create accounts themselves, and if not, why. */
  readonly state: 'open' | 'closed' | 'no_mail';
  /** Where to sign in, for somebody who already has an account, on the way to the same place. */
  readonly signInUrl: string;
}

export function signUpPage(frame: Frame, page: SignUpPage): string {
  const m = frame.messages.account;
  const s = m.signUp;
  const form = html`<p>${s.lead}</p>
<form method="post" action="/sign-up">
${hidden('continue', page.ticket)}
${field({ name: 'email', label: m.email, type: 'email', autocomplete: 'email', value: page.email, limit: 254, focus: true, problem: page.problem })}
<button class="primary" type="submit">${s.submit}</button>
</form>`;
  const body = html`
<div class="lead">
${page.app && appIcon(page.app)}
<h1>${s.title}</h1>
${page.app && html`<p>${s.toContinue(page.app.name)}</p>`}
</div>
${page.state === 'open' ? form : notice(page.state === 'closed' ? s.closed : m.noEmail)}
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
<div class="lead">
<h1>${title}</h1>
<p>${isSetUp ? s.setUpLead : s.finishLead(page.email)}</p>
</div>
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
