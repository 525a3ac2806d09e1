// Claims that an administrator has switched on for one application, besides those that scopes give: groups, attributes of
// the person, or fixed values. What they mean is here; what a person agreed to is compared by `claimKey`.

import type { AttributeValue, AttributeValues } from '../account/attribute-values.ts';
import { digestOf } from '../digest.ts';

/** By its ID, so that another name changes nothing. The name is for showing it. */
export interface GroupReference {
  readonly id: string;
  readonly name: string;
  /** It matches nobody, and a new group with its name is another one. */
  readonly deleted?: true;
}

/** A new attribute with the name of a deleted one is another one. */
export interface AttributeReference {
  readonly name: string;
  /** When it was created. */
  readonly since: number;
}

export interface GroupValue {
  readonly group: GroupReference;
  readonly value: string;
}

export type ClaimSource =
  /** The names of all groups, or of these. */
  | { readonly source: 'groups'; readonly groups: readonly GroupReference[] | null }
  | { readonly source: 'attribute'; readonly attribute: AttributeReference; readonly selfAsserted: boolean }
  | { readonly source: 'value'; readonly value: string }
  | { readonly source: 'has-group'; readonly group: GroupReference }
  /** The value of the first group that the person is in. */
  | { readonly source: 'if-group'; readonly map: readonly GroupValue[]; readonly else: string | null }
  /** The values of all groups that the person is in. */
  | { readonly source: 'map-groups'; readonly map: readonly GroupValue[] };

export type ApplicationClaim = {
  readonly claim: string;
  /** What people see instead of its name. */
  readonly label: string | null;
  /** Whether it's in the ID token as well. */
  readonly idToken: boolean;
} & ClaimSource;

/** What claims are made from. */
export interface ClaimFacts {
  /** The person's groups, sorted by name. */
  readonly groups: readonly { readonly id: string; readonly name: string }[];
  readonly attributes: AttributeValues;
}

export type ClaimValue = AttributeValue;

const mostGroups = 200;

/** Undefined where the claim is left out. */
export function claimValue(claim: ApplicationClaim, { groups, attributes }: ClaimFacts): ClaimValue | undefined {
  const isIn = ({ group }: { readonly group: GroupReference }) => groups.some(({ id }) => id === group.id);
  switch (claim.source) {
    case 'groups': {
      const { groups: listed } = claim;
      const counted = listed === null ? groups : groups.filter(({ id }) => listed.some((each) => each.id === id));
      return counted.slice(0, mostGroups).map(({ name }) => name);
    }
    case 'attribute':
      // An attribute can have any name, also one that every object has.
      return Object.hasOwn(attributes, claim.attribute.name) ? attributes[claim.attribute.name] : undefined;
    case 'value':
      return claim.value;
    case 'has-group':
      return isIn(claim);
    case 'if-group':
      return claim.map.find(isIn)?.value ?? claim.else ?? undefined;
    case 'map-groups':
      return [...new Set(claim.map.filter(isIn).map(({ value }) => value))];
  }
}

/** The claims with their values, in the order in which they're configured, without those that are left out. */
export function claimValues(claims: readonly ApplicationClaim[], facts: ClaimFacts): Record<string, ClaimValue> {
  const values: Record<string, ClaimValue> = {};
  for (const claim of claims) {
    const value = claimValue(claim, facts);
    if (value !== undefined) values[claim.claim] = value;
  }
  return values;
}

/** In bytes. Tokens travel in headers and cookies, which have limits. */
const mostInIdToken = 4096;

export type IdTokenClaims =
  | { readonly kind: 'fits'; readonly values: Readonly<Record<string, ClaimValue>>; readonly json: string }
  /** Some of them would be worse than none: an application can't tell what's missing. */
  | { readonly kind: 'too_large'; readonly bytes: number };

/** Those of the claims that are in the ID token. */
export function idTokenClaims(claims: readonly ApplicationClaim[], facts: ClaimFacts): IdTokenClaims {
  const values = claimValues(
    claims.filter(({ idToken }) => idToken),
    facts,
  );
  const json = JSON.stringify(values);
  const bytes = Buffer.byteLength(json);
  return bytes > mostInIdToken ? { kind: 'too_large', bytes } : { kind: 'fits', values, json };
}

/**
 * Identifies what a person agrees to: the claim's name, its source and whether it's in the ID token. It changes with any of
 * these, and with nothing else. Has no spaces.
 */
export function claimKey(claim: ApplicationClaim): string {
  return `${claim.claim}=${digestOf(JSON.stringify([claim.idToken, ...partsOf(claim)])).slice(0, 16)}`;
}

/** What the source is, without the words that only show it. */
function partsOf(claim: ClaimSource): unknown[] {
  const pairs = (map: readonly GroupValue[]) => map.map(({ group, value }) => [group.id, value]);
  switch (claim.source) {
    case 'groups':
      return [claim.source, claim.groups?.map(({ id }) => id) ?? null];
    case 'attribute':
      return [claim.source, claim.attribute.name, claim.attribute.since];
    case 'value':
      return [claim.source, claim.value];
    case 'has-group':
      return [claim.source, claim.group.id];
    case 'if-group':
      return [claim.source, pairs(claim.map), claim.else];
    case 'map-groups':
      return [claim.source, pairs(claim.map)];
  }
}
