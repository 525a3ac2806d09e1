// What the claims of an application are made from, for pages and previews. Tokens and userinfo have it from the query that they ask
// anyway.

import type { ClaimFacts } from '../protocol/oauth/application-claims.ts';
import type { User } from '../storage/storage.ts';
import type { Timing } from './services.ts';

export async function findClaimFacts(
  { storage, clock }: Timing,
  { id, attributes }: Pick<User, 'id' | 'attributes'>,
): Promise<ClaimFacts> {
  return { groups: await storage.listGroupsOf(id, clock.now()), attributes };
}
