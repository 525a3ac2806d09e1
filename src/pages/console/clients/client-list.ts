// The console's list of applications.

import type { WrittenClientFilters } from '../../../protocol/admin/client-filters.ts';
import type { Total } from '../../../protocol/admin/totals.ts';
import type { ClientValues } from '../../../protocol/resources/client.ts';
import type { AccountFrame, PageResult } from '../../account/account-layout.ts';
import { chips } from '../../components/controls.ts';
import { badge } from '../../components/display.ts';
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
  readonly filters: WrittenClientFilters;
  readonly clients: readonly ListedClient[];
  readonly place: ListPlace;
  readonly now: number;
}

const path = '/admin/applications';

export function clientsPage(frame: AccountFrame, page: ClientsPage): string {
  const { applications: m, people } = frame.messages.admin;
  const { search, sort, filters } = page;
  const body = html`
<div class="list-bar">${searchForm(frame, path, search, m.searchHint, filters)}</div>
${chips(people.filter.title, filterChips(frame, page))}
${list(frame, page)}
${searchPager(frame, path, { search, sort, ...filters }, page.place)}`;
  return consoleLayout(frame, {
    section: 'applications',
    actions: pageLink(frame, { label: m.new, href: `${path}/new`, kind: 'primary', icon: 'plus' }),
    notice: page.notice,
    problem: page.problem,
    body,
  });
}

/** One for each filter that has a chip, and for those in the URL. */
function filterChips(frame: AccountFrame, { search, sort, filters }: ClientsPage) {
  const { applications: m, owners } = frame.messages.admin;
  const { unused = '90d', owner = 'none' } = filters;
  const offered: readonly (readonly [keyof WrittenClientFilters, string, string])[] = [
    ['access', 'listed', m.limited],
    ['unused', unused, m.unusedFor(unused.replace('d', ''))],
    ['type', 'public', m.public],
    ['owner', owner, owner === 'none' ? owners.noOwner : owners.ownedBy(owner)],
  ];
  return offered.map(([name, value, label]) => {
    const current = filters[name] === value;
    return { label, current, href: listUrl(path, { search, sort, ...filters, [name]: current ? '' : value }) };
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
        cell: ({ id, app, isPublic, revoked }) =>
          html`<span class="named">${appIcon(app)}<a href="${path}/${id}">${app.name}</a>${isPublic && badge(m.public)}${stoppedBadge(revoked && admin.revoked)}</span>`,
      },
      { label: m.column.clientId, phone: 'hidden', cell: ({ id }) => html`<code>${id}</code>` },
      {
        label: m.column.access,
        phone: 'hidden',
        cell: ({ access }) => admin.access[access === 'everyone' ? 'openToEveryone' : 'onlyListed'],
      },
      {
        label: admin.sections.people,
        kind: 'number',
        sort: sortOf(path, page, 'people', 'descending'),
        cell: ({ people }) => admin.counted(people),
        brief: ({ people }) => admin.brief.people(people),
      },
      {
        label: m.column.lastUsed,
        sort: sortOf(path, page, 'last_used', 'descending'),
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
      page.search === '' && Object.keys(page.filters).length === 0
        ? { icon: 'squares-2x2', title: m.none, text: m.noneText }
        : { icon: 'magnifying-glass', title: m.noneFound },
  });
}
