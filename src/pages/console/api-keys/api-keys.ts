// The console's page about API keys, and the page that shows a new key once.

import type { ApiKeyValues } from '../../../protocol/resources/api-key.ts';
import type { AccountFrame } from '../../account/account-layout.ts';
import { linkButton } from '../../components/controls.ts';
import { card } from '../../components/display.ts';
import type { Messages } from '../../languages/languages.ts';
import { html } from '../../layout/html.ts';
import { personSegment } from '../../layout/person-path.ts';
import { agoTime } from '../../layout/time.ts';
import { consoleLayout, copyable, denseList, pageLink } from '../console-layout.ts';
import { listUrl } from '../lists.ts';
import { type ListedSecret, type SecretsPage, secretForm, secretList } from '../secret-list.ts';

interface ListedKey extends ListedSecret, Pick<ApiKeyValues, 'permission'> {
  /** Instead of the permission; empty for none. */
  readonly held: readonly string[];
}

export interface ApiKeysPage extends SecretsPage {
  readonly keys: readonly ListedKey[];
}

export function apiKeysPage(frame: AccountFrame, page: ApiKeysPage): string {
  const m = frame.messages.admin.keys;
  const keys = secretList(frame, page.now, {
    section: 'keys',
    rows: page.keys,
    icon: 'key',
    columns: [
      {
        label: m.fields.permission.label,
        cell: (key) => accessOf(frame, key),
        brief: (key) => (key.permission === 'administrator' ? m.everything : accessOf(frame, key)),
      },
    ],
    revokeUrl: (id) => listUrl('/admin/keys/end', { end: id }),
  });
  const body = html`
<p>${m.lead}</p>
${keys}
${secretForm(frame, '/admin/keys', m, page)}`;
  return consoleLayout(frame, { section: 'keys', notice: page.notice, problem: page.problem, body });
}

function accessOf(frame: AccountFrame, { permission, held }: ListedKey): string {
  const { permission: permissions, roles } = frame.messages.admin.keys.fields;
  const names: Readonly<Record<string, string>> = roles.options;
  if (held.length === 0) return permissions.options[permission];
  return frame.messages.list(held.map((role) => names[role] ?? role));
}

export interface RevokedKeyPage {
  readonly created: readonly CreatedItem[];
  readonly truncated: boolean;
  readonly now: number;
}

interface CreatedItem {
  readonly kind: keyof Messages['admin']['keys']['kinds'];
  readonly id: string | null;
  readonly name: string;
  readonly at: number;
}

const pagesOf: Partial<Record<CreatedItem['kind'], (id: string) => string>> = {
  person: (id) => `/admin/people/${personSegment(id)}`,
  import: () => '/admin/people',
  invitation: () => '/admin/people/invitations',
  group: (id) => `/admin/groups/${id}`,
  application: (id) => `/admin/applications/${id}`,
  sign_up_link: () => '/admin/people/sign-up-links',
  attribute: (id) => `/admin/settings/attributes/${id}`,
  webhook: (id) => `/admin/webhooks/${id}`,
  scim_token: () => '/admin/scim-tokens',
  identity_provider: (id) => `/admin/providers/${id}`,
};
/** Found in a list, not by an ID. */
const listed: readonly CreatedItem['kind'][] = ['import', 'invitation'];

/** Where the console shows it; undefined for what has no page, as when it's gone. */
export function createdPath({ kind, id }: Pick<CreatedItem, 'kind' | 'id'>): string | undefined {
  return id === null && !listed.includes(kind) ? undefined : pagesOf[kind]?.(id ?? '');
}

/** What a key that was just revoked has created. */
export function revokedApiKeyPage(frame: AccountFrame, page: RevokedKeyPage): string {
  const m = frame.messages.admin.keys;
  const name = (item: CreatedItem) => {
    const path = createdPath(item);
    return path === undefined ? item.name : html`<a href="${path}">${item.name}</a>`;
  };
  const body = html`
<p>${m.createdLead}</p>
${denseList<CreatedItem>({
  caption: m.created,
  rows: page.created,
  columns: [
    { label: m.createdName, kind: 'wide', cell: name },
    { label: m.createdKind, cell: ({ kind }) => m.kinds[kind] },
    { label: m.createdAt, cell: ({ at }) => agoTime(frame.messages, at, page.now) },
  ],
  none: { icon: 'key', title: m.none },
})}
${page.truncated && html`<p><a href="/admin/events">${m.more}</a></p>`}
${linkButton({ label: m.back, href: '/admin/keys', kind: 'primary' })}`;
  return consoleLayout(frame, { section: 'keys', title: m.revokedTitle, body });
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
