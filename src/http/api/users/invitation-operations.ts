// `/api/people/invitations`: the roles that an invitation gives, and how a body says them. Everything else follows from the subject.

import { Type } from 'typebox';
import { invitesToRole } from '../../../operations/users/given-roles.ts';
import { invitations } from '../../../operations/users/invitation-subject.ts';
import { roles } from '../../../protocol/admin/rights.ts';
import { subjectOperations } from '../subject-operations.ts';

export const givenRoles = Type.Optional(
  Type.Array(Type.Enum([...roles]), {
    maxItems: roles.length,
    uniqueItems: true,
    description: 'What the person can do in administration. Only an administrator gives and removes roles.',
  }),
);

/** Checked against the schema. */
export function rolesIn(body: object): readonly string[] | undefined {
  return (body as { readonly roles?: readonly string[] }).roles;
}

/** Of a new person, who has none yet. */
export function givesRoles(body: object): boolean {
  return 'roles' in body && Array.isArray(body.roles) && body.roles.length > 0;
}

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
