// The claims of an application as administrators write and see them: JSON with the names of groups and attributes. Records
// have references instead (application-claims.ts); claim-references.ts finds them.

import { cleanName, nameProblem } from '../account/names.ts';
import { quote } from '../reading/body.ts';
import { isPlainText } from '../reading/control-characters.ts';
import { isJsonObject, isTexts, type Json, type JsonObject } from '../reading/strict-json.ts';
import type { ApplicationClaim, GroupReference, GroupValue } from './application-claims.ts';

export interface MappedGroup {
  readonly group: string;
  readonly value: string;
}

export type SourceJson =
  | { readonly source: 'groups'; readonly groups: readonly string[] | null }
  | { readonly source: 'attribute'; readonly attribute: string; readonly self_asserted: boolean }
  | { readonly source: 'value'; readonly value: string }
  | { readonly source: 'has-group'; readonly group: string }
  | { readonly source: 'if-group'; readonly map: readonly MappedGroup[]; readonly else: string | null }
  | { readonly source: 'map-groups'; readonly map: readonly MappedGroup[] };

export type ClaimJson = { readonly claim: string } & SourceJson & {
    readonly label: string | null;
    readonly id_token: boolean;
  };

export type ClaimSourceName = ClaimJson['source'];

/** With the members that belong to each, besides those that every claim has. */
export const claimSources = {
  groups: ['groups'],
  attribute: ['attribute', 'self_asserted'],
  value: ['value'],
  'has-group': ['group'],
  'if-group': ['map', 'else'],
  'map-groups': ['map'],
} as const satisfies Record<ClaimSourceName, readonly string[]>;

export const claimSourceNames = Object.keys(claimSources) as readonly ClaimSourceName[];

export const mostClaims = 20;
export const claimNameLimit = 128;
/** In bytes, like the value of an attribute. */
export const claimValueLimit = 1024;
/** Of one claim. */
export const mostMapped = 100;
/** In bytes, of all claims together. A request of the API has room for it. */
const jsonLimit = 12 * 1024;
/** Longer than the longest name of a group with what is added to a deleted one's. */
const groupNameLimit = 220;

const attributeForm = /^[a-z][a-z0-9_]{0,31}$/;
const claimForm = /^[A-Za-z][A-Za-z0-9_.:/-]*$/;

/**
 * What tokens and userinfo use themselves, and the standard claims (OpenID Connect Core 5.1). An application that gets one
 * of them from here would take it for something else.
 */
const reservedClaims = new Set(
  [
    'iss sub aud exp nbf iat jti nonce auth_time acr amr azp at_hash c_hash s_hash sid cnf scope client_id act may_act',
    'events typ token_type active email email_verified',
    'name given_name family_name middle_name nickname preferred_username profile picture website gender birthdate',
    'zoneinfo locale phone_number phone_number_verified address updated_at',
  ].flatMap((names) => names.split(' ')),
);

/** Behind the name of a group that doesn't exist any more. */
const deletedMark = ' (deleted)';

export function shownGroup({ name, deleted }: GroupReference): string {
  return deleted ? `${name}${deletedMark}` : name;
}

export function claimsJson(claims: readonly ApplicationClaim[]): ClaimJson[] {
  return claims.map((claim) => ({
    claim: claim.claim,
    ...sourceJson(claim),
    label: claim.label,
    id_token: claim.idToken,
  }));
}

function sourceJson(claim: ApplicationClaim): SourceJson {
  const mapped = (map: readonly GroupValue[]) => map.map(({ group, value }) => ({ group: shownGroup(group), value }));
  switch (claim.source) {
    case 'groups':
      return { source: claim.source, groups: claim.groups?.map(shownGroup) ?? null };
    case 'attribute':
      return { source: claim.source, attribute: claim.attribute.name, self_asserted: claim.selfAsserted };
    case 'value':
      return { source: claim.source, value: claim.value };
    case 'has-group':
      return { source: claim.source, group: shownGroup(claim.group) };
    case 'if-group':
      return { source: claim.source, map: mapped(claim.map), else: claim.else };
    case 'map-groups':
      return { source: claim.source, map: mapped(claim.map) };
  }
}

/** The names of all groups that claims name, each once. */
export function groupsNamedIn(claims: readonly ClaimJson[]): string[] {
  const names = claims.flatMap((claim) => {
    if (claim.source === 'groups') return claim.groups ?? [];
    if (claim.source === 'has-group') return [claim.group];
    return 'map' in claim ? claim.map.map(({ group }) => group) : [];
  });
  return [...new Set(names)];
}

/** The claims with other names for their groups. */
export function withGroupNames(claims: readonly ClaimJson[], nameOf: (name: string) => string): ClaimJson[] {
  const mapped = (map: readonly MappedGroup[]) => map.map(({ group, value }) => ({ group: nameOf(group), value }));
  return claims.map((claim): ClaimJson => {
    switch (claim.source) {
      case 'groups':
        return { ...claim, groups: claim.groups?.map(nameOf) ?? null };
      case 'has-group':
        return { ...claim, group: nameOf(claim.group) };
      case 'if-group':
      case 'map-groups':
        return { ...claim, map: mapped(claim.map) };
      default:
        return claim;
    }
  });
}

export type ClaimsReading =
  | { readonly kind: 'read'; readonly claims: readonly ClaimJson[] }
  | { readonly kind: 'invalid'; readonly problems: readonly string[] };

/** Reads what was given, which may be anything. Whether groups and attributes exist is for others to say. */
export function readClaims(given: unknown): ClaimsReading {
  const invalid = (...problems: readonly string[]): ClaimsReading => ({ kind: 'invalid', problems });
  if (!Array.isArray(given)) return invalid('the claims must be a list');
  if (given.length > mostClaims) return invalid(`there are more than ${mostClaims} claims`);
  const problems: string[] = [];
  const names = new Set<string>();
  const claims = given.flatMap((item: Json, index): ClaimJson[] => {
    if (!isJsonObject(item)) {
      problems.push(`claim ${index + 1} must be an object`);
      return [];
    }
    const { claim: name } = item;
    if (typeof name !== 'string') {
      problems.push(`claim ${index + 1} needs a name, as "claim"`);
      return [];
    }
    const own: string[] = [];
    const wrongName = claimNameProblem(name);
    if (wrongName !== undefined) own.push(wrongName);
    // Some applications don't tell cases apart.
    else if (names.has(name.toLowerCase())) own.push('appears twice');
    names.add(name.toLowerCase());
    const claim = readClaim(name, item, own);
    problems.push(...own.map((problem) => `the claim ${quote(name)} ${problem}`));
    return claim === undefined ? [] : [claim];
  });
  if (problems.length > 0) return invalid(...problems);
  if (Buffer.byteLength(JSON.stringify(claims)) > jsonLimit) return invalid('the claims are more than 12 KB of JSON');
  return { kind: 'read', claims };
}

/** Completes a sentence that starts with the claim. */
export function claimNameProblem(name: string): string | undefined {
  if (name.length > claimNameLimit) return `is longer than ${claimNameLimit} characters`;
  if (!claimForm.test(name)) return 'must begin with a letter and have only A-Z a-z 0-9 _ . : / -';
  return reservedClaims.has(name.toLowerCase())
    ? 'is reserved: applications expect something else under it'
    : undefined;
}

/** Adds to `problems`; when there are any, the result must not be used. */
function readClaim(claim: string, item: JsonObject, problems: string[]): ClaimJson | undefined {
  const source = claimSourceNames.find((each) => each === item.source);
  if (source === undefined) {
    problems.push(`needs a "source", which is one of: ${claimSourceNames.join(', ')}`);
    return undefined;
  }
  const known: readonly string[] = ['claim', 'source', ...claimSources[source], 'label', 'id_token'];
  const unknown = Object.keys(item).filter((key) => !known.includes(key));
  problems.push(...unknown.map((key) => `has the member ${quote(key)}, which the source ${source} doesn't have`));
  const { label = null, id_token = false } = item;
  if (typeof id_token !== 'boolean') problems.push('needs true or false as "id_token"');
  const read = readSource(source, item, problems);
  const shown = readLabel(label, problems);
  return read && { claim, ...read, label: shown, id_token: id_token === true };
}

function readLabel(label: Json, problems: string[]): string | null {
  if (label === null || label === '') return null;
  const cleaned = typeof label === 'string' ? cleanName(label) : '';
  const problem = typeof label === 'string' ? nameProblem(label) : 'must be a string, or null';
  if (problem !== undefined) problems.push(`has a "label" that ${problem}`);
  return cleaned;
}

function readSource(source: ClaimSourceName, item: JsonObject, problems: string[]): SourceJson | undefined {
  switch (source) {
    case 'groups': {
      const { groups = null } = item;
      if (groups === null) return { source, groups };
      if (!isTexts(groups) || groups.length === 0) {
        problems.push('needs a list of names as "groups", or null for all groups');
        return undefined;
      }
      checkGroups(groups, problems);
      if (new Set(groups).size < groups.length) problems.push('names a group twice');
      return { source, groups };
    }
    case 'attribute': {
      const { attribute, self_asserted = false } = item;
      if (typeof attribute !== 'string') problems.push('needs the name of an attribute as "attribute"');
      else if (!attributeForm.test(attribute)) {
        problems.push(`names an attribute ${quote(attribute)}, which can't be one`);
      }
      if (typeof self_asserted !== 'boolean') problems.push('needs true or false as "self_asserted"');
      return { source, attribute: String(attribute), self_asserted: self_asserted === true };
    }
    case 'value':
      return { source, value: readValue(item.value, 'value', problems) };
    case 'has-group': {
      const { group } = item;
      if (typeof group !== 'string') problems.push('needs the name of a group as "group"');
      else checkGroups([group], problems);
      return { source, group: String(group) };
    }
    case 'if-group': {
      const map = readMap(item.map, problems);
      if (new Set(map.map(({ group }) => group)).size < map.length) problems.push('names a group twice');
      const { else: otherwise = null } = item;
      return { source, map, else: otherwise === null ? null : readValue(otherwise, 'else', problems) };
    }
    case 'map-groups':
      return { source, map: readMap(item.map, problems) };
  }
}

function readMap(map: Json | undefined, problems: string[]): MappedGroup[] {
  const rule = 'needs a list of {"group": NAME, "value": TEXT} as "map"';
  const isPair = (each: Json): each is { group: string; value: Json } =>
    isJsonObject(each) && Object.keys(each).sort().join() === 'group,value' && typeof each.group === 'string';
  if (!Array.isArray(map) || map.length === 0 || !map.every(isPair)) {
    problems.push(rule);
    return [];
  }
  checkGroups(
    map.map(({ group }) => group),
    problems,
  );
  return map.map(({ group, value }) => ({ group, value: readValue(value, 'value', problems) }));
}

function checkGroups(names: readonly string[], problems: string[]): void {
  if (names.length > mostMapped) problems.push(`has more than ${mostMapped} groups`);
  const isName = (name: string) => name !== '' && name.length <= groupNameLimit && isPlainText(name);
  const wrong = names.find((name) => !isName(name));
  if (wrong !== undefined) problems.push(`names a group ${quote(wrong)}, which can't be one`);
}

function readValue(value: Json | undefined, member: string, problems: string[]): string {
  if (typeof value !== 'string' || value === '') problems.push(`needs a text as "${member}"`);
  else if (Buffer.byteLength(value) > claimValueLimit) problems.push(`has a "${member}" of more than 1,024 bytes`);
  else if (!isPlainText(value)) problems.push(`has control characters in "${member}"`);
  return typeof value === 'string' ? value : '';
}
