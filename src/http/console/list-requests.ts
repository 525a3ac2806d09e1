// What the URL of a list asks for, and where in the list the answer is.

import type { FastifyReply } from 'fastify';
import { type AdminOutcome, type Refused, refusalSentence } from '../../operations/admin/outcome.ts';
import type { ListPage } from '../../operations/admin/paging.ts';
import type { Services } from '../../operations/services.ts';
import { listUsers } from '../../operations/users/users.ts';
import { type ListPlace, listUrl } from '../../pages/console/lists.ts';
import { mostPicked, pickedField, type UserPicker } from '../../pages/console/users/user-picker.ts';
import type { FormFields } from '../account/account-pages.ts';
import type { ConsoleRequest } from './console-pages.ts';

type Page = Pick<ConsoleRequest, 'query'>;

const emptyList: ListPage<never> = { items: [], next: undefined, previous: undefined, start: 0 };

export function cursorIn({ query }: Page): { readonly cursor: string | undefined } {
  return { cursor: query.get('cursor') ?? undefined };
}

export function listRequestIn(page: Page) {
  return { search: page.query.get('search') ?? '', sort: page.query.get('sort') ?? '', ...cursorIn(page) };
}

/** Whether the list is limited to what ends soon. */
export function endingIn({ query }: Page): { readonly ending: boolean } {
  return { ending: query.get('ending') === 'yes' };
}

export function placeOf({ items, next, previous, start, truncated }: ListPage<unknown> = emptyList): ListPlace {
  return { next, previous, start, count: items.length, truncated };
}

/** The part of a list that a page shows, and the status and the problem of the page. */
export function listedIn<Item>(outcome: AdminOutcome<ListPage<Item>>, status = 200, problem?: string) {
  if (outcome.kind === 'done') return { items: outcome.items, place: placeOf(outcome), status, problem };
  return { items: [], place: placeOf(), status: 400, problem: refusalSentence(outcome) };
}

/** The search of a page on which an administrator picks people by their name. */
export async function findUsersByName(
  services: Services,
  { query }: Page,
  sent?: Picked,
  /** Finds those who are there already. */
  present?: (ids: readonly string[]) => Promise<string[]>,
): Promise<UserPicker> {
  const search = sent?.search ?? query.get('search') ?? '';
  if (search.trim() === '') return { search, found: undefined };
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

export function pickedIn({ field }: FormFields): Picked {
  const boxes = Array.from({ length: mostPicked }, (_, index) => pickedField(index));
  const ticked = ['person', ...boxes].map(field).filter((id) => id !== '');
  return { search: field('search'), ticked: [...new Set(ticked)], end: field('expires_at').trim() };
}

/** A page with the search that it had, and what was done there. */
export function afterPicking(path: string, { search }: Picked, done: string): string {
  return listUrl(path, { search: search || undefined, done });
}

/** For a list that belongs to something: it doesn't exist, or the cursor isn't one. */
export function sendNoList({ visit }: ConsoleRequest, { reason }: Refused): FastifyReply {
  return reason === 'not_found' ? visit.sendErrorPage(404, 'notFound') : visit.sendErrorPage(400, 'badRequest');
}
