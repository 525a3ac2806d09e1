// Signing in with an OpenID Connect provider: the authorization code flow with PKCE and a nonce. The library checks the
// response and the ID token; the rules that it leaves to its caller are in protocol/upstreams.

import * as client from 'openid-client';
import { readClaims } from '../../protocol/upstreams/claims.ts';
import { clockTolerance, idTokenProblem, isSignedWith } from '../../protocol/upstreams/id-token.ts';
import { type OidcMetadata, symmetricAlgorithm } from '../../protocol/upstreams/metadata.ts';
import {
  type AuthorizationOptions,
  type AuthorizationResponse,
  invalidAnswer,
  type ReceivedClaims,
  refusedAnswer,
  type UpstreamAnswer,
  type UpstreamFacts,
} from './answer.ts';
import { openidFetch } from './discovery.ts';
import { isUnreachable, problemIn } from './openid-problems.ts';
import type { UpstreamFetch } from './upstream-fetch.ts';

/** Key sets by issuer, fetched again after some minutes and when a key is unknown. */
export type KeySets = Map<string, client.ExportedJWKSCache>;
const keySetLimit = 100;

export async function oidcAuthorizationUrl(
  upstream: UpstreamFacts,
  metadata: OidcMetadata,
  { redirectUri, state, nonce, verifier, fresh, loginHint, selectAccount, maxAge }: AuthorizationOptions,
): Promise<string> {
  const config = configuration(upstream, metadata, undefined, Date.now());
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: upstream.scopes.join(' '),
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(selectAccount && { prompt: 'select_account' }),
    ...(maxAge !== undefined && { max_age: String(maxAge) }),
    ...(fresh && { prompt: 'login', max_age: '0' }),
    ...(loginHint !== undefined && { login_hint: loginHint }),
  });
  return url.href;
}

export async function finishOidc(
  fetch: UpstreamFetch,
  keySets: KeySets,
  upstream: UpstreamFacts,
  metadata: OidcMetadata,
  response: AuthorizationResponse,
): Promise<UpstreamAnswer> {
  const { secret, now } = response;
  const config = configuration(upstream, metadata, secret, now);
  config[client.customFetch] = openidFetch(fetch);
  const known = keySets.get(upstream.issuer);
  if (known !== undefined) client.setJwksCache(config, known);
  try {
    return await identify(config, upstream, metadata, response);
  } catch (error) {
    if (error instanceof client.AuthorizationResponseError) {
      const denied = error.error === 'access_denied';
      return refusedAnswer(denied ? 'upstream_denied' : 'upstream_error', problemIn(error));
    }
    if (isUnreachable(error)) return refusedAnswer('upstream_unreachable', problemIn(error));
    if (error instanceof client.ResponseBodyError) return refusedAnswer('upstream_error', problemIn(error));
    return invalidAnswer(problemIn(error));
  } finally {
    rememberKeys(keySets, upstream.issuer, client.getJwksCache(config));
  }
}

async function identify(
  config: client.Configuration,
  upstream: UpstreamFacts,
  metadata: OidcMetadata,
  { redirectUri, query, state, nonce, verifier, secret, startedAt, now }: AuthorizationResponse,
): Promise<UpstreamAnswer> {
  const url = new URL(`${redirectUri}?${query}`);
  const tokens = await client.authorizationCodeGrant(config, url, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  const token = tokens.id_token;
  if (claims === undefined || token === undefined) return invalidAnswer('there is no ID token');
  if (isSymmetric(metadata) && !isSignedWith(token, secret))
    return invalidAnswer('the signature of the ID token is invalid');
  const accessToken = tokens.access_token;
  const code = url.searchParams.get('code') ?? '';
  const facts = { token, claims, clientId: upstream.clientId, accessToken, code, startedAt, now };
  const problem = idTokenProblem(facts);
  if (problem !== undefined) return invalidAnswer(problem);

  // An address and whether it's verified come from one place: either of them could be about another address.
  const asksMore = claims.email === undefined && metadata.userinfoEndpoint !== null;
  const { email_verified: _, xms_edov: __, ...rest } = claims;
  // Only the ID token says how someone signed in, and who they are: userinfo may have what people wrote into their profile.
  const { amr, acr, auth_time, oid } = claims;
  const profile = asksMore ? await client.fetchUserInfo(config, accessToken, claims.sub) : undefined;
  const read = readClaims(profile === undefined ? claims : { ...profile, ...rest, amr, acr, auth_time, oid });
  if (read === undefined) return invalidAnswer("the subject can't be one");
  const received: ReceivedClaims[] = [
    { from: 'id_token', claims },
    ...(profile === undefined ? [] : [{ from: 'userinfo', claims: profile } as const]),
  ];
  return { kind: 'identified', claims: read, received };
}

function configuration(
  upstream: UpstreamFacts,
  metadata: OidcMetadata,
  secret: string | undefined,
  now: number,
): client.Configuration {
  const [only] = metadata.algorithms;
  const server: client.ServerMetadata = {
    issuer: upstream.issuer,
    authorization_endpoint: metadata.authorizationEndpoint,
    token_endpoint: metadata.tokenEndpoint,
    jwks_uri: metadata.jwksUri,
    ...(metadata.userinfoEndpoint !== null && { userinfo_endpoint: metadata.userinfoEndpoint }),
    id_token_signing_alg_values_supported: [...metadata.algorithms],
    authorization_response_iss_parameter_supported: metadata.namesIssuer,
  };
  const settings = {
    ...(metadata.algorithms.length === 1 && only !== undefined && { id_token_signed_response_alg: only }),
    // The library uses the system clock. In tests, the service's is a different one.
    [client.clockSkew]: Math.round((now - Date.now()) / 1000),
    [client.clockTolerance]: clockTolerance,
  };
  const config = new client.Configuration(server, upstream.clientId, settings, authentication(metadata, secret));
  // The service's own fetch decides which addresses allow plain http.
  client.allowInsecureRequests(config);
  if (!isSymmetric(metadata)) client.enableNonRepudiationChecks(config);
  return config;
}

/** Without a secret if none is sent. */
function authentication({ authentication: method }: OidcMetadata, secret: string | undefined): client.ClientAuth {
  if (secret === undefined) return client.None();
  return method === 'client_secret_post' ? client.ClientSecretPost(secret) : client.ClientSecretBasic(secret);
}

function isSymmetric({ algorithms }: OidcMetadata): boolean {
  return algorithms.includes(symmetricAlgorithm);
}

function rememberKeys(keySets: KeySets, issuer: string, keys: client.ExportedJWKSCache | undefined): void {
  if (keys === undefined) return;
  keySets.delete(issuer);
  if (keySets.size >= keySetLimit) keySets.delete(keySets.keys().next().value ?? '');
  keySets.set(issuer, keys);
}
