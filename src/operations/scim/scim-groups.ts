// Which groups a directory can see, and how they're shown to it.

import { groupKey } from '../../protocol/account/names.ts';
import { notFound, ScimError } from '../../protocol/scim/errors.ts';
import { type Comparison, combined, type FilterAttribute } from '../../protocol/scim/filter.ts';
import { groupJson, memberJson, type ShownMember } from '../../protocol/scim/group-mapping.ts';
import { listResponse, type Part } from '../../protocol/scim/list.ts';
import { type Projection, projected, wants } from '../../protocol/scim/projection.ts';
import type { Group } from '../../storage/storage.ts';
import { type Directory, type ScimServices, scimBase } from './scim-people.ts';

export const groupFilterAttributes = ['id', 'externalId', 'displayName'] as const;

/** A group with more is shown without its members, unless they're asked for. */
const mostMembers = 1000;
/** Of all groups of a list, if they're asked for. */
const mostInList = 10_000;
const pageSize = 1000;
const tooManyMembers = new ScimError(
  400,
  'tooMany',
  `These groups have more than ${mostInList} members. Ask for fewer groups, or for one of them.`,
);

/** Groups of others are as unknown as those that don't exist. */
export async function findOwnGroup(
  { storage }: ScimServices,
  { source }: Directory,
  id: string,
): Promise<Group | ScimError> {
  const group = await storage.findGroupById(id);
  return group?.managedBy === source ? group : notFound();
}

export async function listOwnGroups(
  services: ScimServices,
  directory: Directory,
  comparisons: readonly Comparison[],
  part: Part,
  projection: Projection,
): Promise<object | ScimError> {
  const all = combined(comparisons, fold);
  const range = { limit: part.count, offset: part.startIndex - 1 };
  const filter = all && { id: all.get('id'), name: all.get('displayName'), externalId: all.get('externalId') };
  const { groups, total } =
    filter === undefined
      ? { groups: [], total: 0 }
      : await services.storage.findScimGroups(directory.source, filter, range);
  const base = scimBase(services.issuer);
  const asked = wants(projection, 'members', false);
  const resources: object[] = [];
  let left = mostInList;
  for (const group of groups) {
    const members = asked ? await firstMembers(services, group, left + 1) : undefined;
    left -= members?.length ?? 0;
    if (left < 0) return tooManyMembers;
    resources.push(projected(groupJson(group, members, base), projection));
  }
  return listResponse(resources, total, part);
}

/** Without members, if they weren't asked for and there are many. */
export async function groupFor(services: ScimServices, group: Group, projection: Projection): Promise<object> {
  const found = wants(projection, 'members', true) ? await firstMembers(services, group, mostMembers + 1) : undefined;
  const members = found === undefined || found.length > mostMembers ? undefined : found;
  return projected(groupJson(group, members, scimBase(services.issuer)), projection);
}

/** The group with all members, piece by piece. Undefined if they aren't asked for by name. */
export function groupInPieces(
  services: ScimServices,
  group: Group,
  projection: Projection,
): AsyncGenerator<string, void> | undefined {
  return wants(projection, 'members', false) ? piecesOf(services, group, projection) : undefined;
}

async function* piecesOf(services: ScimServices, group: Group, projection: Projection): AsyncGenerator<string, void> {
  const base = scimBase(services.issuer);
  const shown = JSON.stringify(projected(groupJson(group, undefined, base), projection));
  yield `${shown.slice(0, -1)},"members":[`;
  let comma = '';
  for await (const members of pagesOf(services, group)) {
    const part = projected({ members: members.map((member) => memberJson(member, base)) }, projection);
    const [list] = Object.values(part);
    yield `${comma}${JSON.stringify(list).slice(1, -1)}`;
    comma = ',';
  }
  yield ']}';
}

/** At most `limit` of them. */
async function firstMembers(services: ScimServices, group: Group, limit: number): Promise<ShownMember[]> {
  const members: ShownMember[] = [];
  for await (const page of pagesOf(services, group, limit)) {
    members.push(...page);
    if (members.length >= limit) break;
  }
  return members.slice(0, limit);
}

/** None of them is empty. */
async function* pagesOf({ storage }: ScimServices, { id, managedBy }: Group, limit = pageSize) {
  const size = Math.min(limit, pageSize);
  for (let after = ''; ; ) {
    const page = await storage.listScimMembers(id, managedBy ?? '', after, size);
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    if (page.length < size) return;
    after = last.id;
  }
}

/** Names are compared as they are when a group is created. */
function fold(attribute: FilterAttribute, value: string, operator: 'eq' | 'sw'): string {
  if (attribute !== 'displayName') return value;
  return operator === 'eq' ? groupKey(value) : value.normalize('NFKC').toLowerCase();
}
