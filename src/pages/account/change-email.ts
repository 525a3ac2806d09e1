// Changing the email address: the form, and the pages behind the link that confirms it.

import { button } from '../components/controls.ts';
import { card, notice } from '../components/display.ts';
import { field } from '../layout/form.ts';
import { html } from '../layout/html.ts';
import { type Frame, layout } from '../layout/layout.ts';
import { type AccountFrame, accountLayout, postForm } from './account-layout.ts';

export interface ChangeEmailPage {
  readonly email: string;
  readonly newEmail: string;
  /** Whether the service can send email. */
  readonly available: boolean;
  readonly problem: string | undefined;
}

export function changeEmailPage(frame: AccountFrame, page: ChangeEmailPage): string {
  const m = frame.messages.account;
  const newEmail = field({
    name: 'email',
    label: m.changeEmail.newAddress,
    type: 'email',
    autocomplete: 'email',
    value: page.newEmail,
    limit: 254,
    focus: true,
    problem: page.problem,
  });
  const form = card({
    lead: m.changeEmail.lead(page.email),
    body: newEmail,
    actions: button({ label: m.changeEmail.submit, kind: 'primary' }),
  });
  const body = page.available ? postForm(frame, '/account/email', form) : notice(m.noEmail);
  const back = { href: '/account/profile', label: m.changeEmail.back };
  return accountLayout(frame, { section: 'profile', title: m.changeEmail.title, back, body });
}

/** `before` is the address that the person had, which may be the same: then it's verified now. */
export function emailChangedPage(frame: Frame, email: string, before: string): string {
  const m = frame.messages.account.changeEmail;
  const [title, text] = email === before ? [m.verifiedTitle, m.verified(email)] : [m.changedTitle, m.confirmed(email)];
  const body = html`
<h1>${title}</h1>
<p>${text}</p>
<p><a class="button primary" href="/account">${m.toAccount}</a></p>`;
  return layout(frame, { title, body });
}

export function confirmEmailPage(frame: AccountFrame, page: { email: string; current: string; link: string }): string {
  const { changeEmail: m, profile } = frame.messages.account;
  const [title, lead] =
    page.email === page.current
      ? [profile.verify, m.verifyLead(page.email)]
      : [m.confirmTitle, m.confirmLead(page.email, page.current)];
  const body = html`
<h1>${title}</h1>
<p>${lead}</p>
${postForm(frame, '/account/email/confirm', button({ label: m.confirm, kind: 'primary' }), { link: page.link })}`;
  return layout(frame, { title, body });
}
