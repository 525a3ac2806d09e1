// The console's list of applications.

import type { AccountFrame } from '../../account/account-layout.ts';
import { linkButton } from '../../components/controls.ts';
import { badge, emptyState, table } from '../../components/display.ts';
import { type Html, html } from '../../layout/html.ts';
import { type AppIdentity, appIcon } from '../../layout/identity.ts';
import { agoTime } from '../../layout/time.ts';
import { consoleLayout, searchForm } from '../console-layout.ts';
import { type ListPlace, listPager, sortOf } from '../lists.ts';

export interface ClientsPage {
  readonly search: string;
  /** The column that the list is sorted by, with a minus sign when it descends. */
  readonly sort: string;
  readonly clients: readonly {
    readonly id: string;
    readonly app: AppIdentity;
    readonly isPublic: boolean;
    readonly revoked: boolean;
    readonly access: 'everyone' | 'listed';
    readonly createdAt: number;
  }[];
  readonly place: ListPlace;
  readonly now: number;
  readonly notice: string | undefined;
  readonly problem: string | undefined;
}

const path = '/admin/applications';

export function clientsPage(frame: AccountFrame, page: ClientsPage): string {
  const m = frame.messages.admin.applications;
  const none =
    page.search === ''
      ? emptyState({ icon: 'squares-2x2', title: m.none, text: m.noneText })
      : emptyState({ icon: 'magnifying-glass', title: m.noneFound });
  const body = html`
<div class="list-bar">${searchForm(frame, path, page.search, m.searchHint)}</div>
${page.clients.length === 0 ? none : list(frame, page)}
${listPager(frame, path, { search: page.search, sort: page.sort }, page.place)}`;
  return consoleLayout(frame, {
    section: 'applications',
    actions: linkButton({ label: m.new, href: `${path}/new`, kind: 'primary', icon: 'plus' }),
    notice: page.notice,
    problem: page.problem,
    body,
  });
}

function list(frame: AccountFrame, page: ClientsPage): Html {
  const { admin } = frame.messages;
  const m = admin.applications;
  return html`<div class="dense">${table<ClientsPage['clients'][number]>({
    caption: admin.sections.applications,
    rows: page.clients,
    columns: [
      {
        label: m.column.name,
        kind: 'wide',
        sort: sortOf(path, page, 'name', 'ascending'),
        cell: ({ id, app }) => html`<span class="named">${appIcon(app)}<a href="${path}/${id}">${app.name}</a></span>`,
      },
      { label: m.column.clientId, cell: ({ id }) => html`<code>${id}</code>` },
      {
        label: admin.status,
        cell: ({ revoked }) => (revoked ? badge(admin.revoked, 'danger') : badge(admin.active, 'good')),
      },
      { label: m.type, cell: ({ isPublic }) => (isPublic ? m.public : m.confidential) },
      {
        label: m.column.access,
        cell: ({ access }) => admin.access[access === 'everyone' ? 'openToEveryone' : 'onlyListed'],
      },
      {
        label: admin.created,
        sort: sortOf(path, page, 'created', 'descending'),
        cell: ({ createdAt }) => agoTime(frame.messages, createdAt, page.now),
      },
    ],
  })}</div>`;
}
