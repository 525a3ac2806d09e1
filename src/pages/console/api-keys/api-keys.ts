// The console's page about API keys, and the page that shows a new key once.

import type { ApiKeyValues } from '../../../protocol/resources/api-key.ts';
import { type AccountFrame, type PageResult, postForm } from '../../account/account-layout.ts';
import { button } from '../../components/controls.ts';
import { card } from '../../components/display.ts';
import type { FieldProblems } from '../../layout/form.ts';
import { type Html, html } from '../../layout/html.ts';
import { agoTime } from '../../layout/time.ts';
import {
  agoOrNever,
  askedButton,
  consoleLayout,
  copyable,
  denseList,
  pageLink,
  stateBadge,
} from '../console-layout.ts';
import { type FormField, formFields } from '../field-form.ts';

interface ListedKey extends ApiKeyValues {
  readonly ended: boolean;
  /** The administrator's name; undefined for the command line. */
  readonly maker: string | undefined;
}

export interface ApiKeysPage extends PageResult {
  readonly keys: readonly ListedKey[];
  readonly submissionToken: string;
  readonly fields: readonly FormField[];
  readonly problems: FieldProblems;
  readonly now: number;
}

export function apiKeysPage(frame: AccountFrame, page: ApiKeysPage): string {
  const m = frame.messages.admin.keys;
  const form = card({
    title: m.create,
    body: formFields(frame.messages, page.fields, m.fields, page.problems),
    actions: button({ label: m.create, kind: 'primary' }),
  });
  const body = html`
<p>${m.lead}</p>
${list(frame, page)}
${postForm(frame, '/admin/keys', form, { once: page.submissionToken })}`;
  return consoleLayout(frame, { section: 'keys', notice: page.notice, problem: page.problem, body });
}

function list(frame: AccountFrame, page: ApiKeysPage): Html {
  const { admin } = frame.messages;
  const m = admin.keys;
  return denseList<ListedKey>({
    caption: admin.sections.keys,
    rows: page.keys,
    columns: [
      { label: m.fields.name.label, kind: 'wide', cell: ({ name }) => name },
      { label: m.fields.permission.label, cell: ({ permission }) => m.fields.permission.options[permission] },
      { label: admin.status, cell: ({ ended }) => stateBadge(frame, ended && m.expired) },
      { label: m.maker, cell: ({ maker }) => maker ?? m.commandLine },
      { label: m.lastUsed, cell: ({ lastUsedAt }) => agoOrNever(frame, lastUsedAt, page.now) },
      {
        label: m.expires,
        cell: ({ expiresAt }) => (expiresAt === null ? m.noEnd : agoTime(frame.messages, expiresAt, page.now)),
      },
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
    none: { icon: 'key', title: m.none },
  });
}

export function newApiKeyPage(frame: AccountFrame, page: { secret: string; example: string }): string {
  const m = frame.messages.admin.keys;
  const body = card({
    lead: m.keyLead,
    body: html`${copyable(frame, m.key, 'key', page.secret)}${copyable(frame, m.use, 'use', page.example)}`,
    actions: pageLink(frame, { label: m.done, href: '/admin/keys', kind: 'primary' }),
  });
  return consoleLayout(frame, { section: 'keys', title: m.keyTitle, body });
}
