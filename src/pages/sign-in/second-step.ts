// The page that asks for a code or a passkey after the password.

import { type AppIdentity, appIcon } from '../layout/app-icon.ts';
import { checkbox, field, hidden } from '../layout/form.ts';
import { html } from '../layout/html.ts';
import { alert, type Frame, layout } from '../layout/layout.ts';

export interface SecondStepPage {
  readonly app: AppIdentity | undefined;
  readonly ticket: string;
  readonly authenticator: boolean;
  readonly passkeys: boolean;
  /** Whether "Don't ask for a code on this device" is ticked. */
  readonly trust: boolean;
  readonly problem: string | undefined;
  /** Where to start over on the way to the same place. */
  readonly signInUrl: string;
}

export function secondStepPage(frame: Frame, page: SecondStepPage): string {
  const m = frame.messages.account.secondStep;
  const passkeyForm = html`<form method="post" action="/sign-in/second-step" data-passkey="get" data-options="/sign-in/second-step/options" data-failed="${m.failed}" hidden>
${hidden('pending', page.ticket)}
${hidden('answer', '')}
${hidden('challenge', '')}
<input type="hidden" name="trust" value="" data-copies="trust">
<p class="alert" role="alert" hidden></p>
<button type="submit">${m.passkey}</button>
</form>`;
  const body = html`
<div class="lead">
${page.app && appIcon(page.app)}
<h1>${m.title}</h1>
</div>
<p>${page.authenticator ? m.lead : m.leadPasskeyOnly}</p>
${alert(page.problem)}
${page.passkeys && passkeyForm}
<form method="post" action="/sign-in/second-step">
${hidden('pending', page.ticket)}
${field({ name: 'code', label: m.code, autocomplete: 'one-time-code', limit: 40, focus: true })}
${checkbox({ name: 'trust', label: m.trust, checked: page.trust })}
<button class="primary" type="submit">${m.submit}</button>
</form>
<p class="aside">${m.lost} <a href="${page.signInUrl}">${m.other}</a></p>`;
  return layout(frame, { title: m.title, body, script: page.passkeys ? 'passkeys' : undefined });
}
