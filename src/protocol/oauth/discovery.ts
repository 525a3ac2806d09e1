// The discovery document (OpenID Connect Discovery 1.0, RFC 8414). It depends on nothing but the base URL.

import { languageTags } from '../languages.ts';
import { acrValues } from '../sign-in/factors.ts';
import { promptValues } from './authorization-request.ts';
import { supportedScopes } from './scope.ts';

export function discoveryDocument(baseUrl: string) {
  return {
    issuer: baseUrl,
    authorization_endpoint: `${baseUrl}/oauth-authorize.php`,
    token_endpoint: `${baseUrl}/oauth/token`,
    userinfo_endpoint: `${baseUrl}/oauth/userinfo`,
    revocation_endpoint: `${baseUrl}/oauth/revoke`,
    end_session_endpoint: `${baseUrl}/oauth/logout`,
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    jwks_uri: `${baseUrl}/oauth/jwks.json`,
    scopes_supported: supportedScopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['HS256'],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'none'],
    revocation_endpoint_auth_methods_supported: ['client_secret_post', 'none'],
    code_challenge_methods_supported: ['S256'],
    prompt_values_supported: promptValues,
    acr_values_supported: acrValues,
    claim_types_supported: ['normal'],
    claims_supported: [
      'sub',
      'iss',
      'aud',
      'exp',
      'iat',
      'auth_time',
      'nonce',
      'at_hash',
      'amr',
      'acr',
      'sid',
      'name',
      'given_name',
      'family_name',
      'preferred_username',
      'picture',
      'locale',
      'updated_at',
      'email',
      'email_verified',
    ],
    ui_locales_supported: languageTags,
    claims_parameter_supported: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    require_request_uri_registration: false,
    authorization_response_iss_parameter_supported: true,
  } as const;
}
