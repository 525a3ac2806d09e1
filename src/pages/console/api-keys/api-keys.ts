// What the console shows of API keys: the list, a new one once, and what a revoked one has created.

import type { ApiKeyValues } from '../../../protocol/resources/api-key.ts';
import type { AccountFrame } from '../../account/account-layout.ts';
import { linkButton } from '../../components/controls.ts';
import type { Messages } from '../../languages/languages.ts';
import { html } from '../../layout/html.ts';
import { agoTime } from '../../layout/time.ts';
import { consoleLayout, denseList, lastFourText, type ShownMaker, stoppedBadge } from '../console-layout.ts';
import { listUrl } from '../lists.ts';
import { listWithForm, type OnceViews, shownOnce } from '../subject-page.ts';

interface ListedKey extends ApiKeyValues {
  /** Instead of the permission, in one text. */
  readonly roles: string | null;
  readonly ended: boolean;
  readonly maker: ShownMaker;
}

interface CreatedItem {
  readonly kind: keyof Messages['admin']['keys']['kinds'];
  readonly id: string | null;
  readonly name: string;
  readonly at: number;
}

export interface RevokedKeyPage {
  readonly created: readonly CreatedItem[];
  readonly truncated: boolean;
  readonly now: number;
  /** Where the console shows one; undefined for what has no page. */
  pathOf(item: CreatedItem): string | undefined;
}

/** `example` is a command that uses a key. */
export function apiKeyViews(path: string, example: string): OnceViews<ListedKey, { readonly secret: string }> {
  return {
    section: 'keys',

    list(frame, page) {
      const { keys: m, sections } = frame.messages.admin;
      return listWithForm(frame, page, {
        section: 'keys',
        path,
        words: m,
        caption: sections.keys,
        icon: 'key',
        lead: html`<p>${m.lead}</p>`,
        name: {
          label: m.fields.name.label,
          of: ({ name }) => name,
          cell: ({ name, lastFour, ended }) =>
            html`<span>${name} ${lastFourText(lastFour)}</span> ${stoppedBadge(ended && m.expired)}`,
        },
        columns: [
          {
            label: m.fields.permission.label,
            cell: (key) => accessOf(frame, key),
            brief: (key) => (key.permission === 'administrator' ? m.everything : accessOf(frame, key)),
          },
        ],
        revokeUrl: ({ id }) => listUrl(`${path}/end`, { end: id }),
      });
    },

    created(frame, { secret }) {
      const m = frame.messages.admin.keys;
      return shownOnce(frame, {
        section: 'keys',
        title: m.keyTitle,
        lead: m.keyLead,
        copies: { key: { label: m.key, text: secret }, use: { label: m.use, text: example } },
        done: m.done,
        back: path,
      });
    },

    asks: {
      revoke: ({ messages }, { name }) => {
        const m = messages.admin.keys;
        return { title: m.revokeTitle(name), text: m.revokeText, button: m.revokeConfirm };
      },
    },
  };
}

function accessOf(frame: AccountFrame, { permission, roles: held }: ListedKey): string {
  const { permission: permissions, roles } = frame.messages.admin.keys.fields;
  const names: Readonly<Record<string, string>> = roles.options;
  if (held === null) return permissions.options[permission];
  return frame.messages.list(held.split(' ').map((role) => names[role] ?? role));
}

/** What a key that was just revoked has created. */
export function revokedApiKeyPage(frame: AccountFrame, page: RevokedKeyPage): string {
  const m = frame.messages.admin.keys;
  const name = (item: CreatedItem) => {
    const path = page.pathOf(item);
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
