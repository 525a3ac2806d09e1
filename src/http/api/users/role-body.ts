// Roles in the body of a request that creates, invites or changes a person.

import { Type } from 'typebox';
import { roles } from '../../../protocol/admin/rights.ts';

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
