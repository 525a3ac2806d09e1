// What a file for `latchkey apply` says about groups and about who may use which application: finds everyone whom it names,
// and works out what would change.

import { groupKey } from '../../protocol/admin/group-name.ts';
import type { Requester } from '../../protocol/event.ts';
import { type ClaimJson, claimsJson, groupsNamedIn, withGroupNames } from '../../protocol/oauth/claim-json.ts';
import { isJsonObject, isTexts, type JsonObject } from '../../protocol/reading/strict-json.ts';
import type { Group } from '../../storage/storage.ts';
import { type ItemsDifference, itemsDifference } from '../admin/applied-resource.ts';
import { type Outcome, refused } from '../admin/outcome.ts';
import { listAttributes } from '../attributes/attributes.ts';
import {
  changeMembers,
  createGroup,
  type DescribedGroup,
  deleteGroup,
  listAllGroups,
  listAllMembers,
} from '../groups/groups.ts';
import type { Recording, Services, Storing } from '../services.ts';
import { findUser, type NamedUser } from '../users/users.ts';
import { readAllowed } from './access-list.ts';

/** Members and people are given by their email addresses, groups by their names. */
export type GroupStep =
  | { kind: 'create'; name: string; members: ItemsDifference }
  | { kind: 'update'; name: string; members: ItemsDifference }
  | { kind: 'delete' | 'unchanged' | 'leave'; name: string };

/** Who is on a client's list, and who will be; each that is undefined stays as it is. */
export interface ListPlan {
  readonly before: { readonly people: readonly string[]; readonly groups: readonly string[] };
  readonly after: { readonly people?: readonly string[]; readonly groups?: readonly string[] };
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

/** Refused when the file names someone unknown. With `prune`, a group that the file doesn't name is deleted. */
export async function planAccess(services: Storing, described: DescribedLists, prune: boolean): Outcome<AccessPlan> {
  const { groups } = described;
  const clients = (described.clients ?? []).map(({ id, item }) => ({ id, allowed: allowedIn(item) }));
  const existing = await listAllGroups(services);
  const names = new Map([...(groups ?? []), ...existing].map(({ name }) => [groupKey(name), name]));
  const problems = new Set<string>();

  const emails = new Map<string, string>();
  const named = [
    ...clients.flatMap(({ allowed }) => allowed?.people ?? []),
    ...(groups ?? []).flatMap(({ members }) => members ?? []),
  ];
  for (const each of new Set(named)) {
    const found = await findUser(services, each);
    if (found.kind === 'refused') problems.add(found.problem);
    else emails.set(each, found.user.email);
  }
  const emailsOf = (people: readonly string[]) => distinct(people.map((each) => emails.get(each) ?? each));
  const namesOf = (groupNames: readonly string[]) =>
    distinct(
      groupNames.map((name) => {
        const known = names.get(groupKey(name));
        if (known === undefined) problems.add(`there is no group "${name}"`);
        return known ?? name;
      }),
    );

  const lists = new Map<string, ListPlan>();
  for (const { id, allowed } of clients) {
    if (allowed === undefined) continue;
    const { people, groups: onList } = await readAllowed(services, id);
    lists.set(id, {
      before: { people: people.map(({ email }) => email), groups: onList.map(({ name }) => name) },
      after: {
        ...(allowed.people && { people: emailsOf(allowed.people) }),
        ...(allowed.groups && { groups: namesOf(allowed.groups) }),
      },
    });
  }
  const steps = groups === undefined ? [] : await groupSteps(services, groups, existing, emailsOf);
  const registered = await services.storage.listClients();
  const claims = new Map<string, readonly ClaimJson[]>();
  for (const { id, given } of described.clients ?? []) {
    if (given.claims === undefined) continue;
    // Deleted groups are there under the name that shows it.
    const held = new Set(groupsNamedIn(claimsJson(registered.find((client) => client.id === id)?.claims ?? [])));
    claims.set(
      id,
      withGroupNames(given.claims, (name) => (held.has(name) ? name : (namesOf([name])[0] ?? name))),
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
): Promise<GroupStep[]> {
  const steps: GroupStep[] = [];
  for (const { name, members } of described) {
    const group = existing.find((each) => groupKey(each.name) === groupKey(name));
    const wanted = members && emailsOf(members);
    if (group === undefined) {
      steps.push({ kind: 'create', name, members: { added: wanted ?? [], removed: [] } });
      continue;
    }
    const before = wanted === undefined ? [] : (await listAllMembers(services, group)).map(({ email }) => email);
    const difference = wanted && itemsDifference(before, wanted);
    if (difference === undefined) steps.push({ kind: 'unchanged', name: group.name });
    else steps.push({ kind: 'update', name: group.name, members: difference });
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
      const created = await createGroup(services, step.name, requester);
      if (created.kind === 'refused' || step.members.added.length === 0) return created;
      return changeMembers(services, created.group.id, { add: withEmail(step.members.added) }, requester);
    }
    case 'update':
      return changeMembers(
        services,
        step.name,
        { add: withEmail(step.members.added), remove: withEmail(step.members.removed) },
        requester,
      );
    case 'delete':
      return deleteGroup(services, step.name, false, requester);
    default:
      return { kind: 'done' };
  }
}

function withEmail(emails: readonly string[]): NamedUser[] {
  return emails.map((email) => ({ email }));
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
