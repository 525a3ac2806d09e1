// Groups that an administrator has named, for whatever refers to groups by ID, and the names that there are to choose from.

import { groupKey } from '../../protocol/account/names.ts';
import type { Requester } from '../../protocol/event.ts';
import { closestWord } from '../../protocol/reading/closest-word.ts';
import type { Group } from '../../storage/storage.ts';
import type { Storing } from '../services.ts';
import { groupContentRefusal } from './authority.ts';
import { type Outcome, type Refused, refused } from './outcome.ts';
import { readPage } from './paging.ts';

/** A text is an ID or a name. If it's the ID of one group and the name of another, it's the ID. */
export type NamedGroup = string | { readonly id: string } | { readonly name: string };

export async function lookUpGroup({ storage }: Storing, named: NamedGroup): Promise<Group | undefined> {
  if (typeof named === 'string') return storage.findGroup(named);
  return 'id' in named ? storage.findGroupById(named.id) : storage.findGroupByName(named.name);
}

export function noSuchGroup(named: NamedGroup, meant?: string): Refused {
  const text = typeof named === 'string' ? named : 'id' in named ? named.id : named.name;
  return refused({ says: `there is no group "${text}"`, ...(meant !== undefined && { meant }) }, 'not_found');
}

/** Names with a part in common are compared, so many with each. */
const mostCompared = 100;

/** The group that was probably meant by a name. That reveals nothing: the form offers the names of all groups. */
export async function closestGroup({ storage }: Storing, typed: string): Promise<string | undefined> {
  const name = groupKey(typed);
  if (name === '' || name.length > 100) return undefined;
  const third = Math.ceil(name.length / 3);
  const parts = [0, 1, 2].map((index) => name.slice(index * third, (index + 1) * third)).filter((part) => part !== '');
  const pages = await Promise.all(
    parts.map((part) => storage.pageGroups({ words: [part], after: undefined, limit: mostCompared })),
  );
  return closestWord(
    name,
    pages.flatMap(({ items }) => items.map((group) => group.name)),
  );
}

/** By what each is found: its name, except where that is another group's ID. */
export async function namesOfGroups({ storage }: Storing, groups: readonly Group[]): Promise<string[]> {
  const found = await Promise.all(groups.map(({ name }) => storage.findGroup(name)));
  return groups.map(({ id, name }, index) => ((found[index]?.id ?? id) === id ? name : id));
}

/** By name or ID, each once. */
export async function findGroups(
  { storage }: Storing,
  names: readonly string[],
): Outcome<{ groups: readonly Group[] }> {
  const found = await Promise.all(names.map((name) => storage.findGroup(name)));
  const missing = names.find((_, index) => found[index] === undefined);
  // A name that doesn't exist is a mistake in what was sent; the request itself is about something else.
  if (missing !== undefined) {
    return { ...noSuchGroup(missing, await closestGroup({ storage }, missing)), reason: 'invalid' };
  }
  const groups = found.filter((group) => group !== undefined);
  return { kind: 'done', groups: [...new Map(groups.map((group) => [group.id, group])).values()] };
}

/** Groups by name or ID, which people join by what the requester makes. */
export async function findJoinableGroups(
  services: Storing,
  names: readonly string[],
  requester: Requester,
): Outcome<{ groups: readonly Group[] }> {
  const found = await findGroups(services, names);
  if (found.kind === 'refused') return found;
  return found.groups.map((group) => groupContentRefusal(requester, group)).find((each) => each !== undefined) ?? found;
}

/** As many as someone would look through. */
const mostNames = 200;

/** Names to choose from in a form. */
export interface GroupNames {
  readonly names: readonly string[];
  /** Whether there are others, which a search finds. */
  readonly more: boolean;
}

/** By name, those with a text in it; with a requester, those whose members they can choose. */
export async function groupNames({ storage }: Storing, search: string, joinableBy?: Requester): Promise<GroupNames> {
  const found = await readPage({ search, limit: mostNames }, (query) => storage.pageGroups(query));
  if (found.kind === 'refused') return { names: [], more: false };
  const { items, next } = found;
  const shown =
    joinableBy === undefined ? items : items.filter((group) => groupContentRefusal(joinableBy, group) === undefined);
  return { names: shown.map(({ name }) => name), more: next !== undefined };
}
