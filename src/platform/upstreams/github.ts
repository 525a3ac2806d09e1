// Signing in with GitHub, which is plain OAuth 2.0: there is no ID token, so the API says who it is. The numeric user id is
// the subject, because people can change their login name, and others can take it then.

import { digestOf, sameText } from '../../protocol/digest.ts';
import { readQuery } from '../../protocol/reading/parameters.ts';
import { type RawClaims, readClaims } from '../../protocol/upstreams/claims.ts';
import type { GitHubMetadata } from '../../protocol/upstreams/metadata.ts';
import { type OutgoingRequest, Unreachable } from '../webhooks/checked-host.ts';
import {
  type AuthorizationOptions,
  type AuthorizationResponse,
  invalidAnswer,
  quotedCode,
  refusedAnswer,
  type UpstreamAnswer,
  type UpstreamFacts,
} from './answer.ts';
import type { UpstreamFetch } from './upstream-fetch.ts';

/** GitHub can't be asked to require a password; the account picker at least shows the account. */
const freshPrompt = 'select_account';

export function githubAuthorizationUrl(
  upstream: UpstreamFacts,
  metadata: GitHubMetadata,
  { redirectUri, state, verifier, fresh, loginHint }: AuthorizationOptions,
): string {
  const url = new URL(metadata.authorizationEndpoint);
  const parameters = {
    client_id: upstream.clientId,
    redirect_uri: redirectUri,
    scope: upstream.scopes.join(' '),
    state,
    code_challenge: digestOf(verifier),
    code_challenge_method: 'S256',
    ...(fresh && { prompt: freshPrompt }),
    ...(loginHint !== undefined && { login: loginHint }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** The response's issuer isn't checked: the callback and the state belong to this upstream only. */
export async function finishGitHub(
  fetch: UpstreamFetch,
  upstream: UpstreamFacts,
  metadata: GitHubMetadata,
  response: AuthorizationResponse,
): Promise<UpstreamAnswer> {
  const { parameters, repeated } = readQuery(response.query);
  const [state, code, error] = [parameters.get('state'), parameters.get('code'), parameters.get('error')];
  if (state === undefined || !sameText(state, response.state)) return invalidAnswer('the state is another one');
  if (error !== undefined || repeated.has('error')) {
    const reason = error === 'access_denied' ? 'upstream_denied' : 'upstream_error';
    return refusedAnswer(reason, `the identity provider answered with the error ${quotedCode(error)}`);
  }
  if (code === undefined) return invalidAnswer('there is no code');
  try {
    return await identify(fetch, upstream, metadata, response, code);
  } catch (failure) {
    if (failure instanceof Unreachable) return refusedAnswer('upstream_unreachable', failure.message);
    throw failure;
  }
}

async function identify(
  fetch: UpstreamFetch,
  upstream: UpstreamFacts,
  metadata: GitHubMetadata,
  { redirectUri, verifier, secret }: AuthorizationResponse,
  code: string,
): Promise<UpstreamAnswer> {
  const body = new URLSearchParams({
    client_id: upstream.clientId,
    client_secret: secret,
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  });
  const tokens = await ask(fetch, metadata.tokenEndpoint, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    body: body.toString(),
  });
  if (!isObject(tokens)) return invalidAnswer('the response of the token endpoint is invalid');
  if (tokens.error !== undefined) {
    return refusedAnswer('upstream_error', `the identity provider answered with the error ${quotedCode(tokens.error)}`);
  }
  const token = tokens.access_token;
  if (typeof token !== 'string' || !/^[\x21-\x7e]{1,1000}$/.test(token))
    return invalidAnswer('there is no access token');
  const headers = {
    accept: 'application/vnd.github+json',
    authorization: `Bearer ${token}`,
    'x-github-api-version': '2022-11-28',
  };
  const user = await ask(fetch, metadata.userEndpoint, { method: 'GET', headers });
  const emails = await ask(fetch, metadata.emailsEndpoint, { method: 'GET', headers });
  const raw = claimsOf(user, emails);
  const claims = raw && readClaims(raw);
  if (raw === undefined || claims === undefined) return invalidAnswer('there is no user id');
  return { kind: 'identified', claims, received: [{ from: 'api', claims: raw }] };
}

function claimsOf(user: unknown, emails: unknown): RawClaims | undefined {
  if (!isObject(user) || !Number.isSafeInteger(user.id) || Number(user.id) <= 0) return undefined;
  const list: readonly unknown[] = Array.isArray(emails) ? emails : [];
  // The address on the profile is whatever its owner typed; those of this list say whether they were verified.
  const primary = list.filter(isObject).find((each) => each.primary === true && each.verified === true);
  return { sub: String(user.id), name: user.name ?? user.login, email: primary?.email, email_verified: true };
}

/** The endpoint's JSON response; undefined for anything else. */
async function ask(fetch: UpstreamFetch, url: string, request: OutgoingRequest): Promise<unknown> {
  const response = await fetch.send(url, request);
  if (response.status !== 200) return undefined;
  try {
    return await response.json();
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
