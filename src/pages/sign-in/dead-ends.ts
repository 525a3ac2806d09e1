// Pages that lead to no application: after signing out, with why the browser didn't go back, and for people whose new account has
// to be approved first.

import type { ReturnRefusal } from '../../protocol/oauth/logout.ts';
import { linkButton } from '../components/controls.ts';
import { type ErrorPage, forDeveloper } from '../layout/error-page.ts';
import { html } from '../layout/html.ts';
import { type Frame, layout } from '../layout/layout.ts';

export interface NoReturn extends Pick<ErrorPage, 'reference' | 'app'> {
  readonly reason: ReturnRefusal;
}

/** `elsewhere` for a person who had signed in with an identity provider: that session continues. */
export function signedOutPage(frame: Frame, elsewhere: boolean, noReturn?: NoReturn): string {
  const { signedOut: m, signOut } = frame.messages;
  const body = html`
<h1>${m.title}</h1>
<p>${m.text(frame.brand.name)}</p>
${elsewhere && html`<p>${m.elsewhere}</p>`}
${noReturn && html`<p>${signOut.noReturn[noReturn.reason]}</p><p>${signOut.noReturnTodo}</p>`}
<p><a class="button primary" href="/sign-in">${m.again}</a></p>
${noReturn && forDeveloper(frame, noReturn)}`;
  return layout(frame, { title: m.title, body });
}

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
