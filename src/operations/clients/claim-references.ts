// Finds the groups and attributes that the claims of an application name.

import { groupKey } from '../../protocol/account/names.ts';
import type { ApplicationClaim } from '../../protocol/oauth/application-claims.ts';
import { type ClaimJson, groupsNamedIn } from '../../protocol/oauth/claim-json.ts';
import { referClaims, unknownGroup } from '../../protocol/oauth/claim-references.ts';
import type { Clause } from '../../protocol/problem.ts';
import { closestGroup, groupNames } from '../admin/named-groups.ts';
import { listAttributes } from '../attributes/attributes.ts';
import type { Storing } from '../services.ts';

/** Of names that there aren't. */
const mostSuggested = 10;

/** What a claim can be made from, by name. */
export async function claimChoices(services: Storing) {
  const [groups, attributes] = await Promise.all([groupNames(services, ''), listAttributes(services)]);
  return { groups, attributes };
}

/** With what is wrong: names of groups and attributes that don't exist, or of attributes that people can edit. */
export async function findClaims(
  { storage }: Storing,
  given: readonly ClaimJson[],
  current: readonly ApplicationClaim[],
): Promise<{ readonly claims: readonly ApplicationClaim[]; readonly problems: readonly Clause[] }> {
  const names = groupsNamedIn(given);
  const usesAttributes = given.some(({ source }) => source === 'attribute');
  const [found, attributes] = await Promise.all([
    Promise.all(names.map((name) => storage.findGroupByName(name))),
    usesAttributes ? listAttributes({ storage }) : [],
  ]);
  const groups = found.flatMap((group) =>
    group ? [[groupKey(group.name), { id: group.id, name: group.name }] as const] : [],
  );
  const { claims, problems } = referClaims(given, current, {
    groups: new Map(groups),
    attributes: new Map(
      attributes.map(({ name, createdAt, editableBy }) => [name, { name, since: createdAt, editableBy }]),
    ),
  });
  const unknown = names.filter((name) => problems.includes(unknownGroup(name))).slice(0, mostSuggested);
  const meant = new Map(
    await Promise.all(
      unknown.map(async (name) => [unknownGroup(name), await closestGroup({ storage }, name)] as const),
    ),
  );
  const clauseOf = (says: string): Clause => {
    const name = meant.get(says);
    return { says, ...(name !== undefined && { meant: name }) };
  };
  return { claims, problems: problems.map(clauseOf) };
}
