// People and API keys with roles, stored past the operations that give them.

import { createApiKey } from '../../src/operations/api-keys/api-keys.ts';
import { storedRoles } from '../../src/protocol/account/roles.ts';
import type { Role } from '../../src/protocol/admin/rights.ts';
import { digestOf } from '../../src/protocol/digest.ts';
import { isReleaseLane } from './lane.ts';
import { requester, type TestService, type TestUser } from './service.ts';

/** Two that add up to what each allows wait for a release. */
const sums: readonly (readonly Role[])[] = isReleaseLane
  ? [
      ['people', 'auditor'],
      ['applications', 'auditor'],
    ]
  : [];

/** Whether each of the roles allows what all of them do together, so that nobody is closer to a route with them than with one. */
export const isSum = (roles: readonly Role[]): boolean => roles.length > 1 && roles.includes('auditor');

/** Every way of holding roles that differs from the others in what it allows. */
export const heldRoles: readonly (readonly Role[])[] = [
  [],
  ['people'],
  ['applications'],
  ['auditor'],
  ['people', 'applications'],
  ...sums,
  ['administrator'],
];

let made = 0;

export async function newUserWithRoles(
  service: TestService,
  roles: readonly Role[],
  name = 'Grace Hopper',
): Promise<TestUser> {
  const { storage, journal } = service.running.services;
  const isAdministrator = roles.includes('administrator');
  const template = await service.newUser({ admin: isAdministrator, name });
  const id = `with-roles-${++made}`;
  const record = { ...template.record, id, email: `${id}@example.test`, roles: storedRoles(roles) };
  await storage.createUser(record, journal.event({ kind: 'user_created', userId: id }, requester));
  return { ...template, id, email: record.email, record };
}

/** The secret of a key with these roles instead of a permission. */
export async function newKeyWithRoles(service: TestService, roles: readonly Role[]): Promise<string> {
  const { services } = service.running;
  const template = await createApiKey(services, { name: 'Roles', permission: 'read' }, requester);
  if (template.kind === 'refused') throw new Error(template.problems[0].says);
  const secret = `lk_api_${String(++made).padStart(43, 'r')}`;
  const key = { ...template.key, id: `key-with-roles-${made}`, digest: digestOf(secret), roles: storedRoles(roles) };
  await services.storage.createApiKey(key, services.journal.event({ kind: 'api_key_created' }, requester));
  return secret;
}
