// Pages for a person who needs a second factor: creating a passkey or setting up an authenticator app, the recovery codes that
// come with it, and proving one in a session that was started without.

import { linkButton } from '../components/controls.ts';
import { accountName, field, hidden, passwordField } from '../layout/form.ts';
import { type Html, html } from '../layout/html.ts';
import type { AppIdentity } from '../layout/identity.ts';
import { type Frame, layout, leading } from '../layout/layout.ts';
import { type AuthenticatorKey, authenticatorKey, recoveryCodes } from '../layout/second-factor.ts';
import { type ForgottenPassword, forgottenButton, forgottenForm } from './emailed-links.ts';
import { passkeyChoice, passkeyFormAttributes } from './passkey-choice.ts';
import { type CodeForms, codeForms } from './second-step.ts';

/** What the pages have in common: a form that a person sends who is known, but whose sign-in isn't complete. */
interface FactorPage {
  readonly app: AppIdentity | undefined;
  readonly email: string;
  readonly action: string;
  readonly ticket: string;
  readonly leave: Leave;
}

export interface SetUpFactorPage extends FactorPage, AuthenticatorKey {
  /** For a person who has to enter their password, and may have forgotten it. */
  readonly password: ForgottenPassword | undefined;
  /** What is wrong with the code, with the password, and with the passkey. */
  readonly problem: string | undefined;
  readonly passkeyProblem?: string | undefined;
  readonly passwordProblem?: string | undefined;
}

/** How to continue with another account: start over, or in a session sign out first. */
export type Leave = { readonly signInUrl: string } | { readonly formToken: string };

export function setUpFactorPage(frame: Frame, page: SetUpFactorPage): string {
  const m = frame.messages.secondFactor;
  const password = html`${accountName(page.email)}
${passwordField(frame.messages, { name: 'current_password', label: m.password, autocomplete: 'current-password', hint: m.passwordHint, problem: page.passwordProblem })}
${forgottenButton(frame)}`;
  const app = html`<p>${frame.messages.account.authenticator.scan}</p>
${authenticatorKey(frame, page)}
${field({ name: 'code', label: m.code, autocomplete: 'one-time-code', limit: 12, problem: page.problem })}
<button class="primary" type="submit">${m.submit}</button>`;
  const body = html`
${leading(m.setUpTitle, page.app ? m.setUpLeadFor(page.app.name) : m.setUpLead, page.app)}
<form method="post" action="${page.action}"${passkeyFormAttributes(frame, page.action)}>
${hidden('set_up', page.ticket)}
${page.password !== undefined && password}
${passkeyChoice(frame, { problem: page.passkeyProblem, password: app, instead: m.withApp })}
</form>
${page.password && forgottenForm(page.password)}
${leaveLine(frame, page.email, page.leave)}`;
  return layout(frame, { title: m.setUpTitle, body });
}

export interface ProofBeforeSetUpPage extends FactorPage {
  readonly ticketField: string;
  /** The identity providers that the person can sign in with again. */
  readonly upstreams: readonly { readonly name: string; readonly label: string }[];
  /** Where a person who has only their mailbox signs in again. */
  readonly again?: string | undefined;
  /** Whether they can set a password. */
  readonly passwords: boolean;
}

/** For a person without a password, who has to sign in again before a second factor is set up. */
export function proofBeforeSetUpPage(frame: Frame, page: ProofBeforeSetUpPage): string {
  const { secondFactor: m, upstreams: words, account, passwordless } = frame.messages;
  const [why, how] = page.passwords
    ? [account.proof.noWay, account.proof.byEmail]
    : [passwordless.over, passwordless.byEmail];
  const buttons = page.upstreams.map(
    ({ name, label }) =>
      html`<button class="primary" type="submit" name="upstream" value="${name}">${words.continueWith(label)}</button>\n`,
  );
  const byEmail = html`<p>${why}</p>
<p>${linkButton({ label: how, href: '/reset-password', kind: 'primary' })}</p>`;
  const signInAgain = html`<p>${account.proof.leadElsewhere}</p>
<p>${linkButton({ label: frame.messages.signIn.submit, href: page.again ?? '', kind: 'primary' })}</p>`;
  const form = html`<p>${account.proof.leadElsewhere}</p>
<form class="stack providers" method="post" action="${page.action}">
${hidden(page.ticketField, page.ticket)}
${buttons}
</form>`;
  const body = html`
${leading(m.setUpTitle, page.app ? m.setUpLeadFor(page.app.name) : m.setUpLead, page.app)}
${buttons.length > 0 ? form : page.again === undefined ? byEmail : signInAgain}
${leaveLine(frame, page.email, page.leave)}`;
  return layout(frame, { title: m.setUpTitle, body });
}

export interface VerifyPage extends FactorPage, CodeForms {
  readonly authenticator: boolean;
}

export function verifyPage(frame: Frame, page: VerifyPage): string {
  const m = frame.messages.secondFactor;
  const body = html`
${leading(m.verifyTitle, page.authenticator ? m.verifyLead : m.verifyLeadPasskeyOnly, page.app)}
${codeForms(frame, page)}
${leaveLine(frame, page.email, page.leave)}`;
  return layout(frame, { title: m.verifyTitle, body });
}

export function savedCodesPage(
  frame: Frame,
  page: { codes: readonly string[]; email: string; continueTo: string },
): string {
  const m = frame.messages.secondFactor;
  const body = html`
${leading(m.codesTitle, m.codesLead)}
${recoveryCodes(frame, page.codes, page.email)}
<p>${linkButton({ label: m.codesDone, href: page.continueTo, kind: 'primary' })}</p>`;
  // Without the language picker: the codes couldn't be shown again.
  return layout({ ...frame, returnTo: undefined }, { title: m.codesTitle, body });
}

/** After a sign-in with a recovery code: people who lost their phone can remove it right away. */
export function usedCodePage(frame: Frame, page: { left: number; continueTo: string }): string {
  const { secondFactor: m, account } = frame.messages;
  const left = page.left === 0 ? account.security.noCodesLeft : m.usedLeft(page.left);
  const body = html`
${leading(m.usedTitle, left)}
<p>${m.lost} <a href="/account/security">${m.remove}</a></p>
<p>${linkButton({ label: m.continue, href: page.continueTo, kind: 'primary' })}</p>`;
  return layout(frame, { title: m.usedTitle, body });
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
