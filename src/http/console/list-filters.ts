// What each list of the console can be limited to. A filter that a list doesn't have, or a value that it doesn't know, is refused: a
// mistyped one would otherwise show everything as if it had been limited.

import { eventCursor } from '../../operations/events/events.ts';
import { checkedPerson, listView } from '../../pages/console/clients/people-with-access.ts';
import { pickerSearch } from '../../pages/console/users/user-picker.ts';
import { requestStatuses } from '../../protocol/account/access-requests.ts';
import { accessFilterNames } from '../../protocol/admin/access-filters.ts';
import { clientFilterNames } from '../../protocol/admin/client-filters.ts';
import { parseCursor } from '../../protocol/admin/cursor.ts';
import { peopleFilterNames } from '../../protocol/admin/people-filters.ts';
import { reviewDecisions } from '../../protocol/admin/reviews.ts';
import { quote } from '../../protocol/reading/body.ts';
import { deliveryStates } from '../../protocol/webhooks/delivery.ts';
import { undoField } from './undo.ts';

/** By its name: the values it can have, or undefined where the list itself says what is wrong with one. */
type Filters = Readonly<Record<string, readonly string[] | undefined>>;

/** What isn't a filter, in any list. */
const everywhere = ['search', 'sort', 'cursor', 'done', undoField];

const named = (names: readonly string[]): Filters => Object.fromEntries(names.map((name) => [name, undefined]));
const ending: Filters = { ending: ['yes'] };

const listsWithoutFilters = [
  '/admin/people/invitations',
  '/admin/people/sign-up-links',
  '/admin/people/waiting',
  '/admin/groups',
  '/admin/reviews',
  '/admin/keys',
  '/admin/scim-tokens',
  '/admin/providers',
  '/admin/webhooks',
  '/admin/settings/attributes',
];

/** By the path of the list's route, which is also that of its files. */
const filtersOf: Readonly<Record<string, Filters>> = {
  ...Object.fromEntries(listsWithoutFilters.map((list) => [list, {}])),
  '/admin/people': { ...named(peopleFilterNames), ...ending },
  '/admin/applications': named(clientFilterNames),
  '/admin/applications/:id/access': {
    ...named([...accessFilterNames, pickerSearch, checkedPerson]),
    ...ending,
    view: [listView.view],
  },
  '/admin/applications/:id/activity': { failures: ['yes'] },
  '/admin/groups/:id': { ...named([pickerSearch]), ...ending },
  '/admin/groups/:id/people': ending,
  '/admin/access-requests': { status: requestStatuses },
  '/admin/reviews/:id': {
    ...named(['unused', 'application']),
    decision: ['none', ...reviewDecisions],
    outcome: ['task'],
  },
  '/admin/events': {
    ...named(['person', 'application', 'kind', 'reference', 'range', 'since', 'until']),
    failures: ['yes'],
  },
  '/admin/webhooks/:id': { state: deliveryStates },
};

/** What is wrong with the URL of a list, in a sentence; or that the list has no such page. */
export function listProblem(route: string, query: URLSearchParams): string | 'moved' | undefined {
  const list = route.replace(/\.(csv|jsonl)$/, '');
  const filters = filtersOf[list] ?? filtersOf[list.replace(/\/items$/, '')];
  for (const [name, value] of filters === undefined ? [] : query) {
    if (everywhere.includes(name)) continue;
    if (!Object.hasOwn(filters ?? {}, name)) return `There is no filter ${quote(name)} here.`;
    const values = filters?.[name];
    if (value.trim() !== '' && values?.includes(value) === false) {
      return `The filter ${quote(name)} must be ${values.length === 1 ? '' : 'one of: '}${values.join(', ')}.`;
    }
  }
  const cursor = query.get('cursor');
  return cursor !== null && !eventCursor.test(cursor) && parseCursor(cursor) === undefined ? 'moved' : undefined;
}
