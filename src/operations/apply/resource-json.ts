// The JSON of users, clients and what belongs to them: the same for the API and for the command line's --json.

import { isoTime } from '../../protocol/iso-time.ts';
import type { Client, ConnectedApp, Group, ListedUser, User } from '../../storage/storage.ts';
import type { AllowedList } from '../clients/access-list.ts';
import type { ActiveSession } from '../sessions/active-sessions.ts';

/** The secret is included only when it was just created. */
export function clientJson(client: Client, secret?: string) {
  return {
    client_id: client.id,
    ...(secret !== undefined && { client_secret: secret }),
    name: client.name,
    redirect_uris: [...client.redirectUris],
    post_logout_redirect_uris: [...client.postLogoutRedirectUris],
    scopes: [...client.scopes],
    access: client.access,
    public: client.isPublic,
    second_factor: client.secondFactor,
    upstream: client.upstream,
    logo: client.logoVersion !== null,
    ...client.links,
    secrets: client.secrets.map(({ createdAt, usedAt }) => ({
      created_at: isoTime(createdAt),
      last_used_at: isoTime(usedAt),
    })),
    revoked_at: isoTime(client.revokedAt),
    created_at: isoTime(client.createdAt),
    updated_at: isoTime(client.updatedAt),
  };
}

/** Who may use a client that is not open to everyone. */
export function allowedJson({ people, groups }: AllowedList) {
  return { people: people.map(({ email }) => email), groups: groups.map(({ name }) => name) };
}

export function groupJson({ id, name, createdAt, updatedAt }: Group) {
  return { id, name, created_at: isoTime(createdAt), updated_at: isoTime(updatedAt) };
}

export function userJson(user: User) {
  return {
    id: user.id,
    email: user.email,
    email_verified: user.emailVerifiedAt !== null,
    name: user.name,
    given_name: user.givenName,
    family_name: user.familyName,
    preferred_username: user.preferredUsername,
    admin: user.adminSince !== null,
    password_breached_at: isoTime(user.breachedSince),
    disabled_at: isoTime(user.disabledAt),
    created_at: isoTime(user.createdAt),
    updated_at: isoTime(user.updatedAt),
  };
}

export function listedUserJson(user: ListedUser) {
  return { ...userJson(user), last_sign_in_at: isoTime(user.lastSignInAt), second_factor: user.hasSecondFactor };
}

export function connectedAppJson({ client, scopes, grantedAt, lastUsedAt }: ConnectedApp) {
  return {
    client_id: client.id,
    name: client.name,
    scopes: [...scopes],
    granted_at: isoTime(grantedAt),
    last_used_at: isoTime(lastUsedAt),
    ...client.links,
  };
}

export function sessionJson({ id, device, address, createdAt, lastSeenAt }: ActiveSession) {
  return { id, device, address, created_at: isoTime(createdAt), last_seen_at: isoTime(lastSeenAt) };
}
