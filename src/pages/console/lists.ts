// What the console's lists share: their place in the URL, sortable columns, Previous and Next, and the menu with downloads.

import type { Total } from '../../protocol/admin/totals.ts';
import type { AccountFrame } from '../account/account-layout.ts';
import { menu, pager } from '../components/controls.ts';
import { type Column, emptyState, notice } from '../components/display.ts';
import type { Messages } from '../languages/languages.ts';
import { type Html, html } from '../layout/html.ts';
import { type ConsoleSection, consoleLayout, sectionPlaces } from './console-layout.ts';

export type ListQuery = Readonly<Record<string, string | undefined>>;

/** A page of a list: the cursors of its neighbours, and how many items come before it. */
export interface ListPlace {
  readonly next: string | undefined;
  readonly previous: string | undefined;
  readonly start: number;
  readonly count: number;
  /** A search for common words, or a filter that few meet, stopped before the page was full. */
  readonly truncated?: true | undefined;
  /** Of all pages, if it was counted. */
  readonly total?: Total | undefined;
}

/** Parameters without a value are left out. The path can end with the part of the page where the list is. */
export function listUrl(path: string, query: ListQuery): string {
  const [page = '', part] = path.split('#');
  const parameters = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const text = new URLSearchParams(parameters).toString();
  return `${page}${text && `?${text}`}${part === undefined ? '' : `#${part}`}`;
}

export function listPager(frame: AccountFrame, path: string, query: ListQuery, place: ListPlace): Html | undefined {
  const m = frame.messages.admin;
  const to = (cursor: string | undefined) => (cursor === undefined ? undefined : listUrl(path, { ...query, cursor }));
  return pager({
    label: m.pages,
    previous: { label: m.previous, href: to(place.previous) },
    next: { label: m.next, href: to(place.next) },
    position: place.count === 0 ? undefined : m.position(place.start + 1, place.start + place.count, place.total),
    alone: place.total !== undefined,
  });
}

/** Below a list that can be searched: how to find more, and the way to the other pages. */
export function searchPager(
  frame: AccountFrame,
  path: string,
  query: ListQuery,
  place: ListPlace,
  truncated = frame.messages.admin.truncated,
): Html {
  return html`${place.truncated && notice(truncated)}
${listPager(frame, path, query, place)}`;
}

/**
 * How a column is sorted now, and the link that sorts by it. `sort` is the parameter of the URL: the name of the column,
 * with a minus sign when it descends. A search has an order of its own, so its columns can't be sorted.
 */
export function sortOf<Row>(
  path: string,
  { search, sort, filters }: { readonly search: string; readonly sort: string; readonly filters?: ListQuery },
  name: string,
  first: 'ascending' | 'descending',
): Column<Row>['sort'] {
  if (search !== '') return undefined;
  const now = sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : undefined;
  const next = now === undefined ? first : now === 'ascending' ? 'descending' : 'ascending';
  return { href: listUrl(path, { ...filters, sort: next === 'ascending' ? name : `-${name}` }), now };
}

/** Orders to choose from, where the list has no column for each. A search has an order of its own. */
export function sortMenu(
  frame: AccountFrame,
  path: string,
  { search, sort, filters }: { readonly search: string; readonly sort: string; readonly filters?: ListQuery },
  orders: readonly (keyof Messages['admin']['orders'])[],
): Html {
  const { sortBy, orders: names } = frame.messages.admin;
  if (search !== '') return html``;
  const items = orders.map(
    (order) =>
      html`<a href="${listUrl(path, { ...filters, sort: order })}"${order === sort && html` aria-current="true"`}>${names[order]}</a>`,
  );
  return menu({ label: sortBy, items });
}

/** Says why a list can't be downloaded, with the way back to the list. */
export function refusedDownloadPage(
  frame: AccountFrame,
  { section, back: href, problem }: { section: ConsoleSection; back: string; problem: string },
): string {
  const m = frame.messages.admin;
  const back = { href, label: m.sections[section] };
  return consoleLayout(frame, { section, title: m.download, back, problem, body: html`` });
}

/** Instead of a list whose URL says what it can't show. Without a problem, the page of the list is gone. */
export function noListPage(frame: AccountFrame, url: string, problem?: string): string {
  const m = frame.messages.admin;
  const [path = '', query] = url.split('?');
  const found = sectionPlaces.filter((place) => place.path !== '/admin' && path.startsWith(place.path)).at(-1);
  const filters = problem === undefined ? new URLSearchParams(query) : new URLSearchParams();
  filters.delete('cursor');
  const first = listUrl(path.replace(/\.(csv|jsonl)$/, ''), Object.fromEntries(filters));
  const way = html`<p><a href="${first}">${m.firstPage}</a></p>`;
  const body = html`${problem === undefined && emptyState({ icon: 'information-circle', title: m.moved })}${way}`;
  return consoleLayout(frame, { section: found?.section ?? 'overview', problem, body });
}

/** `path` is where the list is, without the ending of the file. */
export function downloadMenu(frame: AccountFrame, path: string, query: ListQuery): Html {
  const m = frame.messages.admin;
  const links = [
    { ending: 'csv', label: m.downloadCsv },
    { ending: 'jsonl', label: m.downloadJsonLines },
  ].map(({ ending, label }) => html`<a href="${listUrl(`${path}.${ending}`, query)}" download>${label}</a>`);
  return menu({ label: m.download, icon: 'arrow-down-tray', items: links });
}
