// The search of a page on which an administrator picks people by their name.

import type { Services } from '../../../operations/services.ts';
import { listUsers } from '../../../operations/users/users.ts';
import type { UserPicker } from '../../../pages/console/users/user-picker.ts';
import type { ConsoleRequest } from '../console-pages.ts';

/** More than anyone reads: a longer beginning finds fewer. */
const mostFound = 20;

export async function findUsersByName(services: Services, { query }: ConsoleRequest): Promise<UserPicker> {
  const search = query.get('search') ?? '';
  if (search.trim() === '') return { search, found: undefined };
  const outcome = await listUsers(services, { search, limit: mostFound });
  return { search, found: outcome.kind === 'done' ? outcome.items : [] };
}
