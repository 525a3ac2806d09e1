// Groups that an administrator has named, for whatever refers to groups by ID.

import type { Requester } from '../../protocol/event.ts';
import type { Group } from '../../storage/storage.ts';
import type { Storing } from '../services.ts';
import { groupContentRefusal } from './authority.ts';
import { type Outcome, type Refused, refused } from './outcome.ts';

export function noSuchGroup(name: string): Refused {
  return refused(`there is no group "${name}"`, 'not_found');
}

/** By name or ID, each once. */
export async function findGroups(
  { storage }: Storing,
  names: readonly string[],
): Outcome<{ groups: readonly Group[] }> {
  const found = await Promise.all(names.map((name) => storage.findGroup(name)));
  const missing = names.find((_, index) => found[index] === undefined);
  // A name that doesn't exist is a mistake in what was sent; the request itself is about something else.
  if (missing !== undefined) return refused(noSuchGroup(missing).problem);
  const groups = found.filter((group) => group !== undefined);
  return { kind: 'done', groups: [...new Map(groups.map((group) => [group.id, group])).values()] };
}

/** The same for groups that people join by what the requester makes. */
export async function findJoinableGroups(
  services: Storing,
  names: readonly string[],
  requester: Requester,
): Outcome<{ groups: readonly Group[] }> {
  const found = await findGroups(services, names);
  if (found.kind === 'refused') return found;
  return found.groups.map((group) => groupContentRefusal(requester, group)).find((each) => each !== undefined) ?? found;
}
