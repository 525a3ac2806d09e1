// `latchkey user list`, and what it says about whether a person can sign in.

import { endingSoonDays } from '../../operations/admin/ends.ts';
import { listWaiting } from '../../operations/users/approval.ts';
import { userJsonOfEach } from '../../operations/users/user-json.ts';
import { listUsers } from '../../operations/users/users.ts';
import { hasRole, rolesOf } from '../../protocol/account/roles.ts';
import { disabledReasonOf, standingOf } from '../../protocol/account/standing.ts';
import {
  type PeopleFilterName,
  peopleFilterNames,
  peopleFilters,
  readPeopleFilters,
  type WrittenPeopleFilters,
} from '../../protocol/admin/people-filters.ts';
import type { ShownUser } from '../../storage/storage.ts';
import { UsageError } from '../command.ts';
import { limitOption, readList, searchList } from '../frame/lists.ts';
import type { OptionSpecs } from '../frame/spec.ts';
import { didYouMean } from '../frame/suggest.ts';
import { type Part, styled } from '../terminal/output.ts';
import { briefTime, shownTime } from '../terminal/times.ts';
import { defineStoreCommand } from '../with-services.ts';

const optionOf = (name: PeopleFilterName) => name.replaceAll('_', '-');

const filterOptions: OptionSpecs = Object.fromEntries(
  peopleFilterNames.map((name) => {
    const { about, ...values }: { readonly about: string; readonly value?: string } = peopleFilters[name];
    return [optionOf(name), { ...values, about: `only those ${about}` }];
  }),
);

export const list = defineStoreCommand({
  summary: 'list people',
  options: {
    search: { value: 'TEXT', about: 'only those with a word in the name or email address that begins with TEXT' },
    pending: { about: 'only those who wait for approval, longest wait first' },
    ending: { about: `only those whose access ends in the next ${endingSoonDays} days, soonest first` },
    ...filterOptions,
    ...limitOption,
  },
  examples: [
    'latchkey user list',
    'latchkey user list --search ada',
    'latchkey user list --role any --second-factor none',
    'latchkey user list --status disabled --managed-by okta',
    'latchkey user list --signed-in 30d',
    'latchkey user list --expires-within 7d',
  ],
  async run({ services, values, config: { dataDir } }) {
    const { search, pending, ending } = values;
    const filters = { ...filtersIn(values), ...(ending && { ending }) };
    const isFiltered = Object.keys(filters).length > 0;
    if (pending && (search !== undefined || isFiltered)) {
      throw new UsageError("--pending can't be combined with a search or a filter: use --status pending");
    }
    const now = services.clock.now();
    // Without a search and a filter, the oldest first.
    const oldestFirst = search === undefined && !isFiltered ? { sort: 'created' } : {};
    const { items: users, rest } = pending
      ? await readList(values, (request) => listWaiting(services, request))
      : await searchList(services, values, (request) =>
          listUsers(services, { ...request, ...filters, ...oldestFirst }),
        );
    const rows = users.map((user) => [
      user.id,
      statusOf(user, now),
      user.expiresAt === null ? '' : briefTime(user.expiresAt),
      user.email,
      user.name,
      rolesOf(user).join(', '),
    ]);
    const none = isFiltered
      ? ending && search === undefined && Object.keys(filters).length === 1
        ? `Nobody's access ends in the next ${endingSoonDays} days.`
        : 'No people match.'
      : search
        ? `No people match ${JSON.stringify(search)}.`
        : pending
          ? 'Nobody is waiting for approval.'
          : `No people in ${dataDir} yet. Create an account with "latchkey user create".`;
    // Without anyone whose access ends or who has a role, the column would be empty.
    const withEnds = users.some(({ expiresAt }) => expiresAt !== null);
    const withRoles = users.some(hasRole);
    const titles = ['ID', 'STATUS', 'ENDS', 'EMAIL', 'NAME', 'ROLES'];
    const table = [titles, ...rows].map((row) => (withRoles ? row : row.slice(0, -1)));
    return {
      json: users.map(await userJsonOfEach(services)),
      list: withEnds ? table : table.map((row) => row.toSpliced(2, 1)),
      none,
      rest,
    };
  },
});

/** The filters that were given, by the names that operations know. */
function filtersIn(values: object): WrittenPeopleFilters {
  const given = values as Readonly<Record<string, string | undefined>>;
  const named = peopleFilterNames.map((name) => [name, given[optionOf(name)]] as const);
  const filters: WrittenPeopleFilters = Object.fromEntries(named.filter(([, text]) => text !== undefined));
  const [empty] = named.find(([, text]) => text === '') ?? [];
  if (empty !== undefined) throw new UsageError(`--${optionOf(empty)} must not be empty`);
  const read = readPeopleFilters(filters);
  if ('problem' in read) {
    const { name, problem } = read;
    const { values = [] }: { readonly about: string; readonly values?: readonly string[] } = peopleFilters[name];
    throw new UsageError(`--${optionOf(name)} ${problem}${didYouMean(filters[name] ?? '', values)}`);
  }
  return filters;
}

export function statusOf(user: ShownUser, now: number, ago: 'ago' | '' = ''): Part {
  const since = (at: number | null) => (ago === '' || at === null ? '' : ` ${shownTime(at)}`);
  switch (standingOf(user, now)) {
    case 'waiting':
      return styled('yellow', `waiting for approval${since(user.pendingSince)}`);
    case 'expired':
      return styled('red', `expired${since(user.expiresAt)}`);
    case 'disabled':
      return styled(
        'red',
        `disabled${disabledReasonOf(user) === null ? '' : ' for inactivity'}${since(user.disabledAt)}`,
      );
    default:
      return styled('green', 'active');
  }
}
