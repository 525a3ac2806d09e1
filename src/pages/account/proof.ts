// The page that asks for proof of identity before a change goes on: password and code, a passkey, or a code by email for those who
// have neither.

import { button } from '../components/controls.ts';
import { alert } from '../components/display.ts';
import { accountName, field, passkeyParts, passwordField } from '../layout/form.ts';
import { address, type Html, html } from '../layout/html.ts';
import { layout, leading } from '../layout/layout.ts';
import { sentenceWith } from '../layout/time.ts';
import { type ForgottenPassword, forgottenButton, forgottenForm } from '../sign-in/emailed-links.ts';
import { type AccountFrame, postForm } from './account-layout.ts';

export interface ProofPage {
  /** Where the change goes, and the field that carries it. */
  readonly action: string;
  readonly held: { readonly name: string; readonly value: string };
  /** For a person who has a password that counts, and may have forgotten it. */
  readonly password: ForgottenPassword | undefined;
  /** Whether they can set one. */
  readonly passwords: boolean;
  /** The identity providers that the person can sign in with again. */
  readonly upstreams: readonly { readonly name: string; readonly label: string }[];
  /** What the person has besides. */
  readonly authenticator: boolean;
  readonly passkeys: boolean;
  /** For a person who has only their mailbox: the ticket of the code that was sent, if one was. */
  readonly email?: { readonly asked: string | undefined } | undefined;
  readonly back: string;
  /** What is wrong with the whole, with the password and with the code. */
  readonly problem?: string | undefined;
  readonly passwordProblem?: string | undefined;
  readonly codeProblem?: string | undefined;
  readonly emailCodeProblem?: string | undefined;
}

export function proofPage(frame: AccountFrame, page: ProofPage): string {
  const { account, passwordless } = frame.messages;
  const { proof: m, security, secondStep } = account;
  const { authenticator, passkeys, upstreams } = page;
  const noWay = !page.password && !passkeys && upstreams.length === 0 && page.email === undefined;
  const held = { [page.held.name]: page.held.value };
  const passkeyAttributes = html` data-passkey="get" data-options="/account/proof/options" data-failed="${frame.messages.signIn.passkeyFailed}" hidden`;
  const byPasskey = html`${passkeyParts}${button({ label: secondStep.passkey, icon: 'finger-print' })}`;
  const code = field({
    name: 'code',
    label: authenticator ? security.proof : security.proofByRecoveryCode,
    autocomplete: 'one-time-code',
    limit: 40,
    problem: page.codeProblem,
  });
  const byPassword = html`${accountName(frame.account.email)}
${passwordField(frame.messages, { name: 'password', label: m.password, autocomplete: 'current-password', focus: true, problem: page.passwordProblem })}
${forgottenButton(frame)}
${(authenticator || passkeys) && code}
${button({ label: m.submit, kind: 'primary' })}`;
  const byEmail = html`${field({ name: 'email_code', label: frame.messages.emailCodes.code, autocomplete: 'one-time-code', limit: 40, focus: true, problem: page.emailCodeProblem })}
${authenticator && code}
${button({ label: m.submit, kind: 'primary' })}`;
  const kind = page.password ? 'secondary' : 'primary';
  const elsewhere = upstreams.map(({ name, label }) =>
    button({ label: frame.messages.upstreams.continueWith(label), kind, name: 'upstream', value: name }),
  );
  const body = html`
${leading(m.title, !noWay && leadOf(frame, page))}
${alert(page.problem)}
${passkeys && postForm(frame, page.action, byPasskey, held, passkeyAttributes)}
${page.password !== undefined && html`${postForm(frame, page.action, byPassword, held)}${forgottenForm(page.password)}`}
${upstreams.length > 0 && postForm(frame, page.action, html`${elsewhere}`, held, html` class="stack providers"`)}
${page.email?.asked !== undefined && postForm(frame, page.action, byEmail, { ...held, asked: page.email.asked })}
${page.email && postForm(frame, page.action, sendCode(frame, page.email), held, html` class="stack providers"`)}
${noWay && html`<p>${page.passwords ? m.noWay : passwordless.over}</p>\n<p><a class="button primary" href="/reset-password">${page.passwords ? m.byEmail : passwordless.byEmail}</a></p>`}
<p class="aside"><a href="${page.back}">${m.cancel}</a></p>`;
  return layout(frame, { title: m.title, body });
}

function sendCode({ messages }: AccountFrame, { asked }: { readonly asked: string | undefined }): Html {
  const { send, again } = messages.emailCodes;
  const style = asked === undefined ? ({ label: send, kind: 'primary' } as const) : { label: again };
  return button({ ...style, name: 'send_code', value: 'yes' });
}

function leadOf({ messages, account }: AccountFrame, page: ProofPage): Html | string {
  const { password, authenticator, passkeys, email } = page;
  const { proof: m } = messages.account;
  if (email !== undefined) {
    const { proofLead, lead } = messages.emailCodes;
    return sentenceWith(address(account.email), email.asked === undefined ? proofLead : lead);
  }
  if (!password) return m.leadElsewhere;
  return authenticator || passkeys ? m.leadWithCode : m.lead;
}

/** The page after a proof at an identity provider: the change that was asked for goes on from here. */
export function proofDonePage(
  frame: AccountFrame,
  page: { readonly action: string; readonly held: ProofPage['held']; readonly back: string },
): string {
  const { proof: m } = frame.messages.account;
  const body = html`
${leading(m.confirmedTitle, m.confirmed)}
${postForm(frame, page.action, button({ label: m.goOn, kind: 'primary' }), { [page.held.name]: page.held.value })}
<p class="aside"><a href="${page.back}">${m.cancel}</a></p>`;
  return layout(frame, { title: m.confirmedTitle, body });
}
