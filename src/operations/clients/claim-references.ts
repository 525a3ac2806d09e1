// Finds the groups and attributes that the claims of an application name.

import { groupKey } from '../../protocol/account/names.ts';
import type { ApplicationClaim } from '../../protocol/oauth/application-claims.ts';
import { type ClaimJson, groupsNamedIn } from '../../protocol/oauth/claim-json.ts';
import { referClaims } from '../../protocol/oauth/claim-references.ts';
import { listAttributes } from '../attributes/attributes.ts';
import { listGroups } from '../groups/groups.ts';
import type { Storing } from '../services.ts';

/** What a claim can be made from, by name: the attributes, and as many groups as someone would look through. */
export async function claimChoices(services: Storing) {
  const [groups, attributes] = await Promise.all([listGroups(services, { limit: 200 }), listAttributes(services)]);
  return {
    groups: groups.kind === 'done' ? groups.items.map(({ name }) => name) : [],
    attributes,
  };
}

/** With what is wrong: names of groups and attributes that don't exist, or of attributes that people can edit. */
export async function findClaims(
  { storage }: Storing,
  given: readonly ClaimJson[],
  current: readonly ApplicationClaim[],
): Promise<ReturnType<typeof referClaims>> {
  const names = groupsNamedIn(given);
  const usesAttributes = given.some(({ source }) => source === 'attribute');
  const [found, attributes] = await Promise.all([
    Promise.all(names.map((name) => storage.findGroupByName(name))),
    usesAttributes ? listAttributes({ storage }) : [],
  ]);
  const groups = found.flatMap((group) =>
    group ? [[groupKey(group.name), { id: group.id, name: group.name }] as const] : [],
  );
  return referClaims(given, current, {
    groups: new Map(groups),
    attributes: new Map(
      attributes.map(({ name, createdAt, editableBy }) => [name, { name, since: createdAt, editableBy }]),
    ),
  });
}
