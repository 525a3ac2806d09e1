// The sign-in page: email address and password, or a passkey, and the ways to an account for those without either.

import { type AppIdentity, appIcon } from '../layout/app-icon.ts';
import { checkbox, hidden } from '../layout/form.ts';
import { html } from '../layout/html.ts';
import { alert, type Frame, layout } from '../layout/layout.ts';

export interface SignInPage {
  /** The app that the user is going to; undefined on the way to a page of the service. */
  readonly app: AppIdentity | undefined;
  readonly email: string;
  /** Whether "Keep me signed in" is ticked. */
  readonly keep: boolean;
  readonly ticket: string;
  readonly problem: string | undefined;
  /** Whether the page offers to create an account. */
  readonly signUp: boolean;
}

export function signInPage(frame: Frame, page: SignInPage): string {
  const m = frame.messages.signIn;
  const hinted = page.email !== '';
  const body = html`
<div class="lead">
${page.app && appIcon(page.app)}
<h1>${m.title}</h1>
<p>${page.app ? m.continueTo(page.app.name) : m.toAccount}</p>
${frame.brand.signInMessage !== undefined && html`<p class="service-message">${frame.brand.signInMessage}</p>`}
</div>
${alert(page.problem)}
<form method="post" action="/sign-in">
<input type="hidden" name="continue" value="${page.ticket}">
<label for="email">${m.email}</label>
<input id="email" name="email" type="email" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="254" required value="${page.email}"${!hinted && autofocus}>
<label for="password">${m.password}</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${hinted && autofocus}>
${checkbox({ name: 'keep', label: m.keep, checked: page.keep })}
<button class="primary" type="submit">${m.submit}</button>
</form>
<form method="post" action="/sign-in/passkey" data-passkey="get" data-options="/sign-in/passkey/options" data-failed="${m.passkeyFailed}" hidden>
${hidden('continue', page.ticket)}
${hidden('answer', '')}
${hidden('challenge', '')}
<input type="hidden" name="keep" value="" data-copies="keep">
<p class="alert" role="alert" hidden></p>
<button type="submit">${m.passkey}</button>
</form>
<form class="aside others" method="post" action="/reset-password/start">
${hidden('continue', page.ticket)}
<button class="link" type="submit">${m.forgotten}</button>
${page.signUp && html`<button class="link" type="submit" formaction="/sign-up/start">${m.create}</button>`}
</form>`;
  return layout(frame, { title: m.title, body });
}

const autofocus = html` autofocus`;
