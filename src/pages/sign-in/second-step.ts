// The page that asks for a code or a passkey after the password.

import { icon } from '../components/icon.ts';
import { checkbox, field, hidden, passkeyParts } from '../layout/form.ts';
import { type Html, html } from '../layout/html.ts';
import type { AppIdentity } from '../layout/identity.ts';
import { type Frame, layout, leading } from '../layout/layout.ts';

/** Where a second factor is sent, and what the forms carry there. */
export interface CodeForms {
  readonly action: string;
  readonly ticketField: string;
  readonly ticket: string;
  readonly passkeys: boolean;
  /** Whether "Don't ask for a code on this device" is ticked; undefined where it isn't offered. */
  readonly trust?: boolean | undefined;
  readonly problem: string | undefined;
}

export interface SecondStepPage extends Omit<CodeForms, 'action' | 'ticketField'> {
  readonly app: AppIdentity | undefined;
  readonly authenticator: boolean;
  /** Where to start over on the way to the same place. */
  readonly signInUrl: string;
}

/** The forms that take a passkey, with the script, and a code. */
export function codeForms(frame: Frame, forms: CodeForms): Html {
  const m = frame.messages.account.secondStep;
  const { action } = forms;
  const ticket = hidden(forms.ticketField, forms.ticket);
  const passkeyForm = html`<form method="post" action="${action}" data-passkey="get" data-options="${action}/options" data-failed="${m.passkeyFailed}" hidden>
${ticket}
${forms.trust !== undefined && html`<input type="hidden" name="trust" value="" data-copies="trust">`}
${passkeyParts}
<button type="submit">${icon('finger-print')}${m.passkey}</button>
</form>`;
  return html`${forms.passkeys && passkeyForm}
<form method="post" action="${action}">
${ticket}
${field({ name: 'code', label: m.code, autocomplete: 'one-time-code', limit: 40, focus: true, problem: forms.problem })}
${forms.trust !== undefined && checkbox({ name: 'trust', label: m.trust, checked: forms.trust })}
<button class="primary" type="submit">${m.submit}</button>
</form>`;
}

export function secondStepPage(frame: Frame, page: SecondStepPage): string {
  const m = frame.messages.account.secondStep;
  const body = html`
${leading(m.title, page.authenticator ? m.lead : m.leadPasskeyOnly, page.app)}
${codeForms(frame, { ...page, action: '/sign-in/second-step', ticketField: 'pending' })}
<p class="aside">${m.lost} <a href="${page.signInUrl}">${m.other}</a></p>`;
  return layout(frame, { title: m.title, body });
}
