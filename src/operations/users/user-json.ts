// The JSON of users and their sessions: the same for the API and for the command line's --json.

import { isoTime } from '../../protocol/iso-time.ts';
import type { ListedUser, User } from '../../storage/storage.ts';
import type { ActiveSession } from '../sessions/active-sessions.ts';

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

export function sessionJson({ id, device, address, createdAt, lastSeenAt }: ActiveSession) {
  return { id, device, address, created_at: isoTime(createdAt), last_seen_at: isoTime(lastSeenAt) };
}
