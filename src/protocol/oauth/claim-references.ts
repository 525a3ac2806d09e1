// Turns claims as administrators write them, with names, into what is stored, with references to the groups and attributes
// that have these names now.

import { groupKey } from '../account/names.ts';
import type { ApplicationClaim, AttributeReference, ClaimSource, GroupReference } from './application-claims.ts';
import { type ClaimJson, claimsJson, shownGroup } from './claim-json.ts';

/** What there is. */
export interface ClaimSubjects {
  /** By `groupKey` of the name. */
  readonly groups: ReadonlyMap<string, GroupReference>;
  readonly attributes: ReadonlyMap<string, AttributeReference & { readonly editableBy: 'administrator' | 'person' }>;
}

export function unknownGroup(name: string): string {
  return `there is no group ${JSON.stringify(name)}`;
}

/** `current` are the claims that the application has: what's given as it's shown stays as it is. */
export function referClaims(
  given: readonly ClaimJson[],
  current: readonly ApplicationClaim[],
  subjects: ClaimSubjects,
): { readonly claims: readonly ApplicationClaim[]; readonly problems: readonly string[] } {
  const problems = new Set<string>();
  const kept = new Map(claimsJson(current).map((json, index) => [JSON.stringify(json), current[index]]));
  const deleted = new Map(
    groupsIn(current).flatMap((group) => (group.deleted ? [[shownGroup(group), group] as const] : [])),
  );
  const groupOf = (name: string): GroupReference => {
    const group = deleted.get(name) ?? subjects.groups.get(groupKey(name));
    if (group === undefined) problems.add(unknownGroup(name));
    return group ?? { id: '', name };
  };
  const sourceOf = (claim: ClaimJson): ClaimSource => {
    const mapped = (map: readonly { group: string; value: string }[]) =>
      map.map(({ group, value }) => ({ group: groupOf(group), value }));
    switch (claim.source) {
      case 'groups':
        return { source: claim.source, groups: claim.groups?.map(groupOf) ?? null };
      case 'attribute': {
        const { attribute: name, self_asserted: selfAsserted } = claim;
        const found = subjects.attributes.get(name);
        if (found === undefined) problems.add(`there is no attribute ${JSON.stringify(name)}`);
        else if (found.editableBy === 'person' && !selfAsserted) {
          problems.add(
            `the attribute ${name} can be edited by people, so the claim ${claim.claim} must be self-asserted`,
          );
        }
        return { source: claim.source, attribute: { name, since: found?.since ?? 0 }, selfAsserted };
      }
      case 'value':
        return { source: claim.source, value: claim.value };
      case 'has-group':
        return { source: claim.source, group: groupOf(claim.group) };
      case 'if-group':
        return { source: claim.source, map: mapped(claim.map), else: claim.else };
      case 'map-groups':
        return { source: claim.source, map: mapped(claim.map) };
    }
  };
  const claims = given.map(
    (claim): ApplicationClaim =>
      kept.get(JSON.stringify(claim)) ?? {
        claim: claim.claim,
        label: claim.label,
        idToken: claim.id_token,
        ...sourceOf(claim),
      },
  );
  return { claims, problems: [...problems] };
}

/** The groups that claims refer to, each once. */
export function groupsIn(claims: readonly ApplicationClaim[]): GroupReference[] {
  const groups = claims.flatMap((claim) => {
    if (claim.source === 'groups') return claim.groups ?? [];
    if (claim.source === 'has-group') return [claim.group];
    return 'map' in claim ? claim.map.map(({ group }) => group) : [];
  });
  return [...new Map(groups.map((group) => [group.id, group])).values()];
}

/** Those that the application doesn't have in the same form. */
export function newClaims(claims: readonly ApplicationClaim[], before: readonly ApplicationClaim[]) {
  const had = new Set(before.map((claim) => JSON.stringify(claim)));
  return claims.filter((claim) => !had.has(JSON.stringify(claim)));
}
