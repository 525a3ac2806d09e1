// The sign-in page: email address and password, or a passkey, and the ways to an account for those without either.

import { alert } from '../components/display.ts';
import { icon } from '../components/icon.ts';
import { checkbox, field, hidden, passkeyParts, passwordField } from '../layout/form.ts';
import { type Html, html } from '../layout/html.ts';
import type { AppIdentity } from '../layout/identity.ts';
import { type Frame, layout, leading } from '../layout/layout.ts';
import { type UpstreamButton, upstreamButtons } from './upstreams.ts';

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
  /** Whether it offers to email a code. */
  readonly emailCode: boolean;
  /** The identity providers that people can sign in with. */
  readonly upstreams: readonly UpstreamButton[];
  /** `off`: nobody can set one. `over`: none signs in, so none is asked for. */
  readonly passwords: 'allowed' | 'off' | 'over';
  /** Whether the password was right, and no longer signs its owner in. */
  readonly passwordOver: boolean;
}

export function signInPage(frame: Frame, page: SignInPage): string {
  const { signIn: m, passwordless } = frame.messages;
  const hinted = page.email !== '';
  const withPassword = page.passwords !== 'over';
  const byEmail = (look: string) => elsewhere('/reset-password/start', passwordless.byEmail, look);
  const message = frame.brand.signInMessage;
  const body = html`
${leading(m.title, page.app ? m.continueTo(page.app.name) : m.toAccount, page.app, message && html`<p class="service-message">${message}</p>`)}
${alert(page.problem)}
${page.passwordOver && html`<p>${byEmail('')}</p>`}
<form id="sign-in" method="post" action="/sign-in">
${hidden('continue', page.ticket)}
${field({ name: 'email', label: m.email, type: 'email', autocomplete: 'username webauthn', limit: 254, value: page.email, focus: !hinted })}
${withPassword && passwordField(frame.messages, { name: 'password', label: m.password, autocomplete: 'current-password', focus: hinted })}
${checkbox({ name: 'keep', label: m.keep, checked: page.keep })}
${withPassword && html`<button class="primary" type="submit">${m.submit}</button>`}
</form>
<form method="post" action="/sign-in/passkey" data-passkey="get" data-autofill data-options="/sign-in/passkey/options" data-failed="${m.passkeyFailed}" hidden>
${hidden('continue', page.ticket)}
<input type="hidden" name="keep" value="" data-copies="keep">
${passkeyParts}
<button${!withPassword && html` class="primary"`} type="submit">${icon('finger-print')}${m.passkey}</button>
</form>
${page.emailCode && html`<div class="stack providers"><button type="submit" form="sign-in" formaction="/sign-in/code" formnovalidate>${icon('envelope')}${frame.messages.emailCodes.send}</button></div>`}
${upstreamButtons(frame, 'sign-in', page.upstreams)}
<p class="aside others">
${page.passwords === 'allowed' && elsewhere('/reset-password/start', m.forgotten)}
${page.passwords !== 'allowed' && !page.passwordOver && byEmail('link')}
${page.signUp && elsewhere('/sign-up/start', m.create)}
</p>`;
  return layout(frame, { title: m.title, body });
}

/** Posts the sign-in form to another page, so that the typed email address gets there without standing in a URL. */
function elsewhere(action: string, label: string, look = 'link'): Html {
  return html`<button class="${look}" type="submit" form="sign-in" formaction="${action}" formnovalidate>${label}</button>`;
}
