// The console's pages about groups: the list with the form that creates one, and the page of one group.

import { type AccountFrame, allows, type PageResult, postForm } from '../../account/account-layout.ts';
import { button } from '../../components/controls.ts';
import { card } from '../../components/display.ts';
import { field } from '../../layout/form.ts';
import { html } from '../../layout/html.ts';
import { consoleLayout, dangerousAction, dangerZone, denseList, linkedName, pageLink } from '../console-layout.ts';
import { endingChip } from '../ends.ts';
import { type ListPlace, listPager } from '../lists.ts';
import { type ListedPerson, type UserPicker, userList, userPicker } from '../users/user-picker.ts';

export interface GroupsPage extends PageResult {
  readonly groups: readonly { readonly id: string; readonly name: string }[];
  readonly place: ListPlace;
  /** What was entered, when it was refused. */
  readonly name: string;
}

const list = '/admin/groups';

export function groupsPage(frame: AccountFrame, page: GroupsPage): string {
  const { groups: m, sections } = frame.messages.admin;
  const groups = denseList<GroupsPage['groups'][number]>({
    caption: sections.groups,
    rows: page.groups,
    columns: [{ label: m.name, cell: ({ id, name }) => linkedName(frame, `${list}/${id}`, name) }],
    none: { icon: 'user-group', title: m.none },
  });
  const fields = html`${field({ name: 'name', label: m.name, autocomplete: 'off', value: page.name, limit: 100 })}
${button({ label: m.create, kind: 'primary' })}`;
  const body = html`
${allows(frame, 'POST', list) && card({ lead: m.lead, title: m.create, body: postForm(frame, list, fields, {}, html` class="inline-form"`) })}
${groups}
${listPager(frame, list, {}, page.place)}`;
  return consoleLayout(frame, { section: 'groups', notice: page.notice, problem: page.problem, body });
}

export interface GroupPage extends PageResult {
  readonly id: string;
  readonly name: string;
  readonly count: number;
  readonly members: readonly ListedPerson[];
  /** Only those whose membership ends soon, within so many days. */
  readonly ending: boolean;
  readonly endingDays: number;
  readonly now: number;
  readonly place: ListPlace;
  readonly picker: UserPicker;
}

export function groupPage(frame: AccountFrame, page: GroupPage): string {
  const m = frame.messages.admin.groups;
  const path = `${list}/${page.id}`;
  const members = userList(frame, page.members, {
    post: `${path}/remove`,
    button: m.remove,
    none: page.ending ? frame.messages.admin.ends.nobody(page.endingDays) : m.noMembers,
    kind: 'danger',
    now: page.now,
  });
  const query = { ending: page.ending ? 'yes' : undefined };
  const rename = html`${field({ name: 'name', label: m.name, autocomplete: 'off', value: page.name, limit: 100 })}
${button({ label: m.rename })}`;
  const body = html`
${allows(frame, 'POST', `${path}/add`) && card({ title: m.add, body: userPicker(frame, page.picker, { path, post: `${path}/add`, button: m.addPerson }) })}
${card({ title: m.members(page.count), body: html`${page.count > 0 && endingChip(frame, path, page)}${members}${listPager(frame, path, query, page.place)}` })}
${allows(frame, 'POST', `${path}/rename`) && card({ title: m.renameTitle, lead: m.renameHint, body: postForm(frame, `${path}/rename`, rename, {}, html` class="inline-form"`) })}
${dangerZone(frame, [dangerousAction(m.deleteHint, pageLink(frame, { label: m.delete, href: `${path}/delete`, kind: 'danger' }))])}`;
  return consoleLayout(frame, {
    section: 'groups',
    title: page.name,
    back: 'section',
    notice: page.notice,
    problem: page.problem,
    body,
  });
}
