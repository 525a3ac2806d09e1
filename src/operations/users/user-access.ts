// A person's groups, the applications these open, and when each of them ends.

import type { AccessibleClient, Group, Listed, OpenedToUser, TrustedDevice, User } from '../../storage/storage.ts';
import type { Timing } from '../services.ts';

export interface UserAccess {
  readonly groups: readonly Listed<Group>[];
  /** The applications that aren't for everyone, once for each way to them. */
  readonly opened: readonly OpenedToUser[];
  /** The browsers in which they aren't asked for a second factor. */
  readonly trusted: readonly Pick<TrustedDevice, 'device' | 'lastSeenAt' | 'trustedUntil'>[];
}

/** The applications that a person can use, with every reason; of those for everyone, the ones that they have connected. */
export function applicationsOf(
  { storage, clock }: Timing,
  user: Pick<User, 'id' | 'createdAt'>,
): Promise<AccessibleClient[]> {
  return storage.listAccessOf(user, clock.now());
}

export async function userAccess({ storage, clock }: Timing, { id }: Pick<User, 'id'>): Promise<UserAccess> {
  const now = clock.now();
  const [groups, opened, trusted] = await Promise.all([
    storage.listGroupsOf(id, now),
    storage.listClientsOpenedTo(id, now),
    storage.listTrustedDevices(id, now),
  ]);
  return { groups, opened, trusted };
}
