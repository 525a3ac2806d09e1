// The fields of an API key.

import { cleanName, nameProblem } from '../account/names.ts';
import { type Permission, permissions, type Role, roles } from '../admin/rights.ts';
import { includes } from '../reading/includes.ts';
import { choice, Invalid, list, shown, text } from './field.ts';
import type { GivenOf, ValuesOf } from './resource.ts';
import { daysOf, secretLife } from './secret-life.ts';

export const apiKeyPermissions = permissions;
/** A key that may do everything has the permission for it. */
export const apiKeyRoles = roles.filter((role) => role !== 'administrator');

const described = {
  name: text({
    description: "What you'll use it for.",
    longest: 100,
    recorded: true,
    option: { value: 'NAME' },
    clean: cleanName,
    subject: 'the name',
    problem: nameProblem,
  }),
  permission: choice({
    description: 'What it can do. Only administrator can manage people with a role, and give or remove roles.',
    values: apiKeyPermissions,
    initial: 'read',
    recorded: true,
    rule: 'the permission must be read, write or administrator',
    option: { about: 'what it can do; only administrator can manage people with a role; default: read' },
  }),
};

/** What an administrator says about a new key. */
export const newApiKeyFields = {
  ...described,
  roles: list({
    description: 'What it can do, instead of a permission: the roles of a person.',
    values: apiKeyRoles,
    settable: 'create',
    rule: 'the roles must be people, applications or auditor',
    option: { name: 'role', value: 'NAME', about: 'a role instead of a permission' },
    items: (given) =>
      given.every((each) => includes(apiKeyRoles, each))
        ? [...new Set(given)]
        : new Invalid('the roles must be people, applications or auditor'),
  }),
  days: daysOf('an API key'),
};

const apiKeyFields = {
  id: shown<string>({ kind: 'text', description: 'What it is called: the key itself is shown once.' }),
  ...described,
  ...secretLife,
};

/** A key with roles is stored with a permission that means nothing. */
export const shownApiKeyFields = {
  ...apiKeyFields,
  permission: shown<Permission | null>({
    kind: 'choice',
    values: permissions,
    nullable: true,
    description: `${described.permission.description} Null for a key with roles.`,
    find: ({ permission, roles: held }) => (held === null ? permission : null),
  }),
  roles: shown<readonly Role[]>({
    kind: 'list',
    values: roles,
    description: 'Instead of the permission; empty for none.',
    find: ({ roles: held }) => (typeof held === 'string' ? held.split(' ') : []),
  }),
  over: shown<boolean, 'ended'>({
    kind: 'flag',
    property: 'ended',
    description: 'Whether it has expired, or who created it is no longer an administrator.',
  }),
};

export type ApiKeyInput = GivenOf<typeof newApiKeyFields>;
export type ApiKeyValues = ValuesOf<typeof apiKeyFields>;
