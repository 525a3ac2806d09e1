// The console's pages about groups: the list with the form that creates one, and the page of one group.

import { type AccountFrame, formToken } from '../account/account-layout.ts';
import { field } from '../layout/form.ts';
import { html } from '../layout/html.ts';
import { consoleLayout, moreLink } from './console-layout.ts';
import { type ListedPerson, type PeoplePicker, peopleList, peoplePicker } from './people-picker.ts';

export interface GroupsPage {
  readonly groups: readonly { readonly id: string; readonly name: string }[];
  readonly next: string | undefined;
  /** What was entered, when it was refused. */
  readonly name: string;
  readonly notice: string | undefined;
  readonly problem: string | undefined;
}

export function groupsPage(frame: AccountFrame, page: GroupsPage): string {
  const m = frame.messages.admin.groups;
  const path = '/admin/groups';
  const rows = page.groups.map(
    ({ id, name }) => html`<li><div><h2 class="thing-name"><a href="${path}/${id}">${name}</a></h2></div></li>`,
  );
  const body = html`
<p>${m.lead}</p>
<form method="post" action="${path}">
${formToken(frame)}
${field({ name: 'name', label: m.name, autocomplete: 'off', value: page.name, limit: 100 })}
<button class="primary" type="submit">${m.create}</button>
</form>
${rows.length === 0 ? html`<p class="quiet">${m.none}</p>` : html`<ul class="things">${rows}</ul>`}
${page.next !== undefined && moreLink(frame, path, { cursor: page.next })}`;
  return consoleLayout(frame, { section: 'groups', notice: page.notice, problem: page.problem, body });
}

export interface GroupPage {
  readonly id: string;
  readonly name: string;
  readonly count: number;
  readonly members: readonly ListedPerson[];
  readonly next: string | undefined;
  readonly picker: PeoplePicker;
  readonly notice: string | undefined;
  readonly problem: string | undefined;
}

export function groupPage(frame: AccountFrame, page: GroupPage): string {
  const m = frame.messages.admin.groups;
  const path = `/admin/groups/${page.id}`;
  const body = html`
<section>
<h2 class="section-title">${m.add}</h2>
${peoplePicker(frame, page.picker, { path, post: `${path}/add`, button: m.addPerson })}
</section>
<section>
<h2 class="section-title">${m.members(page.count)}</h2>
${peopleList(frame, page.members, { post: `${path}/remove`, button: m.remove, none: m.noMembers, kind: 'danger' })}
${page.next !== undefined && moreLink(frame, path, { cursor: page.next })}
</section>
<section>
<h2 class="section-title">${m.danger}</h2>
<p>${m.deleteHint}</p>
<p><a class="button danger" href="${path}/delete">${m.delete}</a></p>
</section>`;
  return consoleLayout(frame, {
    section: 'groups',
    title: page.name,
    notice: page.notice,
    problem: page.problem,
    body,
  });
}
