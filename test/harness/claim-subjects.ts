// Groups and attributes for the claims of applications.

import { createAttribute } from '../../src/operations/attributes/attributes.ts';
import { changeMembers, createGroup } from '../../src/operations/groups/groups.ts';
import { requester, type TestService, type TestUser } from './service.ts';

export async function newGroup(service: TestService, name: string, ...members: readonly TestUser[]): Promise<string> {
  const { services } = service.running;
  const made = await createGroup(services, { name }, requester);
  if (made.kind === 'refused') throw new Error(made.problems[0].says);
  const { id } = made.group;
  const add = members.map((user) => ({ id: user.id }));
  const filled = await changeMembers(services, id, { add }, requester);
  if (filled.kind === 'refused') throw new Error(filled.problems[0].says);
  return id;
}

export async function newAttribute(
  service: TestService,
  name: string,
  editableBy: 'administrator' | 'person' = 'administrator',
  label = name,
): Promise<void> {
  const input = { name, label, kind: 'text', editableBy };
  const made = await createAttribute(service.running.services, input, requester);
  if (made.kind === 'refused') throw new Error(made.problems[0].says);
}
