// What a person has access to: their groups, and the applications that they can use. And the browsers that are trusted.

import type { AccessibleClient, Group, Listed, TrustedDevice, User } from '../../storage/storage.ts';
import type { Timing } from '../services.ts';

type Person = Pick<User, 'id' | 'createdAt'>;

/** The applications that a person can use, with every reason; of those for everyone, the ones that they have connected. */
export function applicationsOf({ storage, clock }: Timing, user: Person): Promise<AccessibleClient[]> {
  return storage.listAccessOf(user, clock.now());
}

/** With when each membership ends. */
export function groupsOf({ storage, clock }: Timing, { id }: Person): Promise<Listed<Group>[]> {
  return storage.listGroupsOf(id, clock.now());
}

/** The browsers in which they aren't asked for a second factor. */
export function trustedDevices({ storage, clock }: Timing, { id }: Person): Promise<TrustedDevice[]> {
  return storage.listTrustedDevices(id, clock.now());
}
