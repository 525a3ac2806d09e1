// Token revocation (RFC 7009) and the userinfo endpoint. Revoking a refresh token ends its grant, and with it all its access
// tokens; revoking an access token ends that token only.

import { digestOf, sameText } from '../../protocol/digest.ts';
import type { Requester } from '../../protocol/event.ts';
import { type Eventual, whenThere } from '../../protocol/eventual.ts';
import { parseRefreshToken } from '../../protocol/identifiers.ts';
import { claimValues, scopeOfClaims } from '../../protocol/oauth/application-claims.ts';
import { claimsFor, type UserClaims } from '../../protocol/oauth/claims.ts';
import { type OAuthError, oauthError } from '../../protocol/oauth/errors.ts';
import { commonScopes } from '../../protocol/oauth/scope.ts';
import { type AccessTokenFacts, isCurrent } from '../../protocol/oauth/tokens.ts';
import type { Parameters } from '../../protocol/reading/parameters.ts';
import type { TokenHolder } from '../../storage/storage.ts';
import type { Metering, Recording, Services } from '../services.ts';
import { authenticateClient } from './authenticate-client.ts';

/** `done` says nothing about the token: it may be unknown, expired, or another client's. */
export type RevocationOutcome = { kind: 'done' } | { kind: 'refused'; error: OAuthError };

export async function revokeToken(
  services: Recording & Metering & Pick<Services, 'accessTokens' | 'keys' | 'secretGuesses'>,
  parameters: Parameters,
  requester: Requester,
): Promise<RevocationOutcome> {
  const { storage, clock, journal, meters, accessTokens } = services;
  const clientId = parameters.get('client_id');
  const token = parameters.get('token');
  const refuse = (missing: 'client_id' | 'token'): RevocationOutcome => {
    const about = missing === 'token' && clientId !== undefined ? { clientId } : {};
    const reason = `${missing}_missing` as const;
    journal.noteRateLimited({ kind: 'revocation_refused', ...about, detail: { reason } }, requester);
    meters.revocationsRefused.add({ reason });
    const code = missing === 'token' ? 'OAUTH_INVALID_REQUEST' : 'OAUTH_INVALID_CLIENT';
    return { kind: 'refused', error: oauthError(code, `${missing} is missing.`) };
  };
  if (clientId === undefined) return refuse('client_id');

  const refreshToken = parseRefreshToken(token ?? '');
  const now = clock.now();
  const accessToken = accessTokens.read(copyOf(token ?? ''), now);
  const found = await storage.findClientAndRefreshable(clientId, refreshToken?.grantId, now);
  const credentials = { clientId, clientSecret: parameters.get('client_secret') };
  const authentication = await authenticateClient(services, found?.client, credentials, requester);
  if (authentication.kind === 'refused') {
    meters.revocationsRefused.add({ reason: 'client_refused' });
    return { kind: 'refused', error: authentication.error };
  }
  if (token === undefined) return refuse('token');

  const event = (userId: string, detail: { token: string; grant: string }) =>
    journal.event({ kind: 'token_revoked', userId, clientId, detail }, requester);

  const grant = found?.grant;
  if (refreshToken !== undefined && grant?.refreshDigest && grant.clientId === clientId) {
    if (sameText(grant.refreshDigest, digestOf(refreshToken.secret))) {
      await storage.endGrant(grant.id, now, event(grant.userId, { token: 'refresh_token', grant: grant.id }));
      meters.revocations.add({ cause: 'refresh_token_revoked' });
    }
  } else if (accessToken?.clientId === clientId && isCurrent(accessToken, now)) {
    const detail = { token: 'access_token', grant: accessToken.grantId };
    await storage.revokeAccessToken(accessToken.tokenId, accessToken.expiresAt, event(accessToken.userId, detail));
    meters.revocations.add({ cause: 'access_token_revoked' });
  }
  return { kind: 'done' };
}

/** Records a request whose body is neither a form nor JSON; revokeToken is not called then. */
export function noteUnreadableRevocation(services: Pick<Services, 'journal' | 'meters'>, requester: Requester): void {
  services.journal.noteRateLimited({ kind: 'revocation_refused', detail: { reason: 'malformed' } }, requester);
  services.meters.revocationsRefused.add({ reason: 'malformed' });
}

/**
 * The claims of the user whose access token was presented: one query, and nothing is written. Undefined when this service
 * has not issued the token, or when it has expired or been revoked in any way.
 */
export function readClaims(
  services: Recording & Pick<Services, 'accessTokens'>,
  accessToken: string,
): Eventual<UserClaims | undefined> {
  const now = services.clock.now();
  const facts = services.accessTokens.read(accessToken, now);
  if (facts === undefined || !isCurrent(facts, now)) return undefined;
  const holder = services.storage.findTokenHolder(facts.grantId, facts.tokenId, now);
  return whenThere(holder, (holder) => holder && claimsOf(services, facts, holder, now));
}

function claimsOf(
  { journal }: Pick<Services, 'journal'>,
  facts: AccessTokenFacts,
  holder: TokenHolder,
  now: number,
): UserClaims {
  const { grantId, userId, clientId } = facts;
  journal.noteGrantUse({ grantId, userId, clientId, at: now }, holder.lastUsedAt);
  journal.count('userinfo', clientId);
  const granted = commonScopes(facts.scopes, holder.grantScopes);
  const scopes = commonScopes(granted, holder.clientScopes);
  const claims = claimsFor(holder.user, scopes);
  if (holder.claims !== undefined && scopes.includes(scopeOfClaims)) {
    claimValues(holder.claims.claims, holder.claims.facts, claims);
  }
  return claims;
}

/** A text that isn't part of the body: tokens are remembered, and with a part, all of the body would be, its secret included. */
function copyOf(text: string): string {
  return Buffer.from(text).toString();
}
