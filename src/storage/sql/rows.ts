// How rows become records. Columns are selected under a prefix (`u_name`, `c_name`), so that one row can hold several.

import type { Person } from '../../protocol/oauth/claims.ts';
import type { Grant } from '../../protocol/oauth/grant.ts';
import { parseScopes } from '../../protocol/oauth/scope.ts';
import type { Row } from '../driver.ts';
import type { Client, ClientSecret, Session, User } from '../storage.ts';

const userColumns = [
  ...['id', 'email', 'email_verified_at', 'name', 'given_name', 'family_name', 'preferred_username', 'picture'],
  ...['locale', 'password_hash', 'admin_since', 'disabled_at', 'generation', 'created_at', 'updated_at'],
];
const personColumns = [
  ...['id', 'email', 'email_verified_at', 'name', 'given_name', 'family_name', 'preferred_username', 'picture'],
  ...['locale', 'updated_at'],
];
const clientColumns = [
  ...['id', 'name', 'is_public', 'redirect_uris', 'scopes', 'secret_digest', 'secret_created_at', 'old_secret_digest'],
  ...['old_secret_created_at', 'secret_used_at', 'old_secret_used_at', 'logo_version', 'revoked_at', 'generation'],
  ...['created_at', 'updated_at'],
];
const sessionColumns = [
  ...['digest', 'user_id', 'user_generation', 'created_at', 'last_seen_at', 'auth_time', 'amr', 'answered'],
  ...['device', 'address'],
];
const grantColumns = [
  ...['id', 'user_id', 'client_id', 'scopes', 'redirect_uri', 'code_challenge', 'nonce', 'auth_time', 'amr'],
  ...['code_digest', 'code_expires_at', 'exchanged_at', 'refresh_digest', 'expires_at', 'ended_at', 'last_used_at'],
];

/** Lists of columns for a SELECT, each table under the alias that is also its prefix. */
export const columns = {
  user: prefixed('u', userColumns),
  person: prefixed('u', personColumns),
  client: prefixed('c', clientColumns),
  session: prefixed('s', sessionColumns),
  grant: prefixed('g', grantColumns),
};

function prefixed(alias: string, names: readonly string[]): string {
  return names.map((name) => `${alias}.${name} AS ${alias}_${name}`).join(', ');
}

export function toClaimsSubject(row: Row): Person {
  return {
    id: row.u_id as string,
    email: row.u_email as string,
    emailVerifiedAt: row.u_email_verified_at as number | null,
    name: row.u_name as string,
    givenName: row.u_given_name as string | null,
    familyName: row.u_family_name as string | null,
    preferredUsername: row.u_preferred_username as string | null,
    picture: row.u_picture as string | null,
    locale: row.u_locale as string | null,
    updatedAt: row.u_updated_at as number,
  };
}

export function toUser(row: Row): User {
  return {
    ...toClaimsSubject(row),
    passwordHash: row.u_password_hash as string,
    adminSince: row.u_admin_since as number | null,
    disabledAt: row.u_disabled_at as number | null,
    generation: row.u_generation as number,
    createdAt: row.u_created_at as number,
  };
}

export function toClient(row: Row): Client {
  const secrets = [
    { digest: row.c_secret_digest, createdAt: row.c_secret_created_at, usedAt: row.c_secret_used_at },
    { digest: row.c_old_secret_digest, createdAt: row.c_old_secret_created_at, usedAt: row.c_old_secret_used_at },
  ].filter((secret) => secret.digest !== null) as ClientSecret[];
  return {
    id: row.c_id as string,
    name: row.c_name as string,
    isPublic: row.c_is_public === 1,
    redirectUris: JSON.parse(row.c_redirect_uris as string),
    scopes: parseScopes(row.c_scopes as string),
    secrets,
    logoVersion: row.c_logo_version as string | null,
    revokedAt: row.c_revoked_at as number | null,
    generation: row.c_generation as number,
    createdAt: row.c_created_at as number,
    updatedAt: row.c_updated_at as number,
  };
}

export function toSession(row: Row): Session {
  return {
    digest: row.s_digest as string,
    userId: row.s_user_id as string,
    userGeneration: row.s_user_generation as number,
    createdAt: row.s_created_at as number,
    lastSeenAt: row.s_last_seen_at as number,
    authTime: row.s_auth_time as number,
    amr: (row.s_amr as string).split(' '),
    answered: row.s_answered as string | null,
    device: row.s_device as string | null,
    address: row.s_address as string | null,
  };
}

export function toGrant(row: Row): Grant {
  return {
    id: row.g_id as string,
    userId: row.g_user_id as string,
    clientId: row.g_client_id as string,
    scopes: parseScopes(row.g_scopes as string),
    redirectUri: row.g_redirect_uri as string,
    codeChallenge: row.g_code_challenge as string,
    nonce: row.g_nonce as string | null,
    authTime: row.g_auth_time as number,
    amr: (row.g_amr as string).split(' '),
    codeDigest: row.g_code_digest as string,
    codeExpiresAt: row.g_code_expires_at as number,
    exchangedAt: row.g_exchanged_at as number | null,
    refreshDigest: row.g_refresh_digest as string | null,
    expiresAt: row.g_expires_at as number | null,
    endedAt: row.g_ended_at as number | null,
    lastUsedAt: row.g_last_used_at as number | null,
    partiesStand: row.parties_stand === 1,
  };
}
