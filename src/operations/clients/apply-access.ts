// What a file for `latchkey apply` says about groups and about who may use which application: finds everyone whom it names,
// and works out what would change.

import { groupKey } from '../../protocol/admin/group-name.ts';
import type { Requester } from '../../protocol/event.ts';
import { isoTime } from '../../protocol/iso-time.ts';
import { type ClaimJson, claimsJson, groupsNamedIn, withGroupNames } from '../../protocol/oauth/claim-json.ts';
import { isJsonObject, isTexts, type JsonObject } from '../../protocol/reading/strict-json.ts';
import type { Group, Listed, User } from '../../storage/storage.ts';
import { type ItemsDifference, itemsDifference } from '../admin/applied-resource.ts';
import { type Outcome, refusalClause, refused } from '../admin/outcome.ts';
import { listAttributes } from '../attributes/attributes.ts';
import {
  changeMembers,
  createGroup,
  type DescribedGroup,
  deleteGroup,
  listAllGroups,
  listAllMembers,
  updateGroup,
} from '../groups/groups.ts';
import { type EndOf, type EndsByName, readEndsByName } from '../groups/listed-ends.ts';
import type { Recording, Services, Storing, Timing } from '../services.ts';
import { findUser, type NamedUser } from '../users/users.ts';
import { type ListEnds, readAllowed } from './access-list.ts';

/** When entries of a list will end, by the names of those that are listed, and what that changes. */
export interface EndsPlan {
  readonly ends: ReadonlyMap<string, number | null>;
  readonly changed: readonly string[];
  readonly items: ItemsDifference | undefined;
}

/** Members and people are given by their email addresses, groups by their names. */
export type GroupStep =
  | { kind: 'create' | 'update'; name: string; protected?: boolean; members: ItemsDifference; until?: EndsPlan }
  | { kind: 'delete' | 'unchanged' | 'leave'; name: string };

/** Who is on a client's list, and who will be; each that is undefined stays as it is. */
export interface ListPlan {
  readonly before: { readonly people: readonly string[]; readonly groups: readonly string[] };
  readonly after: { readonly people?: readonly string[]; readonly groups?: readonly string[] };
  readonly until: { readonly people?: EndsPlan; readonly groups?: EndsPlan };
}

export interface AccessPlan {
  readonly groups: readonly GroupStep[];
  /** By client ID. */
  readonly lists: ReadonlyMap<string, ListPlan>;
  /** By client ID: those that the file has, with the names that groups really have. */
  readonly claims: ReadonlyMap<string, readonly ClaimJson[]>;
}

interface DescribedLists {
  /** Undefined if the file says nothing about them. */
  readonly clients:
    | readonly {
        readonly id: string;
        readonly item: JsonObject;
        readonly given: { readonly claims?: readonly ClaimJson[] | undefined };
      }[]
    | undefined;
  readonly groups?: readonly DescribedGroup[];
  readonly attributes?: readonly { readonly id: string }[];
}

/** Who is on the list, as the file says; each that is undefined stays as it is. */
export function allowedIn({
  allowed,
}: JsonObject): { people?: readonly string[]; groups?: readonly string[] } | undefined {
  if (allowed === undefined || !isJsonObject(allowed)) return undefined;
  const { people, groups } = allowed;
  return {
    ...(isTexts(people) && { people: [...new Set(people)] }),
    ...(isTexts(groups) && { groups: [...new Set(groups)] }),
  };
}

/** When places on the list end, as the file says; each that is undefined stays as it is. */
export function allowedUntilIn({ allowed_until: until }: JsonObject): ListEnds {
  if (until === undefined || !isJsonObject(until)) return {};
  // Checked when the file was read.
  return until as ListEnds;
}

/** Refused when the file names someone unknown. With `prune`, a group that the file doesn't name is deleted. */
export async function planAccess(services: Timing, described: DescribedLists, prune: boolean): Outcome<AccessPlan> {
  const { groups } = described;
  const clients = (described.clients ?? []).map(({ id, item }) => ({
    id,
    allowed: allowedIn(item),
    until: allowedUntilIn(item),
  }));
  const existing = await listAllGroups(services);
  const names = new Map([...(groups ?? []), ...existing].map(({ name }) => [groupKey(name), name]));
  const problems = new Set<string>();

  const emails = new Map<string, string>();
  const named = [
    ...clients.flatMap(({ allowed }) => allowed?.people ?? []),
    ...(groups ?? []).flatMap(({ members }) => members ?? []),
  ];
  const planEnds = async (member: string, given: EndsByName | undefined, before: ListedBefore, listed: Names) => {
    const plan = given && (await endsPlan(services, { member, given, before, listed }, byId));
    if (plan?.kind === 'refused') problems.add(refusalClause(plan));
    return plan?.kind === 'done' ? plan.plan : undefined;
  };
  for (const each of new Set(named)) {
    const found = await findUser(services, each);
    if (found.kind === 'refused') problems.add(refusalClause(found));
    else emails.set(each, found.user.email);
  }
  const emailsOf = (people: readonly string[]) => distinct(people.map((each) => emails.get(each) ?? each));
  const nameOf = (name: string, known = names.get(groupKey(name))) => {
    if (known === undefined) problems.add(`there is no group "${name}"`);
    return known ?? name;
  };
  const byId = (text: string) => existing.find(({ id }) => id === text)?.name;
  const namesOf = (given: readonly string[]) => distinct(given.map((text) => nameOf(text, byId(text))));

  const lists = new Map<string, ListPlan>();
  for (const { id, allowed, until } of clients) {
    if (allowed === undefined && until.people === undefined && until.groups === undefined) continue;
    const { people, groups: onList } = await readAllowed(services, id);
    const [peopleBefore, groupsBefore] = [endsOf(people, ({ email }) => email), endsOf(onList, ({ name }) => name)];
    const before = { people: [...peopleBefore.keys()], groups: [...groupsBefore.keys()] };
    const after = {
      ...(allowed?.people && { people: emailsOf(allowed.people) }),
      ...(allowed?.groups && { groups: namesOf(allowed.groups) }),
    };
    const ends = {
      people: await planEnds('allowed_until.people', until.people, peopleBefore, after.people ?? before.people),
      groups: await planEnds('allowed_until.groups', until.groups, groupsBefore, after.groups ?? before.groups),
    };
    lists.set(id, {
      before,
      after,
      until: { ...(ends.people && { people: ends.people }), ...(ends.groups && { groups: ends.groups }) },
    });
  }
  const steps = groups === undefined ? [] : await groupSteps(services, groups, existing, emailsOf, planEnds);
  const registered = await services.storage.listClients();
  const claims = new Map<string, readonly ClaimJson[]>();
  for (const { id, given } of described.clients ?? []) {
    if (given.claims === undefined) continue;
    // Deleted groups are there under the name that shows it.
    const held = new Set(groupsNamedIn(claimsJson(registered.find((client) => client.id === id)?.claims ?? [])));
    claims.set(
      id,
      withGroupNames(given.claims, (name) => (held.has(name) ? name : nameOf(name))),
    );
  }
  const attributes = await listAttributes(services);
  const known = new Set([...(described.attributes ?? []).map(({ id }) => id), ...attributes.map(({ name }) => name)]);
  for (const claim of [...claims.values()].flat()) {
    if (claim.source !== 'attribute' || known.has(claim.attribute)) continue;
    problems.add(`there is no attribute ${JSON.stringify(claim.attribute)}`);
  }
  if (problems.size > 0) return refused([...problems].join('; '));
  const otherClaims = registered.filter(({ id }) => !claims.has(id)).map((client) => claimsJson(client.claims));
  const used = new Set([
    ...[...lists.values()].flatMap(({ after }) => after.groups ?? []),
    ...[...claims.values(), ...otherClaims].flatMap((each) => groupsNamedIn(each)),
  ]);
  const others = groups === undefined ? [] : existing.filter(({ name }) => !steps.some((step) => step.name === name));
  const kept = ({ name }: Group) => !prune || used.has(name);
  return {
    kind: 'done',
    lists,
    claims,
    groups: [
      ...steps,
      ...others.map((group): GroupStep => ({ kind: kept(group) ? 'leave' : 'delete', name: group.name })),
    ],
  };
}

async function groupSteps(
  services: Storing,
  described: readonly DescribedGroup[],
  existing: readonly Group[],
  emailsOf: (people: readonly string[]) => string[],
  planEnds: (
    member: string,
    given: EndsByName | undefined,
    listed: ListedBefore,
    after: Names,
  ) => Promise<EndsPlan | undefined>,
): Promise<GroupStep[]> {
  const steps: GroupStep[] = [];
  for (const { name, members, membersUntil, protected: isProtected } of described) {
    const group = existing.find((each) => groupKey(each.name) === groupKey(name));
    const wanted = members && emailsOf(members);
    const isAsked = group !== undefined && (wanted !== undefined || membersUntil !== undefined);
    const before = endsOf(isAsked ? await listAllMembers(services, group) : [], ({ email }) => email);
    const until = await planEnds('members_until', membersUntil, before, wanted ?? [...before.keys()]);
    const isNews = isProtected !== undefined && isProtected !== ((group?.protectedSince ?? null) !== null);
    const more = { ...(until && { until }), ...(isNews && { protected: isProtected }) };
    if (group === undefined) {
      steps.push({ kind: 'create', name, members: { added: wanted ?? [], removed: [] }, ...more });
      continue;
    }
    const difference = wanted && itemsDifference([...before.keys()], wanted);
    if (difference === undefined && until?.items === undefined && !isNews)
      steps.push({ kind: 'unchanged', name: group.name });
    else steps.push({ kind: 'update', name: group.name, members: difference ?? { added: [], removed: [] }, ...more });
  }
  return steps;
}

export async function applyGroup(
  services: Recording & Pick<Services, 'random'>,
  step: GroupStep,
  requester: Requester,
): Outcome<object> {
  switch (step.kind) {
    case 'create': {
      const created = await createGroup(services, step.name, requester, step.protected);
      if (created.kind === 'refused' || step.members.added.length === 0) return created;
      const change = { add: withEmail(step.members.added), ...endsIn(step) };
      return changeMembers(services, created.group.id, change, requester);
    }
    case 'update': {
      const { added, removed } = step.members;
      const changedEnds = step.until?.changed ?? [];
      const add = withEmail(distinct([...added, ...changedEnds]));
      const group = { name: step.name };
      const updated = await updateGroup(services, group, { protected: step.protected }, requester);
      if (updated.kind === 'refused') return updated;
      return changeMembers(services, group, { add, remove: withEmail(removed), ...endsIn(step) }, requester);
    }
    case 'delete':
      return deleteGroup(services, { name: step.name }, false, requester);
    default:
      return { kind: 'done' };
  }
}

function endsIn({ until }: { readonly until?: EndsPlan }): { ends?: EndOf<User> } {
  return until === undefined ? {} : { ends: ({ email }) => until.ends.get(email) };
}

type Names = readonly string[];
/** When those end that are listed now, by name. */
type ListedBefore = ReadonlyMap<string, number | null>;

function endsOf<Item extends Listed<object>>(items: readonly Item[], nameOf: (item: Item) => string): ListedBefore {
  return new Map(items.map((item) => [nameOf(item), item.listedUntil]));
}

interface GivenEnds {
  readonly member: string;
  readonly given: EndsByName;
  readonly before: ListedBefore;
  /** Those that will be listed. */
  readonly listed: Names;
}

/** What the file's ends change for those that will be listed. */
async function endsPlan(
  services: Timing,
  { member, given, before, listed }: GivenEnds,
  groupById: (text: string) => string | undefined,
): Outcome<{ plan: EndsPlan }> {
  const isGroups = member === 'allowed_until.groups';
  const byKey = new Map(listed.map((name) => [isGroups ? groupKey(name) : name, name]));
  const read = await readEndsByName(services, member, given, listed, async (name) => {
    if (isGroups) return groupById(name) ?? byKey.get(groupKey(name));
    const found = await findUser(services, name);
    return found.kind === 'done' ? found.user.email : undefined;
  });
  if (read.kind === 'refused') return read;
  const changed = listed.filter((name) => (before.get(name) ?? null) !== read.ends.get(name));
  const lines = (ends: ListedBefore) =>
    changed.flatMap((name) => {
      const end = ends.get(name) ?? null;
      return end === null ? [] : [`${name} ${isoTime(end)}`];
    });
  return { kind: 'done', plan: { ends: read.ends, changed, items: itemsDifference(lines(before), lines(read.ends)) } };
}

function withEmail(emails: readonly string[]): NamedUser[] {
  return emails.map((email) => ({ email }));
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
