// The page about what a person has access to: their groups, applications with every reason, and when their own access ends.

import type { AccountFrame } from '../../account/account-layout.ts';
import { allows, postForm } from '../../account/account-layout.ts';
import { button } from '../../components/controls.ts';
import { badge, card, table } from '../../components/display.ts';
import { field, nameList, select } from '../../layout/form.ts';
import { type Html, html } from '../../layout/html.ts';
import { accessColumns, endingColumn, folded, type ShownAccess, sinceColumn } from '../access-table.ts';
import { linkedName, searchForm } from '../console-layout.ts';
import { endColumns, endField } from '../ends.ts';
import { groupList, joinableNamesPath } from '../field-form.ts';
import { type PersonTabPage, personLayout, personPath } from './person-layout.ts';

export interface ShownGroup {
  readonly id: string;
  readonly name: string;
  readonly protectedSince: number | null;
  /** Null if it began before that was noted. */
  readonly listedSince: number | null;
  readonly listedUntil: number | null;
  /** Whether the reader decides who is in it. */
  readonly isOpen: boolean;
}

/** An application that they can use, or that they've connected. */
export interface ShownApp extends ShownAccess {
  readonly id: string;
  readonly name: string;
}

/** What was sent by one of the forms, when it was refused. */
interface Sent {
  readonly chosen: string;
  readonly end: string;
}

export interface UserAccessPage extends PersonTabPage {
  readonly groups: readonly ShownGroup[];
  /** To choose from. */
  readonly groupNames: { readonly names: readonly string[]; readonly more: boolean };
  readonly addition?: Sent | undefined;
  readonly apps: readonly ShownApp[];
  readonly offered: {
    readonly search: string;
    readonly apps: readonly { readonly id: string; readonly name: string }[];
    /** Whether there are others, which a search finds. */
    readonly more: boolean;
  };
  readonly gift?: Sent | undefined;
  /** When the account's access ends, for the form; or what was sent there and refused. */
  readonly end: string;
}

export function userAccessPage(frame: AccountFrame, page: UserAccessPage): string {
  const path = personPath(page.person.id);
  const body = html`
${groupsCard(frame, page, path)}
${appsCard(frame, page, path)}
${endForm(frame, page, path)}`;
  return personLayout(frame, 'access', page, body);
}

function groupsCard(frame: AccountFrame, page: UserAccessPage, path: string): Html {
  const { admin } = frame.messages;
  const m = admin.person.groups;
  const { groups, now } = page;
  const remove = endingColumn(frame, groups, {
    post: `${path}/groups/remove`,
    label: m.remove,
    kind: 'danger',
    has: ({ isOpen }) => isOpen,
    fields: ({ id }) => ({ group: id }),
    about: ({ name }) => name,
  });
  const list = table<ShownGroup>({
    caption: m.title,
    rows: groups,
    compact: 'wrap',
    columns: [
      {
        label: admin.groups.fields.name.label,
        kind: 'wide',
        cell: ({ id, name, protectedSince }) =>
          html`${linkedName(frame, `/admin/groups/${id}`, name)}${protectedSince !== null && html` ${badge(admin.groups.protected)}`}`,
      },
      sinceColumn(frame, ({ listedSince }) => listedSince, now),
      ...endColumns(frame, groups, ({ listedUntil }) => listedUntil, now),
      ...remove,
    ],
  });
  return card({
    title: m.title,
    body: html`${groups.length === 0 ? html`<p class="quiet">${m.none}</p>` : html`<div class="dense">${list}</div>`}${groupForm(frame, page, path)}`,
  });
}

function groupForm(frame: AccountFrame, { groupNames, addition }: UserAccessPage, path: string): Html {
  const m = frame.messages.admin.person.groups;
  if (groupNames.names.length === 0 && !groupNames.more) return html``;
  const list = groupList(groupNames, joinableNamesPath);
  const name = { name: 'group', label: m.group, value: addition?.chosen ?? '', list } as const;
  const content = html`<div class="pair">
${field({ ...name, autocomplete: 'off', limit: 100, verbatim: true })}${nameList(list)}
${endField(frame.messages, { idPrefix: 'group-', hint: m.addHint, value: addition?.end ?? '' })}
</div>
${button({ label: m.add })}`;
  const form = postForm(frame, `${path}/groups/add`, content);
  return folded(m.add, addition !== undefined, form);
}

function appsCard(frame: AccountFrame, page: UserAccessPage, path: string): Html {
  const { messages } = frame;
  const m = messages.admin.person.apps;
  const { apps, now } = page;
  // While everyone can use it, their own place on its list changes nothing.
  const isDirect = ({ reasons: held }: ShownApp) =>
    held.some(({ kind }) => kind === 'person') && held.every(({ kind }) => kind !== 'everyone');
  const end = endingColumn(frame, apps, {
    post: `${path}/applications/disallow`,
    label: m.end,
    kind: 'asked',
    has: isDirect,
    fields: ({ id }) => ({ application: id }),
    about: ({ name }) => name,
  });
  const list = table<ShownApp>({
    caption: m.title,
    rows: apps,
    compact: 'wrap',
    columns: [
      {
        label: messages.admin.applications.column.name,
        kind: 'wide',
        cell: ({ id, name }) => linkedName(frame, `/admin/applications/${id}`, name),
      },
      ...accessColumns(frame, apps, now),
      ...end,
    ],
  });
  return card({
    title: m.title,
    lead: m.lead,
    id: applicationsPart,
    body: html`${apps.length === 0 ? html`<p class="quiet">${m.none}</p>` : html`<div class="dense">${list}</div>`}${giftForm(frame, page, path)}`,
  });
}

/** Where the search of applications leads, below the groups. */
const applicationsPart = 'applications';

/** Few applications are in a list, and of many a search finds those that are offered. */
function giftForm(frame: AccountFrame, { offered, gift, person }: UserAccessPage, path: string): Html {
  const m = frame.messages.admin.person.apps;
  const isSearched = offered.more || offered.search !== '';
  if (!allows(frame, 'POST', `${path}/applications/allow`) || (offered.apps.length === 0 && !isSearched)) return html``;
  const options = offered.apps.map(({ id, name }) => ({ value: id, label: name }));
  const content = html`<div class="pair">
${select({ name: 'application', label: m.application, value: gift?.chosen ?? '', options })}
${endField(frame.messages, { idPrefix: 'application-', hint: m.giveHint, value: gift?.end ?? '' })}
</div>
${button({ label: m.give })}`;
  const search =
    isSearched &&
    searchForm(frame, `${personPath(person.id, 'access')}#${applicationsPart}`, offered.search, m.searchHint);
  const form =
    options.length === 0
      ? html`<p class="quiet">${m.noneFound}</p>`
      : postForm(frame, `${path}/applications/allow`, content, { search: offered.search });
  return folded(m.give, gift !== undefined || offered.search !== '', html`${search}${form}`);
}

function endForm(frame: AccountFrame, { person, end }: UserAccessPage, path: string): Html {
  const m = frame.messages.admin.ends;
  const content = card({
    title: m.title,
    lead: m.lead,
    body: endField(frame.messages, { value: end, current: person.expiresAt }),
    actions: button({ label: m.save }),
  });
  return postForm(frame, `${path}/end`, content);
}
