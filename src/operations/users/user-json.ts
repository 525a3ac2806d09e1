// The JSON of users, their sessions and invitations: the same for the API and for the command line's --json.

import { isoTime } from '../../protocol/iso-time.ts';
import { jsonOf } from '../../protocol/resources/resource.ts';
import { userFields } from '../../protocol/resources/user.ts';
import type { ListedUser, User } from '../../storage/storage.ts';
import type { ActiveSession } from '../sessions/sessions.ts';
import type { Invitation, ListedInvitation } from './invitations.ts';
import type { FirstLink } from './users.ts';

export function userJson(user: User) {
  return jsonOf(userFields, { ...user, emailVerified: user.emailVerifiedAt !== null, admin: user.adminSince !== null });
}

export function listedUserJson(user: ListedUser) {
  return { ...userJson(user), last_sign_in_at: isoTime(user.lastSignInAt), second_factor: user.hasSecondFactor };
}

export function sessionJson({ id, device, address, createdAt, lastSeenAt }: ActiveSession) {
  return { id, device, address, created_at: isoTime(createdAt), last_seen_at: isoTime(lastSeenAt) };
}

export function invitationJson({ email, url, expiresAt }: Invitation) {
  return { email, url: url ?? null, expires_at: isoTime(expiresAt) };
}

export function pendingInvitationJson({ email, name, inviter, invitedAt, expiresAt }: ListedInvitation) {
  const times = { invited_at: isoTime(invitedAt), expires_at: isoTime(expiresAt) };
  return { email, name, invited_by: inviter ?? null, ...times };
}

export function firstLinkJson(link: FirstLink | undefined) {
  return link && { url: link.url ?? null, expires_at: isoTime(link.expiresAt) };
}
