// The filters of the console's list of people: a chip for each that is often asked for and for each that is chosen, and a
// form for the rest. They are part of the URL, so they work without JavaScript and can be bookmarked.

import type { PeopleFilterName, WrittenPeopleFilters } from '../../../protocol/admin/people-filters.ts';
import type { AccountFrame } from '../../account/account-layout.ts';
import { button, chips, linkButton } from '../../components/controls.ts';
import { field, hidden, select } from '../../layout/form.ts';
import { type Html, html } from '../../layout/html.ts';
import { type ListQuery, listUrl } from '../lists.ts';

export interface UserFilter {
  readonly search: string;
  readonly sort: string;
  readonly filters: WrittenPeopleFilters;
  readonly choices: readonly FilterChoice[];
}

/** A filter, with what it can be limited to; undefined for what is typed. */
export interface FilterChoice {
  readonly name: PeopleFilterName;
  readonly values: readonly string[] | undefined;
}

/** Offered without being chosen. */
const offered: Readonly<Record<Exclude<PeopleFilterName, 'managed_by'>, readonly string[]>> = {
  role: ['any'],
  status: ['disabled', 'pending'],
  second_factor: ['none'],
  signed_in: ['never', '30d'],
  inactive: ['90d'],
  expires_within: ['30d'],
};

export function userFilter(frame: AccountFrame, path: string, page: UserFilter): Html {
  const { search, sort, filters, choices } = page;
  const query = { search, sort, ...filters };
  const items = choices.flatMap(({ name, values = [] }) => {
    const chosen = filters[name];
    const common = name === 'managed_by' ? values : offered[name];
    return (chosen === undefined ? common : [chosen]).map((value) => ({
      label: labelOf(frame, name, value),
      current: value === chosen,
      // Sorted by what ends first, or by who has been inactive the longest, unless another order was chosen for everyone.
      href: listUrl(path, { ...query, [name]: value === chosen ? '' : value, sort: sort === '-created' ? '' : sort }),
    }));
  });
  return html`${chips(frame.messages.admin.people.filter.title, items)}
${filterForm(frame, path, page)}`;
}

function labelOf(frame: AccountFrame, name: PeopleFilterName, value: string): string {
  const { people, roles, managed } = frame.messages.admin;
  const m = people.filter;
  switch (name) {
    case 'role':
      return m.role(value === 'any' ? undefined : wordFor(roles.names, value));
    case 'managed_by':
      return managed.badge(value);
    case 'signed_in':
      return value === 'never' ? m.values.signed_in.never : m.signedInWithin(value.replace(/d$/, ''));
    case 'inactive':
      return m.inactiveFor(value.replace(/d$/, ''));
    case 'expires_within':
      return m.endsWithin(value.replace(/d$/, ''));
    default:
      return wordFor(m.values[name], value);
  }
}

/** What the URL says can be anything, such as the name of what every object has. */
function wordFor(words: Readonly<Record<string, string>>, value: string): string {
  return (Object.hasOwn(words, value) ? words[value] : undefined) ?? value;
}

function filterForm(frame: AccountFrame, path: string, { search, sort, filters, choices }: UserFilter): Html {
  const m = frame.messages.admin.people.filter;
  const fields = choices.map(({ name, values }) => {
    const spec = { name, label: m.labels[name], value: filters[name] ?? '', optional: true } as const;
    if (name === 'inactive' || name === 'expires_within') {
      return field({ ...spec, hint: m.hints[name], autocomplete: 'off', verbatim: true, limit: 5 });
    }
    const shown = (value: string) => (name === 'managed_by' ? value : labelOf(frame, name, value));
    const options = (values ?? []).map((value) => ({ value, label: shown(value) }));
    return select({ ...spec, options: [{ value: '', label: m.everyone }, ...options] });
  });
  return moreFilters(frame, path, html`${fields}`, { search, sort: sort === '-created' ? '' : sort });
}

/** A form with the filters that have no chip. */
export function moreFilters(frame: AccountFrame, path: string, fields: Html, kept: ListQuery): Html {
  const m = frame.messages.admin.people.filter;
  const others = Object.entries(kept).map(([name, text = '']) => (text === '' ? html`` : hidden(name, text)));
  return html`<details class="filter-form">
<summary>${m.add}</summary>
<form class="filter" method="get" action="${path}">
${fields}
${others}
<div class="actions">${button({ label: m.show, kind: 'primary' })}${linkButton({ label: m.clear, href: path })}</div>
</form>
</details>`;
}
