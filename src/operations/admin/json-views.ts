// Applications and people as the API and the command line write them: one form, in snake case, times as ISO 8601.

import type { Client, User } from '../../storage/storage.ts';

export function isoTime(at: number): string;
export function isoTime(at: number | null): string | null;
export function isoTime(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

/** The secret is there only when it was just made. */
export function clientJson(client: Client, secret?: string) {
  return {
    client_id: client.id,
    ...(secret !== undefined && { client_secret: secret }),
    name: client.name,
    redirect_uris: [...client.redirectUris],
    scopes: [...client.scopes],
    public: client.isPublic,
    logo: client.logoVersion !== null,
    secrets: client.secrets.map(({ createdAt, usedAt }) => ({
      created_at: isoTime(createdAt),
      last_used_at: isoTime(usedAt),
    })),
    revoked_at: isoTime(client.revokedAt),
    created_at: isoTime(client.createdAt),
    updated_at: isoTime(client.updatedAt),
  };
}

export function userJson(user: User) {
  return {
    id: user.id,
    email: user.email,
    email_verified: user.emailVerifiedAt !== null,
    name: user.name,
    given_name: user.givenName,
    family_name: user.familyName,
    admin: user.adminSince !== null,
    disabled_at: isoTime(user.disabledAt),
    created_at: isoTime(user.createdAt),
    updated_at: isoTime(user.updatedAt),
  };
}
