// What a list of people can be limited to: one table for the console's chips, the API's parameters and the options of the
// command line. People in the list meet every filter that's given.

import { type Role, roles } from './rights.ts';

const statuses = ['active', 'disabled', 'inactive', 'pending'] as const;

/** `about` completes "only those …". A filter with `value` takes a text, besides any `values`. */
export const peopleFilters = {
  role: { values: [...roles, 'any'], about: 'who have this role in administration, or any role' },
  status: {
    values: statuses,
    about:
      'who can sign in, who are disabled or whose access has ended, who are disabled for inactivity, or who wait for approval',
  },
  second_factor: { values: ['none'], about: 'without an authenticator app or a passkey' },
  signed_in: {
    values: ['never'],
    value: 'DAYS',
    about: 'who have never signed in, or who have within this many days, such as 30d',
  },
  inactive: {
    value: 'DAYS',
    about: 'who have neither signed in, nor used an application or an API key for this many days, such as 90d',
  },
  expires_within: { value: 'DAYS', about: 'who can sign in, and whose access ends within this many days, such as 30d' },
  managed_by: { value: 'NAME', about: 'who belong to this directory' },
} as const satisfies Readonly<Record<string, Filter>>;

interface Filter {
  readonly values?: readonly string[];
  readonly value?: string;
  readonly about: string;
}

export type PeopleFilterName = keyof typeof peopleFilters;
export const peopleFilterNames = Object.keys(peopleFilters) as PeopleFilterName[];

/** As they are written in a URL. An empty text is no filter. */
export type WrittenPeopleFilters = { readonly [Name in PeopleFilterName]?: string | undefined };

export interface PeopleFilters {
  readonly role?: Role | 'any';
  readonly status?: (typeof statuses)[number];
  readonly secondFactor?: 'none';
  /** Within a number of days. */
  readonly signedIn?: 'never' | number;
  /** For a number of days. */
  readonly inactive?: number;
  /** In days. */
  readonly expiresWithin?: number;
  readonly managedBy?: string;
}

const longestName = 100;

/** The filters, or what is wrong with the first that can't be read, worded to follow its name. */
export function readPeopleFilters(
  written: WrittenPeopleFilters,
): PeopleFilters | { readonly name: PeopleFilterName; readonly problem: string } {
  const given = peopleFilterNames.filter((name) => Boolean(written[name]));
  for (const name of given) {
    const problem = problemOf(name, written[name] ?? '');
    if (problem !== undefined) return { name, problem };
  }
  const days = daysIn(written.expires_within ?? '');
  const inactive = daysIn(written.inactive ?? '');
  const signedIn = written.signed_in === 'never' ? 'never' : daysIn(written.signed_in ?? '');
  return {
    ...(written.role && { role: written.role as Role | 'any' }),
    ...(written.status && { status: written.status as (typeof statuses)[number] }),
    ...(written.second_factor && { secondFactor: 'none' }),
    ...(signedIn !== undefined && { signedIn }),
    ...(inactive !== undefined && { inactive }),
    ...(days !== undefined && { expiresWithin: days }),
    ...(written.managed_by && { managedBy: written.managed_by }),
  };
}

function problemOf(name: PeopleFilterName, text: string): string | undefined {
  const { values = [], value }: Filter = peopleFilters[name];
  if (values.includes(text)) return undefined;
  if (value === undefined) return `must be one of: ${values.join(', ')}`;
  if (value === 'DAYS') return daysIn(text) === undefined ? `must be ${[...values, dayRule].join(' or ')}` : undefined;
  return text.length > longestName ? `must have at most ${longestName} characters` : undefined;
}

export const dayRule = 'a number of days from 1 to 3650, such as 30d';

export function daysIn(text: string): number | undefined {
  const [, digits] = /^(\d{1,4})d$/.exec(text) ?? [];
  const days = Number(digits);
  return days >= 1 && days <= 3650 ? days : undefined;
}
