// The console's list of applications.

import type { Total } from '../../../protocol/admin/totals.ts';
import type { ClientValues } from '../../../protocol/resources/client.ts';
import type { AccountFrame, PageResult } from '../../account/account-layout.ts';
import { chips } from '../../components/controls.ts';
import { type Html, html } from '../../layout/html.ts';
import { type AppIdentity, appIcon } from '../../layout/identity.ts';
import { agoTime } from '../../layout/time.ts';
import {
  agoOrNever,
  briefTime,
  consoleLayout,
  denseList,
  pageLink,
  searchForm,
  stoppedBadge,
} from '../console-layout.ts';
import { type ListPlace, listUrl, searchPager, sortOf } from '../lists.ts';

interface ListedClient extends Pick<ClientValues, 'id' | 'isPublic' | 'access' | 'createdAt'> {
  readonly app: AppIdentity;
  readonly revoked: boolean;
  readonly people: Total;
  readonly lastUsedAt: number | null;
}

export interface ClientsPage extends PageResult {
  readonly search: string;
  /** The column that the list is sorted by, with a minus sign when it descends. */
  readonly sort: string;
  /** Whose they are, or `none` for those without an owner; empty for all. */
  readonly owner?: string;
  readonly clients: readonly ListedClient[];
  readonly place: ListPlace;
  readonly now: number;
}

const path = '/admin/applications';

export function clientsPage(frame: AccountFrame, page: ClientsPage): string {
  const { applications: m, owners } = frame.messages.admin;
  const { owner = '', search, sort } = page;
  const owned = owner === '' ? {} : { owner };
  const filters = [
    {
      label: owners.noOwner,
      current: owner === 'none',
      href: listUrl(path, { search, sort, owner: owner === 'none' ? '' : 'none' }),
    },
    ...(owner === '' || owner === 'none'
      ? []
      : [{ label: owners.ownedBy(owner), current: true, href: listUrl(path, { search, sort }) }]),
  ];
  const body = html`
<div class="list-bar">${searchForm(frame, path, page.search, m.searchHint, owned)}</div>
${chips(frame.messages.admin.people.filter.title, filters)}
${list(frame, page)}
${searchPager(frame, path, { search: page.search, sort: page.sort, ...owned }, page.place)}`;
  return consoleLayout(frame, {
    section: 'applications',
    actions: pageLink(frame, { label: m.new, href: `${path}/new`, kind: 'primary', icon: 'plus' }),
    notice: page.notice,
    problem: page.problem,
    body,
  });
}

function list(frame: AccountFrame, page: ClientsPage): Html {
  const { admin } = frame.messages;
  const m = admin.applications;
  return denseList<ListedClient>({
    caption: admin.sections.applications,
    rows: page.clients,
    compact: 'wrap',
    columns: [
      {
        label: m.column.name,
        kind: 'wide',
        sort: sortOf(path, page, 'name', 'ascending'),
        cell: ({ id, app, revoked }) =>
          html`<span class="named">${appIcon(app)}<a href="${path}/${id}">${app.name}</a>${stoppedBadge(revoked && admin.revoked)}</span>`,
      },
      { label: m.column.clientId, phone: 'hidden', cell: ({ id }) => html`<code>${id}</code>` },
      { label: m.type, phone: 'hidden', cell: ({ isPublic }) => (isPublic ? m.public : m.confidential) },
      {
        label: m.column.access,
        phone: 'hidden',
        cell: ({ access }) => admin.access[access === 'everyone' ? 'openToEveryone' : 'onlyListed'],
      },
      {
        label: admin.sections.people,
        kind: 'number',
        cell: ({ people }) => admin.counted(people),
        brief: ({ people }) => admin.brief.people(people),
      },
      {
        label: m.column.lastUsed,
        cell: ({ lastUsedAt }) => agoOrNever(frame, lastUsedAt, page.now),
        brief: ({ lastUsedAt }) => briefTime(frame, lastUsedAt, page.now, admin.brief.used),
      },
      {
        label: admin.created,
        phone: 'hidden',
        sort: sortOf(path, page, 'created', 'descending'),
        cell: ({ createdAt }) => agoTime(frame.messages, createdAt, page.now),
      },
    ],
    none:
      page.search === ''
        ? { icon: 'squares-2x2', title: m.none, text: m.noneText }
        : { icon: 'magnifying-glass', title: m.noneFound },
  });
}
