// Parses the parameters of a token request, for either of the two grant types.

import type { Parameters } from '../reading/parameters.ts';
import { type OAuthError, oauthError } from './errors.ts';

export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string | undefined;
}

export type TokenRequest =
  | {
      kind: 'authorization_code';
      credentials: ClientCredentials;
      code: string;
      redirectUri: string;
      codeVerifier: string;
    }
  | { kind: 'refresh_token'; credentials: ClientCredentials; refreshToken: string; scope: string | undefined };

export type TokenRequestReading = { kind: 'valid'; request: TokenRequest } | { kind: 'invalid'; error: OAuthError };

export function readTokenRequest(parameters: Parameters): TokenRequestReading {
  const grantType = parameters.get('grant_type');
  if (grantType === undefined) return missing('grant_type');
  if (grantType !== 'authorization_code' && grantType !== 'refresh_token') {
    return { kind: 'invalid', error: oauthError('OAUTH_UNSUPPORTED_GRANT_TYPE') };
  }
  const clientId = parameters.get('client_id');
  if (clientId === undefined) {
    return {
      kind: 'invalid',
      error: oauthError('OAUTH_INVALID_CLIENT', 'client_id is missing from the request body.'),
    };
  }
  const credentials = { clientId, clientSecret: parameters.get('client_secret') };

  if (grantType === 'refresh_token') {
    const refreshToken = parameters.get('refresh_token');
    if (refreshToken === undefined) return missing('refresh_token');
    return {
      kind: 'valid',
      request: { kind: 'refresh_token', credentials, refreshToken, scope: parameters.get('scope') },
    };
  }

  const code = parameters.get('code');
  const redirectUri = parameters.get('redirect_uri');
  const codeVerifier = parameters.get('code_verifier');
  if (code === undefined) return missing('code');
  if (redirectUri === undefined) return missing('redirect_uri');
  if (codeVerifier === undefined) return missing('code_verifier');
  return { kind: 'valid', request: { kind: 'authorization_code', credentials, code, redirectUri, codeVerifier } };
}

function missing(name: string): TokenRequestReading {
  return { kind: 'invalid', error: oauthError('OAUTH_INVALID_REQUEST', `${name} is missing.`) };
}
