// How rows become records and records become rows, for the tables that several subjects read.

import { emailKey } from '../../protocol/account/email-address.ts';
import { usernameKey } from '../../protocol/account/username.ts';
import type { ClaimsSubject } from '../../protocol/oauth/claims.ts';
import type { Grant } from '../../protocol/oauth/grant.ts';
import { parseScopes } from '../../protocol/oauth/scope.ts';
import { clientFields } from '../../protocol/resources/client.ts';
import type { Client, ClientSecret, Logo, Session, User } from '../records.ts';
import { clients, grants, type logos, type SelectedRow, type StoredRow, sessions, users } from '../schema.ts';
import { fieldColumns } from './fields.ts';
import { columns, columnsExcept, type Selection } from './query.ts';

/** Columns that aren't part of a user's record. */
const internalToUsers = ['email_key', 'username_key', 'last_active_at', 'last_sign_in_at'] as const;

type RowOf<S> = S extends Selection<infer Row> ? Row : never;

export const userColumns = columnsExcept(users, ...internalToUsers);
/** The columns that claims are made from. */
export const claimsColumns = columnsExcept(
  users,
  ...internalToUsers,
  'password_hash',
  'admin_since',
  'disabled_at',
  'generation',
  'created_at',
  'review_since',
  'breached_since',
);
export const clientColumns = columnsExcept(clients, 'was_listed');
export const sessionColumns = columns(sessions);
export const grantColumns = columnsExcept(
  grants,
  'user_generation',
  'client_generation',
  'delete_after',
  'access_change',
);

export function toClaimsSubject(row: RowOf<typeof claimsColumns>): ClaimsSubject {
  return {
    id: row.u_id,
    email: row.u_email,
    emailVerifiedAt: row.u_email_verified_at,
    name: row.u_name,
    givenName: row.u_given_name,
    familyName: row.u_family_name,
    preferredUsername: row.u_preferred_username,
    picture: row.u_picture,
    locale: row.u_locale,
    updatedAt: row.u_updated_at,
  };
}

export function toUser(row: RowOf<typeof userColumns>): User {
  return {
    ...toClaimsSubject(row),
    passwordHash: row.u_password_hash,
    adminSince: row.u_admin_since,
    disabledAt: row.u_disabled_at,
    generation: row.u_generation,
    createdAt: row.u_created_at,
    reviewSince: row.u_review_since,
    breachedSince: row.u_breached_since,
  };
}

export function fromUser(user: User): StoredRow<typeof users> {
  return {
    id: user.id,
    email: user.email,
    email_key: emailKey(user.email),
    email_verified_at: user.emailVerifiedAt,
    name: user.name,
    given_name: user.givenName,
    family_name: user.familyName,
    preferred_username: user.preferredUsername,
    picture: user.picture,
    locale: user.locale,
    password_hash: user.passwordHash,
    admin_since: user.adminSince,
    disabled_at: user.disabledAt,
    generation: user.generation,
    created_at: user.createdAt,
    updated_at: user.updatedAt,
    last_active_at: null,
    last_sign_in_at: 0,
    username_key: usernameKeyOf(user),
    review_since: user.reviewSince,
    breached_since: user.breachedSince,
  };
}

export function usernameKeyOf({ preferredUsername }: Pick<User, 'preferredUsername'>): string | null {
  return preferredUsername === null ? null : usernameKey(preferredUsername);
}

export const clientFieldColumns = fieldColumns(clients, clientFields, {
  columns: { client_id: 'id', public: 'is_public' },
});

export function toClient(row: RowOf<typeof clientColumns>): Client {
  return {
    ...clientFieldColumns.decode(row),
    secrets: [
      ...toSecrets(row.c_secret_digest, row.c_secret_created_at, row.c_secret_used_at),
      ...toSecrets(row.c_old_secret_digest, row.c_old_secret_created_at, row.c_old_secret_used_at),
    ],
    logoVersion: row.c_logo_version,
    generation: row.c_generation,
  };
}

function toSecrets(digest: string | null, createdAt: number | null, usedAt: number | null): ClientSecret[] {
  return digest === null || createdAt === null ? [] : [{ digest, createdAt, usedAt }];
}

export function toSession(row: RowOf<typeof sessionColumns>): Session {
  return {
    digest: row.s_digest,
    userId: row.s_user_id,
    userGeneration: row.s_user_generation,
    createdAt: row.s_created_at,
    lastSeenAt: row.s_last_seen_at,
    authTime: row.s_auth_time,
    amr: row.s_amr.split(' '),
    answered: row.s_answered,
    device: row.s_device,
    address: row.s_address,
    provenAt: row.s_proven_at,
    kept: row.s_kept === 1,
    trusted: row.s_trusted === 1,
  };
}

export function fromSession(session: Session): StoredRow<typeof sessions> {
  return {
    digest: session.digest,
    user_id: session.userId,
    user_generation: session.userGeneration,
    created_at: session.createdAt,
    last_seen_at: session.lastSeenAt,
    auth_time: session.authTime,
    amr: session.amr.join(' '),
    answered: session.answered,
    device: session.device,
    address: session.address,
    proven_at: session.provenAt,
    kept: session.kept ? 1 : 0,
    trusted: session.trusted ? 1 : 0,
  };
}

export function toGrant(row: RowOf<typeof grantColumns> & { readonly parties_active: number }): Grant {
  return {
    id: row.g_id,
    userId: row.g_user_id,
    clientId: row.g_client_id,
    scopes: parseScopes(row.g_scopes),
    redirectUri: row.g_redirect_uri,
    codeChallenge: row.g_code_challenge,
    nonce: row.g_nonce,
    authTime: row.g_auth_time,
    amr: row.g_amr.split(' '),
    codeDigest: row.g_code_digest,
    codeExpiresAt: row.g_code_expires_at,
    exchangedAt: row.g_exchanged_at,
    refreshDigest: row.g_refresh_digest,
    expiresAt: row.g_expires_at,
    endedAt: row.g_ended_at,
    lastUsedAt: row.g_last_used_at,
    partiesAreActive: row.parties_active === 1,
  };
}

/** Logos and pictures are stored alike. */
export function toLogo(row: SelectedRow<typeof logos, 'version' | 'content_type' | 'bytes'>): Logo {
  return { version: row.i_version, contentType: row.i_content_type, bytes: row.i_bytes };
}

export function fromLogo({ version, contentType, bytes }: Logo) {
  return { version, content_type: contentType, bytes };
}
