// The console's page about who may use an application.

import { type AccountFrame, allows, type PageResult, postForm } from '../../account/account-layout.ts';
import { button } from '../../components/controls.ts';
import { card } from '../../components/display.ts';
import { select } from '../../layout/form.ts';
import { type Html, html } from '../../layout/html.ts';
import { action, consoleLayout, linkedName } from '../console-layout.ts';
import { endField, endingChip, endText } from '../ends.ts';
import { type ListPlace, listPager } from '../lists.ts';
import { type ListedPerson, type UserPicker, userList, userPicker } from '../users/user-picker.ts';

interface ListedGroup {
  readonly id: string;
  readonly name: string;
  readonly listedUntil?: number | null;
}

export interface ClientAccessPage extends PageResult {
  readonly id: string;
  readonly name: string;
  readonly access: 'everyone' | 'listed';
  readonly people: readonly ListedPerson[];
  /** Only those whose place ends soon, within so many days. */
  readonly ending: boolean;
  readonly endingDays: number;
  readonly now: number;
  readonly place: ListPlace;
  readonly groups: readonly ListedGroup[];
  /** Those that can be chosen. */
  readonly allGroups: readonly ListedGroup[];
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
    none: page.ending ? frame.messages.admin.ends.nobody(page.endingDays) : m.nobody,
    kind: 'danger',
    now: page.now,
  });
  const query = { ending: page.ending ? 'yes' : undefined };
  const filter = (page.ending || page.people.length > 0) && endingChip(frame, path, page);
  const body = html`
${card({ title: m.access, body: html`<p>${isOpen ? m.everyone : m.listed}</p>`, actions: access })}
${allows(frame, 'POST', `${path}/allow`) && card({ title: m.add, body: userPicker(frame, page.picker, { path, post: `${path}/allow`, words: m.picker }) })}
${card({ title: m.people, body: html`${filter}${people}${listPager(frame, path, query, page.place)}` })}
${card({
  title: m.groups,
  body: html`${groupList(frame, page, path)}${page.allGroups.length > 0 && groupForm(frame, page, path)}`,
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
    return html`<p class="quiet">${m.noGroups} ${allows(frame, 'GET', '/admin/groups') && html`<a href="/admin/groups">${m.toGroups}</a>`}</p>`;
  const rows = page.groups.map(
    ({ id, name, listedUntil }) => html`<li>
<div><h3 class="thing-name">${linkedName(frame, `/admin/groups/${id}`, name)}</h3>${listedUntil != null && html`<p>${endText(frame, listedUntil, page.now)}</p>`}</div>
${action(frame, `${path}/disallow`, m.remove, 'danger', { group: id }, name)}
</li>`,
  );
  return html`<ul class="things">${rows}</ul>`;
}

function groupForm(frame: AccountFrame, page: ClientAccessPage, path: string): Html {
  const m = frame.messages.admin.access;
  const options = page.allGroups.map(({ id, name }) => ({ value: id, label: name }));
  const end = endField(frame, { idPrefix: 'group-', hint: frame.messages.admin.ends.groupHint });
  const content = html`${select({ name: 'group', label: m.group, value: '', options })}${end}${button({ label: m.allowGroup })}`;
  return postForm(frame, `${path}/allow`, content);
}
