// How rows become records and records become rows, for the tables that several subjects read.

import { emailKey } from '../../protocol/account/email-address.ts';
import { usernameKey } from '../../protocol/account/names.ts';
import type { Grant, RefreshableGrant } from '../../protocol/oauth/grant.ts';
import { parseScopes } from '../../protocol/oauth/scope.ts';
import type { ClientSecret, NewClientSecret } from '../clients/client-secret.ts';
import type { Client, TokenClient, User } from '../records.ts';
import { clients, grants, logos, type StoredRow, sessions, users } from '../schema.ts';
import { columns, columnsExcept, type Selection } from './query.ts';
import { recordColumns } from './record-columns.ts';

/** Columns that aren't part of a user's record. */
const internalToUsers = [
  'email_key',
  'username_key',
  'last_active_at',
  'last_sign_in_at',
  'end_notices',
  'has_factor',
  'inactive_from',
  'requests_told_at',
] as const;

type RowOf<S> = S extends Selection<infer Row> ? Row : never;

const userRows = recordColumns(users, ...internalToUsers);
export const { columns: userColumns, decode: toUser } = userRows;
/** What a list shows of everyone in it. */
export const listedUserRows = recordColumns(
  users,
  ...internalToUsers,
  'password_hash',
  'generation',
  'session_generation',
  'review_since',
  'picture',
  'locale',
  'external_id',
  'adopted_at',
  'lost_factor_at',
);
/** The columns that claims are made from. */
export const { columns: claimsColumns, decode: toClaimsSubject } = recordColumns(
  users,
  ...internalToUsers,
  'password_hash',
  'admin_since',
  'disabled_at',
  'generation',
  'session_generation',
  'created_at',
  'review_since',
  'breached_since',
  'attributes',
  'expires_at',
  'pending_since',
  'roles',
  'managed_by',
  'external_id',
  'adopted_at',
  'inactive_end',
  'is_owner',
  'lost_factor_at',
);
export const { columns: sessionColumns, decode: toSession, encode: fromSession } = recordColumns(sessions);
const internalToGrants = [
  'user_generation',
  'client_generation',
  'delete_after',
  'access_change',
  'claims',
  'session_id',
] as const;
const grantRows = recordColumns(grants, ...internalToGrants);
export const grantColumns = grantRows.columns;
const refreshableRows = recordColumns(
  grants,
  ...internalToGrants,
  'redirect_uri',
  'code_challenge',
  'code_digest',
  'code_expires_at',
  'exchanged_at',
);
export const refreshableColumns = refreshableRows.columns;
/** Logos and pictures are stored alike. */
export const { decode: toLogo, encode: fromLogo } = recordColumns(logos, 'client_id');

/** `inactive_from` is for people who come from elsewhere. */
export function fromUser(user: User, inactiveFrom: number | null = null): StoredRow<typeof users> {
  return {
    ...userRows.encode(user),
    email_key: emailKey(user.email),
    username_key: usernameKeyOf(user),
    last_active_at: null,
    last_sign_in_at: 0,
    end_notices: 0,
    has_factor: 0,
    inactive_from: inactiveFrom,
    requests_told_at: 0,
  };
}

export function usernameKeyOf({ preferredUsername }: Pick<User, 'preferredUsername'>): string | null {
  return preferredUsername === null ? null : usernameKey(preferredUsername);
}

const secretColumns = ['secret_digest', 'secret_created_at', 'secret_used_at', 'secret_states'] as const;
const oldSecretColumns = [
  'old_secret_digest',
  'old_secret_created_at',
  'old_secret_used_at',
  'old_secret_states',
] as const;
const lastFourColumns = ['secret_last_four', 'old_secret_last_four'] as const;
export const clientRows = recordColumns(
  clients,
  ...secretColumns,
  ...oldSecretColumns,
  ...lastFourColumns,
  'was_listed',
);
export const clientColumns = columnsExcept(clients, 'was_listed');

/** What the token endpoint judges a client by. */
export const tokenClientColumns = columns(
  clients,
  'id',
  'is_public',
  'scopes',
  'revoked_at',
  'backchannel_logout_uri',
  ...secretColumns,
  ...oldSecretColumns,
);

export function toTokenClient(row: RowOf<typeof tokenClientColumns>): TokenClient {
  return {
    id: row.c_id,
    isPublic: row.c_is_public === 1,
    scopes: parseScopes(row.c_scopes),
    revokedAt: row.c_revoked_at,
    backchannelLogoutUri: row.c_backchannel_logout_uri,
    secrets: secretsOf(row),
  };
}

export function toClient(row: RowOf<typeof clientColumns>): Client {
  return {
    ...clientRows.decode(row),
    secrets: secretsOf(row).map((secret) => ({ ...secret, lastFour: lastFourIn(row, secret) })),
  };
}

/** Names the digest: the previous version rotates a secret and leaves the columns as they are. */
export function storedLastFour({ digest, lastFour }: NewClientSecret): string | null {
  return lastFour === null ? null : `${digest} ${lastFour}`;
}

function lastFourIn(row: RowOf<typeof clientColumns>, { digest }: Pick<ClientSecret, 'digest'>): string | null {
  const stored = [row.c_secret_last_four, row.c_old_secret_last_four];
  return stored.find((each) => each?.startsWith(`${digest} `))?.slice(digest.length + 1) ?? null;
}

/** The newest first. */
function secretsOf(
  row: Pick<RowOf<typeof clientColumns>, `c_${(typeof secretColumns | typeof oldSecretColumns)[number]}`>,
): Omit<ClientSecret, 'lastFour'>[] {
  const secrets: Omit<ClientSecret, 'lastFour'>[] = [];
  const add = (digest: string | null, createdAt: number | null, usedAt: number | null, sealedStates: string | null) => {
    if (digest !== null && createdAt !== null) secrets.push({ digest, createdAt, usedAt, sealedStates });
  };
  add(row.c_secret_digest, row.c_secret_created_at, row.c_secret_used_at, row.c_secret_states);
  add(row.c_old_secret_digest, row.c_old_secret_created_at, row.c_old_secret_used_at, row.c_old_secret_states);
  return secrets;
}

interface Activity {
  readonly parties_active: number;
}

export function toGrant(row: RowOf<typeof grantColumns> & Activity): Grant {
  return { ...grantRows.decode(row), partiesAreActive: row.parties_active === 1 };
}

export function toRefreshable(row: RowOf<typeof refreshableColumns> & Activity): RefreshableGrant {
  return { ...refreshableRows.decode(row), partiesAreActive: row.parties_active === 1 };
}
