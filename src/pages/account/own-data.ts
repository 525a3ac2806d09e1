// Downloading everything that is stored about a user, and deleting their account.

import { linkButton } from '../components/controls.ts';
import { card } from '../components/display.ts';
import { questionCard } from '../layout/app-shell.ts';
import { html } from '../layout/html.ts';
import { type Frame, layout } from '../layout/layout.ts';
import { type AccountFrame, accountLayout } from './account-layout.ts';

export function ownDataPage(frame: AccountFrame, problem: string | undefined): string {
  const { data: m } = frame.messages.account;
  const download = linkButton({ label: m.download, href: '/account/data.json', icon: 'arrow-down-tray' });
  const deletion = linkButton({ label: m.delete, href: '/account/delete', kind: 'danger', question: 'ask' });
  const body = html`
${card({ title: m.downloadTitle, lead: m.downloadLead, actions: download })}
${card({ title: m.deleteTitle, lead: m.deleteLead, danger: true, actions: deletion })}`;
  return accountLayout(frame, { section: 'data', problem, body });
}

export function deleteAccountPage(frame: AccountFrame): string {
  const { data: m, proof } = frame.messages.account;
  const body = questionCard(frame, {
    text: m.deleteText,
    action: '/account/delete',
    button: m.delete,
    back: '/account/data',
    cancel: proof.cancel,
  });
  return accountLayout(frame, { section: 'data', title: m.deleteQuestion(frame.account.email), body });
}

export function accountDeletedPage(frame: Frame): string {
  const m = frame.messages.account.data;
  const body = html`
<h1>${m.deletedTitle}</h1>
<p>${m.deleted}</p>`;
  return layout(frame, { title: m.deletedTitle, body });
}
