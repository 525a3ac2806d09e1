// The console's pages about groups: the list with the form that creates one, and the page of one group.

import type { Total } from '../../../protocol/admin/totals.ts';
import type { GroupInput } from '../../../protocol/resources/group.ts';
import { type AccountFrame, allows, type PageResult, postForm } from '../../account/account-layout.ts';
import { button } from '../../components/controls.ts';
import { badge, card, notice, table } from '../../components/display.ts';
import { checkbox, field } from '../../layout/form.ts';
import { type Html, html } from '../../layout/html.ts';
import { entriesTable, folded, type ListedPerson } from '../access-table.ts';
import { askedAction, consoleLayout, dangerZone, denseList, linkedName, searchForm } from '../console-layout.ts';
import { endColumns, endingChip } from '../ends.ts';
import { fieldControls, fieldNames } from '../field-form.ts';
import { downloadMenu, type ListPlace, listPager, searchPager, sortMenu, sortOf } from '../lists.ts';
import { managedBadge, managedColumns } from '../managed.ts';
import type { SubjectPage, SubjectViews } from '../subject-page.ts';
import { type UserPicker, userPicker } from '../users/user-picker.ts';

interface ShownGroup {
  readonly id: string;
  readonly name: string;
  readonly protectedSince: number | null;
  /** The directory that it belongs to. */
  readonly managedBy: string | null;
}

interface ListedGroup extends ShownGroup {
  readonly members: Total;
  readonly clients: Total;
}

const list = '/admin/groups';

/** `isNameClaimed`: a claim gives every group's name to an application, so only administrators choose one. */
export function groupViews(isNameClaimed: () => Promise<boolean>): SubjectViews<ListedGroup, object> {
  return {
    section: 'groups',
    asks: {},
    async list(frame, page) {
      const mayProtect = allows(frame, 'POST', `${list}/:id/protect`);
      return groupsPage(frame, page, { mayProtect, mayName: mayProtect || !(await isNameClaimed()) });
    },
  };
}

export function groupsPage(
  frame: AccountFrame,
  page: SubjectPage<ListedGroup>,
  { mayProtect, mayName }: Pick<GroupPage, 'mayProtect' | 'mayName'>,
): string {
  const { groups: m, sections, counted, brief } = frame.messages.admin;
  const groups = denseList<ListedGroup>({
    caption: sections.groups,
    rows: page.items,
    compact: 'wrap',
    columns: [
      {
        label: m.fields.name.label,
        kind: 'wide',
        cell: ({ id, name, protectedSince }) =>
          html`${linkedName(frame, `${list}/${id}`, name)}${protectedSince !== null && html` ${badge(m.protected)}`}`,
      },
      ...managedColumns(frame, page.items),
      {
        label: m.column.members,
        kind: 'number',
        cell: ({ members }) => counted(members),
        brief: ({ members }) => brief.members(members),
      },
      ...(allows(frame, 'GET', '/admin/applications')
        ? [
            {
              label: sections.applications,
              kind: 'number' as const,
              cell: ({ clients }: ListedGroup) => counted(clients),
              brief: ({ clients }: ListedGroup) => brief.applications(clients),
            },
          ]
        : []),
    ],
    none: { icon: 'user-group', title: page.search ? m.noneFound : m.none },
  });
  const shown = page.fields.filter(({ name }) => mayProtect || name !== 'protected');
  const form = card({
    title: m.create,
    lead: m.lead,
    body: html`${fieldNames(page.fields)}${fieldControls(frame.messages, shown, m.fields, page.problems)}`,
    actions: button({ label: m.create, kind: 'primary' }),
  });
  const body = html`
${mayName && postForm(frame, list, form)}
<div class="list-bar">${searchForm(frame, list, page.search ?? '', m.searchHint)}</div>
${groups}
${page.place && listPager(frame, list, { search: page.search }, page.place)}`;
  return consoleLayout(frame, { section: 'groups', notice: page.notice, problem: page.problem, body });
}

export interface GroupPage extends PageResult {
  readonly group: ShownGroup;
  /** Whether the reader decides which groups are protected. If not, and the group is protected, there's nothing to change. */
  readonly mayProtect: boolean;
  /** Whether the reader decides what groups are called. */
  readonly mayName: boolean;
  readonly count: Total;
  readonly members: readonly ListedPerson[];
  readonly search: string;
  readonly sort: string;
  /** Only those whose membership ends soon, within so many days. */
  readonly ending: boolean;
  readonly endingDays: number;
  /** Names that are also another group's. */
  readonly sharedNames: readonly string[];
  readonly now: number;
  readonly place: ListPlace;
  readonly picker: UserPicker;
  /** What was entered in its forms and refused. */
  readonly entered: GroupInput;
  /** The applications that it opens. */
  readonly opens: readonly { readonly id: string; readonly name: string; readonly until: number | null }[];
  /** Those whose claims use it. */
  readonly claimedBy: readonly { readonly id: string; readonly name: string }[];
}

export function groupPage(frame: AccountFrame, page: GroupPage): string {
  const { groups: m, managed } = frame.messages.admin;
  const { id, name, managedBy, protectedSince } = page.group;
  const isProtected = protectedSince !== null;
  const path = `${list}/${id}`;
  const isOpen = page.mayProtect || !isProtected;
  const isOurs = isOpen && managedBy === null;
  const rename = html`${field({ name: 'name', label: m.fields.name.label, autocomplete: 'off', value: page.entered.name ?? name, limit: 100 })}
${button({ label: m.rename })}`;
  const protect = html`${checkbox({ name: 'protected', label: m.fields.protected.label, checked: page.entered.protected ?? isProtected })}
${button({ label: m.save })}`;
  const deleteHint = managedBy === null ? m.deleteHint : `${m.deleteHint} ${managed.deleteGroup(managedBy)}`;
  const body = html`
${page.sharedNames.map((text) => notice(m.sharedName(text), 'warning'))}
${isProtected && !isOpen && html`<p>${m.protectedNote}</p>`}
${managedBy !== null && html`<p>${managed.group(managedBy)}</p>`}
${membersCard(frame, page, path, isOurs)}
${applicationsCard(frame, page)}
${isOurs && page.mayName && allows(frame, 'POST', `${path}/rename`) && card({ title: m.renameTitle, lead: m.renameHint, body: postForm(frame, `${path}/rename`, rename, {}, html` class="inline-form"`) })}
${page.mayProtect && card({ title: m.protection, body: postForm(frame, `${path}/protect`, protect) })}
${isOpen && dangerZone(frame, [askedAction(frame, deleteHint, { label: m.delete, href: `${path}/delete` })])}`;
  return consoleLayout(frame, {
    section: 'groups',
    title: name,
    back: 'section',
    marks: html`${isProtected && badge(m.protected)}${managedBadge(frame, managedBy)}`,
    notice: page.notice,
    problem: page.problem,
    body,
  });
}

function membersCard(frame: AccountFrame, page: GroupPage, path: string, isOurs: boolean): Html {
  const m = frame.messages.admin.groups;
  const list =
    page.count.count === 0 ? html`<p class="quiet">${m.noMembers}</p>` : membersTable(frame, page, path, isOurs);
  return card({ title: m.members(page.count), body: html`${isOurs && additionForm(frame, page, path)}${list}` });
}

function membersTable(frame: AccountFrame, page: GroupPage, path: string, isOurs: boolean): Html {
  const { groups: m, people, ends } = frame.messages.admin;
  const { search, sort, ending, members, now } = page;
  const kept = { ending: ending ? 'yes' : undefined };
  const remove = { post: `${path}/remove`, label: m.remove, kind: 'danger' } as const;
  const none = ending && search === '' ? ends.nobody(page.endingDays) : people.noneFound;
  const list = entriesTable(frame, members, {
    sort: sortOf(path, { search, sort, filters: kept }, 'name', 'ascending'),
    remove: isOurs ? remove : undefined,
    now,
  });
  const orders = ['name', '-created', 'created', '-last_sign_in', 'last_sign_in'] as const;
  return html`<div class="list-bar">
${searchForm(frame, path, search, people.searchHint, ending ? { ending: 'yes' } : {})}
${sortMenu(frame, path, { search, sort, filters: kept }, orders)}${downloadMenu(frame, `${path}/people`, { ...kept, search, sort })}
</div>
${endingChip(frame, path, page, { search, sort })}
${members.length === 0 ? html`<p class="quiet">${none}</p>` : list}
${searchPager(frame, path, { ...kept, search, sort }, page.place)}`;
}

function additionForm(frame: AccountFrame, { picker }: GroupPage, path: string): Html {
  const m = frame.messages.admin.groups;
  const post = `${path}/add`;
  if (!allows(frame, 'POST', post)) return html``;
  const form = userPicker(frame, picker, { path, post, words: m.picker });
  return folded(m.add, picker.found !== undefined || picker.ticked !== undefined, form);
}

/** The applications that know the group: by their list, by their claims, or both. */
function applicationsCard(frame: AccountFrame, page: GroupPage): Html {
  const m = frame.messages.admin.groups;
  const opened = new Map(page.opens.map((each) => [each.id, each]));
  const claiming = new Set(page.claimedBy.map(({ id }) => id));
  const rows = [...page.opens, ...page.claimedBy.filter(({ id }) => !opened.has(id))];
  const uses = (id: string) => [...(opened.has(id) ? [m.opens] : []), ...(claiming.has(id) ? [m.claims] : [])];
  const list = table<(typeof rows)[number]>({
    caption: m.applications,
    rows,
    compact: 'wrap',
    columns: [
      {
        label: m.application,
        kind: 'wide',
        cell: ({ id, name }) => linkedName(frame, `/admin/applications/${id}`, name),
      },
      { label: m.use, cell: ({ id }) => frame.messages.list(uses(id)) },
      ...endColumns(frame, rows, ({ id }) => opened.get(id)?.until, page.now),
    ],
  });
  const body = rows.length === 0 ? html`<p class="quiet">${m.noApplications}</p>` : list;
  return card({ title: m.applications, lead: m.applicationsLead, body });
}
