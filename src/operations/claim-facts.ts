// What the claims of an application are made from, for pages and previews. Tokens and userinfo have it from the query that they ask
// anyway.

import {
  type ApplicationClaim,
  type ClaimFacts,
  type ShownClaim,
  shownClaims,
} from '../protocol/oauth/application-claims.ts';
import type { User } from '../storage/storage.ts';
import type { Storing, Timing } from './services.ts';

export async function findClaimFacts(
  { storage, clock }: Timing,
  { id, attributes }: Pick<User, 'id' | 'attributes'>,
): Promise<ClaimFacts> {
  return { groups: await storage.listGroupsOf(id, clock.now()), attributes };
}

/** As a person sees them before they agree. */
export async function claimsOf(
  services: Timing,
  claims: readonly ApplicationClaim[],
  user: Pick<User, 'id' | 'attributes'>,
): Promise<ShownClaim[]> {
  const [facts, named] = await Promise.all([findClaimFacts(services, user), findClaimNames(services)]);
  return named(claims, facts);
}

/** Names claims as people see them, by the labels of attributes where they have none of their own. */
export async function findClaimNames({ storage }: Storing) {
  const attributes = await storage.listAttributes();
  return (claims: readonly ApplicationClaim[], facts: ClaimFacts): ShownClaim[] =>
    shownClaims(
      claims,
      facts,
      ({ name, since }) => attributes.find((each) => each.name === name && each.createdAt === since)?.label,
    );
}
