// The roles that a person is to have, as they were given with a person or an invitation.

import { readRoles } from '../../protocol/account/roles.ts';
import { may, type Role, roles as roleNames } from '../../protocol/admin/rights.ts';
import type { Requester } from '../../protocol/event.ts';
import { invitedRefusal } from '../admin/authority.ts';
import { type AdminOutcome, type Refused, refused } from '../admin/outcome.ts';
import type { Timing } from '../services.ts';

export interface GivenRoles {
  /** True stands for the role `administrator`. */
  readonly admin?: boolean | undefined;
  readonly roles?: readonly string[] | undefined;
}

export const rolesNotAllowed = refused('only an administrator can give and remove roles', 'forbidden');

/** Whether the pending invitation for this address gives a role. */
export async function invitesToRole({ storage, clock }: Timing, email: string): Promise<boolean> {
  const invitation = await storage.findInvitation(email, clock.now());
  return invitation !== undefined && invitation.roles.length > 0;
}

/** Undefined if the requester may end that invitation, or give the address to someone, which ends it as well. */
export async function findInvitedRefusal(
  services: Timing,
  email: string,
  requester: Requester,
): Promise<Refused | undefined> {
  return invitedRefusal(requester, email, await invitesToRole(services, email));
}

/** Refused if one of them doesn't exist, or the requester can't give any. */
export function readGivenRoles(
  { admin, roles = [] }: GivenRoles,
  { authority }: Requester,
): AdminOutcome<{ roles: readonly Role[] }> {
  const read = readRoles(admin === true ? ['administrator', ...roles] : roles);
  if (read === undefined) {
    return refused({ field: 'roles', says: `a role must be one of ${roleNames.join(', ')}` });
  }
  return read.length === 0 || may(authority, 'roles.change') ? { kind: 'done', roles: read } : rolesNotAllowed;
}
