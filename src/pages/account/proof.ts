// The page that asks for proof of identity before a change goes on: password and code, or a passkey.

import { accountName, field, hidden } from '../layout/form.ts';
import { html } from '../layout/html.ts';
import { alert, layout } from '../layout/layout.ts';
import { type AccountFrame, formToken } from './account-layout.ts';

export interface ProofPage {
  /** Where the change goes, and the field that carries it. */
  readonly action: string;
  readonly held: { readonly name: string; readonly value: string };
  /** What the person has besides their password. */
  readonly authenticator: boolean;
  readonly passkeys: boolean;
  readonly back: string;
  readonly problem: string | undefined;
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
<button type="submit">${secondStep.passkey}</button>
</form>`;
  const code = field({
    ...{ name: 'code', label: authenticator ? security.proof : security.proofByRecoveryCode },
    ...{ autocomplete: 'one-time-code', limit: 40 },
  });
  const body = html`
<h1>${m.title}</h1>
<p>${authenticator || passkeys ? m.leadWithCode : m.lead}</p>
${alert(page.problem)}
${passkeys && passkeyForm}
<form method="post" action="${page.action}">
${carried}
${accountName(frame.account.email)}
${field({ name: 'password', label: m.password, type: 'password', autocomplete: 'current-password', focus: true })}
${(authenticator || passkeys) && code}
<button class="primary" type="submit">${m.submit}</button>
</form>
<p class="aside"><a href="${page.back}">${m.cancel}</a></p>`;
  return layout(frame, { title: m.title, body });
}
