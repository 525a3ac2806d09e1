// The console's page about API keys, and the page that shows a new key once.

import type { ApiKeyValues } from '../../../protocol/resources/api-key.ts';
import { type AccountFrame, formToken } from '../../account/account-layout.ts';
import { button, linkButton } from '../../components/controls.ts';
import { badge, card, emptyState, table } from '../../components/display.ts';
import { type FieldProblems, hidden } from '../../layout/form.ts';
import { type Html, html } from '../../layout/html.ts';
import { agoTime } from '../../layout/time.ts';
import { askedButton, consoleLayout, copyable } from '../console-layout.ts';
import { type FormField, formFields } from '../field-form.ts';

interface ListedKey extends ApiKeyValues {
  readonly ended: boolean;
  /** The administrator's name; undefined for the command line. */
  readonly maker: string | undefined;
}

export interface ApiKeysPage {
  readonly keys: readonly ListedKey[];
  readonly submissionToken: string;
  readonly fields: readonly FormField[];
  readonly problems: FieldProblems;
  readonly now: number;
  readonly notice: string | undefined;
  readonly problem: string | undefined;
}

export function apiKeysPage(frame: AccountFrame, page: ApiKeysPage): string {
  const m = frame.messages.admin.keys;
  const form = html`<form method="post" action="/admin/keys">
${formToken(frame)}
${hidden('once', page.submissionToken)}
${card({
  title: m.create,
  body: formFields(frame.messages, page.fields, m.fields, page.problems),
  actions: button({ label: m.create, kind: 'primary' }),
})}
</form>`;
  const body = html`
<p>${m.lead}</p>
${page.keys.length === 0 ? emptyState({ icon: 'key', title: m.none }) : list(frame, page)}
${form}`;
  return consoleLayout(frame, { section: 'keys', notice: page.notice, problem: page.problem, body });
}

function list(frame: AccountFrame, page: ApiKeysPage): Html {
  const { messages } = frame;
  const { admin } = messages;
  const m = admin.keys;
  const ago = (at: number) => agoTime(messages, at, page.now);
  return html`<div class="dense">${table<ListedKey>({
    caption: admin.sections.keys,
    rows: page.keys,
    columns: [
      { label: m.fields.name.label, kind: 'wide', cell: ({ name }) => name },
      { label: m.fields.permission.label, cell: ({ permission }) => m.fields.permission.options[permission] },
      {
        label: admin.status,
        cell: ({ ended }) => (ended ? badge(m.expired, 'danger') : badge(admin.active, 'good')),
      },
      { label: m.maker, cell: ({ maker }) => maker ?? m.commandLine },
      { label: m.lastUsed, cell: ({ lastUsedAt }) => (lastUsedAt === null ? admin.never : ago(lastUsedAt)) },
      { label: m.expires, cell: ({ expiresAt }) => (expiresAt === null ? m.noEnd : ago(expiresAt)) },
      {
        label: m.end,
        unlabelled: true,
        kind: 'end',
        cell: ({ id, name }) =>
          askedButton(frame, {
            id: `revoke-${id}`,
            label: m.end,
            action: '/admin/keys/end',
            fields: { end: id },
            about: name,
            title: m.endTitle(name),
            text: m.endText,
            confirm: m.endConfirm,
            danger: true,
            small: true,
          }),
      },
    ],
  })}</div>`;
}

export function newApiKeyPage(frame: AccountFrame, page: { secret: string; example: string }): string {
  const m = frame.messages.admin.keys;
  const body = html`
${card({
  lead: m.keyLead,
  body: html`${copyable(frame, m.key, 'key', page.secret)}
${copyable(frame, m.use, 'use', page.example)}`,
  actions: linkButton({ label: m.done, href: '/admin/keys', kind: 'primary' }),
})}`;
  return consoleLayout(frame, { section: 'keys', title: m.keyTitle, body });
}
