// The roles of a person as they are stored: being an administrator is a time of its own, the others are a list of names.

import { isRole, type Role } from '../admin/rights.ts';

export interface HeldRoles {
  readonly adminSince: number | null;
  /** Names in alphabetical order with a space between them; null for none. */
  readonly roles: string | null;
}

export interface RoleHolder extends HeldRoles {
  /** Whether they own an application. */
  readonly isOwner: boolean;
}

export function rolesOf({ adminSince, roles }: HeldRoles): readonly Role[] {
  const others = roles === null ? [] : roles.split(' ').filter(isRole);
  return adminSince === null ? others : ['administrator', ...others];
}

/** Whether the person can open the console, and only administrators can change them: an owner of an application counts as well. */
export function hasRole(holder: RoleHolder): boolean {
  return holder.adminSince !== null || holder.roles !== null || holder.isOwner;
}

/** What was given, each once and in alphabetical order, as `rolesOf` has them; undefined if one of them is no role. */
export function readRoles(given: readonly string[]): readonly Role[] | undefined {
  return given.every(isRole) ? [...new Set(given)].toSorted() : undefined;
}

/** Whether someone with the roles `held` gets one that they don't have. */
export function gainsRole(held: readonly Role[], next: readonly Role[]): boolean {
  return next.some((role) => !held.includes(role));
}

/** Whether API keys, sign-up links and invitations that they made stand on the same ground as before. */
export function keepsGivenRights(held: readonly Role[], next: readonly Role[]): boolean {
  const isSame = held.includes('administrator') === next.includes('administrator');
  return isSame && [held, next].every((roles) => roles.some((role) => role === 'administrator' || role === 'people'));
}

/** The column for these roles. */
export function storedRoles(roles: readonly Role[]): string | null {
  const others = [...new Set(roles)].filter((role) => role !== 'administrator').toSorted();
  return others.length === 0 ? null : others.join(' ');
}

/** Someone who has these roles, since then. */
export function holderOf(roles: readonly Role[], since: number): RoleHolder {
  return { adminSince: roles.includes('administrator') ? since : null, roles: storedRoles(roles), isOwner: false };
}

/** What a link that invites someone says about these roles, and the other way round. */
export function rolesInLink(roles: readonly Role[]): { readonly admin?: 'yes'; readonly roles?: string } {
  const others = storedRoles(roles);
  return { ...(roles.includes('administrator') && { admin: 'yes' }), ...(others !== null && { roles: others }) };
}

export function invitedRoles({ admin, roles }: ReturnType<typeof rolesInLink>): readonly Role[] {
  return rolesOf({ adminSince: admin === 'yes' ? 0 : null, roles: roles ?? null });
}
