// The console's page about who may use an application.

import { type AccountFrame, type PageResult, postForm } from '../../account/account-layout.ts';
import { button } from '../../components/controls.ts';
import { card } from '../../components/display.ts';
import { select } from '../../layout/form.ts';
import { type Html, html } from '../../layout/html.ts';
import { action, consoleLayout } from '../console-layout.ts';
import { type ListPlace, listPager } from '../lists.ts';
import { type ListedPerson, type UserPicker, userList, userPicker } from '../users/user-picker.ts';

interface ListedGroup {
  readonly id: string;
  readonly name: string;
}

export interface ClientAccessPage extends PageResult {
  readonly id: string;
  readonly name: string;
  readonly access: 'everyone' | 'listed';
  readonly people: readonly ListedPerson[];
  readonly place: ListPlace;
  readonly groups: readonly ListedGroup[];
  /** Those that are not on the list. */
  readonly otherGroups: readonly ListedGroup[];
  readonly picker: UserPicker;
}

export function clientAccessPage(frame: AccountFrame, page: ClientAccessPage): string {
  const m = frame.messages.admin.access;
  const back = `/admin/applications/${page.id}`;
  const path = `${back}/access`;
  const isOpen = page.access === 'everyone';
  const access = action(frame, path, isOpen ? m.limit : m.open, isOpen ? 'danger' : 'plain', {
    access: isOpen ? 'listed' : 'everyone',
  });
  const people = userList(frame, page.people, {
    post: `${path}/disallow`,
    button: m.remove,
    none: m.nobody,
    kind: 'danger',
  });
  const body = html`
${card({ title: m.access, body: html`<p>${isOpen ? m.everyone : m.listed}</p>`, actions: access })}
${card({ title: m.add, body: userPicker(frame, page.picker, { path, post: `${path}/allow`, button: m.allow }) })}
${card({ title: m.people, body: html`${people}${listPager(frame, path, {}, page.place)}` })}
${card({
  title: m.groups,
  body: html`${groupList(frame, page, path)}${page.otherGroups.length > 0 && groupForm(frame, page, path)}`,
})}`;
  return consoleLayout(frame, {
    section: 'applications',
    title: m.title(page.name),
    back: { href: back, label: page.name },
    notice: page.notice,
    problem: page.problem,
    body,
  });
}

function groupList(frame: AccountFrame, page: ClientAccessPage, path: string): Html {
  const m = frame.messages.admin.access;
  if (page.groups.length === 0)
    return html`<p class="quiet">${m.noGroups} <a href="/admin/groups">${m.toGroups}</a></p>`;
  const rows = page.groups.map(
    ({ id, name }) => html`<li>
<div><h3 class="thing-name"><a href="/admin/groups/${id}">${name}</a></h3></div>
${action(frame, `${path}/disallow`, m.remove, 'danger', { group: id }, name)}
</li>`,
  );
  return html`<ul class="things">${rows}</ul>`;
}

function groupForm(frame: AccountFrame, page: ClientAccessPage, path: string): Html {
  const m = frame.messages.admin.access;
  const options = page.otherGroups.map(({ id, name }) => ({ value: id, label: name }));
  const content = html`${select({ name: 'group', label: m.group, value: '', options })}${button({ label: m.allowGroup })}`;
  return postForm(frame, `${path}/allow`, content, {}, html` class="inline-form"`);
}
