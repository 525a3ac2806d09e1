// Who can use an application now, and why: the table of people, its filters, and the answer about one person. For those who may read
// applications and people.

import type { Standing } from '../../../protocol/account/standing.ts';
import type { ReasonKind, WrittenAccessFilters } from '../../../protocol/admin/access-filters.ts';
import type { AccountFrame } from '../../account/account-layout.ts';
import { button, chips } from '../../components/controls.ts';
import { type Column, notice, table } from '../../components/display.ts';
import { field, nameList, select } from '../../layout/form.ts';
import { type Html, html } from '../../layout/html.ts';
import { personSegment } from '../../layout/person-path.ts';
import { agoTime, sentenceWith } from '../../layout/time.ts';
import {
  accessColumns,
  endingColumn,
  folded,
  personColumn,
  reasonLine,
  type ShownAccess,
  type ShownPerson,
  type ShownReason,
} from '../access-table.ts';
import { linkedName, searchForm } from '../console-layout.ts';
import { downloadMenu, type ListPlace, listUrl, searchPager, sortMenu, sortOf } from '../lists.ts';
import { moreFilters } from '../users/user-filter.ts';

export interface PersonWithAccess extends ShownAccess {
  readonly person: ShownPerson;
  /** Null if they haven't connected it. */
  readonly connectedAt: number | null;
}

export interface AccessTable {
  readonly kind: 'access';
  readonly search: string;
  readonly sort: string;
  readonly filters: WrittenAccessFilters;
  readonly people: readonly PersonWithAccess[];
  readonly place: ListPlace;
  /** Of the groups on the list, to choose from. */
  readonly groupNames: readonly string[];
}

/** Whether one person can use the application, and why. */
export interface AccessAnswer {
  /** What was typed. */
  readonly person: string;
  readonly problem?: string | undefined;
  readonly result?:
    | {
        readonly user: ShownPerson;
        readonly allowed: boolean;
        readonly reasons: readonly ShownReason[];
        readonly standing: Standing;
        readonly isRevoked: boolean;
      }
    | undefined;
}

export interface OfApplication {
  readonly path: string;
  readonly access: 'everyone' | 'listed';
  readonly now: number;
}

/** The parameter with the person that is checked. */
export const checkedPerson = 'check';
/** The parameter that shows the people on the list instead, whether or not they can use the application now. */
export const listView = { view: 'list' } as const;

/** The card with the people, where what is searched, sorted or turned over begins: it's far down on a page with many groups. */
export const peoplePart = 'people';

/** The search, the filters and the table. */
export function accessTable(frame: AccountFrame, page: AccessTable, of: OfApplication): Html {
  const { access: m, people, truncatedFilter } = frame.messages.admin;
  const { access } = of;
  const path = `${of.path}#${peoplePart}`;
  const { search, sort, filters } = page;
  const query = { search, sort, ...filters };
  const isFiltered = Object.keys(filters).length > 0;
  const none = search !== '' || isFiltered ? people.noneFound : access === 'everyone' ? m.nobodyConnected : m.nobodyYet;
  const orders = ['name', '-created', 'created', '-last_sign_in', 'last_sign_in'] as const;
  return html`<div class="list-bar">
${searchForm(frame, path, search, people.searchHint, filters)}
${sortMenu(frame, path, page, orders)}${downloadMenu(frame, of.path, query)}
</div>
${filterChips(frame, page, of)}
${page.people.length === 0 ? html`<p class="quiet">${none}</p>` : rows(frame, page, of)}
${searchPager(frame, path, query, page.place, isFiltered ? truncatedFilter : undefined)}`;
}

function filterChips(frame: AccountFrame, { search, sort, filters, groupNames }: AccessTable, of: OfApplication): Html {
  const { access: m, people } = frame.messages.admin;
  const { access } = of;
  const path = `${of.path}#${peoplePart}`;
  const query = { search, sort, ...filters };
  const days = (text: string) => text.replace(/d$/, '');
  // What the URL says can be anything, such as the name of what every object has.
  const isKind = (value: string): value is ReasonKind => Object.hasOwn(m.reasons, value);
  const labels = {
    reason: (value: string) => (isKind(value) ? m.reasons[value] : value),
    group: m.through,
    expires_within: (value: string) => people.filter.endsWithin(days(value)),
    unused: (value: string) => m.unusedFor(days(value)),
  } as const;
  // Nobody's access ends while everyone can use it.
  const offered = { ...(access === 'listed' && { expires_within: '30d' }), unused: '90d' };
  const chosen = { ...offered, ...filters };
  const items = (Object.keys(labels) as (keyof typeof labels)[]).flatMap((name) => {
    const value = chosen[name];
    if (value === undefined) return [];
    const current = filters[name] !== undefined;
    return [{ label: labels[name](value), current, href: listUrl(path, { ...query, [name]: current ? '' : value }) }];
  });
  const list = { label: m.onList, current: false, href: listUrl(path, listView) };
  const names = { id: 'list-groups', names: groupNames, search: undefined };
  const kinds = (Object.keys(m.reasons) as ReasonKind[]).filter((kind) => access === 'everyone' || kind !== 'everyone');
  const fields = html`${select({
    name: 'reason',
    label: m.reason,
    value: filters.reason ?? '',
    options: [{ value: '', label: m.anyReason }, ...kinds.map((value) => ({ value, label: m.reasons[value] }))],
  })}
${field({ name: 'group', label: m.group, value: filters.group ?? '', list: names, autocomplete: 'off', verbatim: true, optional: true, limit: 300 })}${nameList(names)}
${
  access === 'listed' &&
  field({
    name: 'expires_within',
    label: people.filter.labels.expires_within,
    hint: people.filter.hints.expires_within,
    value: filters.expires_within ?? '',
    autocomplete: 'off',
    verbatim: true,
    optional: true,
    limit: 5,
  })
}
${field({ name: 'unused', label: m.unusedLabel, hint: m.unusedHint, value: filters.unused ?? '', autocomplete: 'off', verbatim: true, optional: true, limit: 5 })}`;
  return html`${chips(people.filter.title, [...items, list])}
${moreFilters(frame, path, fields, { search, sort })}`;
}

function rows(frame: AccountFrame, page: AccessTable, { path, access, now }: OfApplication): Html {
  const { messages } = frame;
  const m = messages.admin.access;
  const { people } = page;
  const connected: Column<PersonWithAccess> = {
    label: m.connected,
    phone: 'hidden',
    cell: ({ connectedAt }) => (connectedAt === null ? undefined : agoTime(messages, connectedAt, now)),
  };
  const columns = accessColumns(frame, people, now);
  // While everyone can use it, someone's own place on its list changes nothing; the list has a view of its own.
  const remove = endingColumn(frame, people, {
    post: `${path}/disallow`,
    label: m.remove,
    kind: 'asked',
    has: ({ reasons }) => access === 'listed' && reasons.some(({ kind }) => kind === 'person'),
    fields: ({ person }) => ({ person: person.id }),
    about: ({ person }) => person.name,
  });
  return html`<div class="dense wrapped">${table<PersonWithAccess>({
    caption: m.withAccess,
    rows: people,
    compact: 'wrap',
    columns: [
      personColumn(frame, ({ person }) => person, sortOf(`${path}#${peoplePart}`, page, 'name', 'ascending')),
      ...columns.slice(0, -1),
      connected,
      ...columns.slice(-1),
      ...remove,
    ],
  })}</div>`;
}

/** Asks about one person. It changes nothing, so the answer has a URL of its own. */
export function checkForm(frame: AccountFrame, answer: AccessAnswer, { path, now }: OfApplication): Html {
  const m = frame.messages.admin.access.check;
  const { person: value, problem, result } = answer;
  const form = html`<form class="picker" method="get" action="${path}#${checkedPerson}-person">
${field({ name: checkedPerson, label: m.person, value, problem, autocomplete: 'off', verbatim: true, limit: 300 })}
${button({ label: m.button })}
</form>`;
  const body = html`<div id="${checkedPerson}-person"><p class="quiet">${m.lead}</p>${form}${result && answerText(frame, result, now)}</div>`;
  return folded(m.title, value !== '', body);
}

function answerText(
  frame: AccountFrame,
  { user, allowed, reasons, standing, isRevoked }: NonNullable<AccessAnswer['result']>,
  now: number,
): Html {
  const m = frame.messages.admin.access.check;
  const name = linkedName(frame, `/admin/people/${personSegment(user.id)}`, user.name);
  const answer = sentenceWith(name, allowed ? m.yes : m.no);
  const why = [
    ...(standing === 'active' ? [] : [m.standing[standing]]),
    ...(isRevoked ? [m.revoked] : []),
    ...(reasons.length > 0 ? [] : [m.notOnList]),
  ];
  const lines = reasons.map((reason) => html`<li>${reasonLine(frame, reason, now)}</li>`);
  const lead = allowed ? m.because : m.otherwise;
  return html`<div role="status">${notice(html`${answer} ${why.join(' ')}`, allowed ? 'good' : 'warning')}
${lines.length > 0 && html`<p>${lead}</p><ul>${lines}</ul>`}</div>`;
}
