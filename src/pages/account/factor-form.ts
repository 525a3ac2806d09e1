// A form that changes second factors: besides the password it asks for one of them, as a code or, with the script, as a
// passkey.

import { accountName, field, hidden } from '../layout/form.ts';
import { type Html, html } from '../layout/html.ts';
import { type AccountFrame, formToken } from './account-layout.ts';

export interface FactorForm {
  readonly action: string;
  /** Keeps the ids of fields apart when a page has several such forms. */
  readonly prefix: string;
  /** What the person can prove themselves with. */
  readonly authenticator: boolean;
  readonly hasPasskey: boolean;
  /** The button, and what else the form sends. */
  readonly rest: Html;
}

export function factorForm(frame: AccountFrame, form: FactorForm): Html {
  const s = frame.messages.account.security;
  const { hasPasskey } = form;
  const code = field({
    ...{ name: 'code', label: form.authenticator ? s.proof : s.proofByRecoveryCode, autocomplete: 'one-time-code' },
    ...{ limit: 40, optional: hasPasskey, idPrefix: form.prefix },
  });
  const script =
    hasPasskey &&
    html` data-passkey="get" data-options="/account/proof/options" data-failed="${frame.messages.signIn.passkeyFailed}"`;
  return html`<form method="post" action="${form.action}"${script}>
${formToken(frame)}
${passwordField(frame, form.prefix)}
${code}
${hasPasskey && html`<p class="hint" data-with-passkeys hidden>${s.proofByPasskey}</p>${hidden('answer', '')}${hidden('challenge', '')}<p class="alert" role="alert" hidden></p>`}
${form.rest}
</form>`;
}

/** The current password, with the account that it belongs to for password managers. */
export function passwordField(frame: AccountFrame, idPrefix: string): Html {
  const label = frame.messages.account.currentPassword;
  return html`${accountName(frame.account.email)}
${field({ name: 'current_password', label, type: 'password', autocomplete: 'current-password', idPrefix })}`;
}
