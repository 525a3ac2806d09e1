// An administrator decides who may use an application: everyone, or the people and groups on its list. The list can be
// changed while the application is open to everyone, so that nobody on it loses a token when that ends.

import type { Requester } from '../../protocol/event.ts';
import type { AccessChange, Client, Group, ListedSubjects, User } from '../../storage/storage.ts';
import type { Outcome } from '../admin/outcome.ts';
import { type ListPage, type ListRequest, readAll, readPage } from '../admin/paging.ts';
import { afterExpiredEntries } from '../groups/expired-entries.ts';
import { byEmail, type FoundSubjects, findNamed, type NamedSubjects } from '../groups/groups.ts';
import type { Recording, Storing } from '../services.ts';
import { findClient, noSuchClient } from './clients.ts';

/** People by email address, groups by name. */
export type AllowedList = FoundSubjects;

/** What is given becomes so, and the rest stays as it is. */
export interface AccessSetting {
  readonly access?: Client['access'] | undefined;
  readonly people?: readonly string[] | undefined;
  readonly groups?: readonly string[] | undefined;
}

type Changed = Outcome<{ client: Client; allowed: AllowedList }>;

/** Everyone and every group on the list. */
export async function readAllowed({ storage }: Storing, clientId: string): Promise<AllowedList> {
  const [people, groups] = await Promise.all([
    readAll((part) => storage.pageAllowedUsers(clientId, part)),
    storage.listAllowedGroups(clientId),
  ]);
  return { people: byEmail(people), groups };
}

export async function clientAccess(services: Storing, clientId: string): Changed {
  const found = await findClient(services, clientId);
  return found.kind === 'refused' ? found : { ...found, allowed: await readAllowed(services, clientId) };
}

/** The application with its groups and a page of its people. */
export async function clientAccessPage(
  services: Storing,
  clientId: string,
  request: ListRequest,
): Outcome<{ client: Client; people: ListPage<User>; groups: readonly Group[] }> {
  const { storage } = services;
  const found = await findClient(services, clientId);
  if (found.kind === 'refused') return found;
  const [people, groups] = await Promise.all([
    readPage(request, (query) => storage.pageAllowedUsers(clientId, query)),
    storage.listAllowedGroups(clientId),
  ]);
  return people.kind === 'refused' ? people : { ...found, people, groups };
}

/** Adds to the list, or removes from it. If anyone is unknown, nothing is changed. */
export async function changeAllowed(
  services: Recording,
  clientId: string,
  action: 'allow' | 'disallow',
  named: NamedSubjects,
  requester: Requester,
): Changed {
  const found = await findNamed(services, named);
  if (found.kind === 'refused') return found;
  const nobody = { people: [], groups: [] };
  const lists = action === 'allow' ? { allow: found, disallow: nobody } : { allow: nobody, disallow: found };
  return change(services, clientId, undefined, lists, requester);
}

/** The list becomes what is given. Whoever is on it before and after keeps their tokens. */
export async function setAccess(
  services: Recording,
  clientId: string,
  setting: AccessSetting,
  requester: Requester,
): Changed {
  const current = await clientAccess(services, clientId);
  if (current.kind === 'refused') return current;
  const { people, groups } = setting;
  const found = await findNamed(services, { people: people ?? [], groups: groups ?? [] });
  if (found.kind === 'refused') return found;
  const { allowed } = current;
  const wanted = {
    people: people === undefined ? allowed.people : found.people,
    groups: groups === undefined ? allowed.groups : found.groups,
  };
  const lists = { allow: without(wanted, allowed), disallow: without(allowed, wanted) };
  const access = setting.access === current.client.access ? undefined : setting.access;
  if (access === undefined && [lists.allow, lists.disallow].every(isEmpty)) return current;
  return change(services, clientId, access, lists, requester);
}

async function change(
  services: Recording,
  clientId: string,
  access: Client['access'] | undefined,
  lists: { readonly allow: FoundSubjects; readonly disallow: FoundSubjects },
  requester: Requester,
): Changed {
  const { storage, journal, clock } = services;
  const detail = { changed: ['access'], access: access ?? '' };
  const changes: AccessChange = {
    access: access && { to: access, event: journal.event({ kind: 'client_updated', clientId, detail }, requester) },
    allow: noted(lists.allow, 'access_allowed'),
    disallow: noted(lists.disallow, 'access_disallowed'),
  };
  function noted({ people, groups }: FoundSubjects, kind: 'access_allowed' | 'access_disallowed'): ListedSubjects {
    return {
      people: people.map(({ id }) => ({ id, event: journal.event({ kind, clientId, userId: id }, requester) })),
      groups: groups.map(({ id, name }) => {
        return { id, event: journal.event({ kind, clientId, detail: { group: name } }, requester) };
      }),
    };
  }
  const changed = await afterExpiredEntries(services, () => storage.changeAccess(clientId, changes, clock.now()));
  if (!changed) return noSuchClient(clientId);
  return clientAccess(services, clientId);
}

function without(list: FoundSubjects, other: FoundSubjects): FoundSubjects {
  const left = <Item extends { readonly id: string }>(items: readonly Item[], gone: readonly { id: string }[]) => {
    const ids = new Set(gone.map(({ id }) => id));
    return items.filter(({ id }) => !ids.has(id));
  };
  return { people: left(list.people, other.people), groups: left(list.groups, other.groups) };
}

function isEmpty({ people, groups }: FoundSubjects): boolean {
  return people.length + groups.length === 0;
}
