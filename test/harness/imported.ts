// Somebody who came from another service and kept the id that they had there.

import { deleteUser } from '../../src/operations/users/disable-user.ts';
import type { User } from '../../src/storage/storage.ts';
import { requester, type TestService, type TestUser } from './service.ts';

export async function newImported(service: TestService, id: string, changes: Partial<User> = {}): Promise<TestUser> {
  const { services } = service.running;
  const made = await service.newUser();
  await deleteUser(services, { id: made.id }, requester);
  const user = { ...made.record, ...changes, id };
  await services.storage.createUser(user, services.journal.event({ kind: 'user_created', userId: id }, requester));
  return { ...made, id, email: user.email, record: user };
}
