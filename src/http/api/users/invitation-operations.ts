// `/api/people/invitations`: the roles that an invitation gives. Everything else follows from the subject.

import { invitesToRole } from '../../../operations/users/given-roles.ts';
import { invitations } from '../../../operations/users/invitation-subject.ts';
import { subjectOperations } from '../subject-operations.ts';
import { givenRoles, givesRoles, rolesIn } from './role-body.ts';

export const invitationOperations = subjectOperations(invitations, {
  body: { roles: givenRoles },
  givenIn: (body) => ({ roles: rolesIn(body) }),
  besides: {
    create: {
      givesAdminAccess: (_services, body) => ('admin' in body && body.admin === true) || givesRoles(body),
    },
    resend: {
      givesAdminAccess: (services, body) => invitesToRole(services, 'email' in body ? String(body.email) : ''),
    },
  },
});
