// Parses an authorization request. Client and redirect URI are read first and by the caller, because an error in them is
// shown as a page and never redirected; an error in any other parameter goes back to the client.

import { includes } from '../reading/includes.ts';
import type { QueryReading } from '../reading/parameters.ts';
import { prefersTwoFactors } from '../sign-in/factors.ts';
import { isChallenge } from './pkce.ts';
import { readRequestedScopes, type Scope } from './scope.ts';

export const promptValues = ['none', 'login', 'consent', 'select_account'] as const;
export type Prompt = (typeof promptValues)[number];

export interface AuthorizationRequest {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly state: string | undefined;
  readonly scopes: readonly Scope[];
  /** Requested scopes that don't exist. */
  readonly ignoredScopes: readonly string[];
  readonly nonce: string | undefined;
  readonly codeChallenge: string;
  readonly prompt: ReadonlySet<Prompt>;
  /** In seconds. */
  readonly maxAge: number | undefined;
  readonly loginHint: string | undefined;
  /** As it was sent, not verified. */
  readonly idTokenHint: string | undefined;
  /** Whether people with a second factor are asked for it. */
  readonly prefersTwoFactors: boolean;
}

export type AuthorizationError =
  | 'invalid_request'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'login_required'
  | 'consent_required'
  | 'interaction_required'
  | 'access_denied';

export type RequestReading =
  | { kind: 'valid'; request: AuthorizationRequest }
  | { kind: 'invalid'; error: AuthorizationError; description: string };

export interface RegisteredClient {
  readonly id: string;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly Scope[];
}

/** The value of a parameter that was sent exactly once and is well-formed. */
export function soleParameter(query: QueryReading, name: string): string | undefined {
  return query.invalid.has(name) ? undefined : query.parameters.get(name);
}

/** Reads the rest of a request whose client is known and whose redirect URI is registered for it. */
export function readAuthorizationRequest(
  query: QueryReading,
  client: RegisteredClient,
  redirectUri: string,
): RequestReading {
  for (const name of recognised) {
    if (query.repeated.has(name)) return invalid('invalid_request', `${name} is repeated.`);
    if (query.invalid.has(name)) return invalid('invalid_request', `${name} has characters that are not allowed.`);
  }
  const get = (name: (typeof recognised)[number]) => query.parameters.get(name);

  if (get('request') !== undefined) return invalid('request_not_supported', 'The request parameter is not supported.');
  if (get('request_uri') !== undefined) return invalid('request_uri_not_supported', 'request_uri is not supported.');

  const responseType = get('response_type');
  if (responseType === undefined) return invalid('invalid_request', 'response_type is missing; it must be code.');
  if (responseType !== 'code') return invalid('unsupported_response_type', 'response_type must be code.');

  const codeChallenge = get('code_challenge');
  const method = get('code_challenge_method');
  if (codeChallenge === undefined) return invalid('invalid_request', 'code_challenge is missing; PKCE is required.');
  if (method !== 'S256') return invalid('invalid_request', 'code_challenge_method must be S256.');
  if (!isChallenge(codeChallenge)) {
    return invalid('invalid_request', 'code_challenge must be 43 base64url characters without padding.');
  }

  const requested = readRequestedScopes(get('scope'), client.scopes);
  if (requested.kind === 'invalid') return invalid('invalid_scope', requested.description);

  const prompts = get('prompt')?.split(' ').filter(Boolean) ?? [];
  if (!prompts.every(isPrompt)) return invalid('invalid_request', `prompt must be among: ${promptValues.join(', ')}.`);
  const prompt = new Set<Prompt>(prompts);
  if (prompt.has('none') && prompt.size > 1) return invalid('invalid_request', 'prompt=none stands alone.');

  const maxAge = get('max_age');
  if (maxAge !== undefined && !/^\d{1,10}$/.test(maxAge)) {
    return invalid('invalid_request', 'max_age must be a number of seconds.');
  }

  const nonce = get('nonce');
  if (nonce !== undefined && nonce.length > nonceLimit) {
    return invalid('invalid_request', `nonce must have at most ${nonceLimit} characters.`);
  }

  return {
    kind: 'valid',
    request: {
      clientId: client.id,
      redirectUri,
      state: get('state'),
      scopes: requested.scopes,
      ignoredScopes: requested.ignored,
      nonce,
      codeChallenge,
      prompt,
      maxAge: maxAge === undefined ? undefined : Number(maxAge),
      loginHint: get('login_hint'),
      idTokenHint: get('id_token_hint'),
      prefersTwoFactors: prefersTwoFactors(get('acr_values')),
    },
  };
}

/** Unlike the state, the nonce is stored, with the grant. */
const nonceLimit = 1024;

const recognised = [
  'client_id',
  'redirect_uri',
  'response_type',
  'scope',
  'state',
  'nonce',
  'code_challenge',
  'code_challenge_method',
  'prompt',
  'max_age',
  'acr_values',
  'login_hint',
  'id_token_hint',
  'ui_locales',
  'request',
  'request_uri',
] as const;

function isPrompt(value: string): value is Prompt {
  return includes(promptValues, value);
}

function invalid(error: AuthorizationError, description: string): RequestReading {
  return { kind: 'invalid', error, description };
}
