// The roles of a person as they are stored: being an administrator is a time of its own, the others are a list of names.

import { isRole, type Role } from '../admin/rights.ts';

export interface RoleHolder {
  readonly adminSince: number | null;
  /** Names in alphabetical order with a space between them; null for none. */
  readonly roles: string | null;
}

export function rolesOf({ adminSince, roles }: RoleHolder): readonly Role[] {
  const others = roles === null ? [] : roles.split(' ').filter(isRole);
  return adminSince === null ? others : ['administrator', ...others];
}

/** Whether the person can open the console, and is nobody's to change but an administrator's. */
export function hasRole(holder: RoleHolder): boolean {
  return holder.adminSince !== null || holder.roles !== null;
}

/** The column for these roles. */
export function storedRoles(roles: readonly Role[]): string | null {
  const others = [...new Set(roles)].filter((role) => role !== 'administrator').toSorted();
  return others.length === 0 ? null : others.join(' ');
}

/** Of someone new: no role, and not from a directory. */
export const newcomer = { roles: null, managedBy: null, externalId: null, adoptedAt: null } as const;
