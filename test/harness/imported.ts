// Somebody who came from another service and kept the id that they had there.

import { deleteUser } from '../../src/operations/users/disable-user.ts';
import type { User } from '../../src/storage/storage.ts';
import { requester, type TestService, type TestUser } from './service.ts';

/** Gives someone another person's ID as a name, which was possible once. */
export async function callLikeAnother(
  service: TestService,
  { id }: TestUser,
  { email, username }: { email?: string; username?: string },
): Promise<void> {
  const set =
    email === undefined ? `preferred_username = '${username}', username_key` : `email = '${email}', email_key`;
  await service.execute(`UPDATE users SET ${set} = '${(email ?? username)?.toLowerCase()}' WHERE id = '${id}'`);
}

export async function newImported(service: TestService, id: string, changes: Partial<User> = {}): Promise<TestUser> {
  const { services } = service.running;
  const made = await service.newUser();
  await deleteUser(services, { id: made.id }, requester);
  const user = { ...made.record, ...changes, id };
  await services.storage.createUser(user, services.journal.event({ kind: 'user_created', userId: id }, requester));
  return { ...made, id, email: user.email, record: user };
}
