// The sign-in methods that a password reset has paused, with the buttons that decide about them. Shown by the security
// page and by the review.

import { card } from '../components/display.ts';
import { icon } from '../components/icon.ts';
import type { Messages } from '../languages/languages.ts';
import { type Html, html } from '../layout/html.ts';
import { dayTime } from '../layout/time.ts';
import { type AccountFrame, postForm } from './account-layout.ts';

export interface PausedMethod {
  readonly kind: 'authenticator' | 'passkey' | 'recovery_codes';
  /** What the form sends for it. */
  readonly value: string;
  /** Only passkeys have one. */
  readonly name?: string | undefined;
  readonly createdAt: number;
}

/** Nothing when no method is paused. `action` is where the decision goes. */
export function pausedMethods(frame: AccountFrame, methods: readonly PausedMethod[], action: string): Html | undefined {
  if (methods.length === 0) return undefined;
  const { messages } = frame;
  const m = messages.recovery.paused;
  const items = methods.map((method) => {
    const name = nameOf(messages, method);
    return html`<li>
<span class="thing-icon">${icon('pause-circle')}</span>
<div>
<h3 class="thing-name">${name}</h3>
<dl class="facts"><div><dt>${m.added}</dt><dd>${dayTime(messages, method.createdAt)}</dd></div></dl>
</div>
<div class="actions">
<button class="small" type="submit" name="keep" value="${method.value}" aria-label="${m.keepNamed(name)}">${m.keep}</button>
<button class="danger small" type="submit" name="remove" value="${method.value}" aria-label="${m.removeNamed(name)}">${m.remove}</button>
</div>
</li>`;
  });
  const form = postForm(frame, action, html`<ul class="things">${items}</ul>`);
  return card({ title: m.title, lead: m.lead, body: form });
}

function nameOf(messages: Messages, { kind, name }: PausedMethod): string {
  const { names } = messages.recovery.paused;
  return kind === 'passkey' ? names.passkey(name ?? '') : names[kind];
}
