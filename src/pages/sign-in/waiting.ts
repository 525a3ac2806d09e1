// What people see whose new account has to be approved first: it waits, or too many wait already.

import { linkButton } from '../components/controls.ts';
import { html } from '../layout/html.ts';
import { type Frame, layout } from '../layout/layout.ts';

/** `told`: whether they get an email when they can sign in. */
export function waitingPage(frame: Frame, page: { readonly told: boolean; readonly signInUrl: string }): string {
  const m = frame.messages.approval;
  const body = html`
<h1>${m.title}</h1>
<p>${m.text}</p>
${page.told && html`<p>${m.told}</p>`}
<p>${linkButton({ label: frame.messages.account.resetPassword.back, href: page.signInUrl })}</p>`;
  return layout(frame, { title: m.title, body });
}

/** No account was created. */
export function tooManyWaitingPage(frame: Frame, signInUrl: string): string {
  const m = frame.messages.approval;
  const body = html`
<h1>${m.fullTitle}</h1>
<p>${m.full}</p>
<p>${linkButton({ label: frame.messages.account.resetPassword.back, href: signInUrl })}</p>`;
  return layout(frame, { title: m.fullTitle, body });
}
