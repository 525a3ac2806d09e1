// Applications in a file for `latchkey apply`, with who may use them and what they learn about people.

import { claimsJson, groupsNamedIn, withGroupNames } from '../../protocol/oauth/claim-json.ts';
import { isJsonObject, isTexts, type Json, unknownKeys } from '../../protocol/reading/strict-json.ts';
import { clientFields, newUriProblems } from '../../protocol/resources/client.ts';
import type { Client } from '../../storage/storage.ts';
import { namesOfGroups } from '../admin/named-groups.ts';
import type { Described, FileContext, FileSection, Step } from '../apply/file-section.ts';
import { changesNothing, fieldChanges, listChanges } from '../apply/plan-section.ts';
import { listAttributes } from '../attributes/attributes.ts';
import { groupsPath, owningGroupsPath } from '../groups/group-section.ts';
import { endsJson, endsProblem } from '../groups/listed-ends.ts';
import { type NamesInFile, namesInFile } from '../groups/names-in-file.ts';
import { namesOf } from '../users/users.ts';
import { type ListEnds, readAllowed, setAccess } from './access-list.ts';
import { clientIdProblem, createClient, updateClient } from './clients.ts';
import { type GivenOwners, readOwners, setOwners } from './owners.ts';
import { deleteClient, revokeClient } from './revoke-client.ts';

type DescribedClient = Described<typeof clientFields>;

const kinds = ['people', 'groups'] as const;

export const clientSection: FileSection<Client, typeof clientFields> = {
  name: 'applications',
  noun: 'an application',
  key: 'client_id',
  idProblem: clientIdProblem,
  fields: clientFields,
  more: {
    allowed: {
      about: 'who is on its list, such as {"people": ["ada@example.com"], "groups": ["Staff"]}',
      problems: (value) =>
        inBothKinds('allowed', value, (kind, list) => {
          return isTexts(list ?? []) ? undefined : `"${kind}" in "allowed" must be a list of strings`;
        }),
    },
    allowed_until: {
      about:
        'when places on its list end, such as {"people": {"ada@example.com": "2027-01-31"}}; the others don\'t end',
      problems: (value) =>
        inBothKinds('allowed_until', value, (kind, ends) => endsProblem(`allowed_until.${kind}`, ends)),
    },
    owners: {
      about: 'who decides who has access, such as {"people": ["ada@example.com"], "groups": ["Staff"]}',
      problems: (value) =>
        inBothKinds('owners', value, (kind, list) => {
          return isTexts(list ?? []) ? undefined : `"${kind}" in "owners" must be a list of strings`;
        }),
    },
    // The one who revoked a client may not have known the file, so it never restores one.
    revoked: {
      about: 'true revokes it; a file never restores it',
      problems: (value) => (value === true ? [] : ['"revoked" must be true, or left out']),
    },
  },
  secret: { name: 'client_secret', of: 'client_id' },
  deletes: 'in order',
  list: ({ storage }) => storage.listClients(),
  idOf: ({ id }) => id,
  called,

  shown(name, value, when) {
    if (name === 'name') return JSON.stringify(value);
    if (name !== 'public' || when === 'before' || (when === 'new' && value)) return value;
    return `${value} (${value ? 'its secrets stop working' : 'it gets a secret'})`;
  },

  remark(step) {
    if (step.kind !== 'update' && step.kind !== 'unchanged') return undefined;
    if (step.item.revokedAt === null || isRevokedIn(step.described)) return undefined;
    return `${called(step)} stays revoked (restore it with "latchkey client restore ${step.id}")`;
  },

  json: ({ revokedAt }) => ({ revoked: revokedAt !== null }),

  async resolve(context, all) {
    const names = namesInFile(context);
    const resolved: DescribedClient[] = [];
    for (const each of all) {
      const lists = [...(await resolvedLists(context, names, each)), ...(await resolvedOwners(context, names, each))];
      resolved.push({ ...each, given: await resolvedClaims(context, names, each), lists });
    }
    return resolved;
  },

  changes(_, current, described) {
    const lists = listChanges(described.lists).filter((change) => !changesNothing(change));
    if (current === undefined) return lists;
    const isRevoked = isRevokedIn(described) && current.revokedAt === null;
    return [
      ...fieldChanges(clientFields, current, described),
      ...lists,
      ...(isRevoked ? [{ name: 'revoked', from: false, to: true }] : []),
    ];
  },

  /** Which redirect URIs an application has already isn't known when the file is read. */
  async problems(_, steps) {
    const problems = steps.flatMap((step) => {
      if (step.kind !== 'create' && step.kind !== 'update') return [];
      const registered = step.kind === 'update' ? step.item.redirectUris : [];
      return newUriProblems(step.described.given.redirectUris, registered).map(({ says }) => `${step.id}: ${says}`);
    });
    return problems.slice(0, 1);
  },

  create: (services, { id, given }, requester) => createClient(services, { ...given, id }, requester),
  update(services, { id }, { access: _access, ...given }, requester) {
    return updateClient(services, id, given, requester);
  },
  delete: deleteClient,

  /** After everything else, and in one change: people who may use the client before and after it keep their tokens. */
  async after(services, step, requester) {
    const { allowed, until } = listsIn(step.described);
    // Checked when the file was read.
    const access = step.described.given.access as Client['access'] | undefined;
    const outcome = await setAccess(services, step.id, { access, ...allowed, until }, requester);
    const { owners } = step.described.item;
    const owned =
      owners === undefined || outcome.kind === 'refused'
        ? outcome
        : await setOwners(services, step.id, owners as GivenOwners, requester);
    const wasRevoked = step.kind === 'update' && step.item.revokedAt !== null;
    const revokes = isRevokedIn(step.described) && !wasRevoked;
    return owned.kind === 'done' && revokes ? revokeClient(services, step.id, requester) : owned;
  },

  image: ({ storage }, id, version) => storage.findLogo(id, version),
  async exported(services, { id, revokedAt }) {
    const { people, groups } = await readAllowed(services, id);
    const owners = await readOwners(services, id);
    const [names, groupNames, ownerNames, owningGroups] = await Promise.all([
      namesOf(services, people),
      namesOfGroups(services, groups),
      namesOf(services, owners.people),
      namesOfGroups(services, owners.groups),
    ]);
    const hasOwners = ownerNames.length + owningGroups.length > 0;
    return {
      ...(hasOwners && { owners: { people: ownerNames, groups: owningGroups } }),
      allowed: { people: names, groups: groupNames },
      allowed_until: {
        people: endsJson(people, (_, index) => names[index] ?? ''),
        groups: endsJson(groups, (_, index) => groupNames[index] ?? ''),
      },
      ...(revokedAt !== null && { revoked: true }),
    };
  },
};

function called(step: Step<Client, typeof clientFields>): string {
  const name = step.kind === 'create' ? step.described.given.name : step.item.name;
  return `application ${JSON.stringify(name)} (${step.id})`;
}

function isRevokedIn({ item }: DescribedClient): boolean {
  return item.revoked === true;
}

function inBothKinds(
  name: string,
  value: Json,
  problem: (kind: string, value: Json | undefined) => string | undefined,
) {
  if (!isJsonObject(value)) return [`"${name}" must be an object with the keys "people" and "groups"`];
  const found = kinds.map((kind) => problem(kind, value[kind])).filter((each) => each !== undefined);
  return [...unknownKeys(value, kinds), ...found];
}

/** Who is on the list and until when, as the file says. Both were checked when it was read. */
function listsIn({ item }: DescribedClient) {
  return {
    allowed: (item.allowed ?? {}) as Partial<Record<(typeof kinds)[number], readonly string[]>>,
    until: (item.allowed_until ?? {}) as ListEnds,
  };
}

async function resolvedLists({ services }: FileContext, names: NamesInFile, each: DescribedClient) {
  const { allowed, until } = listsIn(each);
  if (kinds.every((kind) => allowed[kind] === undefined && until[kind] === undefined)) return [];
  const { people, groups } = await readAllowed(services, each.id);
  return [
    await names.peopleList(people, {
      path: 'allowed.people',
      label: 'allowed people',
      named: allowed.people,
      until: until.people,
    }),
    await names.groupList(groups, {
      path: groupsPath,
      label: 'allowed groups',
      named: allowed.groups,
      until: until.groups,
    }),
  ];
}

async function resolvedOwners({ services }: FileContext, names: NamesInFile, { id, item }: DescribedClient) {
  if (item.owners === undefined) return [];
  const given = item.owners as GivenOwners;
  const { people, groups } = await readOwners(services, id);
  const lasting = <Item extends object>(items: readonly Item[]) =>
    items.map((each) => ({ ...each, listedUntil: null, listedSince: null }));
  return [
    await names.peopleList(lasting(people), {
      path: 'owners.people',
      label: 'owners',
      named: given.people,
      until: undefined,
    }),
    await names.groupList(lasting(groups), {
      path: owningGroupsPath,
      label: 'owning groups',
      named: given.groups,
      until: undefined,
    }),
  ];
}

/** With the names that groups really have. */
async function resolvedClaims(
  { services, file, problems }: FileContext,
  names: NamesInFile,
  { id, given }: DescribedClient,
): Promise<DescribedClient['given']> {
  const { claims } = given;
  if (claims === undefined) return given;
  const current = await services.storage.findClient(id);
  // Deleted groups are there under the name that shows it.
  const held = groupsNamedIn(claimsJson(current?.claims ?? []));
  const found = await names.groupNames(groupsNamedIn(claims).filter((name) => !held.includes(name)));
  const used = claims.flatMap((claim) => (claim.source === 'attribute' ? [claim.attribute] : []));
  const attributes = used.length === 0 ? [] : await listAttributes(services);
  const known = [...(file.get('attributes') ?? []).map((each) => each.id), ...attributes.map(({ name }) => name)];
  for (const attribute of used) {
    if (!known.includes(attribute)) problems.add(`there is no attribute ${JSON.stringify(attribute)}`);
  }
  return { ...given, claims: withGroupNames(claims, (name) => found.get(name) ?? name) };
}
