// The console's pages about groups: the list with the form that creates one, and the page of one group.

import { type AccountFrame, formToken } from '../../account/account-layout.ts';
import { button, linkButton } from '../../components/controls.ts';
import { card, emptyState, table } from '../../components/display.ts';
import { field } from '../../layout/form.ts';
import { html } from '../../layout/html.ts';
import { consoleLayout } from '../console-layout.ts';
import { dangerZone } from '../danger.ts';
import { type ListPlace, listPager } from '../lists.ts';
import { type ListedPerson, type UserPicker, userList, userPicker } from '../users/user-picker.ts';

export interface GroupsPage {
  readonly groups: readonly { readonly id: string; readonly name: string }[];
  readonly place: ListPlace;
  /** What was entered, when it was refused. */
  readonly name: string;
  readonly notice: string | undefined;
  readonly problem: string | undefined;
}

const list = '/admin/groups';

export function groupsPage(frame: AccountFrame, page: GroupsPage): string {
  const { groups: m, sections } = frame.messages.admin;
  const groups = table<GroupsPage['groups'][number]>({
    caption: sections.groups,
    rows: page.groups,
    columns: [{ label: m.name, cell: ({ id, name }) => html`<a href="${list}/${id}">${name}</a>` }],
  });
  const form = html`<form class="inline-form" method="post" action="${list}">
${formToken(frame)}
${field({ name: 'name', label: m.name, autocomplete: 'off', value: page.name, limit: 100 })}
${button({ label: m.create, kind: 'primary' })}
</form>`;
  const body = html`
${card({ lead: m.lead, title: m.create, body: form })}
${page.groups.length === 0 ? emptyState({ icon: 'user-group', title: m.none }) : html`<div class="dense">${groups}</div>`}
${listPager(frame, list, {}, page.place)}`;
  return consoleLayout(frame, { section: 'groups', notice: page.notice, problem: page.problem, body });
}

export interface GroupPage {
  readonly id: string;
  readonly name: string;
  readonly count: number;
  readonly members: readonly ListedPerson[];
  readonly place: ListPlace;
  readonly picker: UserPicker;
  readonly notice: string | undefined;
  readonly problem: string | undefined;
}

export function groupPage(frame: AccountFrame, page: GroupPage): string {
  const { groups: m, sections } = frame.messages.admin;
  const path = `${list}/${page.id}`;
  const members = userList(frame, page.members, {
    post: `${path}/remove`,
    button: m.remove,
    none: m.noMembers,
    kind: 'danger',
  });
  const body = html`
${card({ title: m.add, body: userPicker(frame, page.picker, { path, post: `${path}/add`, button: m.addPerson }) })}
${card({ title: m.members(page.count), body: html`${members}${listPager(frame, path, {}, page.place)}` })}
${dangerZone(frame, [
  { hint: m.deleteHint, control: linkButton({ label: m.delete, href: `${path}/delete`, kind: 'danger' }) },
])}`;
  return consoleLayout(frame, {
    section: 'groups',
    title: page.name,
    back: { href: list, label: sections.groups },
    notice: page.notice,
    problem: page.problem,
    body,
  });
}
