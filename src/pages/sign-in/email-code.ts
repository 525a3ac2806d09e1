// Signing in with a code by email: the page that asks for the code, and the one for a person who needs more than that.

import { notice } from '../components/display.ts';
import { field, hidden } from '../layout/form.ts';
import { address, html } from '../layout/html.ts';
import type { AppIdentity } from '../layout/identity.ts';
import { type Frame, layout, leading } from '../layout/layout.ts';
import { sentenceWith } from '../layout/time.ts';

export interface EmailCodePage {
  readonly app: AppIdentity | undefined;
  readonly email: string;
  /** What the code comes back with. */
  readonly ticket: string;
  /** What a new code is asked for with. */
  readonly again: { readonly ticket: string; readonly keep: boolean | 'remembered' };
  /** The sign-in page, and whether passwords sign anybody in. */
  readonly passwordUrl: string;
  readonly passwords: boolean;
  readonly outbox: boolean;
  readonly problem: string | undefined;
}

/** Does not say whether the address has an account. */
export function emailCodePage(frame: Frame, page: EmailCodePage): string {
  const { emailCodes: m, signIn, account } = frame.messages;
  const { ticket, keep } = page.again;
  const body = html`
${leading(m.title, sentenceWith(address(page.email), m.lead), page.app)}
${page.outbox && notice(html`<a href="/dev/outbox">${account.emailSent.outbox}</a>`)}
<form method="post" action="/sign-in/code">
${hidden('asked', page.ticket)}
${field({ name: 'code', label: m.code, autocomplete: 'one-time-code', limit: 40, focus: true, problem: page.problem })}
<button class="primary" type="submit">${signIn.submit}</button>
</form>
<p class="aside">${account.emailSent.hint}</p>
<form class="aside others" method="post" action="/sign-in/code">
${hidden('continue', ticket)}
${hidden('email', page.email)}
${keep && hidden('keep', keep === true ? 'yes' : keep)}
<a href="${page.passwordUrl}">${account.emailSent.other}</a>
<a href="${page.passwordUrl}">${page.passwords ? m.usePassword : frame.messages.upstreams.otherWay}</a>
<button class="link in-a-minute" type="submit">${m.again}</button>
</form>`;
  return layout(frame, { title: m.title, body });
}

/** The code or the link was right, but another person may have set up the second factor of the account. */
export function recoveryNeededPage(frame: Frame, signInUrl: string): string {
  const { emailCodes: m, account } = frame.messages;
  const body = html`
<h1>${m.recoveryTitle}</h1>
<p>${m.recovery}</p>
<p class="aside"><a href="${signInUrl}">${account.resetPassword.back}</a></p>`;
  return layout(frame, { title: m.recoveryTitle, body });
}
