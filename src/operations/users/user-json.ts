// The JSON of users and their sessions: the same for the API and for the command line's --json.

import { definedValues } from '../../protocol/account/attribute-values.ts';
import { rolesOf } from '../../protocol/account/roles.ts';
import { disabledReasonOf } from '../../protocol/account/standing.ts';
import { isoTime } from '../../protocol/iso-time.ts';
import { jsonOf } from '../../protocol/resources/resource.ts';
import { type UserValues, userFields } from '../../protocol/resources/user.ts';
import type { Attribute, ListedUser, ShownUser, User } from '../../storage/storage.ts';
import { listAttributes } from '../attributes/attributes.ts';
import type { Storing } from '../services.ts';
import type { ActiveSession } from '../sessions/sessions.ts';
import type { FirstLink, userDetails } from './users.ts';

type UserDetails = Extract<Awaited<ReturnType<typeof userDetails>>, { kind: 'done' }>;

/** With what their fields say that isn't stored like that. */
export function userValues<Stored extends ShownUser>(user: Stored): Stored & UserValues {
  const { emailVerifiedAt, adminSince } = user;
  return {
    ...user,
    emailVerified: emailVerifiedAt !== null,
    admin: adminSince !== null,
    roles: rolesOf(user),
    disabledReason: disabledReasonOf(user),
  };
}

/** With the values of these attributes. */
export function userJsonWith(attributes: readonly Attribute[], user: ShownUser) {
  return {
    ...jsonOf(userFields, userValues(user)),
    attributes: definedValues(attributes, user.attributes),
  };
}

export async function userJson(services: Storing, user: User) {
  return userJsonWith(await listAttributes(services), user);
}

/** With how they sign in, and what they use. */
export async function userDetailsJson(services: Storing, { user, sessions, apps, signIn }: UserDetails) {
  return {
    ...(await userJson(services, user)),
    sessions: sessions.length,
    applications: apps.length,
    second_factors: {
      authenticator: signIn.authenticator !== undefined,
      passkeys: signIn.passkeys.length,
      recovery_codes: signIn.recoveryCodes,
    },
  };
}

/** Of many people, for whom attributes are read once. */
export async function userJsonOfEach(services: Storing): Promise<(user: ShownUser) => ReturnType<typeof userJsonWith>> {
  const attributes = await listAttributes(services);
  return (user) => userJsonWith(attributes, user);
}

export function listedUserJson(attributes: readonly Attribute[], user: ListedUser) {
  return {
    ...userJsonWith(attributes, user),
    last_sign_in_at: isoTime(user.lastSignInAt),
    last_active_at: isoTime(user.lastActiveAt),
    second_factor: user.hasSecondFactor,
  };
}

export function sessionJson({ id, device, address, createdAt, lastSeenAt }: ActiveSession) {
  return { id, device, address, created_at: isoTime(createdAt), last_seen_at: isoTime(lastSeenAt) };
}

export function firstLinkJson(link: FirstLink | undefined) {
  return link && { url: link.url ?? null, expires_at: isoTime(link.expiresAt) };
}
