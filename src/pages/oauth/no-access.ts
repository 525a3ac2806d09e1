// The page for someone who may not use an application: with which account, and what they can do about it.

import { hidden } from '../layout/form.ts';
import { html } from '../layout/html.ts';
import { type AccountIdentity, type AppIdentity, accountCard, appIcon } from '../layout/identity.ts';
import { type Frame, layout } from '../layout/layout.ts';

export interface NoAccessPage {
  readonly app: AppIdentity;
  readonly account: AccountIdentity;
  readonly ticket: string;
  /** Leads back to the application with an error. */
  readonly location: string;
}

export function noAccessPage(frame: Frame, page: NoAccessPage): string {
  const m = frame.messages.noAccess;
  const title = m.title(page.app.name);
  const body = html`
<div class="lead">
${appIcon(page.app)}
<h1>${title}</h1>
</div>
<form method="post" action="/oauth-authorize/account">
${hidden('request', page.ticket)}
${accountCard(page.account, m.signedInAs)}
<p>${m.text}</p>
<div class="stack">
<button class="primary" type="submit" name="account" value="other">${m.other}</button>
<a class="button" href="${page.location}">${m.back(page.app.name)}</a>
</div>
</form>`;
  return layout(frame, { title, body });
}
