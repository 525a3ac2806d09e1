// The page that asks for proof of identity before a change goes on: password and code, or a passkey.

import { alert } from '../components/display.ts';
import { icon } from '../components/icon.ts';
import { accountName, field, hidden, passwordField } from '../layout/form.ts';
import { html } from '../layout/html.ts';
import { layout, leading } from '../layout/layout.ts';
import { type AccountFrame, formToken } from './account-layout.ts';

export interface ProofPage {
  /** Where the change goes, and the field that carries it. */
  readonly action: string;
  readonly held: { readonly name: string; readonly value: string };
  readonly password: boolean;
  /** The providers that the person can sign in with again. */
  readonly upstreams: readonly { readonly name: string; readonly label: string }[];
  /** What the person has besides. */
  readonly authenticator: boolean;
  readonly passkeys: boolean;
  readonly back: string;
  /** What is wrong with the whole, with the password and with the code. */
  readonly problem?: string | undefined;
  readonly passwordProblem?: string | undefined;
  readonly codeProblem?: string | undefined;
}

export function proofPage(frame: AccountFrame, page: ProofPage): string {
  const { proof: m, security, secondStep } = frame.messages.account;
  const { authenticator, passkeys, upstreams } = page;
  const noWay = !page.password && !passkeys && upstreams.length === 0;
  const carried = html`${formToken(frame)}
${hidden(page.held.name, page.held.value)}`;
  const passkeyForm = html`<form method="post" action="${page.action}" data-passkey="get" data-options="/account/proof/options" data-failed="${frame.messages.signIn.passkeyFailed}" hidden>
${carried}
${hidden('answer', '')}
${hidden('challenge', '')}
<p class="alert" role="alert" hidden></p>
<button type="submit">${icon('finger-print')}${secondStep.passkey}</button>
</form>`;
  const code = field({
    name: 'code',
    label: authenticator ? security.proof : security.proofByRecoveryCode,
    autocomplete: 'one-time-code',
    limit: 40,
    problem: page.codeProblem,
  });
  const passwordForm = html`<form method="post" action="${page.action}">
${carried}
${accountName(frame.account.email)}
${passwordField(frame.messages, { name: 'password', label: m.password, autocomplete: 'current-password', focus: true, problem: page.passwordProblem })}
${(authenticator || passkeys) && code}
<button class="primary" type="submit">${m.submit}</button>
</form>`;
  const elsewhere = html`<form class="stack providers" method="post" action="${page.action}">
${carried}
${upstreams.map(({ name, label }) => html`<button${!page.password && html` class="primary"`} type="submit" name="upstream" value="${name}">${frame.messages.upstreams.continueWith(label)}</button>\n`)}
</form>`;
  const body = html`
${leading(m.title, !noWay && leadOf(frame, page))}
${alert(page.problem)}
${passkeys && passkeyForm}
${page.password && passwordForm}
${upstreams.length > 0 && elsewhere}
${noWay && html`<p>${m.noWay}</p>\n<p><a class="button primary" href="/reset-password">${m.byEmail}</a></p>`}
<p class="aside"><a href="${page.back}">${m.cancel}</a></p>`;
  return layout(frame, { title: m.title, body });
}

function leadOf({ messages }: AccountFrame, { password, authenticator, passkeys }: ProofPage): string {
  const { proof: m } = messages.account;
  if (!password) return m.leadElsewhere;
  return authenticator || passkeys ? m.leadWithCode : m.lead;
}

/** The page after a proof at another provider: the change that was asked for goes on from here. */
export function proofDonePage(
  frame: AccountFrame,
  page: { readonly action: string; readonly held: ProofPage['held']; readonly back: string },
): string {
  const { proof: m } = frame.messages.account;
  const body = html`
${leading(m.confirmedTitle, m.confirmed)}
<form method="post" action="${page.action}">
${formToken(frame)}
${hidden(page.held.name, page.held.value)}
<button class="primary" type="submit">${m.goOn}</button>
</form>
<p class="aside"><a href="${page.back}">${m.cancel}</a></p>`;
  return layout(frame, { title: m.confirmedTitle, body });
}
