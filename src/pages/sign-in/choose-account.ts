// The page that asks which account to continue with.

import { hidden } from '../layout/form.ts';
import { html } from '../layout/html.ts';
import { type AccountIdentity, type AppIdentity, accountCard, appIcon } from '../layout/identity.ts';
import { type Frame, layout } from '../layout/layout.ts';

export interface ChooseAccountPage {
  readonly app: AppIdentity;
  readonly account: AccountIdentity;
  readonly ticket: string;
}

export function chooseAccountPage(frame: Frame, page: ChooseAccountPage): string {
  const m = frame.messages.chooseAccount;
  const body = html`
<div class="lead">
${appIcon(page.app)}
<h1>${m.title}</h1>
<p>${m.continueTo(page.app.name)}</p>
</div>
<form method="post" action="/oauth-authorize/account">
${hidden('request', page.ticket)}
${accountCard(page.account)}
<div class="stack">
<button class="primary" type="submit" name="account" value="current">${m.continue}</button>
<button type="submit" name="account" value="other">${m.other}</button>
</div>
</form>`;
  return layout(frame, { title: m.title, body });
}
