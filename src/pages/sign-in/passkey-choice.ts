// The end of a form with which a person chooses how to sign in: "Create a passkey" first, which the script reveals, and a
// password or an authenticator app second. Without JavaScript, and in a browser without passkeys, there is only the second.

import { notice } from '../components/display.ts';
import { icon } from '../components/icon.ts';
import { hidden } from '../layout/form.ts';
import { type Html, html } from '../layout/html.ts';
import type { Frame } from '../layout/layout.ts';

export interface PasskeyChoice {
  /** What went wrong with the passkey. */
  readonly problem: string | undefined;
  /** The field and the button; undefined where a password can't be chosen. */
  readonly password: Html | undefined;
  /** What stands above it if it's something else than a password. */
  readonly instead?: string;
}

/** For the <form> around it: where the script gets a challenge, and what it says when that fails. */
export function passkeyFormAttributes(frame: Frame, action: string): Html {
  return html` data-passkey="create" data-options="${action}/options" data-failed="${frame.messages.passwordless.failed}"`;
}

export function passkeyChoice(frame: Frame, { problem, password, instead }: PasskeyChoice): Html {
  const { passwordless: m, account } = frame.messages;
  const { needsScript } = account.security;
  // Not a submit button: the Enter key sends the password.
  return html`<div class="passkey-choice" hidden>
${hidden('answer', '')}${hidden('challenge', '')}<p class="alert" role="alert"${problem === undefined && html` hidden`}>${problem}</p>
<button class="primary" type="button" data-create-passkey>${icon('finger-print')}${m.create}</button>
<p class="hint">${m.lead}</p>
${password !== undefined && html`<p class="instead">${instead ?? m.withPassword}</p>`}
</div>
${
  password === undefined
    ? html`<noscript>${notice(needsScript)}</noscript>
<p class="notice" data-without-passkeys hidden>${needsScript}</p>`
    : html`<div data-instead>${password}</div>`
}`;
}
