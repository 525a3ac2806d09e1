// The roles that somebody is to have, as they were given with a person or an invitation.

import { readRoles } from '../../protocol/account/roles.ts';
import { may, type Role, roles as roleNames } from '../../protocol/admin/rights.ts';
import type { Requester } from '../../protocol/event.ts';
import { type AdminOutcome, refused } from '../admin/outcome.ts';

export interface GivenRoles {
  /** True stands for the role `administrator`. */
  readonly admin?: boolean | undefined;
  readonly roles?: readonly string[] | undefined;
}

export const rolesNotAllowed = refused('only an administrator can give and remove roles', 'forbidden');

/** Refused if one of them doesn't exist, or the requester can't give any. */
export function readGivenRoles(
  { admin, roles = [] }: GivenRoles,
  { authority }: Requester,
): AdminOutcome<{ roles: readonly Role[] }> {
  const read = readRoles(admin === true ? ['administrator', ...roles] : roles);
  if (read === undefined) {
    const problem = `a role must be one of ${roleNames.join(', ')}`;
    return { ...refused(problem), fields: { roles: [problem] } };
  }
  return read.length === 0 || may(authority, 'roles.change') ? { kind: 'done', roles: read } : rolesNotAllowed;
}
