// The applications of an Auth0 tenant, as its Management API lists them.

import type { Json } from '../../reading/strict-json.ts';
import { textIn } from '../../reading/strict-json.ts';
import { GivenRecord } from '../record.ts';
import { type ClientConversion, convertClient, signatureNote } from './converted.ts';
import { noteIf, texts } from './keycloak.ts';

const otherGrants: Readonly<Record<string, string>> = {
  implicit: 'The implicit flow is not supported: use the authorization code with PKCE.',
  client_credentials: 'Client credentials are not supported.',
  password: 'The password grant is not supported.',
  'http://auth0.com/oauth/grant-type/password-realm': 'The password grant is not supported.',
  'urn:ietf:params:oauth:grant-type:device_code': 'The device flow is not supported.',
};

export function convertAuth0Client(value: Json, takenIds: Set<string>): ClientConversion {
  const client = new GivenRecord(value);
  // "All Applications", which every tenant has.
  if (client.flag('global')) return { kind: 'skipped' };
  const appType = client.text('app_type') ?? 'regular_web';
  const method = client.text('token_endpoint_auth_method');
  const isPublic = method === 'none' || (method === undefined && (appType === 'spa' || appType === 'native'));
  const algorithm = textIn(client.object('jwt_configuration'), 'alg') ?? 'RS256';
  const grants = texts(client.list('grant_types'));
  const secretNote = `It authenticated with ${method}; here it sends its secret in the body (client_secret_post).`;
  const notes = [
    ...new Set(grants.flatMap((grant) => otherGrants[grant] ?? [])),
    ...noteIf(!isPublic && method !== undefined && method !== 'client_secret_post', secretNote),
    ...noteIf(
      isPublic && grants.includes('refresh_token'),
      'Public applications get no refresh token; they renew with prompt=none.',
    ),
    ...noteIf(client.flag('is_first_party'), 'People are asked for consent the first time.'),
    ...noteIf(client.has('organization_usage'), "Organizations don't exist here."),
    ...noteIf(Object.keys(client.object('client_metadata')).length > 0, 'Its client_metadata is left out.'),
    ...noteIf(signatureNote(algorithm, isPublic) !== undefined, signatureNote(algorithm, isPublic) ?? ''),
  ];
  return {
    kind: 'client',
    ...convertClient(
      {
        oldId: client.text('client_id') ?? '',
        name: client.text('name'),
        isPublic,
        redirectUris: texts(client.list('callbacks')),
        logoutUris: texts(client.list('allowed_logout_urls')),
        links: {},
        impossible: impossible(appType, grants, client.problems),
        notes,
      },
      takenIds,
    ),
  };
}

function impossible(appType: string, grants: readonly string[], problems: readonly string[]): string | undefined {
  if (problems.length > 0) return `It can't be read: ${problems.join('; ')}.`;
  if (appType === 'non_interactive') return 'It signs nobody in (machine to machine), which is not supported.';
  if (appType === 'resource_server') return 'It only accepts tokens, so it needs no registration here.';
  if (grants.length > 0 && !grants.includes('authorization_code') && !grants.includes('implicit')) {
    return "It doesn't use the authorization code, the only flow here.";
  }
  return undefined;
}
