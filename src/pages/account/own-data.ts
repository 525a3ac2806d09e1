// Downloading everything that is stored about a user, and deleting their account.

import { button, dialog, linkButton } from '../components/controls.ts';
import { card } from '../components/display.ts';
import { html } from '../layout/html.ts';
import { type Frame, layout } from '../layout/layout.ts';
import { type AccountFrame, accountLayout, formToken } from './account-layout.ts';

export function ownDataPage(frame: AccountFrame, problem: string | undefined): string {
  const m = frame.messages.account;
  const download = linkButton({ label: m.data.download, href: '/account/data.json', icon: 'arrow-down-tray' });
  const body = html`
${card({ title: m.data.downloadTitle, lead: m.data.downloadLead, actions: download })}
${card({ title: m.data.deleteTitle, lead: m.data.deleteLead, danger: true, actions: button({ label: m.data.delete, kind: 'danger', dialog: 'delete-account' }) })}
${dialog({
  id: 'delete-account',
  title: m.data.deleteQuestion(frame.account.email),
  text: m.data.deleteText,
  danger: true,
  action: '/account/delete',
  fields: formToken(frame),
  confirm: m.data.delete,
  cancel: m.proof.cancel,
})}`;
  return accountLayout(frame, { section: 'data', problem, body });
}

export function accountDeletedPage(frame: Frame): string {
  const m = frame.messages.account.data;
  const body = html`
<h1>${m.deletedTitle}</h1>
<p>${m.deleted}</p>`;
  return layout(frame, { title: m.deletedTitle, body });
}
