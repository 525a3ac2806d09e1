// The page that asks for proof of identity before a change goes on: password and code, or a passkey.

import { icon } from '../components/icon.ts';
import { alert } from '../components/notice.ts';
import { accountName, field, hidden, passwordField } from '../layout/form.ts';
import { html } from '../layout/html.ts';
import { layout } from '../layout/layout.ts';
import { type AccountFrame, formToken } from './account-layout.ts';

export interface ProofPage {
  /** Where the change goes, and the field that carries it. */
  readonly action: string;
  readonly held: { readonly name: string; readonly value: string };
  /** What the person has besides their password. */
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
  const { authenticator, passkeys } = page;
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
    ...{ name: 'code', label: authenticator ? security.proof : security.proofByRecoveryCode },
    ...{ autocomplete: 'one-time-code', limit: 40, problem: page.codeProblem },
  });
  const body = html`
<div class="lead">
<h1>${m.title}</h1>
<p>${authenticator || passkeys ? m.leadWithCode : m.lead}</p>
</div>
${alert(page.problem)}
${passkeys && passkeyForm}
<form method="post" action="${page.action}">
${carried}
${accountName(frame.account.email)}
${passwordField(frame.messages, { name: 'password', label: m.password, autocomplete: 'current-password', focus: true, problem: page.passwordProblem })}
${(authenticator || passkeys) && code}
<button class="primary" type="submit">${m.submit}</button>
</form>
<p class="aside"><a href="${page.back}">${m.cancel}</a></p>`;
  return layout(frame, { title: m.title, body });
}
