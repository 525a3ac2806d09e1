// Downloading everything that is stored about a user, and deleting their account.

import { html } from '../layout/html.ts';
import { type Frame, layout } from '../layout/layout.ts';
import { type AccountFrame, accountLayout, formToken } from './account-layout.ts';

export function ownDataPage(frame: AccountFrame, problem: string | undefined): string {
  const m = frame.messages.account;
  const body = html`
<section>
<h2 class="section-title">${m.data.downloadTitle}</h2>
<p>${m.data.downloadLead}</p>
<p><a class="button" href="/account/data.json">${m.data.download}</a></p>
</section>
<section>
<h2 class="section-title">${m.data.deleteTitle}</h2>
<p>${m.data.deleteLead}</p>
<form method="post" action="/account/delete">
${formToken(frame)}
<button class="danger" type="submit">${m.data.delete}</button>
</form>
</section>`;
  return accountLayout(frame, { section: 'data', problem, body });
}

export function accountDeletedPage(frame: Frame): string {
  const m = frame.messages.account.data;
  const body = html`
<h1>${m.deletedTitle}</h1>
<p>${m.deleted}</p>`;
  return layout(frame, { title: m.deletedTitle, body });
}
