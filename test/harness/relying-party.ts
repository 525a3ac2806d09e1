// The client's side of the protocol, as requests that a test can alter.

import { createHash, randomBytes } from 'node:crypto';
import { Person } from './person.ts';
import type { TestClient, TestService, TestUser } from './service.ts';

export interface TokenBody {
  access_token: string;
  token_type: string;
  expires_in: number;
  refresh_token: string;
  id_token: string;
  scope: string;
  error: string;
  error_code: string;
  error_description: string;
}

export interface JsonAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: TokenBody;
}

export function newVerifier(): string {
  return randomBytes(32).toString('base64url');
}

export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}

/** The path of an authorization request; a parameter set to undefined is left out. */
export function authorizePath(
  client: TestClient,
  verifier: string,
  changes: Record<string, string | undefined> = {},
): string {
  const parameters: Record<string, string | undefined> = {
    response_type: 'code',
    client_id: client.id,
    redirect_uri: client.redirectUri,
    scope: 'openid profile email',
    state: 'state-1',
    nonce: 'nonce-1',
    code_challenge: challengeOf(verifier),
    code_challenge_method: 'S256',
    ...changes,
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, value);
  return `/oauth-authorize?${query}`;
}

export async function postForm(
  service: TestService,
  path: string,
  parameters: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<JsonAnswer> {
  const response = await fetch(service.url + path, { method: 'POST', body: new URLSearchParams(parameters), headers });
  return { status: response.status, headers: response.headers, body: (await response.json()) as TokenBody };
}

export function exchangeParameters(client: TestClient, code: string, verifier: string): Record<string, string> {
  return {
    grant_type: 'authorization_code',
    code,
    redirect_uri: client.redirectUri,
    client_id: client.id,
    ...(client.secret === '' ? {} : { client_secret: client.secret }),
    code_verifier: verifier,
  };
}

export function refreshParameters(client: TestClient, refreshToken: string): Record<string, string> {
  return {
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
    client_id: client.id,
    client_secret: client.secret,
  };
}

export interface IssuedCode {
  readonly code: string;
  readonly verifier: string;
  readonly person: Person;
}

/** A new browser signs the user in, approves, and comes back with a code. */
export async function obtainCode(
  service: TestService,
  client: TestClient,
  user: TestUser,
  changes: Record<string, string | undefined> = {},
  person = new Person(service),
): Promise<IssuedCode> {
  const verifier = newVerifier();
  const answer = await person.authorize(authorizePath(client, verifier, changes), user);
  const code = answer.searchParams.get('code');
  if (code === null) throw new Error(`no code in ${answer}`);
  return { code, verifier, person };
}

export interface IssuedTokens extends IssuedCode {
  readonly tokens: TokenBody;
}

export async function obtainTokens(
  service: TestService,
  client: TestClient,
  user: TestUser,
  changes: Record<string, string | undefined> = {},
): Promise<IssuedTokens> {
  const issued = await obtainCode(service, client, user, changes);
  const answer = await postForm(service, '/oauth/token', exchangeParameters(client, issued.code, issued.verifier));
  if (answer.status !== 200) throw new Error(`the exchange failed: ${JSON.stringify(answer.body)}`);
  return { ...issued, tokens: answer.body };
}

export async function userinfo(
  service: TestService,
  accessToken: string,
): Promise<{ status: number; headers: Headers; body: Record<string, unknown> }> {
  const response = await fetch(`${service.url}/oauth/userinfo`, {
    headers: { Authorization: `Bearer ${accessToken}` },
  });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  };
}

export function decodeJwt(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;
}
