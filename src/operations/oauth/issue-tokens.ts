// The token endpoint: exchanges a code, or a refresh token, for tokens. Whether a grant allows it is decided by
// protocol/oauth/grant.ts; this file loads the grant, consumes the code, and issues the tokens.

import { digestOf } from '../../protocol/digest.ts';
import { quotedClientId, type Requester } from '../../protocol/event.ts';
import { type Eventual, whenThere } from '../../protocol/eventual.ts';
import {
  formatRefreshToken,
  type GrantCredential,
  newId,
  newSecret,
  parseCode,
  parseRefreshToken,
} from '../../protocol/identifiers.ts';
import { type GrantClaims, idTokenClaims, scopeOfClaims } from '../../protocol/oauth/application-claims.ts';
import { type OAuthError, oauthError } from '../../protocol/oauth/errors.ts';
import { type Grant, judgeExchange, judgeRefresh, lifetimes, type SignedGrant } from '../../protocol/oauth/grant.ts';
import { formatSid } from '../../protocol/oauth/id-token-hint.ts';
import { challengeOf, isVerifier } from '../../protocol/oauth/pkce.ts';
import { chooseScopes, commonScopes, describeUngranted, formatScopes, type Scope } from '../../protocol/oauth/scope.ts';
import { basicClientId, refusalOfReading, type TokenRefusal } from '../../protocol/oauth/token-refusals.ts';
import { readTokenRequest, type TokenRequest } from '../../protocol/oauth/token-request.ts';
import { issueAccessToken, issueIdToken } from '../../protocol/oauth/tokens.ts';
import type { Parameters } from '../../protocol/reading/parameters.ts';
import type { ClientAndGrant, ClientAndRefreshable, TokenClient } from '../../storage/storage.ts';
import type { Linking, Metering, Recording, Services } from '../services.ts';
import { authenticateClient, type ClientAuthentication } from './authenticate-client.ts';

type TokenServices = Recording & Linking & Metering & Pick<Services, 'keys' | 'accessTokens' | 'secretGuesses'>;

export type TokenOutcome =
  /** With the response as JSON. */
  { kind: 'issued'; json: string } | { kind: 'refused'; error: OAuthError; reason: TokenRefusal };

const verifierRule = 'code_verifier must be 43 to 128 characters of A-Z a-z 0-9 - . _ ~';

/** The token endpoint refuses this request before it looks at the grant type. */
export function noteUnreadableTokenRequest({ meters }: Metering, reason: TokenRefusal): void {
  meters.tokensRefused.add({ grant_type: 'unknown', reason });
}

export function issueTokens(
  services: TokenServices,
  parameters: Parameters,
  requester: Requester,
): Eventual<TokenOutcome> {
  const reading = readTokenRequest(parameters);
  if (reading.kind === 'invalid') {
    if (reading.error.code === 'OAUTH_INVALID_CLIENT') {
      const facts = { kind: 'client_authentication_failed', detail: { reason: 'client_id_missing' } } as const;
      services.journal.noteRateLimited(facts, requester);
    }
    const reason = refusalOfReading(reading.error.code);
    noteUnreadableTokenRequest(services, reason);
    return refused(reading.error, reason);
  }
  const { request } = reading;
  const { storage, clock } = services;
  const { clientId } = request.credentials;
  let outcome: Eventual<TokenOutcome>;
  if (request.kind === 'authorization_code') {
    const credential = parseCode(request.code);
    const found = storage.findClientAndGrant(clientId, credential?.grantId, clock.now());
    outcome = whenThere(found, (found) => exchangeCode(services, request, credential, found, requester));
  } else {
    const credential = parseRefreshToken(request.refreshToken);
    const found = storage.findClientAndRefreshable(clientId, credential?.grantId, clock.now());
    outcome = whenThere(found, (found) =>
      whenThere(authenticateClient(services, found?.client, request.credentials, requester), (authentication) =>
        authentication.kind === 'refused'
          ? authentication
          : refresh(services, authentication, { request, credential, found }, requester),
      ),
    );
  }
  return whenThere(outcome, (outcome) => counted(services, request.kind, outcome));
}

function counted({ meters }: Metering, kind: TokenRequest['kind'], outcome: TokenOutcome): TokenOutcome {
  if (outcome.kind === 'refused') meters.tokensRefused.add({ grant_type: kind, reason: outcome.reason });
  else (kind === 'authorization_code' ? meters.tokensIssued : meters.tokensRefreshed).add({});
  return outcome;
}

async function exchangeCode(
  services: TokenServices,
  request: Extract<TokenRequest, { kind: 'authorization_code' }>,
  credential: GrantCredential | undefined,
  found: ClientAndGrant | undefined,
  requester: Requester,
): Promise<TokenOutcome> {
  const { storage, clock, journal, random } = services;
  const authentication = await authenticateClient(services, found?.client, request.credentials, requester);
  if (authentication.kind === 'refused') return authentication;
  const { client, secret } = authentication;

  const now = clock.now();
  const presented = {
    codeDigest: digestOf(credential?.secret ?? ''),
    clientId: client.id,
    redirectUri: request.redirectUri,
    // An invalid verifier (RFC 7636, section 4.1) matches nothing, not even a challenge that was computed from it.
    challenge: isVerifier(request.codeVerifier) ? challengeOf(request.codeVerifier) : '',
  };
  const judgement = judgeExchange(found?.grant, presented, now);
  if (judgement.kind === 'refused') {
    noteRefusedExchange(services, client, found?.grant, judgement.reasons, requester);
    if (judgement.endGrant && found?.grant !== undefined) await endByReplay(services, found.grant, requester);
    const description = isVerifier(request.codeVerifier) ? undefined : verifierRule;
    const [reason = 'unknown'] = judgement.reasons;
    return refused(oauthError('OAUTH_INVALID_GRANT', description), reason);
  }

  const { grant } = judgement;
  const refreshSecret = newSecret('', random);
  const expiresAt = now + (client.isPublic ? lifetimes.accessToken : lifetimes.refreshToken);
  const consumed = await storage.consumeCode({
    grantId: grant.id,
    codeDigest: presented.codeDigest,
    now,
    refreshDigest: digestOf(refreshSecret),
    expiresAt,
    // An access token that was issued just before the grant expires is valid for its own 15 minutes.
    deleteAfter: expiresAt + lifetimes.accessToken,
  });
  if (!consumed) {
    // Another request has used the code, or ended the grant, since it was loaded above.
    noteRefusedExchange(services, client, grant, ['replayed'], requester);
    return refused(oauthError('OAUTH_INVALID_GRANT'), 'replayed');
  }
  const about = { userId: grant.userId, clientId: client.id };
  journal.note({ ...about, kind: 'code_exchanged', detail: { grant: grant.id } }, requester);
  journal.noteNewGrant({ ...about, grantId: grant.id, at: now });
  const refreshToken = client.isPublic ? undefined : formatRefreshToken({ grantId: grant.id, secret: refreshSecret });
  const basis = { client, grant, scopes: grant.scopes };
  const claims = claimsInIdToken(services, basis, found?.claims, requester);
  // Most clients ask for the user's claims next.
  return issued(services, basis, { claims, secret, refreshToken, now, expectsUse: true });
}

function refresh(
  services: TokenServices,
  { client, secret }: Exclude<ClientAuthentication, { kind: 'refused' }>,
  {
    request,
    credential,
    found,
  }: {
    readonly request: Extract<TokenRequest, { kind: 'refresh_token' }>;
    readonly credential: GrantCredential | undefined;
    readonly found: ClientAndRefreshable | undefined;
  },
  requester: Requester,
): TokenOutcome {
  const { clock, journal } = services;
  if (client.isPublic) {
    return refused(
      oauthError('OAUTH_UNAUTHORIZED_CLIENT', 'Refreshing needs a client secret; a public client has none.'),
      'unauthorized_client',
    );
  }

  const now = clock.now();
  const presented = { refreshDigest: digestOf(credential?.secret ?? ''), clientId: client.id };
  const judgement = judgeRefresh(found?.grant, presented, now);
  if (judgement.kind === 'refused') {
    const about = found?.grant === undefined ? {} : { userId: found.grant.userId };
    journal.noteRateLimited(
      { kind: 'refresh_refused', clientId: client.id, ...about, detail: { reason: judgement.reason } },
      requester,
    );
    return refused(oauthError('OAUTH_INVALID_GRANT'), judgement.reason);
  }
  const { grant } = judgement;
  const granted = commonScopes(grant.scopes, client.scopes);
  const scopes = chooseScopes(request.scope, granted);
  if (scopes === undefined) {
    return refused(oauthError('OAUTH_INVALID_SCOPE', describeUngranted(request.scope, granted)), 'invalid_scope');
  }
  journal.noteGrantUse({ grantId: grant.id, userId: grant.userId, clientId: client.id, at: now }, grant.lastUsedAt);
  journal.count('refresh', client.id);
  const basis = { client, grant, scopes };
  const claims = claimsInIdToken(services, basis, found?.claims, requester);
  return issued(services, basis, { claims, secret, refreshToken: request.refreshToken, now, expectsUse: false });
}

/** What tokens are issued for. */
interface IssuedGrant {
  readonly client: TokenClient;
  readonly grant: SignedGrant;
  readonly scopes: readonly Scope[];
}

/** Claims of the application, as JSON; undefined for none. */
function claimsInIdToken(
  { journal }: Pick<Services, 'journal'>,
  { client, grant, scopes }: IssuedGrant,
  claims: GrantClaims | undefined,
  requester: Requester,
): string | undefined {
  if (claims === undefined || !commonScopes(scopes, client.scopes).includes(scopeOfClaims)) return undefined;
  const found = idTokenClaims(claims.claims, claims.facts);
  if (found.kind === 'fits') return found.json;
  const detail = { grant: grant.id, bytes: found.bytes };
  const about = { userId: grant.userId, clientId: client.id };
  journal.noteRateLimited({ kind: 'id_token_claims_dropped', ...about, detail }, requester);
  return undefined;
}

/** None of the texts in the response has a character that JSON would quote. */
function issued(
  { keys, issuer, random, accessTokens }: Pick<Services, 'issuer' | 'random' | 'keys' | 'accessTokens'>,
  { client, grant, scopes }: IssuedGrant,
  tokens: {
    readonly claims: string | undefined;
    /** Signs the ID token of a client that has one. */
    readonly secret: string | undefined;
    readonly refreshToken: string | undefined;
    readonly now: number;
    readonly expectsUse: boolean;
  },
): TokenOutcome {
  const { accessTokenKey } = keys;
  const { claims, secret, refreshToken, now, expectsUse } = tokens;
  const subject = { issuer, grantId: grant.id, userId: grant.userId, clientId: client.id };
  const tokenId = newId(random);
  const accessToken = issueAccessToken(subject, scopes, tokenId, accessTokenKey, now);
  if (expectsUse) accessTokens.expect(accessToken, { ...subject, scopes, tokenId }, accessTokenKey, now);
  const { authTime, amr, nonce } = grant;
  const authentication = { authTime, amr, nonce, sid: formatSid(subject, keys.sidKey(grant.sidKey)), claims };
  const key = secret ?? keys.publicIdTokenKey(client.id);
  const idToken = issueIdToken(subject, authentication, accessToken, key, now);
  // Not for public clients: refreshing needs a client secret.
  const refresh = refreshToken === undefined ? '' : `"refresh_token":"${refreshToken}",`;
  const access = `"access_token":"${accessToken}","token_type":"Bearer","expires_in":${lifetimes.accessToken / 1000}`;
  const json = `{${access},${refresh}"id_token":"${idToken}","scope":"${formatScopes(scopes)}"}`;
  return { kind: 'issued', json };
}

async function endByReplay(services: Recording & Metering, grant: Grant, requester: Requester): Promise<void> {
  const { storage, clock, journal, meters } = services;
  const facts = { userId: grant.userId, clientId: grant.clientId, detail: { grant: grant.id } };
  await storage.endGrant(grant.id, clock.now(), journal.event({ kind: 'grant_ended_by_replay', ...facts }, requester));
  meters.revocations.add({ cause: 'grant_ended_by_replay' });
}

function noteRefusedExchange(
  services: Pick<Services, 'journal'>,
  client: TokenClient,
  grant: Grant | undefined,
  reasons: readonly string[],
  requester: Requester,
): void {
  const about = grant === undefined ? {} : { userId: grant.userId };
  const detail = { reasons, ...(grant && { grant: grant.id }) };
  services.journal.noteRateLimited({ kind: 'exchange_refused', clientId: client.id, ...about, detail }, requester);
}

function refused(error: OAuthError, reason: TokenRefusal): TokenOutcome {
  return { kind: 'refused', error, reason };
}

const postSentence =
  'This client authenticates with client_secret_post: send client_id and client_secret in the request body, not in the Authorization header.';

/**
 * For a client that sends its secret in the Authorization header, as many libraries do by default. The header isn't checked
 * against anything: the interface knows client_secret_post alone. `clientId` is the one in the body, if there is one.
 */
export async function refuseBasic(
  services: Recording & Metering,
  authorization: string,
  clientId: string | undefined,
  requester: Requester,
): Promise<OAuthError> {
  const { storage, journal } = services;
  const requested = clientId ?? basicClientId(authorization);
  const client = requested === undefined ? undefined : await storage.findClient(requested);
  const about = client ? { clientId: client.id } : {};
  const detail = {
    reason: 'basic_authentication',
    ...(client === undefined && requested !== undefined && { requested_client: quotedClientId(requested) }),
  };
  noteUnreadableTokenRequest(services, 'basic_authentication');
  journal.noteRateLimited({ kind: 'client_authentication_failed', ...about, detail }, requester);
  return oauthError('OAUTH_INVALID_CLIENT', postSentence);
}
