// The groups that a new account joins: those that it's given, and the default groups for people who create it themselves.

import type { Requester } from '../../protocol/event.ts';
import type { ListedChange } from '../../storage/storage.ts';
import { findEach } from '../admin/paging.ts';
import type { Recording, Services, Storing } from '../services.ts';

/** By ID. A group that was deleted is left out. */
export async function joinedGroups(
  { storage, journal }: Recording,
  userId: string,
  groupIds: readonly string[],
  requester: Requester,
): Promise<ListedChange[]> {
  const groups = await findEach(groupIds, (id) => storage.findGroupById(id));
  return groups.map(({ id, name }) => ({
    id,
    event: journal.event({ kind: 'group_member_added', userId, detail: { group: name } }, requester),
  }));
}

/** By ID. Without those that were protected since then: who named them may not have been an administrator. */
export async function openSince(
  { storage }: Storing,
  groupIds: readonly string[],
  time: number,
): Promise<readonly string[]> {
  const groups = await findEach(groupIds, (id) => storage.findGroupById(id));
  return groups.filter(({ protectedSince }) => protectedSince === null || protectedSince <= time).map(({ id }) => id);
}

/** By ID. */
export async function defaultGroups({ settings }: Pick<Services, 'settings'>): Promise<readonly string[]> {
  return (await settings.read()).default_groups;
}
