// An administrator makes groups, changes who is in them, and deletes them. Groups decide who may use an application, and
// applications learn of them by claims that an administrator has switched on.

import { may } from '../../protocol/admin/rights.ts';
import { mostCounted, type Total, totalOf } from '../../protocol/admin/totals.ts';
import type { Requester } from '../../protocol/event.ts';
import type { EventKind } from '../../protocol/events/kinds.ts';
import { newId } from '../../protocol/identifiers.ts';
import { isoTime } from '../../protocol/iso-time.ts';
import { type EntryInput, entryFields } from '../../protocol/resources/entry.ts';
import { type GroupInput, groupFields } from '../../protocol/resources/group.ts';
import { differing, readFields, readNew, recordedValues } from '../../protocol/resources/resource.ts';
import type { Group, Listed, ListedGroup, OpenedClient, User } from '../../storage/storage.ts';
import { groupContentRefusal, groupRefusal, guarded, protectionRefusal } from '../admin/authority.ts';
import { endingSoon } from '../admin/ends.ts';
import { closestGroup, lookUpGroup, type NamedGroup, noSuchGroup } from '../admin/named-groups.ts';
import {
  type Outcome,
  type Refused,
  refused,
  refusedAll,
  refusedFields,
  unlessTaken,
  wholeOrRefused,
} from '../admin/outcome.ts';
import { type ListPage, type ListRequest, readAll, readPage } from '../admin/paging.ts';
import type { Recording, Services, Storing, Timing } from '../services.ts';
import { findUser, type NamedUser } from '../users/users.ts';
import { afterExpiredEntries } from './expired-entries.ts';
import { type EndOf, readEntry } from './listed-ends.ts';
import { changedSince, checkRestorable, type RemovedEntry } from './undo.ts';

type Found = Outcome<{ group: Group }>;

export async function createGroup(
  { storage, clock, random, journal }: Recording & Pick<Services, 'random'>,
  input: GroupInput,
  requester: Requester,
): Found {
  const read = wholeOrRefused(readNew(groupFields, input));
  if (read.kind === 'refused') return read;
  const { name, protected: isProtected } = read.values;
  const refusal =
    (isProtected ? protectionRefusal(requester) : undefined) ?? (await groupNameRefusal({ storage }, requester));
  if (refusal !== undefined) return refusal;
  const now = clock.now();
  const given = { id: newId(random), name, createdAt: now, updatedAt: now, protectedSince: isProtected ? now : null };
  const detail = { group: name, ...(isProtected && { protected: 'yes' }) };
  const event = guarded(journal.event({ kind: 'group_created', detail }, requester), requester);
  const group = await unlessTaken(storage.createGroup(given, event));
  if (group === 'taken') return nameTaken(name);
  return group === undefined ? nameClaimed : { kind: 'done', group };
}

export async function findGroup(services: Storing, named: NamedGroup): Found {
  const group = await lookUpGroup(services, named);
  return group === undefined ? noSuchGroup(named) : { kind: 'done', group };
}

/** By name. */
export function listGroups(services: Storing, request: ListRequest): Outcome<ListPage<Group>> {
  return readPage(request, (query) => services.storage.pageGroups(query));
}

/** Groups by name, with how many are in each, and how many applications it opens. */
export function listGroupsInUse(services: Storing, request: ListRequest): Outcome<ListPage<ListedGroup>> {
  return readPage(request, (query) => services.storage.pageListedGroups(query));
}

/** Every group, by name. */
export function listAllGroups({ storage }: Storing): Promise<Group[]> {
  return readAll((part) => storage.pageGroups(part));
}

/** Every member, by email address. */
export async function listAllMembers({ storage }: Storing, { id }: Group): Promise<Listed<User>[]> {
  return byEmail(await readAll((part) => storage.pageMembers(id, part)));
}

export function byEmail<Item extends Pick<User, 'email'>>(users: readonly Item[]): Item[] {
  return users.toSorted((a, b) => (a.email < b.email ? -1 : 1));
}

/** The group with how many members it has, however many there are. */
export async function groupWithSize(services: Timing, named: NamedGroup): Outcome<{ group: Group; people: number }> {
  const found = await findGroup(services, named);
  if (found.kind === 'refused') return found;
  return { ...found, people: await services.storage.countMembers(found.group.id) };
}

export const memberSorts = ['name', 'last_sign_in', 'created'] as const;

export interface MembersRequest extends ListRequest {
  /** Only those whose membership ends soon. */
  readonly ending?: boolean | undefined;
}

/** The group, how many members it has, as far as lists are counted, and a page of them. */
export async function groupDetails(
  services: Timing,
  named: NamedGroup,
  request: MembersRequest = {},
): Outcome<{ group: Group; count: Total; members: ListPage<Listed<User>> }> {
  const found = await findGroup(services, named);
  if (found.kind === 'refused') return found;
  const { id } = found.group;
  const [count, members] = await Promise.all([
    services.storage.countMembers(id, mostCounted + 1),
    readPage(
      request,
      (query) => services.storage.pageMembers(id, query, request.ending ? endingSoon(services) : undefined),
      memberSorts,
    ),
  ]);
  return members.kind === 'refused' ? members : { ...found, count: totalOf(count), members };
}

export interface MembersChange extends EntryInput {
  readonly add?: readonly NamedUser[];
  readonly remove?: readonly NamedUser[];
  /** Of each who is added, where they have different ones. */
  readonly endOf?: EndOf<User>;
  /** The one who is added gets this membership back, as it was. */
  readonly restores?: RemovedEntry;
}

/**
 * People who are in the group already get the end that is given, or none. People who aren't in it can't be removed, which
 * makes no difference. If anyone is unknown, nothing is changed.
 */
export async function changeMembers(
  services: Recording,
  named: NamedGroup,
  { add: added = [], remove: removed = [], endOf, restores, ...entry }: MembersChange,
  requester: Requester,
): Found {
  const found = await findGroup(services, named);
  if (found.kind === 'refused') return found;
  const refusal = groupContentRefusal(requester, found.group);
  if (refusal !== undefined) return refusal;
  const read = readEntry(services, entry);
  if (read.kind === 'refused') return read;
  const { id, name } = found.group;
  const [add, remove] = await Promise.all([
    findNamed(services, { people: added, groups: [] }),
    findNamed(services, { people: removed, groups: [] }),
  ]);
  if (add.kind === 'refused') return add;
  if (remove.kind === 'refused') return remove;
  const restored = restores && (await checkRestorable(services, restores, add.people[0], found.group));
  if (restored?.kind === 'refused') return restored;
  const endFor = (user: User) => {
    if (restored !== undefined) return restored.expiresAt;
    return endOf === undefined ? read.values.expiresAt : endOf(user);
  };
  const { storage, journal, clock } = services;
  const noted = ({ id: userId }: User, kind: EventKind, expiresAt?: number | null) => ({
    id: userId,
    expiresAt,
    event: journal.event(
      { kind, userId, detail: { group: name, ...recordedValues(entryFields, { expiresAt }) } },
      requester,
    ),
  });
  const changes = {
    add: add.people.map((user) => ({
      ...noted(user, 'group_member_added', endFor(user)),
      restores: restores?.beganWith,
    })),
    remove: remove.people.map((user) => noted(user, 'group_member_removed')),
  };
  const changed = await afterExpiredEntries(services, () => storage.changeMembers(id, changes, clock.now()));
  if (changed) return findGroup(services, { id });
  return restores === undefined ? noSuchGroup(named) : changedSince;
}

const nameClaimed = refused(
  "a claim gives an application this group's name: only an administrator can choose it",
  'forbidden',
);

/**
 * Undefined if the requester may choose the name of a group, or of a new one. A group name can grant access in an application:
 * someone who looks after people could choose the name of the application's administrators.
 */
export async function groupNameRefusal(
  { storage }: Storing,
  { authority }: Requester,
  groupId = '',
): Promise<Refused | undefined> {
  if (may(authority, 'roles.change')) return undefined;
  return (await storage.isNameClaimed(groupId)) ? nameClaimed : undefined;
}

/** Whether only an administrator can choose the name of a new group. */
export function isNewNameClaimed({ storage }: Storing): Promise<boolean> {
  return storage.isNameClaimed('');
}

export async function updateGroup(
  services: Recording,
  named: NamedGroup,
  given: GroupInput,
  requester: Requester,
): Found {
  const refusal = given.protected === undefined ? undefined : protectionRefusal(requester);
  if (refusal !== undefined) return refusal;
  const found = await findGroup(services, named);
  if (found.kind === 'refused') return found;
  const notOurs = given.name === undefined ? undefined : groupContentRefusal(requester, found.group);
  if (notOurs !== undefined) return notOurs;
  const { values, problems } = readFields(groupFields, given, found.group);
  const invalid = refusedFields(problems);
  if (invalid !== undefined) return invalid;
  const change = differing(groupFields, found.group, values);
  const renamed = change.name === undefined ? found : await renameGroup(services, found.group, change.name, requester);
  if (renamed.kind === 'refused' || change.protected === undefined) return renamed;
  const { group } = renamed;
  const { storage, clock, journal } = services;
  const detail = { group: group.name, protected: change.protected ? 'yes' : 'no' };
  const event = journal.event({ kind: 'group_protection_changed', detail }, requester);
  const changed = await storage.protectGroup(group, change.protected, clock.now(), event);
  if (changed) return findGroup(services, { id: group.id });
  return (await owningRefusal(services, group)) ?? changedMeanwhile(group);
}

/** Why a group has to stay as it is; undefined if it owns nothing. */
async function owningRefusal({ storage }: Storing, { id, name }: Group): Promise<Refused | undefined> {
  const owned = await storage.listClientsOwnedByGroup(id);
  if (owned.length === 0) return undefined;
  const names = owned.map((client) => `"${client.name}"`).join(', ');
  return refused(`the group "${name}" owns ${names}: name other owners first`, 'conflict');
}

/** Changes nothing for its members, and no claim's meaning: everything refers to a group by its ID. */
async function renameGroup(services: Recording, group: Group, name: string, requester: Requester): Found {
  const { storage, clock, journal } = services;
  const claimed = await groupNameRefusal(services, requester, group.id);
  if (claimed !== undefined) return claimed;
  const detail = { group: name, before: group.name };
  const event = guarded(journal.event({ kind: 'group_renamed', detail }, requester), requester);
  const renamed = await unlessTaken(storage.renameGroup(group, name, clock.now(), event));
  if (renamed === 'taken') return nameTaken(name);
  if (renamed) return findGroup(services, { id: group.id });
  return (await groupNameRefusal(services, requester, group.id)) ?? changedMeanwhile(group);
}

function nameTaken(name: string): Refused {
  return refused(`there is already a group "${name}"`, 'conflict');
}

/** The applications that a group opens to its members; those for everyone aren't among them. */
export function clientsOpenedBy({ storage, clock }: Timing, { id }: Group): Promise<OpenedClient[]> {
  return storage.listClientsOpenedBy(id, clock.now());
}

/** Which of these people are in the group. */
export function membersAmong({ storage }: Storing, { id }: Group, userIds: readonly string[]): Promise<string[]> {
  return storage.findMembersAmong(id, userIds);
}

/** The applications whose claims use a group, which they lose with it. */
export function clientsWithClaimsOf({ storage }: Storing, { id }: Group): Promise<{ id: string; name: string }[]> {
  return storage.listClientsWithClaimsOf(id);
}

/**
 * Anyone who has access to an application by this group alone loses it. Unless `force` is given, a group that claims use isn't
 * deleted.
 */
export async function deleteGroup(services: Recording, named: NamedGroup, force: boolean, requester: Requester): Found {
  const { storage, clock, journal } = services;
  const found = await findGroup(services, named);
  if (found.kind === 'refused') return found;
  const { group } = found;
  const refusal = groupRefusal(requester, group);
  if (refusal !== undefined) return refusal;
  const event = journal.event({ kind: 'group_deleted', detail: { group: group.name } }, requester);
  if (await storage.deleteGroup(group.id, clock.now(), event, force)) return found;
  const owning = await owningRefusal(services, group);
  if (owning !== undefined) return owning;
  const users = await clientsWithClaimsOf(services, group);
  if (force || users.length === 0) return changedMeanwhile(group);
  const names = users.map((client) => `"${client.name}"`).join(', ');
  return refused(`claims of ${names} use the group "${group.name}"; with force it's deleted all the same`, 'conflict');
}

function changedMeanwhile({ name }: Group): Refused {
  return refused(`the group "${name}" was changed or deleted meanwhile`, 'conflict');
}

export function membershipJson({ listedSince, listedUntil }: Listed<object>) {
  return { membership_since: isoTime(listedSince), membership_expires_at: isoTime(listedUntil) };
}

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
export async function findNamed(services: Storing, named: NamedSubjects): Outcome<FoundSubjects> {
  const [people, groups] = await Promise.all([
    Promise.all(named.people.map((each) => findUser(services, each))),
    Promise.all(named.groups.map((name) => services.storage.findGroup(name))),
  ]);
  const missing = named.groups.filter((_, index) => groups[index] === undefined);
  const [only] = missing.length === 1 ? missing : [];
  const meant = only === undefined ? undefined : await closestGroup(services, only);
  const problems = [
    ...people.flatMap((found) => (found.kind === 'refused' ? found.problems : [])),
    ...missing.flatMap((name) => noSuchGroup(name, meant).problems),
  ];
  const refusal = refusedAll(problems);
  if (refusal !== undefined) return refusal;
  return {
    kind: 'done',
    people: distinct(people.flatMap((found) => (found.kind === 'done' ? [found.user] : []))),
    groups: distinct(groups.filter((group) => group !== undefined)),
  };
}

function distinct<Item extends { readonly id: string }>(items: readonly Item[]): Item[] {
  return [...new Map(items.map((item) => [item.id, item])).values()];
}
