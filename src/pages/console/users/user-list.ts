// The console's list of people.

import type { Standing } from '../../../protocol/account/standing.ts';
import type { WrittenPeopleFilters } from '../../../protocol/admin/people-filters.ts';
import type { UserValues } from '../../../protocol/resources/user.ts';
import type { AccountFrame, PageResult } from '../../account/account-layout.ts';
import { tabs } from '../../components/controls.ts';
import { address, type Html, html } from '../../layout/html.ts';
import { personSegment } from '../../layout/person-path.ts';
import { agoTime } from '../../layout/time.ts';
import { agoOrNever, consoleLayout, denseList, pageLink, searchForm } from '../console-layout.ts';
import { endColumns, standingBadge } from '../ends.ts';
import { downloadMenu, type ListPlace, searchPager, sortOf } from '../lists.ts';
import { managedColumns } from '../managed.ts';
import { roleBadges } from './roles.ts';
import { type FilterChoice, userFilter } from './user-filter.ts';

interface ListedUser
  extends Pick<
    UserValues,
    'id' | 'name' | 'email' | 'roles' | 'managedBy' | 'expiresAt' | 'createdAt' | 'disabledReason'
  > {
  readonly standing: Standing;
  readonly hasSecondFactor: boolean;
  readonly lastSignInAt: number | null;
  readonly lastActiveAt: number | null;
}

export interface UsersPage extends PageResult {
  readonly search: string;
  /** The column that the list is sorted by, with a minus sign when it descends. */
  readonly sort: string;
  readonly filters: WrittenPeopleFilters;
  readonly choices: readonly FilterChoice[];
  readonly users: readonly ListedUser[];
  readonly place: ListPlace;
  readonly now: number;
}

const path = '/admin/people';

export function usersPage(frame: AccountFrame, page: UsersPage): string {
  const m = frame.messages.admin.people;
  const query = { search: page.search, sort: page.sort, ...page.filters };
  const isFiltered = Object.keys(page.filters).length > 0;
  const body = html`
${peopleTabs(frame, 'people')}
<div class="list-bar">
${searchForm(frame, path, page.search, m.searchHint, page.filters)}
${downloadMenu(frame, path, query)}
</div>
${userFilter(frame, path, page)}
${list(frame, page)}
${searchPager(frame, path, query, page.place, isFiltered ? frame.messages.admin.truncatedFilter : undefined)}`;
  return consoleLayout(frame, {
    section: 'people',
    actions: html`${pageLink(frame, { label: m.invite, href: `${path}/invitations`, icon: 'envelope' })}${pageLink(frame, { label: m.new, href: `${path}/new`, kind: 'primary', icon: 'user-plus' })}`,
    notice: page.notice,
    problem: page.problem,
    body,
  });
}

export function peopleTabs(frame: AccountFrame, current: 'people' | 'waiting' | 'invitations' | 'sign-up-links'): Html {
  const { people: m, sections, waiting, signUpLinks } = frame.messages.admin;
  return tabs(sections.people, [
    { href: path, label: sections.people, current: current === 'people' },
    { href: `${path}/waiting`, label: waiting.title, current: current === 'waiting' },
    { href: `${path}/invitations`, label: m.invitations, current: current === 'invitations' },
    { href: `${path}/sign-up-links`, label: signUpLinks.title, current: current === 'sign-up-links' },
  ]);
}

function list(frame: AccountFrame, page: UsersPage): Html {
  const { admin } = frame.messages;
  const { column, on, off, none, noneFound } = admin.people;
  // There's no room for both.
  const isByActivity = page.filters.inactive !== undefined || page.sort.endsWith('last_active');
  const isWhole = page.search === '' && Object.keys(page.filters).length === 0;
  return denseList<ListedUser>({
    caption: admin.sections.people,
    rows: page.users,
    compact: 'wrap',
    columns: [
      {
        label: column.name,
        kind: 'wide',
        sort: sortOf(path, page, 'name', 'ascending'),
        cell: (user) =>
          html`<a href="${path}/${personSegment(user.id)}">${user.name}</a> ${standingBadge(frame, user)} <span class="quiet second">${address(user.email)}</span>`,
      },
      ...endColumns(frame, page.users, ({ expiresAt }) => expiresAt, page.now),
      {
        label: column.role,
        cell: ({ roles }) => roleBadges(frame, roles),
      },
      ...managedColumns(frame, page.users),
      {
        label: column.secondFactor,
        phone: 'hidden',
        cell: ({ hasSecondFactor }) => (hasSecondFactor ? on : html`<span class="quiet">${off}</span>`),
      },
      {
        label: column.lastSignIn,
        phone: 'first',
        sort: sortOf(path, page, 'last_sign_in', 'descending'),
        cell: ({ lastSignInAt }) => agoOrNever(frame, lastSignInAt, page.now),
        brief: ({ lastSignInAt }) =>
          lastSignInAt === null ? admin.brief.neverSignedIn : agoTime(frame.messages, lastSignInAt, page.now),
      },
      isByActivity
        ? {
            label: column.lastActive,
            phone: 'hidden',
            sort: sortOf(path, page, 'last_active', 'descending'),
            cell: ({ lastActiveAt }) => agoOrNever(frame, lastActiveAt, page.now),
          }
        : {
            label: column.created,
            phone: 'hidden',
            sort: sortOf(path, page, 'created', 'descending'),
            cell: ({ createdAt }) => agoTime(frame.messages, createdAt, page.now),
          },
    ],
    none: { icon: 'users', title: isWhole ? none : noneFound },
  });
}
