// Finds the people and groups that a request names. If anyone is unknown, the request is refused as a whole.

import type { Group, User } from '../../storage/storage.ts';
import { type AdminOutcome, type Refused, refused } from '../admin/outcome.ts';
import type { Services } from '../services.ts';
import { findUser, type NamedUser } from '../users/users.ts';

/** Groups by name or ID. */
export interface NamedSubjects {
  readonly people: readonly NamedUser[];
  readonly groups: readonly string[];
}

export interface FoundSubjects {
  readonly people: readonly User[];
  readonly groups: readonly Group[];
}

/** Each is found once, however often it is named. */
export async function findNamed(
  services: Pick<Services, 'storage'>,
  named: NamedSubjects,
): Promise<AdminOutcome<FoundSubjects>> {
  const [people, groups] = await Promise.all([
    Promise.all(named.people.map((each) => findUser(services, each))),
    Promise.all(named.groups.map((name) => services.storage.findGroup(name))),
  ]);
  const problems = [
    ...people.flatMap((found) => (found.kind === 'refused' ? [found.problem] : [])),
    ...named.groups.filter((_, index) => groups[index] === undefined).map((name) => noSuchGroup(name).problem),
  ];
  if (problems.length > 0) return refused([...new Set(problems)].join('; '));
  return {
    kind: 'done',
    people: distinct(people.flatMap((found) => (found.kind === 'done' ? [found.user] : []))),
    groups: distinct(groups.filter((group) => group !== undefined)),
  };
}

export function noSuchGroup(name: string): Refused {
  return refused(`there is no group "${name}"`, 'not_found');
}

function distinct<Item extends { readonly id: string }>(items: readonly Item[]): Item[] {
  return [...new Map(items.map((item) => [item.id, item])).values()];
}
