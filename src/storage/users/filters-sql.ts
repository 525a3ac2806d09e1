// The filters of a list of people (protocol/admin/people-filters.ts) in SQL. Each has an index of its own, and a list walks
// the one that the fewest people are in. The condition on everything else is one text whatever is asked for, written so
// that no other index fits it: engines would have to guess which is better, and the embedded one guesses by nothing.

import type { PeopleFilters } from '../../protocol/admin/people-filters.ts';
import { DAY } from '../../protocol/durations.ts';
import type { UserQuery } from '../paging.ts';
import type { FilterIndex, ListFilter } from '../sql/lists/filtered.ts';
import { activityOf } from '../sql/lists/time-walk.ts';
import { inRange, type Range, type WalkCondition } from '../sql/lists/walk.ts';

type Filter = NonNullable<UserQuery['filter']>;

const withRole = '(u.roles IS NOT NULL OR u.admin_since IS NOT NULL)';
const byStatus = {
  // An end that has just come isn't written yet.
  active: { condition: () => 'u.disabled_at IS NULL', order: 'created', isExact: false },
  disabled: {
    condition: () => 'u.disabled_at IS NOT NULL AND u.pending_since IS NULL',
    order: 'created',
    isExact: true,
  },
  inactive: { condition: () => 'u.disabled_at = u.inactive_end', order: 'created', isExact: true },
  pending: { condition: () => 'u.pending_since IS NOT NULL', order: undefined, isExact: true },
} as const satisfies Record<NonNullable<PeopleFilters['status']>, FilterIndex>;

export function peopleFilter(filter: Filter): ListFilter {
  return { met: meetsAll(filter), indexes: indexesOf(filter) };
}

function indexesOf({ by, now }: Filter): FilterIndex[] {
  const { role, status, secondFactor, signedIn, inactive, expiresWithin, managedBy } = by;
  const inCreationOrder = (condition: WalkCondition, isExact = true): FilterIndex => ({
    condition,
    order: 'created',
    isExact,
  });
  return [
    ...(role === undefined ? [] : [inCreationOrder(() => withRole, role === 'any')]),
    ...(status === undefined ? [] : [byStatus[status]]),
    ...(secondFactor === undefined ? [] : [inCreationOrder(() => 'u.has_factor = 0')]),
    ...(signedIn === undefined ? [] : [bySignIn(signedIn, now)]),
    ...(inactive === undefined
      ? []
      : [inOwnOrder('last_active', { most: { value: now - inactive * DAY, orEqual: true } }, true)]),
    ...(managedBy === undefined ? [] : [inCreationOrder((place) => `u.managed_by = ${place(managedBy)}`)]),
    ...(expiresWithin === undefined
      ? []
      : [
          inOwnOrder(
            'expires',
            { least: { value: now, orEqual: false }, most: { value: now + expiresWithin * DAY, orEqual: true } },
            false,
          ),
        ]),
  ];
}

function bySignIn(signedIn: NonNullable<PeopleFilters['signedIn']>, now: number): FilterIndex {
  return signedIn === 'never'
    ? { condition: () => 'NOT u.last_sign_in_at > 0', order: 'created', isExact: true }
    : inOwnOrder('last_sign_in', { least: { value: sinceDays(signedIn, now), orEqual: true } }, true);
}

function inOwnOrder(order: 'expires' | 'last_sign_in' | 'last_active', range: Range, isExact: boolean): FilterIndex {
  const column = order === 'last_active' ? activityOf('u') : `u.${order}_at`;
  return { condition: inRange(column, range), range, order, isExact };
}

/** At least 1: `last_sign_in_at` is 0 for people who have never signed in. */
function sinceDays(days: number, now: number): number {
  return Math.max(1, now - days * DAY);
}

/** Whether a person meets all filters. */
function meetsAll({ by, now }: Filter): WalkCondition {
  return (place) => {
    const text = (value: string | undefined) => `CAST(${place(value ?? '')} AS TEXT)`;
    const number = (value: number) => `CAST(${place(value)} AS BIGINT)`;
    const [role, status, managedBy] = [text(by.role), text(by.status), text(by.managedBy)];
    const [withoutFactor, neverSignedIn] = [number(by.secondFactor ? 1 : 0), number(by.signedIn === 'never' ? 1 : 0)];
    const signedInSince = number(typeof by.signedIn === 'number' ? sinceDays(by.signedIn, now) : 0);
    const unusedSince = number(by.inactive === undefined ? 0 : now - by.inactive * DAY);
    const [moment, until] = [number(now), number(by.expiresWithin === undefined ? 0 : now + by.expiresWithin * DAY)];
    const canSignIn = `(+u.disabled_at IS NULL AND (+u.expires_at IS NULL OR +u.expires_at > ${moment}))`;
    return `CASE ${role} WHEN '' THEN true WHEN 'any' THEN (u.roles || '') IS NOT NULL OR +u.admin_since IS NOT NULL
        WHEN 'administrator' THEN +u.admin_since IS NOT NULL
        ELSE ' ' || COALESCE(u.roles, '') || ' ' LIKE '% ' || ${role} || ' %' END
      AND CASE ${status} WHEN '' THEN true WHEN 'active' THEN ${canSignIn} WHEN 'pending' THEN +u.pending_since IS NOT NULL
        WHEN 'inactive' THEN +u.disabled_at = +u.inactive_end ELSE +u.disabled_at IS NOT NULL AND +u.pending_since IS NULL END
      AND (${withoutFactor} = 0 OR +u.has_factor = 0) AND (${neverSignedIn} = 0 OR +u.last_sign_in_at = 0)
      AND (${signedInSince} = 0 OR +u.last_sign_in_at >= ${signedInSince})
      AND (${unusedSince} = 0 OR +${activityOf('u')} <= ${unusedSince})
      AND (${until} = 0 OR (${canSignIn} AND +u.expires_at <= ${until}))
      AND (${managedBy} = '' OR u.managed_by || '' = ${managedBy})`;
  };
}
