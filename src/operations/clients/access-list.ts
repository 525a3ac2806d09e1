// An administrator decides who may use an application: everyone, or the people and groups on its list. The list can be
// changed while the application is open to everyone, so that people on it keep their tokens when that ends.

import { may, type Right } from '../../protocol/admin/rights.ts';
import type { Requester } from '../../protocol/event.ts';
import type { EventKind } from '../../protocol/events/kinds.ts';
import { type EntryInput, entryFields } from '../../protocol/resources/entry.ts';
import { recordedValues } from '../../protocol/resources/resource.ts';
import type { AccessChange, Client, Group, ListEntry, Listed, User } from '../../storage/storage.ts';
import { endingSoon } from '../admin/ends.ts';
import { type Outcome, type Refused, refused } from '../admin/outcome.ts';
import { type ListPage, type ListRequest, readAll, readPage } from '../admin/paging.ts';
import { afterExpiredEntries } from '../groups/expired-entries.ts';
import { byEmail, type FoundSubjects, findNamed, type NamedSubjects } from '../groups/groups.ts';
import { type EndOf, type EndsByName, readEndsByName, readEntry } from '../groups/listed-ends.ts';
import { changedSince, checkRestorable, type RemovedEntry } from '../groups/undo.ts';
import type { Recording, Storing, Timing } from '../services.ts';
import { findUser } from '../users/users.ts';
import { findClient, noSuchClient } from './clients.ts';

/** People by email address, groups by name. */
export interface AllowedList {
  readonly people: readonly Listed<Pick<User, 'id' | 'email'>>[];
  readonly groups: readonly Listed<Group>[];
}

/** When places on the list end, by the names of people and groups; each that is undefined stays as it is. */
export interface ListEnds {
  readonly people?: EndsByName | undefined;
  readonly groups?: EndsByName | undefined;
}

/** What is given becomes so, and the rest stays as it is. */
export interface AccessSetting {
  readonly access?: Client['access'] | undefined;
  readonly people?: readonly string[] | undefined;
  readonly groups?: readonly string[] | undefined;
  readonly until?: ListEnds | undefined;
}

type Subject = { readonly id: string };
type Subjects = Pick<FoundSubjects, 'groups'> & { readonly people: readonly Subject[] };
type Changed = Outcome<{ client: Client; allowed: AllowedList }>;
/** A few dozen milliseconds of the database. */
const mostInPart = 10_000;

/** Everyone and every group on the list. */
export async function readAllowed({ storage }: Storing, clientId: string): Promise<AllowedList> {
  const [people, groups] = await Promise.all([
    readAll((part) => storage.pageAllowedAddresses(clientId, part), mostInPart),
    storage.listAllowedGroups(clientId),
  ]);
  return { people: byEmail(people), groups };
}

/** By name. */
export function groupsOnList({ storage }: Storing, { id }: Client): Promise<readonly Listed<Group>[]> {
  return storage.listAllowedGroups(id);
}

/** Which of these people are on the list themselves. */
export function allowedAmong({ storage }: Storing, { id }: Client, userIds: readonly string[]): Promise<string[]> {
  return storage.findAllowedAmong(id, userIds);
}

async function clientAccess(services: Storing, clientId: string): Changed {
  const found = await findClient(services, clientId);
  return found.kind === 'refused' ? found : { ...found, allowed: await readAllowed(services, clientId) };
}

/** The list with a part of its people, which is all of them unless there are very many; `next` is the cursor of the next one. */
export async function clientAccessPart(
  services: Storing,
  clientId: string,
  cursor: string | undefined,
): Outcome<{ client: Client; allowed: AllowedList; next: string | undefined }> {
  const { storage } = services;
  const found = await findClient(services, clientId);
  if (found.kind === 'refused') return found;
  const [people, groups] = await Promise.all([
    readPage({ cursor, limit: mostInPart }, (query) => storage.pageAllowedAddresses(clientId, query)),
    storage.listAllowedGroups(clientId),
  ]);
  return people.kind === 'refused'
    ? people
    : { ...found, allowed: { people: byEmail(people.items), groups }, next: people.next };
}

/** The application with its groups and a page of its people, by name; with `ending`, of those whose place on the list ends soon. */
export async function clientAccessPage(
  services: Timing,
  clientId: string,
  request: ListRequest & { readonly ending?: boolean | undefined },
): Outcome<{ client: Client; people: ListPage<Listed<User>>; groups: readonly Listed<Group>[] }> {
  const { storage } = services;
  const found = await findClient(services, clientId);
  if (found.kind === 'refused') return found;
  const span = request.ending ? endingSoon(services) : undefined;
  const [people, groups] = await Promise.all([
    readPage({ ...request, sort: 'name' }, (query) => storage.pageAllowedUsers(clientId, query, span), ['name']),
    storage.listAllowedGroups(clientId),
  ]);
  return people.kind === 'refused' ? people : { ...found, people, groups };
}

/** Larger numbers of people aren't counted to the end. */
export const mostUsersCounted = 10_000;

/** Of those who use an application, those whom its list lets in. */
export interface KeptUsers {
  readonly users: number;
  readonly kept: number;
  /** Whether there are more of them, who weren't counted. */
  readonly more: boolean;
}

/** Who would keep access if the application were limited to its list now, or to the list without an entry. */
export async function usersOnList(
  { storage, clock }: Timing,
  clientId: string,
  without?: ListEntry,
): Promise<KeptUsers> {
  const { users, listed } = await storage.countListedUsers(clientId, clock.now(), mostUsersCounted + 1, without);
  const counted = (number: number) => Math.min(number, mostUsersCounted);
  return { users: counted(users), kept: counted(listed), more: users > mostUsersCounted };
}

/** What removing an entry of a limited application's list takes away: from the last of those who use it, or from the list itself. */
export async function lockedOutWithout(
  services: Timing,
  clientId: string,
  entry: ListEntry,
): Promise<{ readonly client: Client; readonly preview: KeptUsers; readonly last: 'user' | 'entry' } | undefined> {
  const found = await clientAccessPage(services, clientId, { limit: 3 });
  if (found.kind === 'refused' || found.client.access === 'everyone') return undefined;
  const { client, people, groups } = found;
  const [before, preview] = await Promise.all([
    usersOnList(services, clientId),
    usersOnList(services, clientId, entry),
  ]);
  if (before.kept > 0 && preview.kept === 0) return { client, preview, last: 'user' };
  const entries = [...people.items, ...groups];
  const left = entries.filter(({ id }) => id !== entry.person && id !== entry.group);
  return entries.length > 0 && left.length === 0 ? { client, preview, last: 'entry' } : undefined;
}

/**
 * Adds to the list, or removes from it. Those who are on it already get the end that is given, or none. If anyone is unknown, nothing
 * is changed. The one who is added gets back the entry in `restores`, as it was.
 */
export async function changeAllowed(
  services: Recording,
  clientId: string,
  action: 'allow' | 'disallow',
  { people, groups, restores, ...entry }: NamedSubjects & EntryInput & { readonly restores?: RemovedEntry },
  requester: Requester,
): Changed {
  // First: whether there is a group of that name is none of an owner's business.
  const limit = ownersLimit(requester, clientId, groups);
  if (limit !== undefined) return limit;
  const found = await findNamed(services, { people, groups });
  if (found.kind === 'refused') return found;
  if (action === 'allow' && raisesThemselves(requester, found)) {
    return { ...refused("owners can't give themselves access", 'forbidden'), right: 'applications.change' };
  }
  const read = readEntry(services, entry);
  if (read.kind === 'refused') return read;
  const nobody = { people: [], groups: [] };
  const lists = action === 'allow' ? { allow: found, disallow: nobody } : { allow: nobody, disallow: found };
  const restored = restores && (await checkRestorable(services, restores, found.people[0], found.groups[0]));
  if (restored?.kind === 'refused') return restored;
  const endOf = () => (restored ?? read.values).expiresAt;
  const ends = { people: endOf, groups: endOf };
  return change(services, clientId, { ...lists, ends, restores: restores?.beganWith }, requester);
}

/** What someone who only owns the application can't do. */
function ownersLimit({ authority }: Requester, clientId: string, groups: readonly string[]): Refused | undefined {
  if (may(authority, 'applications.change')) return undefined;
  const forbidden = (problem: string, right: Right): Refused => ({ ...refused(problem, 'forbidden'), right });
  if (!may(authority, 'access.change', clientId)) {
    return forbidden('only its owners and administrators change who has access', 'access.change');
  }
  return groups.length === 0
    ? undefined
    : forbidden("owners can't change which groups have access", 'applications.change');
}

function raisesThemselves({ authority, actor }: Requester, { people }: FoundSubjects): boolean {
  return !may(authority, 'applications.change') && people.some(({ id }) => id === actor?.id);
}

/** The list becomes what is given. Anyone who is on it before and after keeps their tokens. */
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
  const { until } = setting;
  const [peopleEnds, groupEnds] = await Promise.all([
    endsIn(services, 'people', until?.people, wanted.people, async (name) => {
      const named = await findUser(services, name);
      return named.kind === 'done' ? named.user.id : undefined;
    }),
    endsIn(services, 'groups', until?.groups, wanted.groups, async (name) => {
      return (await services.storage.findGroup(name))?.id;
    }),
  ]);
  if (peopleEnds.kind === 'refused') return peopleEnds;
  if (groupEnds.kind === 'refused') return groupEnds;
  const ends = { people: peopleEnds.of, groups: groupEnds.of };
  const gone = { people: unchanged(allowed.people, ends.people), groups: unchanged(allowed.groups, ends.groups) };
  const lists = { allow: without(wanted, gone), disallow: without(allowed, wanted) };
  const access = setting.access === current.client.access ? undefined : setting.access;
  if (access === undefined && [lists.allow, lists.disallow].every(isEmpty)) return current;
  return change(services, clientId, { access, ...lists, ends }, requester);
}

async function endsIn(
  services: Recording,
  kind: 'people' | 'groups',
  given: EndsByName | undefined,
  listed: readonly Subject[],
  find: (name: string) => Promise<string | undefined>,
): Outcome<{ readonly of: EndOf<Subject> }> {
  if (given === undefined) return { kind: 'done', of: () => undefined };
  const ids = listed.map(({ id }) => id);
  const read = await readEndsByName(services, `allowed_until.${kind}`, given, ids, find);
  return read.kind === 'refused' ? read : { kind: 'done', of: ({ id }) => read.ends.get(id) };
}

/** Those that keep their end. */
function unchanged<Item extends Listed<Subject>>(items: readonly Item[], endOf: EndOf<Subject>): Item[] {
  return items.filter((item) => {
    const end = endOf(item);
    return end === undefined || end === item.listedUntil;
  });
}

interface ListChange {
  readonly access?: Client['access'] | undefined;
  readonly allow: Subjects;
  readonly disallow: Subjects;
  readonly ends: Readonly<Record<'people' | 'groups', EndOf<Subject>>>;
  /** Of those who are allowed; see `ListedChange`. */
  readonly restores?: number | undefined;
}

async function change(
  services: Recording,
  clientId: string,
  { access, allow, disallow, ends, restores }: ListChange,
  requester: Requester,
): Changed {
  const { storage, journal, clock } = services;
  const detail = { changed: ['access'], access: access ?? '' };
  const changes: AccessChange = {
    access: access && { to: access, event: journal.event({ kind: 'client_updated', clientId, detail }, requester) },
    allow: noted(allow, 'access_allowed', ends),
    disallow: noted(disallow, 'access_disallowed'),
  };
  function noted({ people, groups }: Subjects, kind: EventKind, ends?: ListChange['ends']) {
    const person = ({ id }: Subject) => {
      const expiresAt = ends?.people({ id });
      const event = { kind, clientId, userId: id, detail: recordedValues(entryFields, { expiresAt }) };
      return { id, expiresAt, restores, event: journal.event(event, requester) };
    };
    const group = ({ id, name }: Group) => {
      const expiresAt = ends?.groups({ id });
      const detail = { group: name, ...recordedValues(entryFields, { expiresAt }) };
      return { id, expiresAt, restores, event: journal.event({ kind, clientId, detail }, requester) };
    };
    return { people: people.map(person), groups: groups.map(group) };
  }
  const changed = await afterExpiredEntries(services, () => storage.changeAccess(clientId, changes, clock.now()));
  if (!changed) return restores === undefined ? noSuchClient(clientId) : changedSince;
  return clientAccess(services, clientId);
}

function without(list: Subjects, other: Subjects): Subjects {
  const left = <Item extends { readonly id: string }>(items: readonly Item[], gone: readonly { id: string }[]) => {
    const ids = new Set(gone.map(({ id }) => id));
    return items.filter(({ id }) => !ids.has(id));
  };
  return { people: left(list.people, other.people), groups: left(list.groups, other.groups) };
}

function isEmpty({ people, groups }: Subjects): boolean {
  return people.length + groups.length === 0;
}
