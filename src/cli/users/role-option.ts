// `--role`, with which a person or an invitation is given roles.

import { describeRights, roles } from '../../protocol/admin/rights.ts';
import { UsageError } from '../command.ts';

const named = roles.join(', ');

/** Of someone new. "none" is accepted, too, so that scripts can say it. */
export const roleOption = {
  role: { value: 'NAME', field: 'roles', values: roles, many: true, about: `a role in administration: ${named}` },
} as const;

/** Of someone who may have roles. */
export const changedRoleOption = {
  role: {
    value: 'NAME',
    field: 'roles',
    values: [...roles, 'none'],
    many: true,
    about: `a role in administration: ${named}; "none" removes all`,
  },
} as const;

/** What each role is for, as the table of rights has it. */
export const rolesExplained = explained(roles, (role) => describeRights({ roles: [role] }));

export function explained<Name extends string>(names: readonly Name[], describe: (name: Name) => string): string {
  return names.map((name) => `${name}: ${describe(name)}.`).join('\n\n');
}

/** Undefined if none was given; operations check the names. */
export function rolesIn(given: readonly string[] | undefined): readonly string[] | undefined {
  if (!given?.includes('none')) return given;
  if (given.some((name) => name !== 'none')) throw new UsageError("--role none can't be combined with another role");
  return [];
}
