// Claims that an administrator has switched on for one application, besides those that scopes give: groups, attributes of
// the person, or fixed values. What they mean is here; what a person agreed to is compared by `claimKey`.

import { type AttributeValue, type AttributeValues, attributeValue } from '../account/attribute-values.ts';
import { digestOf } from '../digest.ts';
import type { Scope } from './scope.ts';

/** The scope that covers all of them. */
export const scopeOfClaims: Scope = 'profile';

/**
 * By its ID, so that another name changes nothing. The name is for showing it. Stored with its ID first and its name next:
 * storage/groups finds it by that text.
 */
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

/** The claims that a grant's client gets, and what they're made from. */
export interface GrantClaims {
  readonly claims: readonly ApplicationClaim[];
  readonly facts: ClaimFacts;
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
      return attributeValue(attributes, claim.attribute.name);
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

/** Adds the claims with their values, in the order in which they're configured, without those that are left out. */
export function claimValues(
  claims: readonly ApplicationClaim[],
  facts: ClaimFacts,
  values: Record<string, ClaimValue> = {},
): Record<string, ClaimValue> {
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

/** A claim as people see it. */
export interface ShownClaim {
  readonly label: string;
  /** Undefined for one that is left out now, and may have a value later. */
  readonly value: ClaimValue | undefined;
  /** Whether people enter it themselves. */
  readonly selfAsserted: boolean;
}

/** `labelOf` is what an attribute is called; undefined for one that was deleted. */
export function shownClaims(
  claims: readonly ApplicationClaim[],
  facts: ClaimFacts,
  labelOf: (attribute: AttributeReference) => string | undefined,
): ShownClaim[] {
  return claims.map((claim) => ({
    label: claim.label ?? (claim.source === 'attribute' ? labelOf(claim.attribute) : undefined) ?? claim.claim,
    value: claimValue(claim, facts),
    selfAsserted: claim.source === 'attribute' && claim.selfAsserted,
  }));
}

const none: readonly ApplicationClaim[] = [];
const parsed = new Map<string, readonly ApplicationClaim[]>();
/** Each is as large as what an administrator configures for one application. */
const mostParsed = 200;

/** Reads claims that the service itself has written. Each text is parsed once, and gives the same list again. */
export function parseClaims(text: string): readonly ApplicationClaim[] {
  if (text === '[]') return none;
  let claims = parsed.get(text);
  if (claims === undefined) {
    claims = JSON.parse(text) as readonly ApplicationClaim[];
    if (parsed.size >= mostParsed) parsed.clear();
    // A copy, because the text may be a part of another one, which would be kept as well.
    parsed.set(Buffer.from(text).toString(), claims);
  }
  return claims;
}

const keys = new WeakMap<readonly ApplicationClaim[], string>();

/** What a person agrees to with all of these claims, as it's stored: their keys, with spaces between them; null for none. */
export function keysOf(claims: readonly ApplicationClaim[]): string | null {
  if (claims.length === 0) return null;
  let text = keys.get(claims);
  if (text === undefined) {
    text = claims.map(claimKey).join(' ');
    keys.set(claims, text);
  }
  return text;
}

/** Those of the claims that the person agreed to as they are. */
export function agreedClaims(claims: readonly ApplicationClaim[], agreed: string | null): readonly ApplicationClaim[] {
  if (agreed === null || claims.length === 0) return none;
  if (agreed === keysOf(claims)) return claims;
  const words = agreed.split(' ');
  return claims.filter((claim) => words.includes(claimKey(claim)));
}

/** What a client gets besides, if the person agreed to these scopes and claims. */
export function receivedClaims(
  client: { readonly scopes: readonly Scope[]; readonly claims: readonly ApplicationClaim[] },
  agreed: { readonly scopes: readonly Scope[]; readonly claims: string | null },
): readonly ApplicationClaim[] {
  const isCovered = agreed.scopes.includes(scopeOfClaims) && client.scopes.includes(scopeOfClaims);
  return isCovered ? agreedClaims(client.claims, agreed.claims) : none;
}

/** Whether the person agreed to all of the claims. */
export function coversClaims(agreed: string | null, claims: readonly ApplicationClaim[]): boolean {
  return agreedClaims(claims, agreed).length === claims.length;
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
