// The console's page about who may use an application.

import { type AccountFrame, allows, postForm, valuesForm } from '../../account/account-layout.ts';
import { button } from '../../components/controls.ts';
import { card } from '../../components/display.ts';
import type { Messages } from '../../languages/languages.ts';
import { choiceGroup, radio, select } from '../../layout/form.ts';
import { type Html, html } from '../../layout/html.ts';
import { action, linkedName } from '../console-layout.ts';
import { endField, endingChip, endText } from '../ends.ts';
import { type ListPlace, listPager } from '../lists.ts';
import { type ListedPerson, type UserPicker, userList, userPicker } from '../users/user-picker.ts';
import { type ClientTabPage, clientLayout, clientPath } from './client-layout.ts';

interface ListedGroup {
  readonly id: string;
  readonly name: string;
  readonly listedUntil?: number | null;
}

/** Of those who use the application, those whom its list lets in. */
interface KeptUsers {
  readonly users: number;
  readonly kept: number;
  /** Whether there are more of them, who weren't counted. */
  readonly more: boolean;
}

export interface ClientAccessPage extends ClientTabPage {
  readonly access: 'everyone' | 'listed';
  /** Who would keep access with the list as it is; undefined while it's limited. */
  readonly preview: KeptUsers | undefined;
  readonly people: readonly ListedPerson[];
  /** Only those whose place ends soon, within so many days. */
  readonly ending: boolean;
  readonly endingDays: number;
  readonly now: number;
  readonly place: ListPlace;
  readonly groups: readonly ListedGroup[];
  /** Those that can be chosen. */
  readonly allGroups: readonly ListedGroup[];
  /** The group and the end that were sent, when they were refused. */
  readonly chosen?: { readonly group: string; readonly end: string } | undefined;
  readonly picker: UserPicker;
}

export function clientAccessPage(frame: AccountFrame, page: ClientAccessPage): string {
  const m = frame.messages.admin.access;
  const path = clientPath(page.client.id, 'access');
  const people = userList(frame, page.people, {
    post: `${path}/disallow`,
    button: m.remove,
    none: page.ending ? frame.messages.admin.ends.nobody(page.endingDays) : m.nobody,
    kind: 'asked',
    now: page.now,
  });
  const query = { ending: page.ending ? 'yes' : undefined };
  const filter = (page.ending || page.people.length > 0) && endingChip(frame, path, page);
  const picker =
    allows(frame, 'POST', `${path}/allow`) &&
    html`<h3>${m.add}</h3>${userPicker(frame, page.picker, { path, post: `${path}/allow`, words: m.picker })}`;
  const body = html`
${accessForm(frame, page, path)}
${card({
  title: m.groups,
  body: html`${groupList(frame, page, path)}${page.allGroups.length > 0 && groupForm(frame, page, path)}`,
})}
${card({ title: m.people, body: html`${filter}${people}${listPager(frame, path, query, page.place)}${picker}` })}`;
  return clientLayout(frame, 'access', page, body);
}

/** Everyone, or the list below. What a limit would do is said with the choice. */
function accessForm(frame: AccountFrame, page: ClientAccessPage, path: string): Html {
  const { access: m, save } = frame.messages.admin;
  const { access, preview } = page;
  const choice = choiceGroup({
    name: 'access',
    label: m.who,
    lines: [
      radio('access', 'everyone', m.openToEveryone, access === 'everyone'),
      radio('access', 'listed', m.onlyThese, access === 'listed'),
      html`${preview && html`<p class="dependent hint">${keptText(frame.messages, preview)}</p>`}`,
    ],
  });
  const open = access === 'everyone' && html`<p class="hint">${m.prepare}</p>`;
  const form = card({
    title: m.access,
    body: html`${choice}${open}`,
    actions: button({ label: save, kind: 'primary', asks: true }),
  });
  return valuesForm(frame, path, form);
}

/** "2 of 57 people who use it keep access." */
export function keptText({ admin: { access: m } }: Messages, { users, kept, more }: KeptUsers): string {
  if (users === 0) return m.unused;
  return more ? m.keptOfMany(kept, users) : m.kept(kept, users);
}

function groupList(frame: AccountFrame, page: ClientAccessPage, path: string): Html {
  const m = frame.messages.admin.access;
  if (page.groups.length === 0)
    return html`<p class="quiet">${m.noGroups} ${allows(frame, 'GET', '/admin/groups') && html`<a href="/admin/groups">${m.toGroups}</a>`}</p>`;
  const rows = page.groups.map(
    ({ id, name, listedUntil }) => html`<li>
<div><h3 class="thing-name">${linkedName(frame, `/admin/groups/${id}`, name)}</h3>${listedUntil != null && html`<p>${endText(frame, listedUntil, page.now)}</p>`}</div>
${action(frame, `${path}/disallow`, m.remove, { kind: 'asked', fields: { group: id }, about: name })}
</li>`,
  );
  return html`<ul class="things">${rows}</ul>`;
}

function groupForm(frame: AccountFrame, page: ClientAccessPage, path: string): Html {
  const m = frame.messages.admin.access;
  const options = page.allGroups.map(({ id, name }) => ({ value: id, label: name }));
  const { group, end: value } = page.chosen ?? { group: '', end: '' };
  const end = endField(frame.messages, { idPrefix: 'group-', hint: frame.messages.admin.ends.groupHint, value });
  const content = html`${select({ name: 'group', label: m.group, value: group, options })}${end}${button({ label: m.allowGroup })}`;
  return postForm(frame, `${path}/allow`, content);
}
