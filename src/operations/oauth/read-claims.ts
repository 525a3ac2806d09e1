// Userinfo: the claims of the person whom an access token speaks for.

import { claimsFor, type UserClaims } from '../../protocol/oauth/claims.ts';
import { commonScopes } from '../../protocol/oauth/scope.ts';
import type { Services } from '../services.ts';

/** Undefined when the token is not one of this service's, is over, or was revoked in any way. */
export async function readClaims(services: Services, accessToken: string): Promise<UserClaims | undefined> {
  const { storage, clock, journal, accessTokens } = services;
  const now = clock.now();
  const facts = accessTokens.read(accessToken);
  if (facts === undefined || now >= facts.expiresAt) return undefined;
  const holder = await storage.findTokenHolder(facts.grantId, facts.tokenId);
  if (holder === undefined) return undefined;
  const { grantId, userId, clientId } = facts;
  journal.noteGrantUse({ grantId, userId, clientId, at: now }, holder.lastUsedAt);
  journal.count('userinfo', clientId);
  return claimsFor(holder.user, commonScopes(facts.scopes, holder.clientScopes));
}
