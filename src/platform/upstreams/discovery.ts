// Looks up an identity provider's endpoints and signature algorithms. They're checked like any other input: someone who
// controls the issuer must not be able to point the service at anything but public https addresses.

import * as client from 'openid-client';
import {
  asymmetricAlgorithms,
  githubMetadata,
  type OidcMetadata,
  type SigningAlgorithm,
  symmetricAlgorithm,
  type UpstreamMetadata,
} from '../../protocol/upstreams/metadata.ts';
import { problemIn } from './openid-problems.ts';
import type { UpstreamFetch } from './upstream-fetch.ts';

export type Discovery =
  | { readonly kind: 'found'; readonly metadata: UpstreamMetadata }
  /** The problem fits into a sentence. */
  | { readonly kind: 'failed'; readonly problem: string };

/** `algorithm` is the one that the administrator chose; undefined for those that the identity provider announces. */
export async function discover(
  fetch: UpstreamFetch,
  upstream: { readonly kind: 'oidc' | 'github'; readonly issuer: string },
  algorithm: SigningAlgorithm | undefined,
): Promise<Discovery> {
  if (upstream.kind === 'github') return { kind: 'found', metadata: githubMetadata(upstream.issuer) };
  let announced: Readonly<client.ServerMetadata>;
  try {
    const found = await client.discovery(new URL(upstream.issuer), 'discovery', undefined, client.None(), {
      execute: [client.allowInsecureRequests],
      [client.customFetch]: openidFetch(fetch),
    });
    announced = found.serverMetadata();
  } catch (error) {
    const other = otherIssuerIn(error);
    if (other !== undefined) return namesAnother(other);
    return { kind: 'failed', problem: `the discovery failed: ${problemIn(error)}` };
  }
  // The library compares issuers as URLs, which have several spellings. ID tokens are compared byte for byte.
  if (announced.issuer !== upstream.issuer) return namesAnother(announced.issuer);
  return readAnnounced(fetch, announced, algorithm);
}

/** Shows the right issuer to someone who mistyped it. */
function namesAnother(issuer: string): Discovery {
  return {
    kind: 'failed',
    problem: `the discovery document names another issuer, ${JSON.stringify(issuer).slice(0, 200)}`,
  };
}

function otherIssuerIn(error: unknown): string | undefined {
  if (!(error instanceof client.ClientError)) return undefined;
  const cause = error.cause as { readonly attribute?: unknown; readonly body?: { readonly issuer?: unknown } };
  const issuer = cause?.attribute === 'issuer' ? cause.body?.issuer : undefined;
  // No characters that would be misleading on a terminal.
  return typeof issuer === 'string' && /^[\x21-\x7e]+$/.test(issuer) ? issuer : undefined;
}

function readAnnounced(
  fetch: UpstreamFetch,
  announced: Readonly<client.ServerMetadata>,
  algorithm: SigningAlgorithm | undefined,
): Discovery {
  const failed = (problem: string): Discovery => ({ kind: 'failed', problem });
  const endpoints = {
    authorization_endpoint: announced.authorization_endpoint,
    token_endpoint: announced.token_endpoint,
    jwks_uri: announced.jwks_uri,
    userinfo_endpoint: announced.userinfo_endpoint,
  };
  for (const [name, url] of Object.entries(endpoints)) {
    if (url === undefined && name === 'userinfo_endpoint') continue;
    if (typeof url !== 'string') return failed(`the discovery document has no ${name}`);
    const problem = fetch.urlProblem(url);
    if (problem !== undefined) return failed(`the ${name} ${problem}`);
  }
  const methods = announced.code_challenge_methods_supported;
  if (Array.isArray(methods) && !methods.includes('S256')) {
    return failed('the identity provider supports PKCE without S256');
  }
  const signs: readonly unknown[] = announced.id_token_signing_alg_values_supported ?? ['RS256'];
  const offered = asymmetricAlgorithms.filter((each) => signs.includes(each));
  const algorithms = algorithm === undefined ? offered : [algorithm];
  if (algorithms.length === 0) {
    const hint = signs.includes(symmetricAlgorithm)
      ? `; choose ${symmetricAlgorithm} to sign with the client secret`
      : '';
    return failed(`the identity provider announces no signing algorithm with published keys${hint}`);
  }
  if (algorithm !== undefined && !signs.includes(algorithm)) {
    return failed(`the identity provider doesn't announce ${algorithm}`);
  }
  const authentication = announced.token_endpoint_auth_methods_supported;
  const metadata: OidcMetadata = {
    kind: 'oidc',
    authorizationEndpoint: endpoints.authorization_endpoint ?? '',
    tokenEndpoint: endpoints.token_endpoint ?? '',
    jwksUri: endpoints.jwks_uri ?? '',
    userinfoEndpoint: endpoints.userinfo_endpoint ?? null,
    algorithms,
    chosen: algorithm !== undefined,
    authentication: authentication?.includes('client_secret_post') ? 'client_secret_post' : 'client_secret_basic',
    namesIssuer: announced.authorization_response_iss_parameter_supported === true,
  };
  return { kind: 'found', metadata };
}

/** Hands the service's own fetch to openid-client. */
export function openidFetch(fetch: Pick<UpstreamFetch, 'send'>): client.CustomFetch {
  return (url, { method, headers, body }) => {
    const text = body instanceof URLSearchParams ? body.toString() : body;
    if (text !== undefined && text !== null && typeof text !== 'string') throw new TypeError('unexpected body');
    return fetch.send(url, { method, headers, body: text ?? undefined });
  };
}
