// Groups and attributes for the claims of applications.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { changeMembers, createGroup } from '../../src/operations/groups/groups.ts';
import { requester, type TestService, type TestUser } from './service.ts';

export async function newGroup(service: TestService, name: string, ...members: readonly TestUser[]): Promise<string> {
  const { services } = service.running;
  const made = await createGroup(services, name, requester);
  if (made.kind === 'refused') throw new Error(made.problem);
  const { id } = made.group;
  const add = members.map((user) => ({ id: user.id }));
  const filled = await changeMembers(services, id, { add }, requester);
  if (filled.kind === 'refused') throw new Error(filled.problem);
  return id;
}

export async function newAttribute(
  service: TestService,
  name: string,
  editableBy: 'administrator' | 'person' = 'administrator',
): Promise<void> {
  const database = new DatabaseSync(join(service.dataDir, 'latchkey.db'));
  try {
    database
      .prepare('INSERT INTO attributes VALUES (?, ?, ?, ?, ?, ?, ?, NULL)')
      .run(name, name, 'text', editableBy, 'null', 1, 1);
  } finally {
    database.close();
  }
}
