// The clients of a Keycloak realm export.

import type { Json } from '../../reading/strict-json.ts';
import { textIn } from '../../reading/strict-json.ts';
import { GivenRecord } from '../record.ts';
import { type ClientConversion, convertClient, signatureNote } from './converted.ts';

const builtIn = new Set([
  'account',
  'account-console',
  'admin-cli',
  'broker',
  'realm-management',
  'security-admin-console',
]);
const ownScopes = new Set([
  'openid',
  'profile',
  'email',
  'basic',
  'acr',
  'web-origins',
  'roles',
  'offline_access',
  'service_account',
]);

export function convertKeycloakClient(value: Json, takenIds: Set<string>): ClientConversion {
  const client = new GivenRecord(value);
  const oldId = client.text('clientId') ?? '';
  if (builtIn.has(oldId) || /-realm$/.test(oldId)) return { kind: 'skipped' };
  const attributes = client.object('attributes');
  const rootUrl = client.text('rootUrl') ?? '';
  const isPublic = client.flag('publicClient') === true;
  const standardFlow = client.flag('standardFlowEnabled') !== false;
  const algorithm = textIn(attributes, 'id.token.signed.response.alg') ?? 'RS256';
  const authenticator = client.text('clientAuthenticatorType') ?? 'client-secret';
  const scopes = [...texts(client.list('defaultClientScopes')), ...texts(client.list('optionalClientScopes'))];
  const otherScopes = scopes.filter((scope) => !ownScopes.has(scope));
  const mappers = client.list('protocolMappers').length;
  const notes = [
    ...noteIf(client.flag('enabled') === false, 'It was disabled in Keycloak; here it would work.'),
    ...noteIf(
      client.flag('implicitFlowEnabled'),
      'The implicit flow is not supported: use the authorization code with PKCE.',
    ),
    ...noteIf(
      client.flag('directAccessGrantsEnabled'),
      'Direct access grants (passwords sent by the application) are not supported.',
    ),
    ...noteIf(client.flag('serviceAccountsEnabled'), 'Its service account (client credentials) is not supported.'),
    ...noteIf(client.flag('authorizationServicesEnabled'), 'Authorization services are not supported.'),
    ...noteIf(attributes['oauth2.device.authorization.grant.enabled'] === 'true', 'The device flow is not supported.'),
    ...noteIf(
      !isPublic && authenticator !== 'client-secret',
      `It authenticated with ${authenticator}; here it sends a client secret in the body (client_secret_post).`,
    ),
    ...noteIf(
      textIn(attributes, 'backchannel.logout.url') !== undefined,
      "Back-channel logout isn't supported; webhooks say when access ends.",
    ),
    ...noteIf(otherScopes.length > 0, `These scopes don't exist here: ${otherScopes.join(', ')}.`),
    ...noteIf(
      mappers > 0,
      `Its ${mappers} protocol mappers are left out: give the application claims of its own if it needs others than those of profile and email.`,
    ),
    ...noteIf(client.flag('consentRequired') === false, 'People are asked for consent the first time.'),
    ...noteIf(signatureNote(algorithm, isPublic) !== undefined, signatureNote(algorithm, isPublic) ?? ''),
  ];
  const redirectUris = texts(client.list('redirectUris'));
  return {
    kind: 'client',
    ...convertClient(
      {
        oldId,
        name: plainName(client.text('name')),
        isPublic,
        redirectUris: redirectUris.map((uri) => absolute(uri, rootUrl)),
        logoutUris: postLogout(attributes, redirectUris).map((uri) => absolute(uri, rootUrl)),
        links: {
          client_uri: absolute(client.text('baseUrl') ?? '', rootUrl) || undefined,
          policy_uri: textIn(attributes, 'policyUri'),
          tos_uri: textIn(attributes, 'tosUri'),
        },
        impossible: impossible(client, standardFlow, client.problems),
        notes,
      },
      takenIds,
    ),
  };
}

function impossible(client: GivenRecord, standardFlow: boolean, problems: readonly string[]): string | undefined {
  if (problems.length > 0) return `It can't be read: ${problems.join('; ')}.`;
  const protocol = client.text('protocol') ?? 'openid-connect';
  if (protocol !== 'openid-connect') return `It speaks ${protocol}, which is not supported.`;
  if (client.flag('bearerOnly')) return 'It only accepts tokens (bearer-only), so it needs no registration here.';
  if (!standardFlow) return "It doesn't use the authorization code (standard flow), the only flow here.";
  return undefined;
}

/** Two signs between them; a plus stands for the redirect URIs. */
function postLogout(attributes: Readonly<Record<string, Json>>, redirectUris: readonly string[]): readonly string[] {
  const given = (textIn(attributes, 'post.logout.redirect.uris') ?? '').split('##').filter((uri) => uri !== '');
  return given.flatMap((uri) => (uri === '+' ? redirectUris : [uri]));
}

/** Keycloak names its own by keys of its translations, such as ${client_account}. */
function plainName(name: string | undefined): string | undefined {
  return name?.startsWith('${') ? undefined : name;
}

function absolute(uri: string, rootUrl: string): string {
  return uri.startsWith('/') && rootUrl !== '' ? `${rootUrl.replace(/\/$/, '')}${uri}` : uri;
}

export function texts(values: readonly Json[]): string[] {
  return values.filter((value): value is string => typeof value === 'string');
}

export function noteIf(condition: boolean | undefined, note: string): string[] {
  return condition ? [note] : [];
}
