// The console's list of webhook endpoints, and what other pages show of one.

import type { AccountFrame } from '../../account/account-layout.ts';
import { linkButton } from '../../components/controls.ts';
import { badge, card, emptyState, table } from '../../components/display.ts';
import { type Html, html } from '../../layout/html.ts';
import { agoTime } from '../../layout/time.ts';
import { consoleLayout } from '../console-layout.ts';

export const webhooksPath = '/admin/webhooks';

export interface ListedWebhook {
  readonly id: string;
  readonly url: string;
  readonly description: string;
  /** The application whose own endpoint it is. */
  readonly client: { readonly id: string; readonly name: string } | undefined;
  /** When its application was deleted; null if it has one, or never had one. */
  readonly clientDeletedAt: number | null;
  readonly status: WebhookStatus;
  readonly waiting: number;
  readonly deliveredAt: number | null;
}

export type WebhookStatus = 'active' | 'failing' | 'disabled';

const badgeKinds = { active: 'good', failing: 'warning', disabled: 'danger' } as const;

export function statusBadge(frame: AccountFrame, status: WebhookStatus): Html {
  return badge(frame.messages.admin.webhooks[status], badgeKinds[status]);
}

export interface WebhooksPage {
  readonly webhooks: readonly ListedWebhook[];
  readonly now: number;
  readonly notice: string | undefined;
}

export function webhooksPage(frame: AccountFrame, page: WebhooksPage): string {
  const m = frame.messages.admin.webhooks;
  const none = emptyState({ icon: 'bolt', title: m.none, text: m.noneText });
  const body = html`
<p>${m.lead}</p>
${page.webhooks.length === 0 ? none : list(frame, page)}`;
  return consoleLayout(frame, {
    section: 'webhooks',
    actions: linkButton({ label: m.new, href: `${webhooksPath}/new`, kind: 'primary', icon: 'plus' }),
    notice: page.notice,
    body,
  });
}

function list(frame: AccountFrame, page: WebhooksPage): Html {
  const { admin } = frame.messages;
  const { column } = admin.webhooks;
  return html`<div class="dense">${table<ListedWebhook>({
    caption: admin.sections.webhooks,
    rows: page.webhooks,
    columns: [
      { label: column.endpoint, kind: 'wide', cell: named },
      { label: column.receives, cell: (webhook) => received(frame, webhook) },
      { label: admin.status, cell: ({ status }) => statusBadge(frame, status) },
      { label: column.waiting, kind: 'number', cell: ({ waiting }) => waiting.toLocaleString('en') },
      {
        label: column.delivered,
        kind: 'end',
        cell: ({ deliveredAt }) =>
          deliveredAt === null ? admin.never : agoTime(frame.messages, deliveredAt, page.now),
      },
    ],
  })}</div>`;
}

/** Which events the endpoint gets. */
export function received(frame: AccountFrame, { client, clientDeletedAt }: ListedWebhook): string {
  const { wholeService, ownGrants, nothingNew } = frame.messages.admin.webhooks;
  if (clientDeletedAt !== null) return nothingNew;
  return client === undefined ? wholeService : ownGrants(client.name);
}

function named({ id, url, description }: ListedWebhook): Html {
  const about = description !== '' && html`<br><span class="quiet">${description}</span>`;
  return html`<a href="${webhooksPath}/${id}">${url}</a>${about}`;
}

/** The part of an application's page that is about its own endpoint. */
export function clientWebhooks(
  frame: AccountFrame,
  clientId: string,
  webhooks: readonly Pick<ListedWebhook, 'id' | 'url' | 'status'>[],
): Html {
  const m = frame.messages.admin.webhooks;
  const items = webhooks.map(
    ({ id, url, status }) =>
      html`<li><div><a href="${webhooksPath}/${id}">${url}</a></div>${statusBadge(frame, status)}</li>`,
  );
  return card({
    title: m.ofApplication,
    lead: m.ofApplicationLead,
    body: items.length === 0 ? html`<p>${m.noneOfApplication}</p>` : html`<ul class="things">${items}</ul>`,
    actions: linkButton({ label: m.create, href: `${webhooksPath}/new?application=${clientId}` }),
  });
}
