// What an application would receive about a person: the claims at userinfo and in the ID token, made by the same functions
// as in a real sign-in.

import type { Requester } from '../../protocol/event.ts';
import { type ClaimValue, claimValues, idTokenClaims, scopeOfClaims } from '../../protocol/oauth/application-claims.ts';
import { claimsFor, type UserClaims } from '../../protocol/oauth/claims.ts';
import { commonScopes, formatScopes, type Scope } from '../../protocol/oauth/scope.ts';
import type { Client, User } from '../../storage/storage.ts';
import { findClaimFacts } from '../claim-facts.ts';
import type { Recording, Services } from '../services.ts';

export interface ClaimsPreview {
  readonly userinfo: UserClaims;
  readonly idToken: Readonly<Record<string, ClaimValue>>;
  /** Whether claims are left out of the ID token because they're too large for it. */
  readonly dropped: boolean;
}

/**
 * What the client would receive if the person approved these scopes, and all of its claims. The ID token has what is known without
 * a sign-in. `nonce`, `auth_time`, `amr`, `acr` and `sid` belong to one sign-in, as `exp`, `iat` and `at_hash` do: there's none,
 * and values that no application will ever receive would be made up.
 */
export async function previewClaims(
  services: Recording & Pick<Services, 'issuer'>,
  client: Client,
  user: User,
  scopes: readonly Scope[],
  requester: Requester,
): Promise<ClaimsPreview> {
  const { journal, issuer } = services;
  const granted = commonScopes(scopes, client.scopes);
  const claims = granted.includes(scopeOfClaims) ? client.claims : [];
  const facts = await findClaimFacts(services, user);
  const inIdToken = idTokenClaims(claims, facts);
  const detail = { scope: formatScopes(granted) };
  journal.note({ kind: 'claims_previewed', userId: user.id, clientId: client.id, detail }, requester);
  const known = { iss: issuer, sub: user.id, aud: client.id };
  return {
    userinfo: Object.assign(claimsFor(user, granted), claimValues(claims, facts)),
    idToken: inIdToken.kind === 'fits' ? { ...known, ...inIdToken.values } : known,
    dropped: inIdToken.kind === 'too_large',
  };
}
