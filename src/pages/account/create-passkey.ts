// The page after a sign-in with a password that isn't meant to stay: it asks for a passkey, which can wait until the password
// no longer works.

import { button, linkButton } from '../components/controls.ts';
import { alert, notice } from '../components/display.ts';
import { passkeyParts } from '../layout/form.ts';
import { html } from '../layout/html.ts';
import { layout, leading } from '../layout/layout.ts';
import { dayTime, sentenceWith } from '../layout/time.ts';
import { type AccountFrame, postForm } from './account-layout.ts';

export interface CreatePasskeyPage {
  readonly action: string;
  /** Where the person was going. */
  readonly to: string;
  /** The last moment at which the password works; undefined if there is no end. */
  readonly until: number | undefined;
  readonly problem: string | undefined;
}

export function createPasskeyPage(frame: AccountFrame, page: CreatePasskeyPage): string {
  const { passwordless: m, account } = frame.messages;
  const { needsScript } = account.security;
  const attributes = html` data-passkey="create" data-options="/account/passkeys/options" data-failed="${m.failed}" hidden`;
  const create = html`${passkeyParts}${button({ label: m.create, kind: 'primary', icon: 'finger-print' })}`;
  const until =
    page.until !== undefined && html`<p>${sentenceWith(dayTime(frame.messages, page.until), m.askUntil)}</p>`;
  const body = html`
${leading(m.create, m.ask)}
${until}
${alert(page.problem)}
<noscript>${notice(needsScript)}</noscript>
<p class="notice" data-without-passkeys hidden>${needsScript}</p>
<div class="stack">
${postForm(frame, page.action, create, { to: page.to }, attributes)}
${linkButton({ label: m.notNow, href: page.to })}
</div>`;
  return layout(frame, { title: m.create, body });
}
