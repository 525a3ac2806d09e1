// What the URL of a list asks for, and where in the list the answer is.

import type { FastifyReply } from 'fastify';
import { endingSoonDays } from '../../operations/admin/ends.ts';
import { type AdminOutcome, type Refused, refusalSentence } from '../../operations/admin/outcome.ts';
import type { ListPage } from '../../operations/admin/paging.ts';
import type { Services } from '../../operations/services.ts';
import { listUsers } from '../../operations/users/users.ts';
import { type ListPlace, type ListQuery, listUrl } from '../../pages/console/lists.ts';
import type { FilterChoice } from '../../pages/console/users/user-filter.ts';
import { mostPicked, pickedField, pickerSearch, type UserPicker } from '../../pages/console/users/user-picker.ts';
import { accessFilterNames, type WrittenAccessFilters } from '../../protocol/admin/access-filters.ts';
import { peopleFilterNames, peopleFilters, type WrittenPeopleFilters } from '../../protocol/admin/people-filters.ts';
import type { FormFields } from '../account/account-pages.ts';
import type { ConsoleRequest } from './console-pages.ts';
import { endIn } from './field-forms.ts';

type Page = Pick<ConsoleRequest, 'query' | 'pageLength'>;

const emptyList: ListPage<never> = { items: [], next: undefined, previous: undefined, start: 0 };

/** Which part of a list is meant, and how long a part is. */
export function cursorIn({ query, pageLength }: Page): { readonly cursor: string | undefined; readonly limit: number } {
  return { cursor: query.get('cursor') ?? undefined, limit: pageLength };
}

export function listRequestIn(page: Page) {
  return { search: page.query.get('search') ?? '', sort: page.query.get('sort') ?? '', ...cursorIn(page) };
}

/** `ending=yes` is short for the end that counts as soon. */
export function peopleFiltersIn(page: Page): WrittenPeopleFilters {
  return { ...soonIn(page), ...filtersIn(page, peopleFilterNames) };
}

/** Of an application's people; `ending=yes` as above. */
export function accessFiltersIn(page: Page): WrittenAccessFilters {
  return { ...soonIn(page), ...filtersIn(page, accessFilterNames) };
}

/** Those that are given. */
export function filtersIn<Name extends string>(
  { query }: Pick<Page, 'query'>,
  names: readonly Name[],
): { readonly [Each in Name]?: string } {
  const given = names.map((name) => [name, query.get(name)?.trim() || undefined]);
  return Object.fromEntries(given.filter(([, text]) => text !== undefined));
}

function soonIn(page: Page): { readonly expires_within?: string } {
  return endingIn(page).ending ? { expires_within: `${endingSoonDays}d` } : {};
}

/** The periods that are offered for recent sign-ins; another one from the URL is added. */
const recently = ['7d', '30d', '90d'];

/** What people can be filtered by; by directories only if some belong to one. */
export function filterChoices(chosen: WrittenPeopleFilters, directories: readonly string[]): FilterChoice[] {
  const withChosen = (name: 'signed_in' | 'managed_by', values: readonly string[]) => [
    ...new Set([...values, ...(chosen[name] === undefined ? [] : [chosen[name]])]),
  ];
  return peopleFilterNames.flatMap((name): FilterChoice[] => {
    const filter = peopleFilters[name];
    if (name === 'signed_in') return [{ name, values: withChosen(name, [...peopleFilters[name].values, ...recently]) }];
    if (name !== 'managed_by') return [{ name, values: 'values' in filter ? filter.values : undefined }];
    const values = withChosen(name, directories);
    return values.length === 0 ? [] : [{ name, values }];
  });
}

/** Whether the list is limited to what ends soon. */
export function endingIn({ query }: Pick<Page, 'query'>): { readonly ending: boolean } {
  return { ending: query.get('ending') === 'yes' };
}

export function placeOf({ items, next, previous, start, truncated, total }: ListPage<unknown> = emptyList): ListPlace {
  return { next, previous, start, count: items.length, truncated, total };
}

/** Whether everything that was on a page of a list is gone by now. */
export function isGone({ start, count }: ListPlace): boolean {
  return count === 0 && start > 0;
}

/** The part of a list that a page shows, and the status and the problem of the page. */
export function listedIn<Item>(outcome: AdminOutcome<ListPage<Item>>, status = 200, problem?: string) {
  if (outcome.kind === 'done') return { items: outcome.items, place: placeOf(outcome), status, problem };
  return { items: [], place: placeOf(), status: 400, problem: refusalSentence(outcome) };
}

/** The search of a page on which an administrator picks people by their name. */
export async function findUsersByName(
  services: Services,
  typed: string | null,
  sent?: Picked,
  /** Finds those who are there already. */
  present?: (ids: readonly string[]) => Promise<string[]>,
): Promise<UserPicker> {
  const search = sent?.search ?? typed ?? '';
  if (search.trim() === '') return { search, found: undefined, ...sent };
  const outcome = await listUsers(services, { search, limit: mostPicked });
  if (outcome.kind === 'refused') return { search, found: [] };
  const { items: found, truncated } = outcome;
  const there = await present?.(found.map(({ id }) => id));
  return { search, found, truncated, ...(there && { present: there }), ...sent };
}

/** Who was ticked, with the search that found them, and the end that was typed. */
export interface Picked {
  readonly search: string;
  readonly ticked: readonly string[];
  readonly end: string;
}

export function pickedIn(form: FormFields): Picked {
  const { field } = form;
  const boxes = Array.from({ length: mostPicked }, (_, index) => pickedField(index));
  const ticked = ['person', ...boxes].map(field).filter((id) => id !== '');
  return { search: field(pickerSearch), ticked: [...new Set(ticked)], end: endIn(form, 'expires_at') };
}

/** A page with the search that it had, what was done there, and what else its URL says, such as how to undo it. */
export function afterPicking(path: string, { search }: Picked, done: string, more: ListQuery = {}): string {
  return listUrl(path, { ...more, [pickerSearch]: search, done });
}

/** For a list that belongs to something: it doesn't exist, or the cursor isn't one. */
export function sendNoList({ visit }: ConsoleRequest, { reason }: Refused): FastifyReply {
  return reason === 'not_found' ? visit.sendErrorPage(404, 'notFound') : visit.sendErrorPage(400, 'badRequest');
}
