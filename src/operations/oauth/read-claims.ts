// The userinfo endpoint: the claims of the user whose access token was presented. One query, and nothing is written.

import { claimsFor, type UserClaims } from '../../protocol/oauth/claims.ts';
import { commonScopes } from '../../protocol/oauth/scope.ts';
import { isCurrent } from '../../protocol/oauth/tokens.ts';
import type { Recording, Services } from '../services.ts';

/** Undefined when this service has not issued the token, or when it has expired or been revoked in any way. */
export async function readClaims(
  { storage, clock, journal, accessTokens }: Recording & Pick<Services, 'accessTokens'>,
  accessToken: string,
): Promise<UserClaims | undefined> {
  const now = clock.now();
  const facts = accessTokens.read(accessToken, now);
  if (facts === undefined || !isCurrent(facts, now)) return undefined;
  const holder = await storage.findTokenHolder(facts.grantId, facts.tokenId);
  if (holder === undefined) return undefined;
  const { grantId, userId, clientId } = facts;
  journal.noteGrantUse({ grantId, userId, clientId, at: now }, holder.lastUsedAt);
  journal.count('userinfo', clientId);
  const granted = commonScopes(facts.scopes, holder.grantScopes);
  return claimsFor(holder.user, commonScopes(granted, holder.clientScopes));
}
