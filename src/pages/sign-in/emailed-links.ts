// The pages of links that are sent by email: creating an account, a forgotten password, and "This wasn't me" about a new
// second factor.

import type { SignUpLinkEnd, SignUpVerdict } from '../../protocol/sign-in/sign-up-rules.ts';
import { button } from '../components/controls.ts';
import { notice } from '../components/display.ts';
import type { Messages } from '../languages/languages.ts';
import { accountName, field, hidden, passwordField } from '../layout/form.ts';
import { address, type Html, html } from '../layout/html.ts';
import type { AppIdentity } from '../layout/identity.ts';
import { type Frame, layout, leading } from '../layout/layout.ts';
import { recoveryCodes } from '../layout/second-factor.ts';
import { sentenceWith } from '../layout/time.ts';
import { passkeyChoice, passkeyFormAttributes } from './passkey-choice.ts';

export interface SignUpPage {
  readonly app: AppIdentity | undefined;
  readonly email: string;
  readonly ticket: string;
  readonly problem: string | undefined;
  /** Whether people can create accounts themselves, and if not, why. */
  /** `full`: too many wait for approval. */
  readonly state: SignUpVerdict | 'full';
  /** Whether an administrator has to approve the account. */
  readonly approval: boolean;
  /** The secret of the link to sign up with that they have brought. */
  readonly link: string | undefined;
  /** Where to sign in, for a person who already has an account, on the way to the same place. */
  readonly signInUrl: string;
}

export function signUpPage(frame: Frame, page: SignUpPage): string {
  const m = frame.messages.account;
  const s = m.signUp;
  const { approval } = frame.messages;
  const form = html`<p>${s.lead}</p>
${page.approval && html`<p>${approval.needed}</p>`}
<form method="post" action="/sign-up">
${hidden('continue', page.ticket)}${page.link !== undefined && hidden('link', page.link)}
${field({ name: 'email', label: m.email, type: 'email', autocomplete: 'email', value: page.email, limit: 254, focus: true, problem: page.problem })}
<button class="primary" type="submit">${s.submit}</button>
</form>`;
  const { linkNeeded, otherDomain } = frame.messages.signUpLinks;
  const refusals = {
    closed: s.closed,
    no_mail: m.noEmail,
    full: approval.full,
    link_needed: linkNeeded,
    other_domain: otherDomain,
  };
  const body = html`
${leading(s.title, page.app && s.toContinue(page.app.name), page.app)}
${page.state === 'allowed' ? form : notice(refusals[page.state])}
<p class="aside">${s.haveOne} <a href="${page.signInUrl}">${frame.messages.signIn.submit}</a></p>`;
  return layout(frame, { title: s.title, body });
}

export interface FinishSignUpPage {
  /** The kind of link: requested by email, an invitation, or the one that sets the service up. */
  readonly purpose: 'sign_up' | 'invite' | 'set_up';
  readonly email: string;
  readonly name: string;
  readonly link: string;
  /** Whether a password can be chosen. */
  readonly password: boolean;
  /** What is wrong with each field, and with the passkey. */
  readonly problems: { readonly [Name in 'email' | 'name' | 'password' | 'passkey']?: string | undefined };
}

export function finishSignUpPage(frame: Frame, page: FinishSignUpPage): string {
  const m = frame.messages.account;
  const s = m.signUp;
  const isSetUp = page.purpose === 'set_up';
  const action = { sign_up: '/sign-up/finish', invite: '/invitation', set_up: '/set-up' }[page.purpose];
  const title = { sign_up: s.finishTitle, invite: s.inviteTitle, set_up: s.setUpTitle }[page.purpose];
  const { problems } = page;
  const email = isSetUp
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
  const choice = {
    problem: problems.passkey ?? (page.password ? undefined : problems.password),
    password: page.password ? html`${password}<button class="primary" type="submit">${s.finish}</button>` : undefined,
  };
  const body = html`
${leading(title, isSetUp ? s.setUpLead : sentenceWith(address(page.email), s.finishLead))}
<form method="post" action="${action}"${passkeyFormAttributes(frame, action)}>
${hidden('link', page.link)}
${email}
${name}
${passkeyChoice(frame, choice)}
</form>`;
  return layout(frame, { title, body });
}

export interface EmailSentPage {
  readonly email: string;
  readonly outbox: boolean;
  /** The form that requests the email once more. */
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
  /** Where another address can be entered: a page, or what the same form is answered with elsewhere. */
  readonly other: { readonly href: string } | { readonly action: string };
}

/** Does not say whether the address has an account. The button comes in a minute: until then, the email is on its way. */
export function emailSentPage(frame: Frame, page: EmailSentPage): string {
  const m = frame.messages.account.emailSent;
  const other =
    'href' in page.other
      ? html`<a href="${page.other.href}">${m.other}</a>`
      : html`<button class="link" type="submit" formaction="${page.other.action}">${m.other}</button>`;
  const body = html`
<h1>${m.title}</h1>
<p>${sentenceWith(address(page.email), m.text)}</p>
<p class="quiet">${m.hint}</p>
${page.outbox && notice(html`<a href="/dev/outbox">${m.outbox}</a>`)}
<form class="aside others" method="post" action="${page.action}">
${Object.entries(page.fields).map(([name, value]) => hidden(name, value))}
${other}
<button class="link in-a-minute" type="submit">${m.again}</button>
</form>`;
  return layout(frame, { title: m.title, body });
}

/** After the password of someone who was imported without their second factor. Signing in again sends another link. */
export function setUpLinkSentPage(
  frame: Frame,
  page: { readonly email: string; readonly outbox: boolean; readonly signInUrl: string },
): string {
  const { emailSent: m, resetPassword } = frame.messages.account;
  const body = html`
<h1>${m.title}</h1>
<p>${sentenceWith(address(page.email), m.text)}</p>
<p class="quiet">${m.hint}</p>
${page.outbox && notice(html`<a href="/dev/outbox">${m.outbox}</a>`)}
<p class="aside"><a href="${page.signInUrl}">${resetPassword.back}</a></p>`;
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

/** Of a link that an administrator gave to several people, most likely. */
export function signUpLinkEndedPage(frame: Frame, end: SignUpLinkEnd): string {
  const { account, signUpLinks } = frame.messages;
  const title = signUpLinks.ended[end];
  const body = html`
<h1>${title}</h1>
<p>${signUpLinks.endedText} ${account.linkExpired.askAdministrator}</p>`;
  return layout(frame, { title, body });
}

/** Of somebody who is signed in, such as with a code by email, and is asked for their password. */
export interface ForgottenPassword {
  readonly email: string;
  /** Where they were going. */
  readonly ticket: string;
}

/** Stands in the form that asks for the password, and sends another one. */
export function forgottenButton({ messages }: Frame): Html {
  return html`<p>${button({ label: messages.signIn.forgotten, kind: 'link', form: 'forgotten-password' })}</p>`;
}

export function forgottenForm({ email, ticket }: ForgottenPassword): Html {
  return html`<form id="forgotten-password" method="post" action="/reset-password/start">
${hidden('continue', ticket)}${hidden('email', email)}
</form>`;
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
  /** Whether passwords can't be chosen at all. */
  readonly passwordsOff: boolean;
}

export function resetPasswordPage(frame: Frame, page: ResetPasswordPage): string {
  const { account: m, passwordless } = frame.messages;
  const r = m.resetPassword;
  const title = page.passwordsOff ? passwordless.byEmail : r.title;
  const form = html`<p>${page.passwordsOff ? passwordless.byEmailLead : r.lead}</p>
<form method="post" action="/reset-password">
${hidden('continue', page.ticket)}
${field({ name: 'email', label: m.email, type: 'email', autocomplete: 'username', value: page.email, limit: 254, focus: true, problem: page.problem })}
<button class="primary" type="submit">${r.submit}</button>
</form>`;
  const body = html`
<h1>${title}</h1>
${page.available ? form : notice(m.noEmail)}
<p class="aside"><a href="${page.signInUrl}">${r.back}</a></p>`;
  return layout(frame, { title, body });
}

export interface NewPasswordPage {
  readonly action: string;
  readonly link: string;
  readonly email: string;
  /** What can be chosen; with `after_code`, a code of the second factor comes first. */
  readonly ways: { readonly password: boolean; readonly passkey: 'alone' | 'after_code' | 'no' };
  /** What is wrong with the password, the passkey and the code. */
  readonly problem: string | undefined;
  readonly passkeyProblem?: string | undefined;
  readonly codeProblem?: string | undefined;
}

/** Choosing a new password, or creating a passkey instead. */
export function newPasswordPage(frame: Frame, page: NewPasswordPage): string {
  const { account: m, passwordless } = frame.messages;
  const r = m.resetPassword;
  const { ways } = page;
  const passkeys = ways.passkey !== 'no';
  const field = passwordField(frame.messages, {
    name: 'password',
    label: m.newPassword,
    autocomplete: 'new-password',
    hint: m.newPasswordHint,
    focus: !passkeys,
    problem: page.problem,
  });
  const password = ways.password ? html`${field}<button class="primary" type="submit">${r.finish}</button>` : undefined;
  const problem = page.passkeyProblem ?? (ways.password ? undefined : page.problem);
  const title = !passkeys ? r.finishTitle : ways.password ? passwordless.eitherTitle : passwordless.create;
  const form = html`<p>${r.finishLead}</p>
<form method="post" action="${page.action}"${passkeys && passkeyFormAttributes(frame, page.action)}>
${hidden('link', page.link)}
${accountName(page.email)}
${ways.passkey === 'after_code' && codeField(frame, page.codeProblem)}
${passkeys ? passkeyChoice(frame, { problem, password }) : password}
</form>`;
  const body = html`
<h1>${title}</h1>
${passkeys || ways.password ? form : notice(passwordless.notByEmail)}`;
  return layout(frame, { title, body });
}

function codeField({ messages }: Frame, problem: string | undefined): Html {
  const { security } = messages.account;
  return field({ name: 'code', label: security.proof, autocomplete: 'one-time-code', limit: 40, focus: true, problem });
}

/** New recovery codes are shown once. */
export function passkeyCreatedPage(
  frame: Frame,
  page: { signInUrl: string; email: string; codes: readonly string[] | undefined },
): string {
  const { passwordless: m, secondFactor, account } = frame.messages;
  const { codes } = page;
  const saving =
    codes &&
    html`<h2>${secondFactor.codesTitle}</h2>
<p>${secondFactor.codesLead}</p>
${recoveryCodes(frame, codes, page.email)}`;
  const body = html`
<h1>${m.createdTitle}</h1>
<p>${m.created}</p>
${saving}
<p><a class="button primary" href="${page.signInUrl}">${account.resetPassword.signIn}</a></p>`;
  // Without the language picker: the page couldn't be shown again.
  return layout({ ...frame, returnTo: undefined }, { title: m.createdTitle, body });
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
