// The console's page about who may use an application.

import type { Total } from '../../../protocol/admin/totals.ts';
import { type AccountFrame, allows, postForm, valuesForm } from '../../account/account-layout.ts';
import { button, chips } from '../../components/controls.ts';
import { card, table } from '../../components/display.ts';
import type { Messages } from '../../languages/languages.ts';
import { choiceGroup, field, radio, select } from '../../layout/form.ts';
import { type Html, html } from '../../layout/html.ts';
import { endingColumn, entriesTable, folded, type ListedPerson, sinceColumn } from '../access-table.ts';
import { linkedName } from '../console-layout.ts';
import { endColumns, endField, endingChip } from '../ends.ts';
import { type ListPlace, listUrl, searchPager } from '../lists.ts';
import { type UserPicker, userPicker } from '../users/user-picker.ts';
import { type ClientTabPage, clientLayout, clientPath } from './client-layout.ts';
import { type OwnersCard, ownersCard } from './owners.ts';
import {
  type AccessAnswer,
  type AccessTable,
  accessTable,
  checkForm,
  listView,
  type OfApplication,
  peoplePart,
} from './people-with-access.ts';

interface ListedGroup {
  readonly id: string;
  readonly name: string;
  readonly listedSince?: number | null;
  readonly listedUntil?: number | null;
}

/** Of those who use the application, those whom its list lets in. */
interface KeptUsers {
  readonly users: number;
  readonly kept: number;
  /** Whether there are more of them, who weren't counted. */
  readonly more: boolean;
}

/** The people on the list, whether or not they can use the application. */
export interface PeopleOnList {
  readonly kind: 'list';
  readonly people: readonly ListedPerson[];
  /** Only those whose place ends soon, within so many days. */
  readonly ending: boolean;
  readonly endingDays: number;
  readonly place: ListPlace;
  /** How many can use it, for those who may not read who they are. */
  readonly count: Total | undefined;
}

export interface ClientAccessPage extends ClientTabPage {
  readonly access: 'everyone' | 'listed';
  /** Who would keep access with the list as it is; undefined while it's limited. */
  readonly preview: KeptUsers | undefined;
  readonly shown: PeopleOnList | AccessTable;
  /** Undefined for those who may not ask. */
  readonly answer: AccessAnswer | undefined;
  readonly now: number;
  readonly groups: readonly ListedGroup[];
  /** Those that can be chosen. */
  readonly allGroups: readonly ListedGroup[];
  /** The group and the end that were sent, when they were refused. */
  readonly chosen?: { readonly group: string; readonly end: string } | undefined;
  /** Undefined for an owner, who types whom they mean. */
  readonly picker: UserPicker | undefined;
  /** What an owner typed when it was refused; undefined for everyone else. */
  readonly asOwner?: { readonly typed: string; readonly end: string } | undefined;
  /** Undefined for an owner. */
  readonly owners?: OwnersCard | undefined;
}

export function clientAccessPage(frame: AccountFrame, page: ClientAccessPage): string {
  const m = frame.messages.admin.access;
  const path = clientPath(page.client.id, 'access');
  const of = { path, access: page.access, now: page.now };
  const { shown, answer } = page;
  const isOpen = page.access === 'everyone';
  const forms = html`${pickerForm(frame, page, path)}${answer && checkForm(frame, answer, of)}`;
  const people =
    shown.kind === 'list'
      ? card({
          title: m.people,
          lead: shown.count === undefined ? m.listLead : isOpen ? m.haveConnected(shown.count) : m.canUse(shown.count),
          id: peoplePart,
          body: html`${forms}${peopleOnList(frame, shown, of)}`,
        })
      : card({
          title: isOpen ? m.connectedPeople : m.withAccess,
          lead: isOpen ? m.connectedLead : m.withAccessLead,
          id: peoplePart,
          body: html`${forms}${accessTable(frame, shown, of)}`,
        });
  const body = html`
${page.asOwner === undefined && accessForm(frame, page, path)}
${page.owners && ownersCard(frame, page.client.id, page.owners)}
${card({
  title: m.groups,
  body: html`${groupList(frame, page, path)}${page.allGroups.length > 0 && groupForm(frame, page, path)}`,
})}
${people}`;
  return clientLayout(frame, 'access', page, body);
}

function peopleOnList(frame: AccountFrame, shown: PeopleOnList, { path: page, now }: OfApplication): Html {
  const path = `${page}#${peoplePart}`;
  const { access: m, ends, people, truncatedFilter } = frame.messages.admin;
  const { ending, count } = shown;
  // Who may not read who has access always sees the list.
  const kept = count === undefined ? listView : {};
  const query = { ...kept, ending: ending ? 'yes' : undefined };
  const filter =
    count === undefined
      ? chips(people.filter.title, [
          { href: listUrl(path, { ...kept, ending: ending ? '' : 'yes' }), label: ends.soon, current: ending },
          { href: path, label: m.onList, current: true },
        ])
      : (ending || shown.people.length > 0) && endingChip(frame, path, shown);
  const remove = { post: `${page}/disallow`, label: m.remove, kind: 'asked', kept } as const;
  const none = html`<p class="quiet">${ending ? ends.nobody(shown.endingDays) : m.nobody}</p>`;
  return html`${filter}
${shown.people.length === 0 ? none : entriesTable(frame, shown.people, { remove, now })}
${searchPager(frame, path, query, shown.place, truncatedFilter)}`;
}

/** Adds to the list, whatever is shown of it. */
function pickerForm(frame: AccountFrame, { shown, picker, asOwner }: ClientAccessPage, path: string): Html {
  const m = frame.messages.admin.access;
  const post = `${path}/allow`;
  if (!allows(frame, 'POST', post)) return html``;
  if (asOwner !== undefined) return ownersForm(frame, asOwner, post);
  if (picker === undefined) return html``;
  const kept = shown.kind === 'list' && shown.count === undefined ? listView : {};
  const isOpen = picker.found !== undefined || picker.ticked !== undefined;
  return folded(
    m.add,
    isOpen,
    userPicker(frame, picker, { path: `${path}#${peoplePart}`, post, words: m.picker, kept }),
  );
}

/** For an owner: someone whom they know, and nobody to look through. */
function ownersForm(frame: AccountFrame, { typed, end: value }: { typed: string; end: string }, post: string): Html {
  const m = frame.messages.admin.access;
  const person = field({
    name: 'person',
    label: m.ownersPerson,
    hint: m.ownersPersonHint,
    value: typed,
    autocomplete: 'off',
    verbatim: true,
    limit: 300,
  });
  const end = endField(frame.messages, { idPrefix: 'person-', hint: m.ownersEndHint, value });
  return folded(m.add, typed !== '', postForm(frame, post, html`${person}${end}${button({ label: m.ownersAdd })}`));
}

/** Everyone, or the list. What a limit would do is said with the choice. */
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
  return html`<div class="dense">${table<ListedGroup>({
    caption: m.groups,
    rows: page.groups,
    compact: 'wrap',
    columns: [
      {
        label: m.group,
        kind: 'wide',
        cell: ({ id, name }) => linkedName(frame, `/admin/groups/${id}`, name),
      },
      sinceColumn(frame, ({ listedSince }) => listedSince, page.now),
      ...endColumns(frame, page.groups, ({ listedUntil }) => listedUntil, page.now),
      ...endingColumn(frame, page.asOwner === undefined ? page.groups : [], {
        post: `${path}/disallow`,
        label: m.remove,
        kind: 'asked',
        fields: ({ id }) => ({ group: id }),
        about: ({ name }) => name,
      }),
    ],
  })}</div>`;
}

function groupForm(frame: AccountFrame, page: ClientAccessPage, path: string): Html {
  const m = frame.messages.admin.access;
  const options = page.allGroups.map(({ id, name }) => ({ value: id, label: name }));
  const { group, end: value } = page.chosen ?? { group: '', end: '' };
  const end = endField(frame.messages, { idPrefix: 'group-', hint: frame.messages.admin.ends.groupHint, value });
  const content = html`${select({ name: 'group', label: m.group, value: group, options })}${end}${button({ label: m.allowGroup })}`;
  const isOpen = page.chosen !== undefined || page.groups.length === 0;
  return folded(m.addGroup, isOpen, postForm(frame, `${path}/allow`, content));
}
